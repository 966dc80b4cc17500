// Adds doubts to a period that names no date, if other words of the question refer to another date in the lens.

import { isTemporal } from '../../contract/warehouse.ts';
import type { LensDataset, LensField } from '../../lens/model/lens.ts';
import { expandAbbreviations } from '../../lens/model/name-words.ts';
import { listTopLevelFilters } from '../../plan/filters.ts';
import { type FieldRef, type LensPlan, listBaseMeasures, listNestedMeasures } from '../../plan/lens-plan.ts';
import { isParticiple } from '../english/inflection.ts';
import { foldText } from '../words/tokens.ts';
import type { NameResolution } from './name-resolution.ts';
import { flattenPredicate, type PredicateTerm, type QueryTerm } from './terms.ts';

export function addPeriodDoubts(s: NameResolution, q: QueryTerm, plan: LensPlan): void {
  const predicates = listPredicates(q);
  const isBarePeriod =
    predicates.some((item) => item.is === 'time' && item.field === null && item.verb === null) ||
    q.groups.some((group) => group.is === 'period' && group.date === null && !group.verb);
  const date = isBarePeriod ? findUsedDate(s, plan) : undefined;
  if (!date) return;
  const { fields } = s.dataset(date.path);
  const otherDates = fields.filter((field) => isTemporal(field.datatype) && !field.masked && field.name !== date.field);
  addDurationDoubt(s, date, plan);
  const conditions = listTopLevelFilters(plan).filter((filter) => 'field' in filter);
  for (const { name } of otherDates)
    if (conditions.some(({ op, field }) => op !== 'is_null' && field.path === date.path && field.field === name))
      s.addDoubt(
        `svc applied the period to ${formatFieldName(date.field)}, but the question also has a condition on ${formatFieldName(name)}.`,
      );
  for (const state of listStates(predicates, s.dataset(date.path))) {
    const described = otherDates.find((field) => mentionsState(field, state));
    if (described && !mentionsState(fields.find(({ name }) => name === date.field)!, state))
      s.addDoubt(
        `svc applied the period to ${formatFieldName(date.field)}, but "${state}" can also refer to ${formatFieldName(described.name)}.`,
      );
  }
}

const formatFieldName = (name: string): string => expandAbbreviations(name).replaceAll('_', ' ');

const listPredicates = (q: QueryTerm): PredicateTerm[] =>
  [
    ...q.predicates,
    ...(q.things?.predicates ?? []),
    ...q.shown.flatMap((item) => (item.t === 'measure' ? item.predicates : [])),
  ].flatMap(flattenPredicate);

const findUsedDate = (s: NameResolution, plan: LensPlan): FieldRef | undefined => {
  const isDate = ({ path, field: name }: FieldRef): boolean =>
    s.dataset(path).fields.some((field) => field.name === name && isTemporal(field.datatype));
  const limits = plan.filters.flatMap((filter) =>
    'field' in filter && (filter.op === '>=' || filter.op === '<') ? [filter.field] : [],
  );
  return plan.time?.field ?? [...limits, ...plan.dimensions.filter(({ grain }) => grain)].find(isDate);
};

/**
 * Adds a doubt if the question uses a duration that depends on another date. For example, "days late in 2024" can mean
 * shipments that arrived in 2024, because the days late depend on the arrival date.
 */
function addDurationDoubt(s: NameResolution, date: FieldRef, plan: LensPlan): void {
  const { fields } = s.dataset(date.path);
  const usedFields = [
    ...listNestedMeasures(plan)
      .flatMap(listBaseMeasures)
      .flatMap((base) => ('field' in base ? [base.field] : [])),
    ...listTopLevelFilters(plan).flatMap((filter) => ('field' in filter ? [filter.field] : [])),
  ];
  for (const { name, expression } of fields) {
    if (expression === null || !usedFields.some(({ path, field }) => path === date.path && field === name)) continue;
    const words = new Set(expression.split(/\W+/));
    const dates = fields.filter((field) => isTemporal(field.datatype) && words.has(field.name));
    if (dates.length > 0 && dates.every((field) => field.name !== date.field))
      s.addDoubt(
        `svc applied the period to ${formatFieldName(date.field)}, but ${formatFieldName(name)} depends on ${dates.map((field) => formatFieldName(field.name)).join(' and ')}.`,
      );
  }
}

/** Returns the named values that describe an event of the rows, such as "rejected". */
const listStates = (predicates: readonly PredicateTerm[], { name }: LensDataset): string[] =>
  predicates.flatMap((item) =>
    item.is === 'value'
      ? item.value.any.flatMap(({ options }) =>
          options.flatMap(({ dataset, value }) =>
            dataset === name && isParticiple(foldText(value)) ? [foldText(value)] : [],
          ),
        )
      : [],
  );
const mentionsState = ({ description }: LensField, state: string): boolean =>
  (description ?? '').toLowerCase().split(/\W+/).includes(state);
