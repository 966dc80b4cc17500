// Applies the changes of a later question: conditions, periods, groups, measures and order.
import { replaceEntityPredicates } from './operators/building.ts';
import {
  createPredicate,
  createQuery,
  createSortOrder,
  type MeasureTerm,
  type PredicateTerm,
  type QueryTerm,
} from './terms.ts';

/** Returns the earlier query with the change applied. Returns null if the change has several possible meanings. */
export function applyFollowUpChange(base: QueryTerm, change: QueryTerm): QueryTerm | null {
  const isMeasured = base.shown.length > 0 && base.shown.every(({ t }) => t === 'measure');
  if (base.perGroup || ((change.shown.length > 0 || change.groups.length > 0) && !isMeasured)) return null;
  if (change.groups.length > 0 && base.limit !== null) return null;
  const changedPredicates = change.predicates.map((predicate) =>
    useDateOfEarlierPeriod(predicate, [...base.predicates, ...(base.things?.predicates ?? [])]),
  );
  const withoutChanged = (predicates: readonly PredicateTerm[]): PredicateTerm[] =>
    predicates.filter((item) => !change.predicates.some((other) => hasSameSubject(item, other)));
  const isListing =
    base.things !== null && !base.features.some((feature) => feature === 'ranked' || feature === 'measured');
  const shownTerms = change.shown.length > 0 ? change.shown : base.shown;
  const [measure] = shownTerms.filter((item): item is MeasureTerm => item.t === 'measure');
  const [first] = change.order;
  if (first && first.by === null && !measure) return null;
  const order = change.order.length > 0 ? change.order : change.shown.length > 0 ? base.order.slice(0, 1) : base.order;
  const changesShape = change.shown.length > 0 || change.order.length > 0;
  return createQuery(
    {
      ...base,
      things:
        base.things &&
        replaceEntityPredicates(base.things, [
          ...withoutChanged(base.things.predicates),
          ...(isListing ? changedPredicates : []),
        ]),
      predicates: [...withoutChanged(base.predicates), ...(isListing ? [] : changedPredicates)],
      shown: shownTerms,
      groups: change.features.includes('adds')
        ? [...base.groups, ...change.groups]
        : change.groups.length > 0
          ? change.groups
          : base.groups,
      order:
        changesShape && measure
          ? order.map(({ by, direction }) => createSortOrder(change.order.length > 0 && by ? by : measure, direction))
          : order,
      limit: change.limit ?? base.limit,
    },
    base.features,
  );
}
/**
 * Applies the new period to the same date as the earlier period. For example, "and in 2017?" after "ordered in 2016"
 * means orders from 2017.
 */
const useDateOfEarlierPeriod = (changedPredicate: PredicateTerm, base: readonly PredicateTerm[]): PredicateTerm => {
  const basePredicate = base.find((other) => hasSameSubject(changedPredicate, other));
  return changedPredicate.is === 'time' &&
    basePredicate?.is === 'time' &&
    changedPredicate.field === null &&
    changedPredicate.verb === null
    ? createPredicate({ ...basePredicate, period: changedPredicate.period }, ['period'])
    : changedPredicate;
};
/**
 * Returns true if both conditions restrict the same field, date or entities. The later condition then replaces the
 * earlier condition.
 */
const hasSameSubject = (one: PredicateTerm, other: PredicateTerm): boolean => {
  if (one.is === 'not' || other.is === 'not')
    return hasSameSubject(one.is === 'not' ? one.of : one, other.is === 'not' ? other.of : other);
  if (one.is === 'value' && other.is === 'value')
    return one.value.any.some(({ options }) =>
      options.some(({ dataset, field }) =>
        other.value.any.some((candidate) =>
          candidate.options.some((two) => two.dataset === dataset && two.field === field),
        ),
      ),
    );
  if (one.is === 'compare' && other.is === 'compare') return one.field.key === other.field.key;
  return one.is === other.is && one.is === 'time';
};
