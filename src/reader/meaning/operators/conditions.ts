import type { Operator } from '../../../plan/lens-plan.ts';
import {
  type Cond,
  cond,
  type Field,
  type Measure,
  type Num,
  type Period,
  type Term,
  type Things,
  type Value,
  type Word,
} from '../terms.ts';

import { all, as, count, flagged, has, hasThings, led, listOf, not, type Operate, ofValue } from './building.ts';

const apart = (a: Term, b: Term): boolean =>
  (has(a, 'verb') && has(a, 'period') && has(b, 'verb') && has(b, 'period') && a.key !== b.key) ||
  (!has(a, 'period') &&
    !has(b, 'period') &&
    !(has(a, 'value') && has(b, 'value') && a.key !== b.key && !has(b, 'verb') && !has(a, 'verb')));

const isLeftOut = (one: Cond): boolean => one.is === 'value' || (one.is === 'time' && one.verb === null);

const _each = (of: readonly Things[], verb: string | null): Cond | null => {
  const conds = of.flatMap((one) => hasThings(one, verb, null) ?? []);
  return conds.length === of.length ? all(conds) : null;
};

export const CONDITIONS: Record<string, Operate> = {
  ofValue: ({ v, p, l }, _, named) =>
    has(v!, 'quoted') && !as<Value>(v).field
      ? null
      : p || l
        ? led(ofValue(as(v), l ? as<Word>(l).value : ''), (p ?? l)!, named)
        : ofValue(as(v), null),
  ofDone: ({ v, d }, _, named) => (has(v!, 'quoted') || !named.parts ? null : led(ofValue(as(v), ''), d!, named, true)),
  notOfValue: ({ v, p, l }, _, named) =>
    has(v!, 'quoted') || as<Value>(v).both
      ? null
      : not(l || !p ? ofValue(as(v), null) : led(ofValue(as(v), ''), p, named)),
  neitherValue: ({ v, w, p }, _, named) => {
    const either = has(v!, 'quoted') || has(w!, 'quoted') ? null : listOf([as(v), as(w)], false);
    return either && not(p ? led(ofValue(either, ''), p, named) : ofValue(either, null));
  },
  notCond: ({ c }) =>
    has(c!, 'negated') || has(c!, 'total') || !isLeftOut(as(c))
      ? null
      : { ...not(as(c)), features: ['negated', ...(has(c!, 'period') ? ['period'] : [])] },
  flagged: ({ f }, takes) => (takes['no'] ? not(flagged(as(f))) : flagged(as(f))),
  negative: ({ f }) => cond({ is: 'compare', field: as(f), op: '<', values: [0], unit: null }, `${f!.key} < 0`),
  anyOf: ({ f, n, k }) =>
    as<Num>(n).unit || as<Num>(k).unit
      ? null
      : cond(
          { is: 'compare', field: as(f), op: 'in', values: [as<Num>(n).value, as<Num>(k).value], unit: null },
          `${f!.key} in ${n!.key},${k!.key}`,
        ),
  onDays: ({ f, d, e }) => {
    const days = [d, e].flatMap((one) => (one ? as<Word>(one).value.split(' ') : []));
    return cond(
      { is: 'days', days: [...new Set(days)], field: f ? as<Field>(f) : null },
      `${f?.key ?? ''} ${days.join()}`,
      ['period'],
    );
  },
  sameCond: ({ c }) => c!,
  compares: ({ f, o, n }) =>
    has(f!, 'number')
      ? cond(
          {
            is: 'compare',
            field: as(f),
            op: o ? (as<Word>(o).value as Operator) : '=',
            values: [as<Num>(n).value],
            unit: as<Num>(n).unit,
          },
          `${f!.key} ${o?.key ?? '='} ${n!.key}`,
        )
      : null,
  between: ({ f, n, k }) =>
    cond(
      { is: 'compare', field: as(f), op: 'between', values: [as<Num>(n).value, as<Num>(k).value], unit: null },
      `${f!.key} ${n!.key}-${k!.key}`,
    ),
  amount: ({ o, n }) =>
    cond(
      { is: 'amount', op: as<Word>(o).value as Operator, values: [as<Num>(n).value], unit: as<Num>(n).unit! },
      `${o!.key} ${n!.key}`,
    ),
  has: ({ t, l }) => hasThings(as(t), l ? as<Word>(l).value : null, null),
  hasNot: ({ t, l }) => {
    const made = hasThings(as(t), l ? as<Word>(l).value : null, null);
    return made && not(made);
  },
  hasCount: ({ t, o, n, l }) => {
    const { value: counted, unit } = as<Num>(n);
    if (unit !== null || !Number.isInteger(counted) || counted < 0) return null;
    const op = o ? (as<Word>(o).value as Operator) : '>=';
    // "At least one" means some.
    const some = op === '>=' && counted === 1;
    return hasThings(as(t), l ? as<Word>(l).value : null, some ? null : { op, value: counted });
  },
  soOften: ({ l, o, n, k }, _, named) => {
    const events = named.events(as<Word>(l).value);
    const often = k ? Number(as<Word>(k).value) : as<Num>(n).value;
    if (!events || (n && as<Num>(n).unit !== null) || !Number.isInteger(often) || often < 1) return null;
    const op = o ? (as<Word>(o).value as Operator) : '=';
    return cond({ is: 'total', measure: events, op, value: often, unit: null }, `${events.key} ${op} ${often}`, [
      'total',
    ]);
  },
  hasDifferent: ({ t, o, n, l }) => {
    const { value: counted, unit } = as<Num>(n);
    const of = as<Things>(t);
    if (unit !== null || !Number.isInteger(counted) || counted < 0 || of.conds.length > 0) return null;
    const many = count(of);
    const op = o ? (as<Word>(o).value as Operator) : '>=';
    return cond(
      { is: 'total', measure: many, op, value: counted, unit: null },
      `${l?.key ?? ''} ${many.key} ${op} ${counted}`,
      ['total'],
    );
  },
  hasExactly: ({ t, n, l }) => {
    const { value: counted, unit } = as<Num>(n);
    return unit === null && Number.isInteger(counted) && counted > 0
      ? hasThings(as(t), l ? as<Word>(l).value : null, { op: '=', value: counted })
      : null;
  },
  totalOver: ({ m, o, n }) =>
    has(m!, 'single')
      ? null
      : cond(
          {
            is: 'total',
            measure: as(m),
            op: as<Word>(o).value as Operator,
            value: as<Num>(n).value,
            unit: as<Num>(n).unit,
          },
          `${m!.key} ${o!.key} ${n!.key}`,
          ['total'],
        ),
  belowZero: ({ m }, takes, named) => {
    const of = m ? as<Measure>(m) : named.metric(takes['name']!);
    return of && cond({ is: 'total', measure: of, op: '<', value: 0, unit: null }, `${of.key} < 0`, ['total']);
  },
  inPeriod: ({ p, f, l }) =>
    l && has(p!, 'from')
      ? null
      : cond(
          { is: 'time', period: as<Period>(p), field: f ? as<Field>(f) : null, verb: l ? as<Word>(l).value : null },
          `${f?.key ?? ''} ${l?.key ?? ''} ${p!.key}`,
          ['period', ...(l ? ['verb'] : [])],
        ),
  contains: ({ f, v }, takes) => {
    const text = as<Value>(v);
    if (text.any.length !== 1) return null;
    return cond(
      { is: 'compare', field: as(f), op: takes['op'] as Operator, values: [text.any[0]!.text], unit: null },
      `${f!.key} ${takes['op']} ${text.text}`,
    );
  },
  missing: ({ f }) => cond({ is: 'missing', field: as(f) }, f!.key, ['negated']),
  // A condition on one side of "and" or "or" doesn't apply to the other.
  bothConds: ({ a, b }) => (apart(a!, b!) ? all([as(a), as(b)]) : null),
  eitherCond: ({ a, b }) =>
    !apart(a!, b!) ? null : cond({ is: 'any', of: [as<Cond>(a), as<Cond>(b)] }, [a!.key, b!.key].sort().join('|')),
};
