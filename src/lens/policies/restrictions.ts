// What limited a caller's view of a lens when svc served an answer, so that svc can later decide whether the caller may
// still see the stored answer.
import { createHash } from 'node:crypto';
import { computeOnce } from '../../platform/memoize.ts';
import type { Caller, Lens } from '../model/lens.ts';
import { findAttributes } from '../model/sql-words.ts';
import { findAttributeValue } from './attribute-values.ts';
import { findPolicies } from './row-policies.ts';

/** Hashes, because traces store them. */
export interface Restrictions {
  /** The row policies that apply to the caller, each with the caller's attributes that the policy uses. */
  policies: string[];
  /** The masked fields. Null if there are none. */
  masks: string | null;
}

export function findRestrictions(lens: Lens, caller: Caller): Restrictions {
  const restrictedDatasets = new Set(lens.rowPolicies.map(({ dataset }) => dataset));
  const policies = [...restrictedDatasets]
    .flatMap((name) => findPolicies(lens, name, caller))
    .map(({ dataset, filter, joins = [] }) => {
      const attributes = findAttributes(filter).map((name) => [name, findAttributeValue(caller, name) ?? null]);
      return computeHash([dataset, filter, joins, attributes]);
    });
  return { policies, masks: getMaskHash(lens) };
}

const getMaskHash = computeOnce((lens: Lens): string | null => {
  const maskedFields = lens.datasets.flatMap(({ name, fields }) =>
    fields.filter(({ masked }) => masked).map((field) => `${name}.${field.name}`),
  );
  return maskedFields.length > 0 ? computeHash(maskedFields.sort()) : null;
});

/** True if the later view contains everything that the earlier view contained. */
export const isViewAtLeast = (later: Restrictions, earlier: Restrictions): boolean =>
  later.policies.every((policy) => earlier.policies.includes(policy)) &&
  (later.masks === null || later.masks === earlier.masks);

const computeHash = (parts: unknown): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');
