// Whole questions.
import type { Grain } from '../../../contract/warehouse.ts';
import { words } from '../../words/vocabulary.ts';
import {
  type Cond,
  cond,
  type Field,
  field,
  type Group,
  group,
  type Measure,
  measure,
  type Num,
  type Period,
  type Query,
  query,
  type Shown,
  type Sorted,
  shown,
  sorted,
  type Things,
  type Value,
  type Word,
  word,
} from '../terms.ts';

import {
  as,
  composed,
  count,
  directionOf,
  has,
  listOf,
  measured,
  NOTHING,
  type Operate,
  ofValue,
  restrictedTo,
  withConds,
} from './building.ts';
import { GROUPS } from './groups.ts';
import { MEASURES, sharedOut } from './measures.ts';

const canRestrict = (of: Query): boolean => of.shown.some(({ t }) => t === 'measure') || has(of, 'ranked');

const isProperName = ({ text, options }: Value['any'][number]): boolean =>
  options.length > 0 &&
  options.every(({ value: stored }) => /^[\p{Lu}\d]/u.test(stored) && words(stored).join() === words(text).join());
const isPlain = (one: Field | Measure): boolean =>
  one.t === 'measure' && (one.is === 'metric' || one.is === 'aggregate' || one.is === 'count');

export const QUESTIONS: Record<string, Operate> = {
  measured: ({ m }) => (has(m!, 'thing') ? null : measured(as(m))),
  sameQuery: ({ q }) => q!,
  listed: ({ t }) => query({ things: as(t) }, ['listed']),
  asked: ({ q, t }) => (q && has(q, 'unsaid') ? null : (q ?? measured(count(as(t))))),
  item: ({ m, f }) => (m && has(m, 'thing') ? null : shown([as<Measure | Field>(m ?? f)])),
  itemGrain: ({ g }) => shown([GROUPS['groupGrain']!({ g: g! }, {}, NOTHING) as Group]),
  itemThings: ({ t }) => (as<Things>(t).conds.length > 0 ? null : shown([as<Things>(t)])),
  itemAgain: ({ a }) => shown([as<Word>(a)]),
  again: () => word(AGAIN),
  toldForEach: ({ g, s }) => {
    const of = bareItems(as<Shown>(s));
    return of?.some(({ t }) => t === 'measure') && of.length > 1
      ? query({ shown: of, groups: [as<Group>(g)] }, ['measured'])
      : null;
  },
  items: ({ a, b }) => shown([...as<Shown>(a).of, ...(b ? as<Shown>(b).of : [])]),
  severalAggregates: ({ a, b, c, f, t }) => {
    const of = [a, b, c].flatMap((one) =>
      one ? [MEASURES['aggregate']!({ a: one, f: f! }, {}, NOTHING) as Measure] : [],
    );
    if (t) return shown(of.flatMap((m) => (MEASURES['measureOf']!({ m, t }, {}, NOTHING) as Measure | null) ?? []));
    return new Set(of.map(({ key }) => key)).size < of.length ? null : shown(of);
  },
  toldOfEach: ({ s, t }) => {
    const { of } = as<Shown>(s);
    const told = bareItems({ of });
    return told?.some((one) => one.t === 'measure' && one.conds.length === 0 && !has(one, 'thing')) &&
      told.some((one) => one.t === 'field') &&
      told.every((one) => one.t === 'field' || one.conds.length === 0)
      ? query({ things: as(t), shown: told }, ['measured'])
      : null;
  },
  countedBy: ({ t, g }) => {
    const [of, by] = [as<Things>(t), as<Group>(g)];
    // "orders shipped by customers": whose number, or who shipped them?
    if (flat([by]).some((one) => one.is === 'things' && !has(one.things, 'one'))) return null;
    return query({ shown: [restrictedTo(count(of), [])], conds: of.conds, groups: [as<Group>(g)] }, [
      'measured',
      'unsaid',
    ]);
  },
  // "seats by plan" are added up where they may be.
  amountBy: ({ f, t, g }) => {
    const total = MEASURES['addedUp']!({ f: f! }, {}, NOTHING)!;
    const of = t ? (MEASURES['measureOf']!({ m: total, t }, {}, NOTHING) as Measure | null) : (total as Measure);
    return of && QUESTIONS['grouped']!({ q: measured(of), g: g! }, {}, NOTHING);
  },
  countedInPeriods: ({ l, t }) =>
    has(t!, 'values') ? null : inPeriods(measured(count(as(t))), as<Word>(l).value as Grain),
  shareOfEach: ({ m, t, g }, takes) => {
    const of = m ? as<Measure>(m) : count(as(t));
    return composed(of) || has(of, 'thing') || ['share', 'change', 'running', 'averaged'].includes(of.is)
      ? null
      : query(
          {
            shown: [
              measure(
                { is: 'share', of: restrictedTo(of, []), percent: takes['percent'] !== undefined, conds: [] },
                of.key,
                ['share'],
              ),
            ],
            conds: of.conds,
            groups: [as<Group>(g)],
          },
          ['measured'],
        );
  },
  severalMeasured: ({ s }) => {
    const { of } = as<Shown>(s);
    if (of.length < 2 || of.some(({ t }) => t !== 'measure')) return null;
    const all = of as readonly Measure[];
    // What stands behind the last is said of all, unless another has conditions of its own.
    const last = restrictedTo(all.at(-1)!, []).key;
    const own = all.slice(0, -1).every((one) => one.conds.length === 0 && one.key !== last) ? all.at(-1)!.conds : null;
    return own
      ? query({ shown: all.map((one) => restrictedTo(one, [])), conds: own }, ['measured'])
      : query({ shown: all }, ['measured']);
  },
  fieldsOf: ({ s, t }) => {
    const { of } = as<Shown>(s);
    return of.every((one) => one.t === 'field') ? query({ things: as(t), shown: of as Field[] }, ['listed']) : null;
  },
  thingsTold: ({ s, t }) => {
    const { of } = as<Shown>(s);
    return of.every((one) => one.t === 'field')
      ? query({ things: as(t), shown: of as Field[] }, ['listed', 'told'])
      : null;
  },
  combinations: ({ s, n, g, m }) => {
    const [of, limit] = [as<Measure>(m), as<Num>(n).value];
    const bare = restrictedTo(of, []);
    return Number.isInteger(limit) && limit > 0 && as<Group>(g).is === 'several'
      ? query(
          { shown: [bare], groups: [as<Group>(g)], conds: of.conds, order: [sorted(bare, directionOf(s))], limit },
          ['ranked'],
        )
      : null;
  },
  fieldsOfRanked: ({ s, q }) => {
    const { of } = as<Shown>(s);
    const { order, limit, things: told, perGroup } = as<Query>(q);
    return of.every((one) => one.t === 'field') && told && !perGroup
      ? query({ ...as<Query>(q), shown: of as Field[], order, limit }, ['ranked', 'only'])
      : null;
  },
  shownBeside: ({ q, s }) => {
    const made = besides(as(q), as(s));
    return made && query({ ...made, named: true }, made.features);
  },
  returned: ({ q, s }) => besides(as(q), as(s)),
  grouped: ({ q, g }) => {
    const of = as<Query>(q);
    if (!of.shown.every(({ t }) => t === 'measure') || of.shown.length === 0 || of.limit !== null) return null;
    // "sales trend by quarter" has one row for each quarter.
    if (has(of, 'trend') && has(g!, 'period')) return null;
    return query({ ...of, groups: [...of.groups, as<Group>(g)] }, [...of.features, ...g!.features]);
  },
  trend: ({ q }) => {
    const made = inPeriods(as(q), 'month');
    return made && query(made, [...made.features, 'trend']);
  },
  trendBy: ({ q, g, l }) =>
    l ? inPeriods(as(q), as<Word>(l).value as Grain) : QUESTIONS['grouped']!({ q: q!, g: g! }, {}, NOTHING),
  growthOver: ({ m, g, h }, takes, named) => {
    const shown = MEASURES['growth']!({ m: m! }, takes, named) as Measure | null;
    return shown && g!.key === h!.key ? inPeriods(measured(shown), as<Word>(g).value as Grain) : null;
  },
  versusValues: ({ q, a, b }) => {
    const of = as<Query>(q);
    const either = listOf([as(a), as(b)], false);
    if (either?.any.length !== 2 || has(either, 'quoted') || of.groups.length > 0 || of.limit !== null) return null;
    const [one, other] = either.any;
    const told = one!.options.filter((option) =>
      other!.options.some(({ dataset, field: at }) => dataset === option.dataset && at === option.field),
    );
    if (told.length === 0) return null;
    const by = field(
      either.text,
      told.map(({ dataset, field: at }) => ({ dataset, fields: [at], loose: 0 })),
      ['text'],
    );
    return query(
      { ...of, conds: [...of.conds, ofValue(either, '')], groups: [group({ is: 'field', field: by }, by.key)] },
      of.features,
    );
  },
  versusPeriods: ({ q, p, k }, _, named) => {
    const [one, other] = [as<Period>(p), as<Period>(k)];
    const gain = q ? null : named.gain(one.text);
    // "2015 compared to last year": last before today, or before that?
    const isNamed = ({ text }: Period): boolean => /\d/.test(text);
    if (isNamed(one) !== isNamed(other)) return null;
    const of = q ? as<Query>(q) : gain && measured(gain);
    const { unit } = one.mention;
    if (
      !of ||
      !unit ||
      unit !== other.mention.unit ||
      one.key === other.key ||
      of.conds.some((cond) => has(cond, 'period'))
    )
      return null;
    const during = ({ key }: Period, period: Period): Cond =>
      cond({ is: 'time', period, field: null, verb: null }, key, ['period']);
    const either = cond(
      { is: 'any', of: [during(one, one), during(other, other)] },
      [one.key, other.key].sort().join('|'),
      ['period'],
    );
    return inPeriods(query({ ...of, conds: [...of.conds, either] }, of.features), unit);
  },
  varies: ({ m, g }) => QUESTIONS['grouped']!({ q: measured(as(m)), g: g! }, {}, NOTHING),
  groupedByGrain: ({ l, q }) => inPeriods(as(q), as<Word>(l).value as Grain),
  countEach: ({ t, g }) =>
    query({ shown: [restrictedTo(count(as(t)), [])], conds: as<Things>(t).conds, groups: [as<Group>(g)] }, [
      'measured',
    ]),
  queryThat: ({ q, c }) => {
    const of = as<Query>(q);
    const inner = of.shown.find((one): one is Measure => one.t === 'measure' && composed(one));
    const [only, more] = of.shown;
    const shared = only?.t === 'measure' && !more ? sharedOut(only, as(c)) : null;
    if (shared) return query({ ...of, shown: [shared] }, of.features);
    if (has(of, 'told') && of.things && !has(c!, 'total'))
      return query({ ...of, things: withConds(of.things, [as<Cond>(c)]) }, of.features);
    if (
      !canRestrict(of) ||
      has(c!, 'total') ||
      (inner && (inner.is === 'combined' || !has(c!, 'period'))) ||
      (has(of, 'by') && !has(c!, 'period')) ||
      (has(of, 'eventless') && has(c!, 'has'))
    )
      return null;
    return query({ ...of, conds: [...of.conds, as<Cond>(c)] }, of.features);
  },
  // "Furniture revenue"; what is written small where it is stored is a word: "running total", "annual revenue".
  queryOfValue: ({ v, q }, takes, named) =>
    has(q!, 'by') || has(v!, 'quoted') || !as<Value>(v).any.every(isProperName) || !as<Query>(q).shown.every(isPlain)
      ? null
      : QUESTIONS['queryThat']!({ q: q!, c: ofValue(as(v), null) }, takes, named),
  // "How did revenue change from 2016 to 2017": by how much, and by how many percent.
  changedBetween: ({ m, p }, _, named) => {
    const ways: Readonly<Record<string, string>>[] = [{ amount: 'amount' }, {}];
    const shown = ways.map((takes) => MEASURES['growthBetween']!({ m: m!, p: p! }, takes, named));
    return shown.every((one) => one !== null) ? query({ shown: shown as Measure[] }, ['measured']) : null;
  },
  ordered: ({ q, o }) => {
    const [of, by] = [as<Query>(q), as<Sorted>(o)];
    if (of.limit !== null || of.order.length > 0) return null;
    const meant = by.by ?? (of.shown.length === 1 ? of.shown[0]! : null);
    return meant && query({ ...of, order: [sorted(meant, by.direction)] }, of.features);
  },
};

