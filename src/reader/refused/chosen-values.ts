// Reads a choice that names a stored value instead of words of a question, such as "GK" or "position = GK".
import type { Lens } from '../../lens/model/lens.ts';
import { splitWords } from '../words/phrase-key.ts';
import { foldValue } from '../words/tokens.ts';

const CONDITION_PATTERN = /^(?:(\w+)\.)?(\w+)\s*=\s*["']?(.+?)["']?$/;

/**
 * Writes the value as the rows that have it, such as "players with position GK". Returns the choice unchanged if not
 * exactly one field has the value.
 */
export function spellChosenValue({ datasets }: Lens, choice: string): string {
  const [, datasetName, fieldName, value = choice] = CONDITION_PATTERN.exec(choice) ?? [];
  const foldedValue = foldValue(value);
  const matches = datasets
    .filter(({ name }) => datasetName === undefined || name === datasetName)
    .flatMap(({ name, fields }) =>
      fields
        .filter((field) => fieldName === undefined || field.name === fieldName)
        .flatMap((field) =>
          (field.dictionary?.values ?? [])
            .filter((item) => foldValue(item.value) === foldedValue)
            .map((item) => [name, 'with', field.name, item.value]),
        ),
    );
  const [match] = matches;
  if (!match || matches.length > 1) return choice;
  const [dataset, link, field, storedValue] = match as [string, string, string, string];
  return [...splitWords(dataset), link, ...splitWords(field), storedValue].join(' ');
}
