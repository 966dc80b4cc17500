// Row policies as SQL for one asker. A missing attribute closes the dataset: no row, never every row.
import type { Datatype } from '../contract/warehouse.ts';
import type { Asker, Lens, LensDataset, RowPolicy } from './lens.ts';
import { attributesIn, replaceAttributes } from './sql-words.ts';

/** Those without groups bind everyone; those with groups bind their members. A superuser is exempt. */
export const policiesFor = (lens: Lens, dataset: string, asker: Asker): RowPolicy[] =>
  asker.superuser
    ? []
    : lens.rowPolicies.filter(
        (policy) =>
          policy.dataset === dataset &&
          (policy.groups.length === 0 || policy.groups.some((group) => asker.groups.includes(group))),
      );

export function policyCondition(
  policy: RowPolicy,
  asker: Asker,
  literal: (value: string | number | boolean, datatype: Datatype) => string,
): string {
  const missing = attributesIn(policy.filter).some((name) => attribute(asker, name) === undefined);
  if (missing) return 'false';
  return replaceAttributes(policy.filter, (name) => {
    const value = attribute(asker, name)!;
    return literal(value, typeof value === 'number' ? 'decimal' : typeof value === 'boolean' ? 'boolean' : 'string');
  });
}

function attribute(asker: Asker, name: string): string | number | boolean | undefined {
  if (Object.hasOwn(asker.attributes, name)) {
    const value = asker.attributes[name];
    return value === '' || (typeof value === 'number' && !Number.isFinite(value)) ? undefined : value;
  }
  return name === 'name' ? asker.name : undefined;
}

/** Source columns that the policies read and nobody else may. */
export const policyColumns = (policies: RowPolicy[]): string[] => [
  ...new Set(policies.flatMap(({ unlisted }) => unlisted ?? [])),
];

/** Names of the fields that the policies of a dataset read. */
export const policyFields = (policies: RowPolicy[], dataset: LensDataset): string[] =>
  dataset.fields
    .map(({ name }) => name)
    .filter((name) => policies.some(({ filter }) => new RegExp(`\\b${name}\\b`, 'i').test(filter)));