const inPeriods = (of: Query, grain: Grain): Query | null =>
  QUESTIONS['grouped']!(
    { q: of, g: group({ is: 'period', grain, date: null }, `${grain} `, ['period']) },
    {},
    NOTHING,
  ) as Query | null;

const AGAIN = 'again';
const bareItems = ({ of }: Pick<Shown, 'of'>): readonly (Field | Measure)[] | null =>
  of.every((one): one is Field | Measure => one.t === 'field' || one.t === 'measure') ? of : null;

const flat = (all: readonly Group[]): readonly Group[] =>
  all.flatMap((one) => (one.is === 'several' ? flat(one.of) : [one]));
/** What is asked for once more: a period that rows are told by, or the one number. */
const askedAgain = (of: Query, one: Group | Word | Things): Measure[] | null => {
  if (one.t === 'things') return toldThings(of).some((told) => isOf(told, one)) ? [] : null;
  if (one.t === 'group')
    return one.is === 'period' && flat(of.groups).some((by) => by.is === 'period' && by.grain === one.grain)
      ? []
      : null;
  const told = of.shown.filter((each): each is Measure => each.t === 'measure');
  const [only, more] = told.length > 0 ? told : numbersOf(of);
  return only && !more && (one.value === AGAIN || only.is !== 'aggregate' || only.fn === one.value)
    ? told.length > 0
      ? []
      : [only]
    : null;
};
const toldThings = ({ things: listed, groups }: Query): Things[] => [
  ...(listed ? [listed] : []),
  ...flat(groups).flatMap((one) => (one.is === 'things' ? [one.things] : [])),
];
const isOf = (told: Things, { options }: Things): boolean =>
  told.options.some(({ dataset, by }) => !by && options.some((one) => !one.by && one.dataset === dataset));
