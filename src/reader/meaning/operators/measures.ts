import {
  type Aggregated,
  type Cond,
  type Group,
  type Measure,
  measure,
  type Period,
  restricted,
  type Term,
  type Things,
  type Word,
  withOwner,
} from '../terms.ts';
import { as, composed, count, has, NOTHING, type Operate, ofValue, withConds } from './building.ts';

const part = (of: Measure, where: readonly Cond[], percent: boolean): Measure =>
  measure({ is: 'part', of, where, percent, conds: [] }, `${of.key} ${where.map(({ key }) => key).join('&')}`, [
    'part',
  ]);

/** The subject of a condition, whichever value it names. */
const about = (one: Cond): string =>
  one.is === 'value'
    ? one.value.any.flatMap(({ options }) => options.map(({ dataset, field }) => `${dataset}.${field.name}`)).join()
    : one.is === 'compare'
      ? one.field.key
      : one.is;
/**
 * A condition after the second measure applies only to it if the first one has a similar condition; otherwise
 * it may apply to both.
 */
const combined = (fn: 'ratio' | 'difference', left: Measure, right: Measure): Measure | null => {
  const own = new Set(left.conds.map(about));
  if (right.conds.length > left.conds.length || right.conds.some((one) => !own.has(about(one)))) return null;
  return measure({ is: 'combined', fn, left, right, percent: false, conds: [] }, `${fn} ${left.key} ${right.key}`, [
    'combined',
  ]);
};

/** A condition after both sides applies to both, if neither has a similar one. */
export const sharedOut = (of: Measure, one: Cond): Measure | null => {
  if (of.is !== 'combined' || has(one, 'total') || has(one, 'has')) return null;
  if ([...of.left.conds, ...of.right.conds].some((own) => about(own) === about(one))) return null;
  const side = (each: Measure): Measure => restricted(each, [one]);
  return measure(
    { ...of, left: side(of.left), right: side(of.right) },
    `${of.fn} ${side(of.left).key} ${side(of.right).key}`,
    ['combined'],
  );
};

/** A plain measure: no share, change, running total, part or average of groups, and not tied to a thing. */
const bare = (of: Measure): boolean =>
  !['share', 'change', 'running', 'averaged', 'part'].includes(of.is) && !has(of, 'thing');
const counted = (of: Term): Measure => (of.t === 'things' ? count(of) : as<Measure>(of));

