import type { Operator } from '../../../plan/lens-plan.ts';
import {
  createNumber,
  createPredicate,
  type Entities,
  type Field,
  type Measure,
  type NumberTerm,
  type Period,
  type Predicate,
  type Value,
  type Word,
} from '../terms.ts';

import {
  cast,
  combinePredicates,
  createComparisonPredicate,
  createCountMeasure,
  createFlagPredicate,
  createRelatedPredicate,
  createTotalPredicate,
  createValuePredicate,
  getOperator,
  getVerb,
  hasFeature,
  isWholeNumber,
  joinValues,
  negate,
  type Operation,
  withRole,
} from './building.ts';

const findFieldKey = (predicateTerm: Predicate): string | undefined => {
  if (predicateTerm.is === 'all') return predicateTerm.key;
  return predicateTerm.is === 'value'
    ? predicateTerm.value.field?.key
    : predicateTerm.is === 'compare' || predicateTerm.is === 'time'
      ? predicateTerm.field?.key
      : undefined;
};
const areSeparable = (a: Predicate, b: Predicate): boolean => {
  const bothHave = (feature: string): boolean => hasFeature(a, feature) && hasFeature(b, feature);
  if (bothHave('period') && bothHave('verb')) return a.key !== b.key;
  const [one, other] = [findFieldKey(a), findFieldKey(b)];
  if ((hasFeature(a, 'period') && !one) || (hasFeature(b, 'period') && !other)) return false;
  const areNamed = one !== undefined && other !== undefined && one !== other;
  return areNamed || a.key === b.key || !bothHave('value') || hasFeature(a, 'verb') || hasFeature(b, 'verb');
};

export const CONDITION_OPERATORS: Record<string, Operation> = {
  ofValue: ({ v, p, l }, _, nameLookup) => {
    if (hasFeature(v!, 'quoted') && !cast<Value>(v).field) return null;
    return p || l
      ? withRole(createValuePredicate(cast(v), getVerb(l) ?? ''), (p ?? l)!, nameLookup)
      : createValuePredicate(cast(v), null);
  },
  notOfValue: ({ v, p, l }, _, nameLookup) => {
    if (hasFeature(v!, 'quoted')) return null;
    return negate(
      l || !p ? createValuePredicate(cast(v), null) : withRole(createValuePredicate(cast(v), ''), p, nameLookup),
    );
  },
  neitherValue: ({ v, w, p }, _, nameLookup) => {
    const valueList = hasFeature(v!, 'quoted') || hasFeature(w!, 'quoted') ? null : joinValues([cast(v), cast(w)]);
    return (
      valueList &&
      negate(p ? withRole(createValuePredicate(valueList, ''), p, nameLookup) : createValuePredicate(valueList, null))
    );
  },
  flagged: ({ f }, takes) => (takes['no'] ? negate(createFlagPredicate(cast(f))) : createFlagPredicate(cast(f))),
  sameCond: ({ c }) => c!,
  compares: ({ f, o, n }) => {
    const { value, unit } = cast<NumberTerm>(n);
    return hasFeature(f!, 'number')
      ? createComparisonPredicate({ field: cast(f), op: getOperator(o), values: [value], unit })
      : null;
  },
  comparesTwo: ({ f, n, k }, takes) => {
    const [one, other] = [cast<NumberTerm>(n), cast<NumberTerm>(k)];
    const op = takes['op'] as Operator;
    return one.unit || other.unit
      ? null
      : createComparisonPredicate({ field: cast(f), op, values: [one.value, other.value], unit: null });
  },
  amount: ({ o, n }) => {
    const { value, unit } = cast<NumberTerm>(n);
    return createPredicate({ is: 'amount', op: getOperator(o), values: [value], unit: unit! }, `${o!.key} ${n!.key}`);
  },
  has: ({ t, l }) => createRelatedPredicate(cast(t), getVerb(l), null),
  hasNot: ({ t, l }) => {
    const relatedTerm = createRelatedPredicate(cast(t), getVerb(l), null);
    return relatedTerm && negate(relatedTerm);
  },
  hasCount: ({ t, o, n, l }, takes) => {
    const op = takes['exactly'] ? '=' : getOperator(o, '>=');
    if (!isWholeNumber(n, op === '=' ? 1 : 0)) return null;
    // The condition "at least one" means that related rows exist.
    const isSome = op === '>=' && n.value === 1;
    return createRelatedPredicate(cast(t), getVerb(l), isSome ? null : { op, value: n.value });
  },
  soOften: ({ l, o, n, k }, _, nameLookup) => {
    const events = nameLookup.eventCountOf(cast<Word>(l).value);
    const countTerm = k ? createNumber(Number(cast<Word>(k).value), null) : n;
    return events && isWholeNumber(countTerm) ? createTotalPredicate(events, getOperator(o), countTerm) : null;
  },
  hasDifferent: ({ t, o, n, l }) => {
    const [entityTerm, op] = [cast<Entities>(t), getOperator(o, '>=')];
    // The condition "fewer than 3" may include things without related rows.
    if (!isWholeNumber(n) || entityTerm.predicates.length > 0 || op.startsWith('<')) return null;
    return createTotalPredicate(createCountMeasure(entityTerm), op, n, l?.key);
  },
  totalOver: ({ m, o, n }) =>
    hasFeature(m!, 'single') ? null : createTotalPredicate(cast(m), getOperator(o), cast<NumberTerm>(n)),
  belowZero: ({ m }, takes, nameLookup) => {
    const measureTerm = m ? cast<Measure>(m) : nameLookup.metric(takes['name']!);
    return measureTerm && createTotalPredicate(measureTerm, '<', createNumber(0, null));
  },
  inPeriod: ({ p, f, l }) => {
    if (l && hasFeature(p!, 'from')) return null;
    const field = f ? cast<Field>(f) : null;
    return createPredicate(
      { is: 'time', period: cast<Period>(p), field, verb: getVerb(l) },
      `${field?.key ?? ''} ${l?.key ?? ''} ${p!.key}`,
      ['period', ...(l ? ['verb'] : [])],
    );
  },
  contains: ({ f, v }, takes) => {
    const [text, second] = cast<Value>(v).any;
    return text && !second
      ? createComparisonPredicate({ field: cast(f), op: takes['op'] as Operator, values: [text.text], unit: null })
      : null;
  },
  missing: ({ f }) => createPredicate({ is: 'missing', field: cast(f) }, f!.key, ['negated']),
  // A condition on one side of "and" or "or" doesn't apply to the other side.
  bothConds: ({ a, b }) => {
    const other = b?.t === 'value' ? createValuePredicate(b, null) : cast<Predicate>(b);
    return areSeparable(cast(a), other) ? combinePredicates([cast(a), other]) : null;
  },
  eitherCond: ({ a, b }) => {
    const bothPredicates = [cast<Predicate>(a), cast<Predicate>(b)] as const;
    return areSeparable(...bothPredicates)
      ? createPredicate({ is: 'any', of: bothPredicates }, [a!.key, b!.key].sort().join('|'))
      : null;
  },
};
