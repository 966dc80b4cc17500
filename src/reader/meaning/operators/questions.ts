// Operators for complete questions.
import { splitWords } from '../../words/phrase-key.ts';
import {
  createField,
  createGroup,
  createMeasure,
  createPredicate,
  createQuery,
  createShownItems,
  createSortOrder,
  createWord,
  type EntitiesTerm,
  type FieldTerm,
  type GroupTerm,
  type MeasureTerm,
  type PeriodTerm,
  type PredicateTerm,
  type QueryTerm,
  type ShownItemsTerm,
  type SortOrderTerm,
  type ValueTerm,
  type WordTerm,
} from '../terms.ts';

import {
  createCountMeasure,
  createMeasureQuery,
  createValuePredicate,
  hasFeature,
  hasOwnPredicates,
  isComputedOverGroups,
  isPercent,
  joinValues,
  replacePredicates,
  restrictEntities,
  type TermOperator,
} from './building.ts';
import { createPeriodGroup } from './groups.ts';
import { addOwnerRows, applyToBothSides, createAggregate, createChange, createGrowth, createSum } from './measures.ts';

const isProperName = ({ text, options }: ValueTerm['any'][number]): boolean =>
  options.length > 0 &&
  options.every(
    ({ value: storedValue }) =>
      /^[\p{Lu}\d]/u.test(storedValue) && splitWords(storedValue).join() === splitWords(text).join(),
  );
const isMeasure = (term: FieldTerm | MeasureTerm): term is MeasureTerm => term.t === 'measure';

