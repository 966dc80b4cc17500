// Complete questions.
import type { Grain } from '../../../contract/warehouse.ts';
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
  type Entities,
  type Field,
  type Group,
  type Measure,
  type Period,
  type Predicate,
  type Query,
  type ShownItems,
  type SortOrder,
  type Value,
  type Word,
} from '../terms.ts';

import {
  cast,
  createCountMeasure,
  createMeasureQuery,
  createValuePredicate,
  hasFeature,
  hasOwnPredicates,
  isPercent,
  joinValues,
  type Operation,
  replacePredicates,
  withPredicates,
} from './building.ts';
import { createPeriodGroup } from './groups.ts';
import { applyToBothSides, createAggregate, createChange, createGrowth, createSum, withOwnerRows } from './measures.ts';

const canBeRestricted = (queryTerm: Query): boolean =>
  queryTerm.shown.some(({ t }) => t === 'measure') || hasFeature(queryTerm, 'ranked');

const isProperName = ({ text, options }: Value['any'][number]): boolean =>
  options.length > 0 &&
  options.every(
    ({ value: storedValue }) =>
      /^[\p{Lu}\d]/u.test(storedValue) && splitWords(storedValue).join() === splitWords(text).join(),
  );
const isSimpleMeasure = (term: Field | Measure): boolean =>
  term.t === 'measure' && (term.is === 'metric' || term.is === 'aggregate' || term.is === 'count');

