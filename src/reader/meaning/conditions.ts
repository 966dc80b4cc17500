// Converts the conditions of a question to filters on rows, a period and conditions on groups.

import type { Having, LensPlan, Measure as Measured, TimeWindow } from '../../plan/lens-plan.ts';
import { toUnitKey } from '../words/units.ts';
import { hasDateForVerb, resolveDate } from './dates.ts';
import { rejectDatedState, toFilters } from './filters.ts';
import { resolveMetric } from './main-dataset.ts';
import { toPlanMeasure } from './measures.ts';
import { type NameResolution, rejectInterpretation } from './name-resolution.ts';
import { addOtherFormDoubt, addStartDateDoubt } from './start-date-doubt.ts';
import type { MeasureTerm, PredicateOf, PredicateTerm } from './terms.ts';
import type { FilterContext } from './value-filters.ts';
import { rejectStateOfVerb } from './verbs.ts';

export const isMeasureCondition = (predicate: PredicateTerm): boolean => predicate.is === 'total';

export function bindConditions(
  s: NameResolution,
  statedPredicates: readonly PredicateTerm[],
  context: FilterContext,
): Pick<LensPlan, 'filters' | 'time' | 'having'> {
  const predicates = statedPredicates.map((item) => addDateVerbToPeriod(s, item, statedPredicates, context));
  const times = predicates.filter((predicate): predicate is PredicateOf<'time'> => predicate.is === 'time');
  const [first, second] = times;
  const window = first && !second ? toTimeWindow(s, first, context, predicates) : null;
  rejectDatedState(s, predicates, context.home);
  const totals = predicates.filter((predicate): predicate is PredicateOf<'total'> => predicate.is === 'total');
  const rest = predicates.filter((predicate) => !isMeasureCondition(predicate) && !(window && predicate === first));
  const having = totals.map(
    ({ measure, op, value, unit }): Having => ({
      measure: requireUnit(s, measure, unit, toPlanMeasure(s, measure, context.home, null)),
      op: op as Having['op'],
      values: [value],
    }),
  );
  return { filters: toFilters(s, rest, context), time: window, having };
}

/**
 * Applies a period to the date of the verb. For example, in "shipped first class in 2016", the period restricts the
 * shipping date.
 */
const addDateVerbToPeriod = (
  s: NameResolution,
  predicate: PredicateTerm,
  statedPredicates: readonly PredicateTerm[],
  { home }: FilterContext,
): PredicateTerm => {
  if (predicate.is !== 'time' || predicate.verb !== null || predicate.field) return predicate;
  const verbs = statedPredicates.flatMap((other) => (other.is === 'value' && other.word ? other.word : []));
  const verb = verbs.find((word) => hasDateForVerb(s, home, word));
  return verb ? { ...predicate, verb } : predicate;
};

const requireUnit = (s: NameResolution, measure: MeasureTerm, unit: string | null, measured: Measured): Measured =>
  unit === null || (measure.is === 'metric' && toUnitKey(resolveMetric(s, measure).unit ?? '') === toUnitKey(unit))
    ? measured
    : rejectInterpretation('the units differ');

function toTimeWindow(
  s: NameResolution,
  { period, verb, field }: PredicateOf<'time'>,
  { home, from, by }: FilterContext,
  predicates: readonly PredicateTerm[],
): TimeWindow | null {
  const { mention } = period;
  if (!mention.from || !mention.to || (home !== from && !by)) return null;
  if (field) {
    const placedField = s.field(home, field.options, field.text);
    addOtherFormDoubt(s, placedField, field.text, period.text);
    return placedField.path === home
      ? { field: { path: home, field: placedField.field.name }, from: mention.from, to: mention.to }
      : null;
  }
  if (verb && !hasDateForVerb(s, home, verb)) rejectStateOfVerb(s, verb, home);
  const dateField = resolveDate(s, home, period.text, verb);
  if (!verb) addStartDateDoubt(s, dateField, period.text, predicates);
  return dateField.year
    ? null
    : { field: { path: dateField.path, field: dateField.field.name }, from: mention.from, to: mention.to };
}
