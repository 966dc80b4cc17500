import type { Operator } from '../../../plan/lens-plan.ts';
import {
  createNumber,
  createPredicate,
  type EntitiesTerm,
  type FieldTerm,
  type MeasureTerm,
  type NumberTerm,
  type PeriodTerm,
  type PredicateTerm,
  type ValueTerm,
  type WordTerm,
} from '../terms.ts';
import { isAdjective } from '../verbs.ts';

import {
  addRoleToValue,
  createCountMeasure,
  createFlagPredicate,
  createMeasurePredicate,
  createRelatedPredicate,
  createValuePredicate,
  getLinkVerb,
  getOperator,
  hasFeature,
  isWholeNumber,
  joinValues,
  negatePredicate,
  type TermOperator,
} from './building.ts';

const findFieldKey = (predicateTerm: PredicateTerm): string | undefined => {
  if (predicateTerm.is === 'all') return predicateTerm.key;
  return predicateTerm.is === 'value'
    ? predicateTerm.value.field?.key
    : predicateTerm.is === 'compare' || predicateTerm.is === 'time'
      ? predicateTerm.field?.key
      : undefined;
};
const areIndependentConditions = (a: PredicateTerm, b: PredicateTerm): boolean => {
  const bothHave = (feature: string): boolean => hasFeature(a, feature) && hasFeature(b, feature);
  if (bothHave('period') && bothHave('verb')) return a.key !== b.key;
  const [one, other] = [findFieldKey(a), findFieldKey(b)];
  if ((hasFeature(a, 'period') && !one) || (hasFeature(b, 'period') && !other)) return false;
  const areNamed = one !== undefined && other !== undefined && one !== other;
  return areNamed || a.key === b.key || !bothHave('value') || hasFeature(a, 'verb') || hasFeature(b, 'verb');
};