export const QUESTION_OPERATORS: Record<string, Operation> = {
  measured: ({ m }) => (hasFeature(m!, 'thing') ? null : createMeasureQuery(cast(m))),
  sameQuery: ({ q }) => q!,
  listed: ({ t }) => createQuery({ things: cast(t) }, ['listed']),
  asked: ({ q, t }) => (q && hasFeature(q, 'unsaid') ? null : (q ?? createMeasureQuery(createCountMeasure(cast(t))))),
  item: ({ m, f }) => (m && hasFeature(m, 'thing') ? null : createShownItems([cast<Measure | Field>(m ?? f)])),
  items: ({ a, b }) => createShownItems([...cast<ShownItems>(a).of, ...(b ? cast<ShownItems>(b).of : [])]),
  severalAggregates: ({ a, b, c, f, t }) => {
    const measureTerms = [a, b, c].flatMap((item) => (item ? [createAggregate(cast(item), cast(f))] : []));
    if (new Set(measureTerms.map(({ key }) => key)).size < measureTerms.length) return null;
    return createShownItems(t ? measureTerms.flatMap((item) => withOwnerRows(item, cast(t)) ?? []) : measureTerms);
  },
  countedBy: ({ t, g }) => {
    const [entityTerm, groupTerm] = [cast<Entities>(t), cast<Group>(g)];
    // The phrase "orders shipped by customers" can mean the customers' orders, or the orders that the customers
    // shipped.
    if (flattenGroups([groupTerm]).some((item) => item.is === 'things' && !hasFeature(item.things, 'one'))) return null;
    return createQuery(
      {
        shown: [replacePredicates(createCountMeasure(entityTerm), [])],
        predicates: entityTerm.predicates,
        groups: [cast<Group>(g)],
      },
      ['measured', 'unsaid'],
    );
  },
  // The question "seats by plan" asks for a sum if the field is additive.
  amountBy: ({ f, t, g }) => {
    const measureTerm = t ? withOwnerRows(createSum(cast(f)), cast(t)) : createSum(cast(f));
    return measureTerm && createGroupQuery(createMeasureQuery(measureTerm), cast(g));
  },
  countedInPeriods: ({ l, t }) =>
    hasFeature(t!, 'values')
      ? null
      : groupByPeriod(createMeasureQuery(createCountMeasure(cast(t))), cast<Word>(l).value as Grain),
  shareOfEach: ({ w, m, t, g }) => {
    const measureTerm = m ? cast<Measure>(m) : createCountMeasure(cast(t));
    return hasOwnPredicates(measureTerm) ||
      hasFeature(measureTerm, 'thing') ||
      ['share', 'change', 'running', 'averaged'].includes(measureTerm.is)
      ? null
      : createQuery(
          {
            shown: [
              createMeasure(
                { is: 'share', of: replacePredicates(measureTerm, []), percent: isPercent(w), predicates: [] },
                measureTerm.key,
                ['share'],
              ),
            ],
            predicates: measureTerm.predicates,
            groups: [cast<Group>(g)],
          },
          ['measured'],
        );
  },
  severalMeasured: ({ s }) => {
    const { of } = cast<ShownItems>(s);
    if (of.length < 2 || of.some(({ t }) => t !== 'measure')) return null;
    const measures = of as readonly Measure[];
    // A condition after the last item applies to all items, unless another item has its own conditions.
    const lastKey = replacePredicates(measures.at(-1)!, []).key;
    const sharedPredicates = measures.slice(0, -1).every((item) => item.predicates.length === 0 && item.key !== lastKey)
      ? measures.at(-1)!.predicates
      : null;
    return sharedPredicates
      ? createQuery({ shown: measures.map((item) => replacePredicates(item, [])), predicates: sharedPredicates }, [
          'measured',
        ])
      : createQuery({ shown: measures }, ['measured']);
  },
  fieldsOf: ({ s, t }, takes) => {
    const fields = listFieldTerms(cast(s));
    return fields && createQuery({ things: cast(t), shown: fields }, ['listed', ...(takes['told'] ? ['told'] : [])]);
  },
  fieldsOfRanked: ({ s, q }) => {
    const [fields, queryTerm] = [listFieldTerms(cast(s)), cast<Query>(q)];
    return fields && queryTerm.things && !queryTerm.perGroup
      ? createQuery({ ...queryTerm, shown: fields }, ['ranked', 'only'])
      : null;
  },
  shownBeside: ({ q, s }) => {
    const joinedQuery = addShownItems(cast(q), cast(s));
    return joinedQuery && createQuery({ ...joinedQuery, named: true }, joinedQuery.features);
  },
  returned: ({ q, s }) => addShownItems(cast(q), cast(s)),
  grouped: ({ q, g }) => createGroupQuery(cast(q), cast(g)),
  trend: ({ q }) => {
    const monthlyQuery = groupByPeriod(cast(q), 'month');
    return monthlyQuery && createQuery(monthlyQuery, [...monthlyQuery.features, 'trend']);
  },
  trendBy: ({ q, g, l }) =>
    l ? groupByPeriod(cast(q), cast<Word>(l).value as Grain) : createGroupQuery(cast(q), cast(g)),
  growthOver: ({ m, g, h }) => {
    const growth = createGrowth(cast(m));
    return growth && g!.key === h!.key ? groupByPeriod(createMeasureQuery(growth), cast<Word>(g).value as Grain) : null;
  },
  versusValues: ({ q, a, b }) => {
    const queryTerm = cast<Query>(q);
    const valueList = joinValues([cast(a), cast(b)]);
    if (valueList?.any.length !== 2 || hasFeature(valueList, 'quoted') || queryTerm.groups.length > 0) return null;
    const [one, other] = valueList.any;
    const sharedOptions = one!.options.filter((option) =>
      other!.options.some(
        ({ dataset, field: valueField }) => dataset === option.dataset && valueField === option.field,
      ),
    );
    const by = createField(
      valueList.text,
      sharedOptions.map(({ dataset, field: valueField }) => ({ dataset, fields: [valueField], loose: 0 })),
      ['text'],
    );
    if (sharedOptions.length === 0) return null;
    const bothQuery = restrictQuery(queryTerm, createValuePredicate(valueList, ''));
    return bothQuery && createGroupQuery(bothQuery, createGroup({ is: 'field', field: by }, by.key));
  },
  versusPeriods: ({ q, p, k }, _, nameLookup) => {
    const [one, other] = [cast<Period>(p), cast<Period>(k)];
    const gain = q ? null : nameLookup.gainMeasureOf(one.text);
    // In "2015 compared to last year", the last year can be the year before the current year or the year before 2015.
    const hasDigits = ({ text }: Period): boolean => /\d/.test(text);
    if (hasDigits(one) !== hasDigits(other)) return null;
    const queryTerm = q ? cast<Query>(q) : gain && createMeasureQuery(gain);
    const { unit } = one.mention;
    if (
      !queryTerm ||
      !unit ||
      unit !== other.mention.unit ||
      one.key === other.key ||
      queryTerm.predicates.some((cond) => hasFeature(cond, 'period'))
    )
      return null;
    const duringPeriod = ({ key }: Period, period: Period): Predicate =>
      createPredicate({ is: 'time', period, field: null, verb: null }, key, ['period']);
    const eitherPredicate = createPredicate(
      { is: 'any', of: [duringPeriod(one, one), duringPeriod(other, other)] },
      [one.key, other.key].sort().join('|'),
      ['period'],
    );
    return groupByPeriod(
      createQuery({ ...queryTerm, predicates: [...queryTerm.predicates, eitherPredicate] }, queryTerm.features),
      unit,
    );
  },
  groupedByGrain: ({ l, q }) => groupByPeriod(cast(q), cast<Word>(l).value as Grain),
  countEach: ({ t, g }) =>
    createQuery(
      {
        shown: [replacePredicates(createCountMeasure(cast(t)), [])],
        predicates: cast<Entities>(t).predicates,
        groups: [cast<Group>(g)],
      },
      ['measured'],
    ),
  queryThat: ({ q, c }) => restrictQuery(cast(q), cast(c)),
  // Reads "Furniture revenue". A lowercase value can also be a word, as in "running total" or "annual revenue".
  queryOfValue: ({ v, q }) =>
    hasFeature(q!, 'by') ||
    hasFeature(v!, 'quoted') ||
    !cast<Value>(v).any.every(isProperName) ||
    !cast<Query>(q).shown.every(isSimpleMeasure)
      ? null
      : restrictQuery(cast(q), createValuePredicate(cast(v), null)),
  // The answer to "How did revenue change from 2016 to 2017" has both values, the amount and the percentage.
  changedBetween: ({ m, p }) => {
    const shown = (['to', 'from', 'change', 'percent'] as const).flatMap(
      (part) => createChange(cast(m), cast(p), part) ?? [],
    );
    return shown.length > 0 ? createQuery({ shown }, ['measured']) : null;
  },
  ordered: ({ q, o }) => {
    const [queryTerm, sortOrderTerm] = [cast<Query>(q), cast<SortOrder>(o)];
    if (queryTerm.limit !== null || queryTerm.order.length > 0) return null;
    const sortTerm = sortOrderTerm.by ?? (queryTerm.shown.length === 1 ? queryTerm.shown[0]! : null);
    return (
      sortTerm &&
      createQuery({ ...queryTerm, order: [createSortOrder(sortTerm, sortOrderTerm.direction)] }, queryTerm.features)
    );
  },
};