export const QUESTION_OPERATORS = {
  measured: ({ m }: { m: MeasureTerm }) => (hasFeature(m, 'thing') ? null : createMeasureQuery(m)),
  sameQuery: ({ q }: { q: QueryTerm }) => q,
  listed: ({ t }: { t: EntitiesTerm }) => createQuery({ things: t }, ['listed']),
  asked: ({ q, t }: { q?: QueryTerm; t: EntitiesTerm }) =>
    hasFeature(q, 'unsaid') ? null : (q ?? createMeasureQuery(createCountMeasure(t))),
  item: ({ m, f }: { m?: MeasureTerm; f: FieldTerm }) => (hasFeature(m, 'thing') ? null : createShownItems([m ?? f])),
  items: ({ a, b }: { a: ShownItemsTerm; b?: ShownItemsTerm }) => createShownItems([...a.of, ...(b?.of ?? [])]),
  severalAggregates: ({
    a,
    b,
    c,
    f,
    t,
  }: {
    a: WordTerm;
    b: WordTerm;
    c?: WordTerm;
    f: FieldTerm;
    t?: EntitiesTerm;
  }) => {
    const measures = [a, b, ...(c ? [c] : [])].map((word) => createAggregate(word, f));
    if (new Set(measures.map(({ key }) => key)).size < measures.length) return null;
    return createShownItems(t ? measures.flatMap((item) => addOwnerRows(item, t) ?? []) : measures);
  },
  // Rejects groups of entities, because "orders shipped by customers" can mean the orders of these customers, or the
  // orders that the customers shipped.
  countedBy: ({ t, g }: { t: EntitiesTerm; g: GroupTerm }) =>
    flattenGroups([g]).some((item) => item.is === 'things' && !hasFeature(item.things, 'one'))
      ? null
      : createCountQuery(t, g, ['measured', 'unsaid']),
  // The question "seats by plan" asks for the sum of the field seats, if the field is additive.
  amountBy: ({ f, t, g }: { f: FieldTerm; t?: EntitiesTerm; g: GroupTerm }) => {
    const sum = t ? addOwnerRows(createSum(f), t) : createSum(f);
    return sum && createGroupQuery(createMeasureQuery(sum), g);
  },
  countedInPeriods: ({ l, t }: { l: WordTerm; t: EntitiesTerm }) =>
    hasFeature(t, 'values') ? null : groupByPeriod(createMeasureQuery(createCountMeasure(t)), l),
  shareOfEach: ({ w, m, t, g }: { w: WordTerm; m?: MeasureTerm; t: EntitiesTerm; g: GroupTerm }) => {
    const measureTerm = m ?? createCountMeasure(t);
    if (hasOwnPredicates(measureTerm) || hasFeature(measureTerm, 'thing') || isComputedOverGroups(measureTerm))
      return null;
    // In "share of Berlin orders that are pending by month", either condition could define the part, so svc accepts
    // only one condition.
    if (measureTerm.predicates.filter((predicate) => !hasFeature(predicate, 'period')).length > 1) return null;
    const of = replacePredicates(measureTerm, []);
    const share = createMeasure({ is: 'share', of, percent: isPercent(w), predicates: [] }, ['share']);
    return createQuery({ shown: [share], predicates: measureTerm.predicates, groups: [g] }, ['measured']);
  },
  severalMeasured: ({ s: { of } }: { s: ShownItemsTerm }) => {
    if (of.length < 2 || !of.every(isMeasure)) return null;
    // A condition after the last item applies to all items, unless another item has conditions of its own.
    const last = of.at(-1)!;
    const lastKey = replacePredicates(last, []).key;
    return of.slice(0, -1).every((item) => item.predicates.length === 0 && item.key !== lastKey)
      ? createQuery({ shown: of.map((item) => replacePredicates(item, [])), predicates: last.predicates }, ['measured'])
      : createQuery({ shown: of }, ['measured']);
  },
  fieldsOf: ({ s: { of }, t }: { s: ShownItemsTerm; t: EntitiesTerm }, takes) =>
    of.some(isMeasure) ? null : createQuery({ things: t, shown: of }, ['listed', ...(takes['told'] ? ['told'] : [])]),
  fieldsOfRanked: ({ s: { of }, q }: { s: ShownItemsTerm; q: QueryTerm }) =>
    of.some(isMeasure) || !q.things || q.perGroup ? null : createQuery({ ...q, shown: of }, ['ranked', 'only']),
  shownBeside: ({ q, s }: { q: QueryTerm; s: ShownItemsTerm }) => {
    const joinedQuery = addShownItems(q, s);
    return joinedQuery && createQuery({ ...joinedQuery, named: true }, joinedQuery.features);
  },
  returned: ({ q, s }: { q: QueryTerm; s: ShownItemsTerm }) => addShownItems(q, s),
  grouped: ({ q, g }: { q: QueryTerm; g: GroupTerm }) => createGroupQuery(q, g),
  trend: ({ q }: { q: QueryTerm }) => {
    const monthlyQuery = groupByPeriod(q, createWord('month'));
    return monthlyQuery && createQuery(monthlyQuery, [...monthlyQuery.features, 'trend']);
  },
  trendBy: ({ q, g, l }: { q: QueryTerm; g: GroupTerm; l?: WordTerm }) =>
    l ? groupByPeriod(q, l) : createGroupQuery(q, g),
  growthOver: ({ m, g, h }: { m: MeasureTerm; g: WordTerm; h: WordTerm }) => {
    const growth = createGrowth(m);
    return growth && g.value === h.value ? groupByPeriod(createMeasureQuery(growth), g) : null;
  },
  versusValues: ({ q, a, b }: { q: QueryTerm; a: ValueTerm; b: ValueTerm }) => {
    const values = joinValues([a, b]);
    if (values?.any.length !== 2 || hasFeature(values, 'quoted') || q.groups.length > 0) return null;
    const [one, other] = values.any;
    const sharedOptions = one!.options.filter((option) =>
      other!.options.some(({ dataset, field }) => dataset === option.dataset && field === option.field),
    );
    const options = sharedOptions.map(({ dataset, field }) => ({ dataset, fields: [field], loose: 0 }));
    const bothQuery = options.length > 0 ? addPredicateToQuery(q, createValuePredicate(values, '')) : null;
    const by = createField(values.text, options, ['text']);
    return bothQuery && createGroupQuery(bothQuery, createGroup({ is: 'field', field: by }));
  },
  versusPeriods: ({ q, p, k }: { q?: QueryTerm; p: PeriodTerm; k: PeriodTerm }, _, nameLookup) => {
    // In "2015 compared to last year", "last year" can mean the year before the current year or the year before 2015.
    const hasDigits = ({ text }: PeriodTerm): boolean => /\d/.test(text);
    const { unit } = p.mention;
    if (hasDigits(p) !== hasDigits(k) || !unit || unit !== k.mention.unit || p.key === k.key) return null;
    const gain = q ? null : nameLookup.gainMeasureOf(p.text);
    const queryTerm = q ?? (gain && createMeasureQuery(gain));
    if (!queryTerm || queryTerm.predicates.some((predicate) => hasFeature(predicate, 'period'))) return null;
    const of = [p, k].map((period) => createPredicate({ is: 'time', period, field: null, verb: null }, ['period']));
    const predicates = [...queryTerm.predicates, createPredicate({ is: 'any', of }, ['period'])];
    return groupByPeriod(createQuery({ ...queryTerm, predicates }, queryTerm.features), createWord(unit));
  },
  groupedByGrain: ({ l, q }: { l: WordTerm; q: QueryTerm }) => groupByPeriod(q, l),
  countEach: ({ t, g }: { t: EntitiesTerm; g: GroupTerm }) => createCountQuery(t, g, ['measured']),
  queryThat: ({ q, c }: { q: QueryTerm; c: PredicateTerm }) => addPredicateToQuery(q, c),
  // Interprets a value before a measure as a condition, as in "Furniture revenue". A lowercase value can also be an
  // ordinary word, as in "running total" or "annual revenue".
  queryOfValue: ({ v, q }: { v: ValueTerm; q: QueryTerm }) =>
    hasFeature(q, 'by') ||
    hasFeature(v, 'quoted') ||
    !v.any.every(isProperName) ||
    !q.shown.every((item) => isMeasure(item) && ['metric', 'aggregate', 'count'].includes(item.is))
      ? null
      : addPredicateToQuery(q, createValuePredicate(v, null)),
  // The answer to "How did revenue change from 2016 to 2017" contains the value in each year, the change as an amount,
  // and the change as a percentage.
  changedBetween: ({ m, p }: { m: MeasureTerm; p: PeriodTerm }) => {
    const shown = (['to', 'from', 'change', 'percent'] as const).flatMap((part) => createChange(m, p, part) ?? []);
    return shown.length > 0 ? createQuery({ shown }, ['measured']) : null;
  },
  ordered: ({ q, o }: { q: QueryTerm; o: SortOrderTerm }) => {
    if (q.limit !== null || q.order.length > 0) return null;
    const by = o.by ?? (q.shown.length === 1 ? q.shown[0]! : null);
    return by && createQuery({ ...q, order: [createSortOrder(by, o.direction)] }, q.features);
  },
} satisfies Record<string, TermOperator>;