export const CONDITION_OPERATORS = {
  ofValue: ({ v, p, l }: { v: ValueTerm; p?: WordTerm; l?: WordTerm }, _, nameLookup) => {
    if (hasFeature(v, 'quoted') && !v.field) return null;
    const roleTerm = p ?? l;
    return roleTerm
      ? addRoleToValue(createValuePredicate(v, getLinkVerb(l) ?? ''), roleTerm, nameLookup)
      : createValuePredicate(v, null);
  },
  notOfValue: ({ v, p, l }: { v: ValueTerm; p?: WordTerm; l?: WordTerm }, _, nameLookup) => {
    if (hasFeature(v, 'quoted')) return null;
    return negatePredicate(
      l || !p ? createValuePredicate(v, null) : addRoleToValue(createValuePredicate(v, ''), p, nameLookup),
    );
  },
  neitherValue: ({ v, w, p }: { v: ValueTerm; w: ValueTerm; p?: WordTerm }, _, nameLookup) => {
    const values = hasFeature(v, 'quoted') || hasFeature(w, 'quoted') ? null : joinValues([v, w]);
    return (
      values &&
      negatePredicate(
        p ? addRoleToValue(createValuePredicate(values, ''), p, nameLookup) : createValuePredicate(values, null),
      )
    );
  },
  flagged: ({ f }: { f: FieldTerm }, takes) =>
    takes['no'] ? negatePredicate(createFlagPredicate(f)) : createFlagPredicate(f),
  sameCond: ({ c }: { c: PredicateTerm }) => c,
  compares: ({ f, o, n: { value, unit } }: { f: FieldTerm; o?: WordTerm; n: NumberTerm }) =>
    createPredicate({ is: 'compare', field: f, op: getOperator(o), values: [value], unit }),
  comparesTwo: ({ f, n, k }: { f: FieldTerm; n: NumberTerm; k: NumberTerm }, takes) => {
    const op = takes['op'] as Operator;
    return n.unit || k.unit
      ? null
      : createPredicate({ is: 'compare', field: f, op, values: [n.value, k.value], unit: null });
  },
  amount: ({ o, n: { value, unit } }: { o: WordTerm; n: NumberTerm }) =>
    createPredicate({ is: 'amount', op: getOperator(o), values: [value], unit: unit! }),
  has: ({ t, l }: { t: EntitiesTerm; l?: WordTerm }) => createRelatedPredicate(t, getLinkVerb(l), null),
  hasNot: ({ t, l }: { t: EntitiesTerm; l?: WordTerm }) => {
    const relatedTerm = createRelatedPredicate(t, getLinkVerb(l), null);
    return relatedTerm && negatePredicate(relatedTerm);
  },
  hasCount: ({ t, o, n, l }: { t: EntitiesTerm; o?: WordTerm; n: NumberTerm; l?: WordTerm }, takes) => {
    const op = takes['exactly'] ? '=' : getOperator(o, '>=');
    if (!isWholeNumber(n, op === '=' ? 1 : 0)) return null;
    // The phrase "at least one" only requires that a related row exists.
    const isSome = op === '>=' && n.value === 1;
    return createRelatedPredicate(t, getLinkVerb(l), isSome ? null : { op, value: n.value });
  },
  soOften: ({ l, o, n, k }: { l: WordTerm; o?: WordTerm; n?: NumberTerm; k?: WordTerm }, _, nameLookup) => {
    const events = nameLookup.eventCountOf(l.value);
    const countTerm = k ? createNumber(Number(k.value), null) : n;
    return events && isWholeNumber(countTerm) ? createMeasurePredicate(events, getOperator(o), countTerm) : null;
  },
  hasDifferent: ({ t, o, n }: { t: EntitiesTerm; o?: WordTerm; n: NumberTerm }) => {
    const op = getOperator(o, '>=');
    // The phrase "fewer than 3" may include entities without related rows.
    return !isWholeNumber(n) || t.predicates.length > 0 || op.startsWith('<')
      ? null
      : createMeasurePredicate(createCountMeasure(t), op, n);
  },
  totalOver: ({ m, o, n }: { m: MeasureTerm; o: WordTerm; n: NumberTerm }) =>
    hasFeature(m, 'single') ? null : createMeasurePredicate(m, getOperator(o), n),
  belowZero: ({ m }: { m?: MeasureTerm }, takes, nameLookup) => {
    const measureTerm = m ?? nameLookup.metric(takes['name']!);
    return measureTerm && createMeasurePredicate(measureTerm, '<', createNumber(0, null));
  },
  // An adjective isn't an event. For example, "accounts open on 1 May" doesn't mean accounts that were opened on that
  // day.
  inPeriod: ({ p, f = null, l }: { p: PeriodTerm; f?: FieldTerm | null; l?: WordTerm }) =>
    l && (hasFeature(p, 'from') || isAdjective(l.value))
      ? null
      : createPredicate({ is: 'time', period: p, field: f, verb: getLinkVerb(l) }, ['period', ...(l ? ['verb'] : [])]),
  contains: ({ f, v }: { f: FieldTerm; v: ValueTerm }, takes) => {
    const [text, second] = v.any;
    const op = takes['op'] as Operator;
    return text && !second ? createPredicate({ is: 'compare', field: f, op, values: [text.text], unit: null }) : null;
  },
  missing: ({ f }: { f: FieldTerm }) => createPredicate({ is: 'missing', field: f }, ['negated']),
  // Conditions joined by "and" or "or" must not restrict each other.
  bothConds: ({ a, b }: { a: PredicateTerm; b: PredicateTerm | ValueTerm }) => {
    const of = [a, b.t === 'value' ? createValuePredicate(b, null) : b] as const;
    return areIndependentConditions(...of)
      ? createPredicate({ is: 'all', of }, of.every((item) => hasFeature(item, 'period')) ? ['period'] : [])
      : null;
  },
  eitherCond: ({ a, b }: Record<'a' | 'b', PredicateTerm>) =>
    areIndependentConditions(a, b) ? createPredicate({ is: 'any', of: [a, b] }) : null,
} satisfies Record<string, TermOperator>;
