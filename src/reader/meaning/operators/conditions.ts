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
import { isAdjective } from '../verbs.ts';

import {
  addRoleToValue,
  createCountMeasure,
  createFlagPredicate,
  createRelatedPredicate,
  createTotalPredicate,
  createValuePredicate,
  getLinkVerb,
  getOperator,
  hasFeature,
  isWholeNumber,
  joinValues,
  negate,
  type Operation,
} from './building.ts';

const findFieldKey = (predicateTerm: Predicate): string | undefined => {
  if (predicateTerm.is === 'all') return predicateTerm.key;
  return predicateTerm.is === 'value'
    ? predicateTerm.value.field?.key
    : predicateTerm.is === 'compare' || predicateTerm.is === 'time'
      ? predicateTerm.field?.key
      : undefined;
};
const areIndependentConditions = (a: Predicate, b: Predicate): boolean => {
  const bothHave = (feature: string): boolean => hasFeature(a, feature) && hasFeature(b, feature);
  if (bothHave('period') && bothHave('verb')) return a.key !== b.key;
  const [one, other] = [findFieldKey(a), findFieldKey(b)];
  if ((hasFeature(a, 'period') && !one) || (hasFeature(b, 'period') && !other)) return false;
  const areNamed = one !== undefined && other !== undefined && one !== other;
  return areNamed || a.key === b.key || !bothHave('value') || hasFeature(a, 'verb') || hasFeature(b, 'verb');
};

export const CONDITION_OPERATORS = {
  ofValue: ({ v, p, l }: { v: Value; p?: Word; l?: Word }, _, nameLookup) => {
    if (hasFeature(v, 'quoted') && !v.field) return null;
    const roleTerm = p ?? l;
    return roleTerm
      ? addRoleToValue(createValuePredicate(v, getLinkVerb(l) ?? ''), roleTerm, nameLookup)
      : createValuePredicate(v, null);
  },
  notOfValue: ({ v, p, l }: { v: Value; p?: Word; l?: Word }, _, nameLookup) => {
    if (hasFeature(v, 'quoted')) return null;
    return negate(l || !p ? createValuePredicate(v, null) : addRoleToValue(createValuePredicate(v, ''), p, nameLookup));
  },
  neitherValue: ({ v, w, p }: { v: Value; w: Value; p?: Word }, _, nameLookup) => {
    const values = hasFeature(v, 'quoted') || hasFeature(w, 'quoted') ? null : joinValues([v, w]);
    return (
      values &&
      negate(p ? addRoleToValue(createValuePredicate(values, ''), p, nameLookup) : createValuePredicate(values, null))
    );
  },
  flagged: ({ f }: { f: Field }, takes) => (takes['no'] ? negate(createFlagPredicate(f)) : createFlagPredicate(f)),
  sameCond: ({ c }: { c: Predicate }) => c,
  compares: ({ f, o, n: { value, unit } }: { f: Field; o?: Word; n: NumberTerm }) =>
    createPredicate({ is: 'compare', field: f, op: getOperator(o), values: [value], unit }),
  comparesTwo: ({ f, n, k }: { f: Field; n: NumberTerm; k: NumberTerm }, takes) => {
    const op = takes['op'] as Operator;
    return n.unit || k.unit
      ? null
      : createPredicate({ is: 'compare', field: f, op, values: [n.value, k.value], unit: null });
  },
  amount: ({ o, n: { value, unit } }: { o: Word; n: NumberTerm }) =>
    createPredicate({ is: 'amount', op: getOperator(o), values: [value], unit: unit! }),
  has: ({ t, l }: { t: Entities; l?: Word }) => createRelatedPredicate(t, getLinkVerb(l), null),
  hasNot: ({ t, l }: { t: Entities; l?: Word }) => {
    const relatedTerm = createRelatedPredicate(t, getLinkVerb(l), null);
    return relatedTerm && negate(relatedTerm);
  },
  hasCount: ({ t, o, n, l }: { t: Entities; o?: Word; n: NumberTerm; l?: Word }, takes) => {
    const op = takes['exactly'] ? '=' : getOperator(o, '>=');
    if (!isWholeNumber(n, op === '=' ? 1 : 0)) return null;
    // The condition "at least one" means that related rows exist.
    const isSome = op === '>=' && n.value === 1;
    return createRelatedPredicate(t, getLinkVerb(l), isSome ? null : { op, value: n.value });
  },
  soOften: ({ l, o, n, k }: { l: Word; o?: Word; n?: NumberTerm; k?: Word }, _, nameLookup) => {
    const events = nameLookup.eventCountOf(l.value);
    const countTerm = k ? createNumber(Number(k.value), null) : n;
    return events && isWholeNumber(countTerm) ? createTotalPredicate(events, getOperator(o), countTerm) : null;
  },
  hasDifferent: ({ t, o, n }: { t: Entities; o?: Word; n: NumberTerm }) => {
    const op = getOperator(o, '>=');
    // The condition "fewer than 3" may include entities without related rows.
    return !isWholeNumber(n) || t.predicates.length > 0 || op.startsWith('<')
      ? null
      : createTotalPredicate(createCountMeasure(t), op, n);
  },
  totalOver: ({ m, o, n }: { m: Measure; o: Word; n: NumberTerm }) =>
    hasFeature(m, 'single') ? null : createTotalPredicate(m, getOperator(o), n),
  belowZero: ({ m }: { m?: Measure }, takes, nameLookup) => {
    const measureTerm = m ?? nameLookup.metric(takes['name']!);
    return measureTerm && createTotalPredicate(measureTerm, '<', createNumber(0, null));
  },
  // "Accounts open on 1 May" are not those that someone opened on that day.
  inPeriod: ({ p, f = null, l }: { p: Period; f?: Field | null; l?: Word }) =>
    l && (hasFeature(p, 'from') || isAdjective(l.value))
      ? null
      : createPredicate({ is: 'time', period: p, field: f, verb: getLinkVerb(l) }, ['period', ...(l ? ['verb'] : [])]),
  contains: ({ f, v }: { f: Field; v: Value }, takes) => {
    const [text, second] = v.any;
    const op = takes['op'] as Operator;
    return text && !second ? createPredicate({ is: 'compare', field: f, op, values: [text.text], unit: null }) : null;
  },
  missing: ({ f }: { f: Field }) => createPredicate({ is: 'missing', field: f }, ['negated']),
  // A condition on one side of "and" or "or" doesn't apply to the other side.
  bothConds: ({ a, b }: { a: Predicate; b: Predicate | Value }) => {
    const of = [a, b.t === 'value' ? createValuePredicate(b, null) : b] as const;
    return areIndependentConditions(...of)
      ? createPredicate({ is: 'all', of }, of.every((item) => hasFeature(item, 'period')) ? ['period'] : [])
      : null;
  },
  eitherCond: ({ a, b }: Record<'a' | 'b', Predicate>) =>
    areIndependentConditions(a, b) ? createPredicate({ is: 'any', of: [a, b] }) : null,
} satisfies Record<string, Operation>;