const createCountQuery = (things: EntitiesTerm, group: GroupTerm, features: readonly string[]): QueryTerm =>
  createQuery(
    { shown: [replacePredicates(createCountMeasure(things), [])], predicates: things.predicates, groups: [group] },
    features,
  );

function createGroupQuery(queryTerm: QueryTerm, groupTerm: GroupTerm): QueryTerm | null {
  if (!queryTerm.shown.every(isMeasure) || queryTerm.shown.length === 0 || queryTerm.limit !== null) return null;
  // Rejects "sales trend by quarter" as a trend with a second group, because the answer has one row for each quarter.
  if (hasFeature(queryTerm, 'trend') && hasFeature(groupTerm, 'period')) return null;
  return createQuery({ ...queryTerm, groups: [...queryTerm.groups, groupTerm] }, [
    ...queryTerm.features,
    ...groupTerm.features,
  ]);
}
const groupByPeriod = (queryTerm: QueryTerm, grain: WordTerm): QueryTerm | null =>
  createGroupQuery(queryTerm, createPeriodGroup(grain));

function addPredicateToQuery(queryTerm: QueryTerm, predicateTerm: PredicateTerm): QueryTerm | null {
  const { shown, things, predicates, features } = queryTerm;
  const isPeriod = hasFeature(predicateTerm, 'period');
  const [first, second] = shown;
  const appliedMeasure = first && isMeasure(first) && !second ? applyToBothSides(first, predicateTerm) : null;
  if (appliedMeasure) return createQuery({ ...queryTerm, shown: [appliedMeasure] }, features);
  if (hasFeature(predicateTerm, 'total')) return null;
  if (hasFeature(queryTerm, 'told') && things)
    return createQuery({ ...queryTerm, things: restrictEntities(things, [predicateTerm]) }, features);
  const restrictedMeasure = shown.filter(isMeasure).find(hasOwnPredicates);
  if (
    !(shown.some(isMeasure) || hasFeature(queryTerm, 'ranked')) ||
    (restrictedMeasure && (restrictedMeasure.is === 'combined' || !isPeriod)) ||
    (hasFeature(queryTerm, 'by') && !isPeriod)
  )
    return null;
  return createQuery({ ...queryTerm, predicates: [...predicates, predicateTerm] }, features);
}

const flattenGroups = (groups: readonly GroupTerm[]): readonly GroupTerm[] =>
  groups.flatMap((item) => (item.is === 'several' ? flattenGroups(item.of) : [item]));
const addShownItems = (queryTerm: QueryTerm, { of: addedTerms }: ShownItemsTerm): QueryTerm | null => {
  const isSingleRow = !queryTerm.things && queryTerm.groups.length === 0;
  if (isSingleRow && (queryTerm.shown.length === 0 || !addedTerms.every(isMeasure))) return null;
  const isShown = (term: FieldTerm | MeasureTerm): boolean => queryTerm.shown.some(({ key }) => key === term.key);
  if (!hasFeature(queryTerm, 'ranked') && addedTerms.some((item) => item.t === 'field' && isShown(item))) return null;
  const shown = [...queryTerm.shown, ...addedTerms.filter((item) => !isShown(item))];
  return createQuery({ ...queryTerm, shown }, queryTerm.features);
};
