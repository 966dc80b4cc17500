// Lists the inferred facts that an answer depends on. The compiler records the joins, fields and keys that the
// statement reads. The plan shows which values it sums, and which dates filter or group.

import { createJoinFact, formatColumnList } from '../lens/model/facts.ts';
import { findDatasetOfPath } from '../lens/model/join-paths.ts';
import type { Lens, LensFact } from '../lens/model/lens.ts';
import { listPolicyRelationships } from '../lens/policies/joined-policy.ts';
import { listPolicyFields } from '../lens/policies/row-policies.ts';
import { findCountedDatasets, findMetric, listSimpleBases } from './base-measures.ts';
import { listFilters } from './filters.ts';
import {
  type Condition,
  type FieldRef,
  type Filter,
  isGroupMeasure,
  type LensPlan,
  listBaseMeasures,
  listMeasures,
  listNestedMeasures,
} from './lens-plan.ts';
import type { CompiledQuery } from './sql/compile-plan.ts';

export type UsedParts = Pick<CompiledQuery, 'relationshipsUsed' | 'fieldsUsed' | 'keysUsed' | 'rowPolicies'>;

/** `isNamedDate` returns true if the caller named the date. Otherwise, svc used the lens's default date. */
export function findUsedFacts(
  lens: Lens,
  plan: LensPlan,
  usedParts: UsedParts,
  isNamedDate: (date: string) => boolean,
): LensFact[] {
  const inferredFacts = listInferredFacts(lens);
  if (inferredFacts.length === 0) return [];
  const policyFacts = listFactsOfPolicies(lens, usedParts.rowPolicies);
  const conditions = listFilters(plan);
  const aggregatedFields = findAggregatedFields(lens, plan, conditions);
  const dates = new Set(findDates(plan, conditions).map((ref) => formatFieldPath(lens, ref)));
  const keys = new Set([...usedParts.keysUsed, ...findKeyedDatasets(lens, plan)]);
  return inferredFacts.filter((fact) => {
    if (policyFacts.includes(fact)) return true;
    const { kind, of, says } = fact;
    switch (kind) {
      case 'join':
        return usedParts.relationshipsUsed.some((item) => item.of === of && item.says === says);
      case 'key':
        return keys.has(of) || (fact.withdrawn !== undefined && countsRows(lens, plan, of));
      case 'time_field':
        return dates.has(`${of}.${says}`) && !isNamedDate(`${of}.${says}`);
      case 'aggregation':
        return aggregatedFields.some((item) => item.field === of && (item.isSummed || says === 'latest'));
      case 'codes': // a group shows the codes themselves
        return conditions.some((condition) => 'field' in condition && formatFieldPath(lens, condition.field) === of);
      default:
        return usedParts.fieldsUsed.includes(of);
    }
  });
}

const listInferredFacts = ({ facts = [] }: Lens): LensFact[] => facts.filter(({ origin }) => origin === 'inferred');

/**
 * The inferred facts that decide which rows these policies show: facts about the joins of the policies, and about the
 * meaning of their fields.
 */
export function listFactsOfPolicies(lens: Lens, policyNames: readonly string[]): LensFact[] {
  const inferredFacts = listInferredFacts(lens);
  if (inferredFacts.length === 0) return [];
  const policies = lens.rowPolicies.filter(({ name }) => policyNames.includes(name));
  const joins = policies.flatMap((policy) => listPolicyRelationships(lens, policy).map(createJoinFact));
  const fields = policies.flatMap((policy) =>
    [policy.dataset, ...(policy.joins ?? []).map(({ path }) => path)]
      .flatMap((path) => findDatasetOfPath(lens, path) ?? [])
      .flatMap((dataset) => listPolicyFields([policy], dataset).map((field) => `${dataset.name}.${field}`)),
  );
  return inferredFacts.filter(
    ({ kind, of, says }) =>
      (kind === 'join' && joins.some((join) => join.of === of && join.says === says)) ||
      (kind === 'reading' && fields.includes(of)),
  );
}

const formatFieldPath = (lens: Lens, { path, field }: Pick<FieldRef, 'path' | 'field'>): string =>
  `${findDatasetOfPath(lens, path)?.name ?? path}.${field}`;

interface AggregatedField {
  field: string;
  /** True if the plan sums the field, rather than only averaging or comparing it. */
  isSummed: boolean;
}
function findAggregatedFields(lens: Lens, plan: LensPlan, filters: readonly Filter[]): AggregatedField[] {
  const comparisons = filters.flatMap((filter) => ('field' in filter && filter.than ? [filter.than] : []));
  const bases = listMeasures(plan).flatMap((measure) => listSimpleBases(lens, measure));
  return [...bases, ...comparisons].flatMap((base): AggregatedField[] => {
    if (base.fn !== 'metric') {
      if ('rows' in base || base.fn.startsWith('count')) return [];
      return [{ field: formatFieldPath(lens, base.field), isSummed: base.fn === 'sum' }];
    }
    const { fields = [], aggregates = [] } = findMetric(lens, base)?.references ?? {};
    const valueAggregates = aggregates.map((fn) => fn.toLowerCase()).filter((fn) => !fn.startsWith('count'));
    if (valueAggregates.length === 0) return [];
    const isSummed = valueAggregates.includes('sum');
    return fields.map(({ dataset, field }) => ({ field: formatFieldPath(lens, { path: dataset, field }), isSummed }));
  });
}

/**
 * The dates that filter, group or sort. Omits dates that are only shown or counted, because the caller chose them by
 * name.
 */
function findDates(plan: LensPlan, filters: readonly Filter[]): FieldRef[] {
  const measures = listNestedMeasures(plan);
  const groups = [
    ...plan.dimensions,
    ...measures.flatMap((measure) =>
      isGroupMeasure(measure) ? (measure.by ?? []) : 'within' in measure ? (measure.within ?? []) : [],
    ),
  ];
  return [
    ...(plan.time ? [plan.time.field] : []),
    ...groups.flatMap((group) => (group.grain ? [group] : [])),
    ...plan.order_by.flatMap(({ field }) => field ?? []),
    ...measures.flatMap((measure) =>
      measure.fn === 'change' && measure.from ? [measure.from.field, measure.to.field] : [],
    ),
    ...filters
      .filter((filter): filter is Condition => 'field' in filter)
      .flatMap(({ field, other }) => [field, ...(other ? [other.field] : [])]),
  ];
}

/** Datasets whose rows the result identifies by a key, because it groups by the key or counts its values. */
function findKeyedDatasets(lens: Lens, plan: LensPlan): string[] {
  const bases = listMeasures(plan).flatMap(listBaseMeasures);
  const refs = [
    ...(plan.measures.length > 0 || plan.grouped || plan.distinct ? plan.dimensions : []),
    ...bases.flatMap((base) => (base.fn === 'count_distinct' ? [base.field] : [])),
  ];
  return refs.flatMap(({ path, field }) => {
    const dataset = findDatasetOfPath(lens, path);
    return dataset && field && formatColumnList(dataset.primaryKey.join()).split(', ').includes(field)
      ? [dataset.name]
      : [];
  });
}

const countsRows = (lens: Lens, plan: LensPlan, dataset: string): boolean =>
  listMeasures(plan)
    .flatMap(listBaseMeasures)
    .some((base) => findCountedDatasets(lens, base).includes(dataset));
