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
  has,
  listOf,
  measured,
  NOTHING,
  type Operate,
  ofValue,
  restrictedTo,
  withConds,
} from './building.ts';
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
  amountWord: () => word('amount'),
  items: ({ a, b }) => shown([...as<Shown>(a).of, ...(b ? as<Shown>(b).of : [])]),
  severalAggregates: ({ a, b, c, f, t }) => {
    const of = [a, b, c].flatMap((one) =>
      one ? [MEASURES['aggregate']!({ a: one, f: f! }, {}, NOTHING) as Measure] : [],
    );
    if (t) return shown(of.flatMap((m) => (MEASURES['measureOf']!({ m, t }, {}, NOTHING) as Measure | null) ?? []));
    return new Set(of.map(({ key }) => key)).size < of.length ? null : shown(of);
  },
  countedBy: ({ t, g }) => {
    const [of, by] = [as<Things>(t), as<Group>(g)];
    // "orders shipped by customers": the customers' orders, or who shipped them?
    if (flat([by]).some((one) => one.is === 'things' && !has(one.things, 'one'))) return null;
    return query({ shown: [restrictedTo(count(of), [])], conds: of.conds, groups: [as<Group>(g)] }, [
      'measured',
      'unsaid',
    ]);
  },
  // "seats by plan" is a sum if the field is additive.
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
    // A condition after the last item applies to all, unless another has its own conditions.
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
    // "2015 compared to last year": the year before today, or before 2015?
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
      (has(of, 'by') && !has(c!, 'period'))
    )
      return null;
    return query({ ...of, conds: [...of.conds, as<Cond>(c)] }, of.features);
  },
  // "Furniture revenue"; a value in lower case may also be a word: "running total", "annual revenue".
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

const flat = (all: readonly Group[]): readonly Group[] =>
  all.flatMap((one) => (one.is === 'several' ? flat(one.of) : [one]));
const besides = (of: Query, { of: more }: Shown): Query | null => {
  const isOne = !of.things && of.groups.length === 0;
  if (isOne && (of.shown.length === 0 || more.some(({ t }) => t !== 'measure'))) return null;
  const known = (one: Field | Measure): boolean => of.shown.some(({ key }) => key === one.key);
  if (!has(of, 'ranked') && more.some((one) => one.t === 'field' && known(one))) return null;
  return query({ ...of, shown: [...of.shown, ...more.filter((one) => !known(one))] }, of.features);
};
