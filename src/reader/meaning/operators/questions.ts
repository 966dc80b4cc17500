// Complete questions.
import type { Grain } from '../../../contract/warehouse.ts';
import { words } from '../../words/phrase-key.ts';
import {
  type Entities,
  type Field,
  field,
  type Group,
  group,
  type Measure,
  measure,
  type Period,
  type Predicate,
  predicate,
  type Query,
  query,
  type Shown,
  type Sorted,
  shown,
  sorted,
  type Value,
  type Word,
  word,
} from '../terms.ts';

import {
  cast,
  count,
  has,
  hasOwnPredicates,
  isPercent,
  listOf,
  measured,
  type Operation,
  restrictedTo,
  valuePredicate,
  withPredicates,
} from './building.ts';
import { byPeriod } from './groups.ts';
import { addedUp, aggregated, appliedToBothSides, changeBetween, growthOf, ofThings } from './measures.ts';

const canRestrict = (queryTerm: Query): boolean =>
  queryTerm.shown.some(({ t }) => t === 'measure') || has(queryTerm, 'ranked');

const isProperName = ({ text, options }: Value['any'][number]): boolean =>
  options.length > 0 &&
  options.every(({ value: stored }) => /^[\p{Lu}\d]/u.test(stored) && words(stored).join() === words(text).join());
const isPlain = (one: Field | Measure): boolean =>
  one.t === 'measure' && (one.is === 'metric' || one.is === 'aggregate' || one.is === 'count');