export const MEASURES: Record<string, Operate> = {
  count: ({ t, m }) => (m ? { ...as<Measure>(m), features: ['metric', 'count'] } : count(as(t))),
  // "total sales" is the sum.
  countAll: ({ t, a }, _, named) => {
    const of = as<Things>(t);
    if (named.isAmount(of.text)) return null;
    const made = count(of);
    return a ? { ...made, unlessAmount: true } : made;
  },
  distinct: ({ f }) => measure({ is: 'distinct', field: as(f), conds: [] }, f!.key, ['count']),
  addedUp: ({ f }) =>
    measure({ is: 'aggregate', fn: 'sum', field: as(f), unsaid: true, conds: [] }, `sum ${f!.key}`, ['summed']),
  running: ({ m, t }) => {
    const of = m ? as<Measure>(m) : count(as(t));
    return bare(of) ? measure({ is: 'running', of, conds: [] }, of.key, ['running']) : null;
  },
  aggregate: ({ a, f }) =>
    measure({ is: 'aggregate', fn: as<Word>(a).value as Aggregated, field: as(f), conds: [] }, `${a!.key} ${f!.key}`, [
      'aggregate',
      ...(as<Word>(a).value === 'avg' ? ['mean'] : []),
      ...a!.features,
    ]),
  latestDate: ({ r, f }) => {
    const fn = as<Word>(r).value === 'desc' ? 'max' : 'min';
    return measure({ is: 'aggregate', fn, field: as(f), conds: [] }, `${fn} ${f!.key}`, ['aggregate']);
  },
  // "average price per ride" is the average over all rides.
  meanOfRows: ({ m, t }) => {
    const of = has(t!, 'rows') ? (MEASURES['measureOf']!({ m: m!, t: t! }, {}, NOTHING) as Measure | null) : null;
    return of?.is === 'aggregate' ? { ...of, ofRows: true, key: `${of.key} itself` } : null;
  },
  measureOf: ({ m, t }) => {
    const [of, rows] = [as<Measure>(m), as<Things>(t)];
    if (of.is !== 'aggregate' || of.field.of || of.conds.length > 0) return null;
    return measure(
      { ...of, field: withOwner(of.field, { ...rows, conds: [] }), conds: rows.conds },
      `${of.fn} ${of.field.key} of ${rows.options[0]!.dataset}`,
      ['aggregate'],
    );
  },
  sameMeasure: ({ m }) => as<Measure>(m),
  /** An explicit total can't be a single row's value. */
  totalMeasure: ({ m }) => {
    const of = as<Measure>(m);
    return of.is === 'metric' ? { ...of, called: undefined } : of;
  },
  restricted: ({ m, c }) => {
    const of = as<Measure>(m);
    const shared = of.is === 'combined' ? sharedOut(of, as(c)) : null;
    if (shared) return shared;
    return of.is === 'share' ||
      of.is === 'change' ||
      has(c!, 'total') ||
      has(of, 'thing') ||
      (composed(of) && (of.is === 'combined' || !has(c!, 'period')))
      ? null
      : restricted(of, [as(c)]);
  },
  ratio: ({ a, b }) => combined('ratio', counted(a!), counted(b!)),
  perOne: ({ a, b }) => (has(b!, 'thing') || a!.key === b!.key ? null : combined('ratio', as(a), as(b))),
  ratioOfValues: ({ a, b, t }) => {
    if (!has(a!, 'one') || !has(b!, 'one') || has(a!, 'quoted') || has(b!, 'quoted')) return null;
    const side = (v: Term): Measure => count(withConds(as(t), [ofValue(as(v), null)]));
    return combined('ratio', side(a!), side(b!));
  },
  shareOfThings: ({ t }, takes) => {
    const of = as<Things>(t);
    const last = of.conds.at(-1);
    return last && of.conds.length === 1 && !has(last, 'period')
      ? part(count({ ...of, conds: [] }), [last], 'percent' in takes)
      : null;
  },
  shareOfValue: ({ m, c, v }, takes) => {
    const where = c ? as<Cond>(c) : has(v!, 'quoted') ? null : ofValue(as(v), '');
    const of = as<Measure>(m);
    return where && of.is !== 'part' && of.conds.length === 0 && !has(where, 'period') && !has(of, 'thing')
      ? part(of, [where], 'percent' in takes)
      : null;
  },
  averagedOver: ({ a, m, g }, takes) => {
    const [fn, of] = [as<Word>(a).value, as<Measure>(m)];
    if (fn === 'sum' || (of.is === 'aggregate' && !takes['each']) || of.is === 'averaged' || of.is === 'part')
      return null;
    return measure(
      { is: 'averaged', fn: fn as 'avg', of, over: as<Group>(g), conds: [] },
      `${fn} ${of.key} ${g!.key}`,
      ['averaged'],
    );
  },
  growthBetween: ({ m, p }, takes, named) => {
    // A stored growth field may be meant.
    if (takes['word'] && named.isStored(takes['word'])) return null;
    const [of, { mention }] = [as<Measure>(m), as<Period>(p)];
    return bare(of) && mention.ends
      ? measure(
          {
            is: 'between',
            of,
            earlier: mention.ends[0],
            later: mention.ends[1],
            percent: !('amount' in takes),
            conds: [],
          },
          `${of.key} ${p!.key}${takes['amount'] ?? ''}`,
          ['change'],
        )
      : null;
  },
  difference: ({ a, b }) => combined('difference', as(a), as(b)),
  growth: ({ m }) =>
    bare(as(m)) ? measure({ is: 'change', of: as(m), percent: true, conds: [] }, m!.key, ['change']) : null,
};
