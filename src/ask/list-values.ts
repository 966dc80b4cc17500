// Lists the stored values of a field, ordered by similarity to a string. The list is complete only if svc queries the
// warehouse for this caller. If the query takes too long, the values come from the dictionary. If a row policy applies,
// svc doesn't use the dictionary, because the dictionary has the values of all rows.
import { distance } from 'fastest-levenshtein';
import { findDatasetOfPath } from '../lens/model/join-paths.ts';
import { findField } from '../lens/model/lens.ts';
import { findPolicies } from '../lens/policies/row-policies.ts';
import { bindPlan } from '../plan/bind/bind-plan.ts';
import type { LensPlan } from '../plan/lens-plan.ts';
import { Problem } from '../platform/problem.ts';
import type { GrantedLens } from './outcome.ts';
import { type ProbeLimits, readColumnValues } from './read/values/probe-values.ts';
import { foldValue } from './read/values/value-spellings.ts';

const READ_TIMEOUT_MS = 5_000;

export interface FieldValues {
  field: string;
  values: string[];
  /** False if the column may have more values. */
  complete: boolean;
}

export async function listValues(
  grantedLens: GrantedLens,
  name: string,
  referenceText: string | undefined,
  limits: ProbeLimits,
): Promise<FieldValues> {
  // All roles of a dataset have the same values, so the field name doesn't have to be unique among the roles.
  const owningDatasets = grantedLens.lens.datasets.filter((dataset) => findField(dataset, name));
  const path = owningDatasets.length === 1 ? `${owningDatasets[0]!.name}.${name}` : name;
  const lensPlan = createListingPlan(grantedLens, path, limits.now);
  const ref = lensPlan.dimensions[0]!;
  const dataset = findDatasetOfPath(grantedLens.lens, ref.path);
  const field = dataset && findField(dataset, ref.field);
  const label = `${ref.path}.${ref.field}`;
  if (!dataset || !field || field.masked) {
    throw new Problem('invalid', `${label} is masked, so its values are hidden. Choose another field.`, {
      param: 'field',
      details: [{ path: 'field', code: 'masked', message: `${label} is masked.` }],
    });
  }
  const toFieldValues = (values: string[], complete: boolean) => ({
    field: label,
    values: sortBySimilarity(values, referenceText),
    complete,
  });
  try {
    const { values, more } = await readColumnValues(grantedLens, ref, [], {
      ...limits,
      timeoutMs: Math.min(limits.timeoutMs, READ_TIMEOUT_MS),
    });
    return toFieldValues(values, !more);
  } catch (fault) {
    const isTimedOut = fault instanceof Problem && fault.code === 'timeout' && !limits.signal.aborted;
    const hasHiddenRows = findPolicies(grantedLens.lens, dataset.name, grantedLens.caller).length > 0;
    if (!isTimedOut || !field.dictionary || hasHiddenRows) throw fault;
    return toFieldValues(
      field.dictionary.values.map(({ value }) => value),
      false,
    );
  }
}

function createListingPlan({ lens }: GrantedLens, path: string, now: Date): LensPlan {
  try {
    return bindPlan(lens, { dimensions: [path], distinct: true }, now);
  } catch (fault) {
    if (!(fault instanceof Problem)) throw fault;
    const details = fault.details.map((detail) => ({ ...detail, path: 'field' }));
    throw new Problem(fault.code, fault.message, { param: 'field', details });
  }
}

function sortBySimilarity(values: string[], referenceText: string | undefined): string[] {
  if (referenceText === undefined || referenceText.trim() === '') return [...values].sort((a, b) => (a < b ? -1 : 1));
  const foldedReference = foldValue(referenceText);
  const distanceOf = (value: string): number => {
    const text = foldValue(value);
    return text === foldedReference
      ? -2
      : text.startsWith(foldedReference)
        ? -1
        : text.includes(foldedReference)
          ? 0
          : distance(text, foldedReference);
  };
  return values
    .map((value) => ({ value, distance: distanceOf(value) }))
    .sort((a, b) => a.distance - b.distance || (a.value < b.value ? -1 : 1))
    .map(({ value }) => value);
}
