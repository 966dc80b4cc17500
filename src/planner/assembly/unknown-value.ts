// A value that is not stored: asked back with those that are, nearest first.

import { distance as editDistance } from 'fastest-levenshtein';
import type { LensField } from '../../lens/model/lens.ts';
import { Unreadable } from '../grammar/unreadable.ts';
import { foldValue } from '../words/tokens.ts';

export const nearestValues = (field: LensField, text: string): string[] => {
  const folded = foldValue(text);
  return (field.dictionary?.values ?? [])
    .map(({ value, synonyms }) => ({
      value,
      far: Math.min(
        ...[value, ...synonyms].map((form) => {
          const other = foldValue(form);
          return other.includes(folded) || folded.includes(other) ? 0.5 : editDistance(folded, other);
        }),
      ),
    }))
    .sort((one, other) => one.far - other.far || (one.value < other.value ? -1 : 1))
    .slice(0, 50)
    .map(({ value }) => value);
};

export const unknownValue = (dataset: string, field: LensField, value: string): never => {
  const options = nearestValues(field, value);
  throw new Unreadable(
    {
      kind: 'unknown_value',
      term: `${dataset}.${field.name}`,
      value,
      message:
        `There is no ${field.name.replaceAll('_', ' ')} "${value}". ${options.length > 0 ? `Stored values: ${options.slice(0, 5).join(', ')}${options.length > 5 ? ', …' : ''}.` : ''}`.trim(),
      options,
    },
    [value],
  );
};