/** "customers with more than 5 orders": their number. */
const numbersOf = (of: Query): Measure[] => {
  const ranked = of.order.flatMap(({ by }) => (by?.t === 'measure' ? [by] : []));
  if (ranked.length > 0) return ranked;
  return [...(of.things?.conds ?? []), ...of.conds].flatMap((one) =>
    one.is === 'total' ? [one.measure] : one.is === 'has' && one.count ? [count(one.things)] : [],
  );
};

const besides = (of: Query, { of: asked }: Shown): Query | null => {
  const more: (Field | Measure)[] = [];
  const named = asked.some(({ t }) => t === 'things');
  for (const one of asked) {
    const told = one.t === 'field' || one.t === 'measure' ? [one] : askedAgain(of, one);
    if (told === null) return null;
    more.push(...told);
  }
  const isOne = !of.things && of.groups.length === 0;
  if (isOne && (of.shown.length === 0 || asked.some(({ t }) => t !== 'measure'))) return null;
  if (
    of.shown.length > 0 &&
    more.some(({ t, key }) => t === 'field' && !has(of, 'ranked') && of.shown.some((known) => known.key === key))
  )
    return null;
  return query(
    {
      ...of,
      named: of.named || named,
      shown: [...of.shown, ...more.filter(({ key }) => !of.shown.some((known) => known.key === key))],
    },
    of.features,
  );
};
