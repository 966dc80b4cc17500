// The stored values of one field, nearest to a text first: from the committed dictionary, else by a governed read as the
// asker. A dictionary knows no asker, so it is left aside where a row policy hides rows of the dataset.

import { distance } from 'fastest-levenshtein';
import type { Intent } from '../lens/intent.ts';
import { intentFromMetricsBody } from '../lens/intent-from-metrics.ts';
import { datasetOfPath } from '../lens/join-paths.ts';
import { findField } from '../lens/lens.ts';
import { Problem } from '../platform/problem.ts';
import { foldValue, type ProbeLimits } from './check-values.ts';
import { readGoverned } from './governed-read.ts';
import type { GrantedLens } from './outcome.ts';

const LOOKED_AT = 5_000;

export interface FieldValues {
  field: string;
  values: string[];
  /** False: the column holds more than were looked at. */
  complete: boolean;
}

export async function listValues(
  granted: GrantedLens,
  name: string,
  near: string | undefined,
  limits: ProbeLimits,
): Promise<FieldValues> {
  // The roles of one dataset hold the same values, so a bare name need not choose among them.
  const holders = granted.lens.datasets.filter((dataset) => findField(dataset, name));
  const path = holders.length === 1 ? `${holders[0]!.name}.${name}` : name;
  const intent = intentOf(granted, path);
  const ref = intent.dimensions[0]!;
  const dataset = datasetOfPath(granted.lens, ref.path);
  const field = dataset && findField(dataset, ref.field);
  const label = `${ref.path}.${ref.field}`;
  if (!dataset || !field || field.masked) {
    throw new Problem('invalid', `${label} is masked: its values are not shown. Choose another field.`, {
      param: 'field',
      details: [{ path: 'field', code: 'masked', message: `${label} is masked.` }],
    });
  }
  const hidden = !granted.asker.superuser && granted.lens.rowPolicies.some((policy) => policy.dataset === dataset.name);
  if (field.dictionary && !hidden) {
    const { values, complete } = field.dictionary;
    return {
      field: label,
      values: ordered(
        values.map(({ value }) => value),
        near,
      ),
      complete,
    };
  }
  const fetched = await readGoverned(granted.warehouse, granted.lens, granted.asker, intent, {
    ...limits,
    maxRows: LOOKED_AT,
  });
  const values = fetched.rows.flatMap(([cell]) => (cell === null || cell === undefined ? [] : [String(cell)]));
  return { field: label, values: ordered(values, near), complete: !fetched.more && !fetched.bytesCut };
}

function intentOf({ lens }: GrantedLens, path: string): Intent {
  try {
    return intentFromMetricsBody(lens, { dimensions: [path], distinct: true });
  } catch (fault) {
    if (!(fault instanceof Problem)) throw fault;
    const details = fault.details.map((detail) => ({ ...detail, path: 'field' }));
    throw new Problem(fault.code, fault.message, { param: 'field', details });
  }
}

function ordered(values: string[], near: string | undefined): string[] {
  if (near === undefined || near.trim() === '') return [...values].sort((a, b) => (a < b ? -1 : 1));
  const folded = foldValue(near);
  const away = (value: string): number => {
    const text = foldValue(value);
    return text === folded ? -2 : text.startsWith(folded) ? -1 : text.includes(folded) ? 0 : distance(text, folded);
  };
  return values
    .map((value) => ({ value, away: away(value) }))
    .sort((a, b) => a.away - b.away || (a.value < b.value ? -1 : 1))
    .map(({ value }) => value);
}
