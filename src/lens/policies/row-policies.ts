// Writes row policies as SQL for one caller. If an attribute is missing, the policy hides all rows of the dataset. If
// an attribute has the wrong type, svc refuses the ask.
import type { Datatype } from '../../contract/warehouse.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { literalOf } from '../../dialects/make-nodes.ts';
import type { Expression } from '../../dialects/tree.ts';
import type { Caller, Lens, LensDataset, RowPolicy } from '../model/lens.ts';
import { findAttributes } from '../model/sql-words.ts';
import {
  addMidnight,
  determineConstantType,
  findAttributeValue,
  refuseMismatchedAttributes,
} from './attribute-values.ts';
import { type AuthoredExpressionReader, readAsNull } from './authored-reader.ts';
import { applyConditionThroughJoins, listJoinKeys } from './joined-policy.ts';
import { inferAttributeTypes } from './policy-types.ts';

/** The lens, the caller and the functions for writing a dataset as SQL. */
export interface PolicyWriteContext {
  lens: Lens;
  caller: Caller;
  literal: (value: string | number | boolean, datatype: Datatype) => Expression;
  readAuthored: AuthoredExpressionReader;
}

/**
 * Returns the policies that apply to the caller. A policy without groups applies to everyone, and any other policy
 * applies to members of its groups. No policy applies to a superuser.
 */
export const findPolicies = (lens: Lens, dataset: string, caller: Pick<Caller, 'groups' | 'superuser'>): RowPolicy[] =>
  caller.superuser
    ? []
    : lens.rowPolicies.filter(
        (policy) =>
          policy.dataset === dataset &&
          appliesToGroups(policy, caller.groups) &&
          !ALWAYS_TRUE_PATTERN.test(policy.filter),
      );
/** Matches the filter of a policy that hides no rows. */
const ALWAYS_TRUE_PATTERN = /^[\s(]*true[\s)]*$/i;

/** Returns the reason why an engine can't enforce a policy, or null. */
export const findBarrierFault = (dialect: Dialect, filter: string): string | null =>
  dialect.fence || ALWAYS_TRUE_PATTERN.test(filter)
    ? null
    : `svc does not support row policies on ${dialect.name}, because no optimization barrier has been tested for it. Use the engine's own row-level security for svc's login, or a view.`;

export const appliesToGroups = (policy: RowPolicy, groups: readonly string[]): boolean =>
  policy.groups.length === 0 || policy.groups.some((group) => groups.includes(group));

export function createPolicyCondition(
  { lens, caller, literal, readAuthored }: PolicyWriteContext,
  policy: RowPolicy,
  writeColumn: (column: string) => Expression,
): Expression {
  // A check that only needs to know whether a plan compiles doesn't need the conditions of policies.
  if (readAuthored === readAsNull) return readAuthored(policy.filter);
  const names = findAttributes(policy.filter);
  if (names.some((name) => findAttributeValue(caller, name) === undefined)) return literalOf('boolean', 'false');
  refuseMismatchedAttributes(lens, policy, caller, readAuthored);
  const values = inferAttributeTypes(lens, policy, readAuthored).map((use) => {
    const value = findAttributeValue(caller, use.name)!;
    const type = determineConstantType(lens.dialect, value, use.type)!;
    return literal(addMidnight(value, type), type);
  });
  return applyConditionThroughJoins(lens, policy, readAuthored, readAuthored(policy.filter, values), writeColumn);
}

/** Lists source columns of the dataset that only the policies can read, and the keys of their joins. */
export const listPolicyColumns = (lens: Lens, policies: RowPolicy[]): string[] => [
  ...new Set(policies.flatMap((policy) => [...(policy.unlisted ?? []), ...listJoinKeys(lens, policy)])),
];

export const listPolicyFields = (policies: RowPolicy[], dataset: LensDataset): string[] =>
  dataset.fields
    .map(({ name }) => name)
    .filter((name) => policies.some(({ filter }) => new RegExp(`\\b${name}\\b`, 'i').test(filter)));
