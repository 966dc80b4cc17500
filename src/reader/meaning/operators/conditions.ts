import type { Operator } from '../../../plan/lens-plan.ts';
import {
  type Entities,
  type Field,
  type Measure,
  type NumberTerm,
  type Period,
  type Predicate,
  predicate,
  type Value,
  type Word,
} from '../terms.ts';

import {
  allOf,
  cast,
  count,
  flagPredicate,
  has,
  listOf,
  not,
  type Operation,
  relatedPredicate,
  valuePredicate,
  withRole,
} from './building.ts';

/** The field that a condition names. */
const namedField = (of: Predicate): string | undefined => {
  if (of.is === 'all') return of.key;
  return of.is === 'value' ? of.value.field?.key : of.is === 'compare' || of.is === 'time' ? of.field?.key : undefined;
};
const areSeparable = (a: Predicate, b: Predicate): boolean => {
  const areBoth = (feature: string): boolean => has(a, feature) && has(b, feature);
  if (areBoth('period') && areBoth('verb')) return a.key !== b.key;
  const [one, other] = [namedField(a), namedField(b)];
  if ((has(a, 'period') && !one) || (has(b, 'period') && !other)) return false;
  const areNamed = one !== undefined && other !== undefined && one !== other;
  return areNamed || a.key === b.key || !areBoth('value') || has(a, 'verb') || has(b, 'verb');
};

const total = (of: Measure, op: Operator, limit: number, led = ''): Predicate =>
  predicate({ is: 'total', measure: of, op, value: limit, unit: null }, `${led} ${of.key} ${op} ${limit}`, ['total']);