function createGroupQuery(queryTerm: Query, groupTerm: Group): Query | null {
  if (!queryTerm.shown.every(({ t }) => t === 'measure') || queryTerm.shown.length === 0 || queryTerm.limit !== null)
    return null;
  // The answer to "sales trend by quarter" has one row for each quarter.
  if (hasFeature(queryTerm, 'trend') && hasFeature(groupTerm, 'period')) return null;
  return createQuery({ ...queryTerm, groups: [...queryTerm.groups, groupTerm] }, [
    ...queryTerm.features,
    ...groupTerm.features,
  ]);
}
const groupByPeriod = (queryTerm: Query, grain: Grain): Query | null =>
  createGroupQuery(queryTerm, createPeriodGroup(createWord(grain), undefined));

function restrictQuery(queryTerm: Query, predicateTerm: Predicate): Query | null {
  const restrictedMeasure = queryTerm.shown.find(
    (item): item is Measure => item.t === 'measure' && hasOwnPredicates(item),
  );
  const [first, second] = queryTerm.shown;
  const appliedMeasure = first?.t === 'measure' && !second ? applyToBothSides(first, predicateTerm) : null;
  if (appliedMeasure) return createQuery({ ...queryTerm, shown: [appliedMeasure] }, queryTerm.features);
  if (hasFeature(queryTerm, 'told') && queryTerm.things && !hasFeature(predicateTerm, 'total'))
    return createQuery({ ...queryTerm, things: withPredicates(queryTerm.things, [predicateTerm]) }, queryTerm.features);
  if (
    !canBeRestricted(queryTerm) ||
    hasFeature(predicateTerm, 'total') ||
    (restrictedMeasure && (restrictedMeasure.is === 'combined' || !hasFeature(predicateTerm, 'period'))) ||
    (hasFeature(queryTerm, 'by') && !hasFeature(predicateTerm, 'period'))
  )
    return null;
  return createQuery({ ...queryTerm, predicates: [...queryTerm.predicates, predicateTerm] }, queryTerm.features);
}

const listFieldTerms = ({ of }: ShownItems): Field[] | null =>
  of.every((item): item is Field => item.t === 'field') ? [...of] : null;
const flattenGroups = (groups: readonly Group[]): readonly Group[] =>
  groups.flatMap((item) => (item.is === 'several' ? flattenGroups(item.of) : [item]));
const addShownItems = (queryTerm: Query, { of: addedTerms }: ShownItems): Query | null => {
  const isSingleRow = !queryTerm.things && queryTerm.groups.length === 0;
  if (isSingleRow && (queryTerm.shown.length === 0 || addedTerms.some(({ t }) => t !== 'measure'))) return null;
  const isShown = (term: Field | Measure): boolean => queryTerm.shown.some(({ key }) => key === term.key);
  if (!hasFeature(queryTerm, 'ranked') && addedTerms.some((item) => item.t === 'field' && isShown(item))) return null;
  return createQuery(
    { ...queryTerm, shown: [...queryTerm.shown, ...addedTerms.filter((item) => !isShown(item))] },
    queryTerm.features,
  );
};