export const QUESTIONS: Record<string, Operation> = {
  measured: ({ m }) => (has(m!, 'thing') ? null : measured(cast(m))),
  sameQuery: ({ q }) => q!,
  listed: ({ t }) => query({ things: cast(t) }, ['listed']),
  asked: ({ q, t }) => (q && has(q, 'unsaid') ? null : (q ?? measured(count(cast(t))))),
  item: ({ m, f }) => (m && has(m, 'thing') ? null : shown([cast<Measure | Field>(m ?? f)])),
  items: ({ a, b }) => shown([...cast<Shown>(a).of, ...(b ? cast<Shown>(b).of : [])]),
  severalAggregates: ({ a, b, c, f, t }) => {
    const measureTerms = [a, b, c].flatMap((item) => (item ? [aggregated(cast(item), cast(f))] : []));
    if (new Set(measureTerms.map(({ key }) => key)).size < measureTerms.length) return null;
    return shown(t ? measureTerms.flatMap((item) => ofThings(item, cast(t)) ?? []) : measureTerms);
  },
  countedBy: ({ t, g }) => {
    const [entityTerm, by] = [cast<Entities>(t), cast<Group>(g)];
    // "orders shipped by customers" can mean the customers' orders, or ask who shipped them.
    if (flat([by]).some((item) => item.is === 'things' && !has(item.things, 'one'))) return null;
    return query(
      { shown: [restrictedTo(count(entityTerm), [])], predicates: entityTerm.predicates, groups: [cast<Group>(g)] },
      ['measured', 'unsaid'],
    );
  },
  // "seats by plan" is a sum if the field is additive.
  amountBy: ({ f, t, g }) => {
    const of = t ? ofThings(addedUp(cast(f)), cast(t)) : addedUp(cast(f));
    return of && groupedBy(measured(of), cast(g));
  },
  countedInPeriods: ({ l, t }) =>
    has(t!, 'values') ? null : inPeriods(measured(count(cast(t))), cast<Word>(l).value as Grain),
  shareOfEach: ({ w, m, t, g }) => {
    const measureTerm = m ? cast<Measure>(m) : count(cast(t));
    return hasOwnPredicates(measureTerm) ||
      has(measureTerm, 'thing') ||
      ['share', 'change', 'running', 'averaged'].includes(measureTerm.is)
      ? null
      : query(
          {
            shown: [
              measure(
                { is: 'share', of: restrictedTo(measureTerm, []), percent: isPercent(w), predicates: [] },
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
    const { of } = cast<Shown>(s);
    if (of.length < 2 || of.some(({ t }) => t !== 'measure')) return null;
    const all = of as readonly Measure[];
    // A condition after the last item applies to all, unless another item has its own conditions.
    const last = restrictedTo(all.at(-1)!, []).key;
    const sharedPredicates = all.slice(0, -1).every((item) => item.predicates.length === 0 && item.key !== last)
      ? all.at(-1)!.predicates
      : null;
    return sharedPredicates
      ? query({ shown: all.map((item) => restrictedTo(item, [])), predicates: sharedPredicates }, ['measured'])
      : query({ shown: all }, ['measured']);
  },
  fieldsOf: ({ s, t }, takes) => {
    const fields = fieldsIn(cast(s));
    return fields && query({ things: cast(t), shown: fields }, ['listed', ...(takes['told'] ? ['told'] : [])]);
  },
  fieldsOfRanked: ({ s, q }) => {
    const [fields, of] = [fieldsIn(cast(s)), cast<Query>(q)];
    return fields && of.things && !of.perGroup ? query({ ...of, shown: fields }, ['ranked', 'only']) : null;
  },
  shownBeside: ({ q, s }) => {
    const joined = withShown(cast(q), cast(s));
    return joined && query({ ...joined, named: true }, joined.features);
  },
  returned: ({ q, s }) => withShown(cast(q), cast(s)),
  grouped: ({ q, g }) => groupedBy(cast(q), cast(g)),
  trend: ({ q }) => {
    const monthly = inPeriods(cast(q), 'month');
    return monthly && query(monthly, [...monthly.features, 'trend']);
  },
  trendBy: ({ q, g, l }) => (l ? inPeriods(cast(q), cast<Word>(l).value as Grain) : groupedBy(cast(q), cast(g))),
  growthOver: ({ m, g, h }) => {
    const shown = growthOf(cast(m));
    return shown && g!.key === h!.key ? inPeriods(measured(shown), cast<Word>(g).value as Grain) : null;
  },
  versusValues: ({ q, a, b }) => {
    const queryTerm = cast<Query>(q);
    const either = listOf([cast(a), cast(b)]);
    if (either?.any.length !== 2 || has(either, 'quoted') || queryTerm.groups.length > 0) return null;
    const [one, other] = either.any;
    const shared = one!.options.filter((option) =>
      other!.options.some(
        ({ dataset, field: valueField }) => dataset === option.dataset && valueField === option.field,
      ),
    );
    const by = field(
      either.text,
      shared.map(({ dataset, field: valueField }) => ({ dataset, fields: [valueField], loose: 0 })),
      ['text'],
    );
    if (shared.length === 0) return null;
    const both = restrictedQuery(queryTerm, valuePredicate(either, ''));
    return both && groupedBy(both, group({ is: 'field', field: by }, by.key));
  },
  versusPeriods: ({ q, p, k }, _, named) => {
    const [one, other] = [cast<Period>(p), cast<Period>(k)];
    const gain = q ? null : named.gain(one.text);
    // "2015 compared to last year" can mean the year before today, or the year before 2015.
    const isNamed = ({ text }: Period): boolean => /\d/.test(text);
    if (isNamed(one) !== isNamed(other)) return null;
    const queryTerm = q ? cast<Query>(q) : gain && measured(gain);
    const { unit } = one.mention;
    if (
      !queryTerm ||
      !unit ||
      unit !== other.mention.unit ||
      one.key === other.key ||
      queryTerm.predicates.some((cond) => has(cond, 'period'))
    )
      return null;
    const during = ({ key }: Period, period: Period): Predicate =>
      predicate({ is: 'time', period, field: null, verb: null }, key, ['period']);
    const either = predicate(
      { is: 'any', of: [during(one, one), during(other, other)] },
      [one.key, other.key].sort().join('|'),
      ['period'],
    );
    return inPeriods(query({ ...queryTerm, predicates: [...queryTerm.predicates, either] }, queryTerm.features), unit);
  },
  groupedByGrain: ({ l, q }) => inPeriods(cast(q), cast<Word>(l).value as Grain),
  countEach: ({ t, g }) =>
    query(
      {
        shown: [restrictedTo(count(cast(t)), [])],
        predicates: cast<Entities>(t).predicates,
        groups: [cast<Group>(g)],
      },
      ['measured'],
    ),
  queryThat: ({ q, c }) => restrictedQuery(cast(q), cast(c)),
  // Example: "Furniture revenue". A lowercase value can also be a word, as in "running total" or "annual revenue".
  queryOfValue: ({ v, q }) =>
    has(q!, 'by') ||
    has(v!, 'quoted') ||
    !cast<Value>(v).any.every(isProperName) ||
    !cast<Query>(q).shown.every(isPlain)
      ? null
      : restrictedQuery(cast(q), valuePredicate(cast(v), null)),
  // "How did revenue change from 2016 to 2017" asks for the amount and the percentage.
  changedBetween: ({ m, p }) => {
    const [amount, percentage] = [false, true].map((percent) => changeBetween(cast(m), cast(p), percent));
    return amount && percentage ? query({ shown: [amount, percentage] }, ['measured']) : null;
  },
  ordered: ({ q, o }) => {
    const [of, by] = [cast<Query>(q), cast<Sorted>(o)];
    if (of.limit !== null || of.order.length > 0) return null;
    const meant = by.by ?? (of.shown.length === 1 ? of.shown[0]! : null);
    return meant && query({ ...of, order: [sorted(meant, by.direction)] }, of.features);
  },
};

function groupedBy(of: Query, by: Group): Query | null {
  if (!of.shown.every(({ t }) => t === 'measure') || of.shown.length === 0 || of.limit !== null) return null;
  // "sales trend by quarter" has one row for each quarter.
  if (has(of, 'trend') && has(by, 'period')) return null;
  return query({ ...of, groups: [...of.groups, by] }, [...of.features, ...by.features]);
}
const inPeriods = (queryTerm: Query, grain: Grain): Query | null =>
  groupedBy(queryTerm, byPeriod(word(grain), undefined));

function restrictedQuery(of: Query, by: Predicate): Query | null {
  const inner = of.shown.find((item): item is Measure => item.t === 'measure' && hasOwnPredicates(item));
  const [first, second] = of.shown;
  const shared = first?.t === 'measure' && !second ? appliedToBothSides(first, by) : null;
  if (shared) return query({ ...of, shown: [shared] }, of.features);
  if (has(of, 'told') && of.things && !has(by, 'total'))
    return query({ ...of, things: withPredicates(of.things, [by]) }, of.features);
  if (
    !canRestrict(of) ||
    has(by, 'total') ||
    (inner && (inner.is === 'combined' || !has(by, 'period'))) ||
    (has(of, 'by') && !has(by, 'period'))
  )
    return null;
  return query({ ...of, predicates: [...of.predicates, by] }, of.features);
}

const fieldsIn = ({ of }: Shown): Field[] | null =>
  of.every((item): item is Field => item.t === 'field') ? [...of] : null;
const flat = (all: readonly Group[]): readonly Group[] =>
  all.flatMap((item) => (item.is === 'several' ? flat(item.of) : [item]));
const withShown = (queryTerm: Query, { of: more }: Shown): Query | null => {
  const isOne = !queryTerm.things && queryTerm.groups.length === 0;
  if (isOne && (queryTerm.shown.length === 0 || more.some(({ t }) => t !== 'measure'))) return null;
  const isShown = (one: Field | Measure): boolean => queryTerm.shown.some(({ key }) => key === one.key);
  if (!has(queryTerm, 'ranked') && more.some((item) => item.t === 'field' && isShown(item))) return null;
  return query(
    { ...queryTerm, shown: [...queryTerm.shown, ...more.filter((item) => !isShown(item))] },
    queryTerm.features,
  );
};