export const CONDITIONS: Record<string, Operation> = {
  ofValue: ({ v, p, l }, _, named) =>
    has(v!, 'quoted') && !cast<Value>(v).field
      ? null
      : p || l
        ? withRole(valuePredicate(cast(v), l ? cast<Word>(l).value : ''), (p ?? l)!, named)
        : valuePredicate(cast(v), null),
  notOfValue: ({ v, p, l }, _, named) =>
    has(v!, 'quoted')
      ? null
      : not(l || !p ? valuePredicate(cast(v), null) : withRole(valuePredicate(cast(v), ''), p, named)),
  neitherValue: ({ v, w, p }, _, named) => {
    const either = has(v!, 'quoted') || has(w!, 'quoted') ? null : listOf([cast(v), cast(w)]);
    return either && not(p ? withRole(valuePredicate(either, ''), p, named) : valuePredicate(either, null));
  },
  flagged: ({ f }, takes) => (takes['no'] ? not(flagPredicate(cast(f))) : flagPredicate(cast(f))),
  anyOf: ({ f, n, k }) =>
    cast<NumberTerm>(n).unit || cast<NumberTerm>(k).unit
      ? null
      : predicate(
          {
            is: 'compare',
            field: cast(f),
            op: 'in',
            values: [cast<NumberTerm>(n).value, cast<NumberTerm>(k).value],
            unit: null,
          },
          `${f!.key} in ${n!.key},${k!.key}`,
        ),
  sameCond: ({ c }) => c!,
  compares: ({ f, o, n }) =>
    has(f!, 'number')
      ? predicate(
          {
            is: 'compare',
            field: cast(f),
            op: o ? (cast<Word>(o).value as Operator) : '=',
            values: [cast<NumberTerm>(n).value],
            unit: cast<NumberTerm>(n).unit,
          },
          `${f!.key} ${o?.key ?? '='} ${n!.key}`,
        )
      : null,
  between: ({ f, n, k }) =>
    predicate(
      {
        is: 'compare',
        field: cast(f),
        op: 'between',
        values: [cast<NumberTerm>(n).value, cast<NumberTerm>(k).value],
        unit: null,
      },
      `${f!.key} ${n!.key}-${k!.key}`,
    ),
  amount: ({ o, n }) =>
    predicate(
      {
        is: 'amount',
        op: cast<Word>(o).value as Operator,
        values: [cast<NumberTerm>(n).value],
        unit: cast<NumberTerm>(n).unit!,
      },
      `${o!.key} ${n!.key}`,
    ),
  has: ({ t, l }) => relatedPredicate(cast(t), l ? cast<Word>(l).value : null, null),
  hasNot: ({ t, l }) => {
    const related = relatedPredicate(cast(t), l ? cast<Word>(l).value : null, null);
    return related && not(related);
  },
  hasCount: ({ t, o, n, l }) => {
    const { value: counted, unit } = cast<NumberTerm>(n);
    if (unit !== null || !Number.isInteger(counted) || counted < 0) return null;
    const op = o ? (cast<Word>(o).value as Operator) : '>=';
    // "At least one" means some.
    const some = op === '>=' && counted === 1;
    return relatedPredicate(cast(t), l ? cast<Word>(l).value : null, some ? null : { op, value: counted });
  },
  soOften: ({ l, o, n, k }, _, named) => {
    const events = named.events(cast<Word>(l).value);
    const often = k ? Number(cast<Word>(k).value) : cast<NumberTerm>(n).value;
    if (!events || (n && cast<NumberTerm>(n).unit !== null) || !Number.isInteger(often) || often < 1) return null;
    const op = o ? (cast<Word>(o).value as Operator) : '=';
    return predicate({ is: 'total', measure: events, op, value: often, unit: null }, `${events.key} ${op} ${often}`, [
      'total',
    ]);
  },
  hasDifferent: ({ t, o, n, l }) => {
    const { value: counted, unit } = cast<NumberTerm>(n);
    const of = cast<Entities>(t);
    const op = o ? (cast<Word>(o).value as Operator) : '>=';
    if (unit !== null || !Number.isInteger(counted) || counted < 1 || of.predicates.length > 0) return null;
    // Things without any may be among those with fewer.
    return op.startsWith('<') ? null : total(count(of), op, counted, l?.key);
  },
  hasExactly: ({ t, n, l }) => {
    const { value: counted, unit } = cast<NumberTerm>(n);
    return unit === null && Number.isInteger(counted) && counted > 0
      ? relatedPredicate(cast(t), l ? cast<Word>(l).value : null, { op: '=', value: counted })
      : null;
  },
  totalOver: ({ m, o, n }) =>
    has(m!, 'single')
      ? null
      : predicate(
          {
            is: 'total',
            measure: cast(m),
            op: cast<Word>(o).value as Operator,
            value: cast<NumberTerm>(n).value,
            unit: cast<NumberTerm>(n).unit,
          },
          `${m!.key} ${o!.key} ${n!.key}`,
          ['total'],
        ),
  belowZero: ({ m }, takes, named) => {
    const of = m ? cast<Measure>(m) : named.metric(takes['name']!);
    return of && total(of, '<', 0);
  },
  inPeriod: ({ p, f, l }) =>
    l && has(p!, 'from')
      ? null
      : predicate(
          {
            is: 'time',
            period: cast<Period>(p),
            field: f ? cast<Field>(f) : null,
            verb: l ? cast<Word>(l).value : null,
          },
          `${f?.key ?? ''} ${l?.key ?? ''} ${p!.key}`,
          ['period', ...(l ? ['verb'] : [])],
        ),
  contains: ({ f, v }, takes) => {
    const text = cast<Value>(v);
    if (text.any.length !== 1) return null;
    return predicate(
      { is: 'compare', field: cast(f), op: takes['op'] as Operator, values: [text.any[0]!.text], unit: null },
      `${f!.key} ${takes['op']} ${text.text}`,
    );
  },
  missing: ({ f }) => predicate({ is: 'missing', field: cast(f) }, f!.key, ['negated']),
  // A condition on one side of "and" or "or" doesn't apply to the other.
  bothConds: ({ a, b }) => {
    const other = b?.t === 'value' ? valuePredicate(b, null) : cast<Predicate>(b);
    return areSeparable(cast(a), other) ? allOf([cast(a), other]) : null;
  },
  eitherCond: ({ a, b }) =>
    !areSeparable(cast(a), cast(b))
      ? null
      : predicate({ is: 'any', of: [cast<Predicate>(a), cast<Predicate>(b)] }, [a!.key, b!.key].sort().join('|')),
};
