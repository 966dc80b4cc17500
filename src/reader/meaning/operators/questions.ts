// Whole questions.
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
import { addedUp, aggregated, appliedToBothSides, growthOf, ofThings } from './measures.ts';

const canRestrict = (of: Query): boolean => of.shown.some(({ t }) => t === 'measure') || has(of, 'ranked');

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
    const of = [a, b, c].flatMap((one) => (one ? [aggregated(cast(one), cast(f))] : []));
    if (new Set(of.map(({ key }) => key)).size < of.length) return null;
    return shown(t ? of.flatMap((one) => ofThings(one, cast(t)) ?? []) : of);
  },
  countedBy: ({ t, g }) => {
    const [of, by] = [cast<Entities>(t), cast<Group>(g)];
    // "orders shipped by customers": the customers' orders, or who shipped them?
    if (flat([by]).some((one) => one.is === 'things' && !has(one.things, 'one'))) return null;
    return query({ shown: [restrictedTo(count(of), [])], predicates: of.predicates, groups: [cast<Group>(g)] }, [
      'measured',
      'unsaid',
    ]);
  },
  // "seats by plan" is a sum if the field is additive.
  amountBy: ({ f, t, g }) => {
    const of = t ? ofThings(addedUp(cast(f)), cast(t)) : addedUp(cast(f));
    return of && groupedBy(measured(of), cast(g));
  },
  countedInPeriods: ({ l, t }) =>
    has(t!, 'values') ? null : inPeriods(measured(count(cast(t))), cast<Word>(l).value as Grain),
  shareOfEach: ({ w, m, t, g }) => {
    const of = m ? cast<Measure>(m) : count(cast(t));
    return hasOwnPredicates(of) || has(of, 'thing') || ['share', 'change', 'running', 'averaged'].includes(of.is)
      ? null
      : query(
          {
            shown: [
              measure({ is: 'share', of: restrictedTo(of, []), percent: isPercent(w), predicates: [] }, of.key, [
                'share',
              ]),
            ],
            predicates: of.predicates,
            groups: [cast<Group>(g)],
          },
          ['measured'],
        );
  },
  severalMeasured: ({ s }) => {
    const { of } = cast<Shown>(s);
    if (of.length < 2 || of.some(({ t }) => t !== 'measure')) return null;
    const all = of as readonly Measure[];
    // A condition after the last item applies to all, unless another has its own conditions.
    const last = restrictedTo(all.at(-1)!, []).key;
    const own = all.slice(0, -1).every((one) => one.predicates.length === 0 && one.key !== last)
      ? all.at(-1)!.predicates
      : null;
    return own
      ? query({ shown: all.map((one) => restrictedTo(one, [])), predicates: own }, ['measured'])
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
    const of = cast<Query>(q);
    const either = listOf([cast(a), cast(b)]);
    if (either?.any.length !== 2 || has(either, 'quoted') || of.groups.length > 0) return null;
    const [one, other] = either.any;
    const shared = one!.options.filter((option) =>
      other!.options.some(({ dataset, field: at }) => dataset === option.dataset && at === option.field),
    );
    const by = field(
      either.text,
      shared.map(({ dataset, field: at }) => ({ dataset, fields: [at], loose: 0 })),
      ['text'],
    );
    if (shared.length === 0) return null;
    const both = restrictedQuery(of, valuePredicate(either, ''));
    return both && groupedBy(both, group({ is: 'field', field: by }, by.key));
  },
  versusPeriods: ({ q, p, k }, _, named) => {
    const [one, other] = [cast<Period>(p), cast<Period>(k)];
    const gain = q ? null : named.gain(one.text);
    // "2015 compared to last year": the year before today, or before 2015?
    const isNamed = ({ text }: Period): boolean => /\d/.test(text);
    if (isNamed(one) !== isNamed(other)) return null;
    const of = q ? cast<Query>(q) : gain && measured(gain);
    const { unit } = one.mention;
    if (
      !of ||
      !unit ||
      unit !== other.mention.unit ||
      one.key === other.key ||
      of.predicates.some((cond) => has(cond, 'period'))
    )
      return null;
    const during = ({ key }: Period, period: Period): Predicate =>
      predicate({ is: 'time', period, field: null, verb: null }, key, ['period']);
    const either = predicate(
      { is: 'any', of: [during(one, one), during(other, other)] },
      [one.key, other.key].sort().join('|'),
      ['period'],
    );
    return inPeriods(query({ ...of, predicates: [...of.predicates, either] }, of.features), unit);
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
  // "Furniture revenue"; a value in lower case may also be a word: "running total", "annual revenue".
  queryOfValue: ({ v, q }) =>
    has(q!, 'by') ||
    has(v!, 'quoted') ||
    !cast<Value>(v).any.every(isProperName) ||
    !cast<Query>(q).shown.every(isPlain)
      ? null
      : restrictedQuery(cast(q), valuePredicate(cast(v), null)),
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
const inPeriods = (of: Query, grain: Grain): Query | null => groupedBy(of, byPeriod(word(grain), undefined));

function restrictedQuery(of: Query, by: Predicate): Query | null {
  const inner = of.shown.find((one): one is Measure => one.t === 'measure' && hasOwnPredicates(one));
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
  of.every((one): one is Field => one.t === 'field') ? [...of] : null;
const flat = (all: readonly Group[]): readonly Group[] =>
  all.flatMap((one) => (one.is === 'several' ? flat(one.of) : [one]));
const withShown = (of: Query, { of: more }: Shown): Query | null => {
  const isOne = !of.things && of.groups.length === 0;
  if (isOne && (of.shown.length === 0 || more.some(({ t }) => t !== 'measure'))) return null;
  const known = (one: Field | Measure): boolean => of.shown.some(({ key }) => key === one.key);
  if (!has(of, 'ranked') && more.some((one) => one.t === 'field' && known(one))) return null;
  return query({ ...of, shown: [...of.shown, ...more.filter((one) => !known(one))] }, of.features);
};
