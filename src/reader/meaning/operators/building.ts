import type { Operator } from '../../../plan/lens-plan.ts';
import {
  createEntities,
  createMeasure,
  createPredicate,
  createQuery,
  createValue,
  type EntitiesTerm,
  type FieldTerm,
  type MeasureTerm,
  type NumberTerm,
  type PredicateOf,
  type PredicateTerm,
  type QueryTerm,
  type Term,
  type ValueTerm,
  type WordTerm,
} from '../terms.ts';

/** Names in the lens that operators look up in addition to the terms in their slots. */
export interface NameLookup {
  rankingAt(index: number): { by: FieldTerm | MeasureTerm; direction: 'asc' | 'desc' } | null;
  metric(phrase: string): MeasureTerm | null;
  gainMeasureOf(phrase: string): MeasureTerm | null;
  isAmount(phrase: string): boolean;
  /** True if one dataset refers to another dataset in several roles. */
  parts: boolean;
  /** Returns the entities whose name derives from the verb, such as orders for "ordered". */
  entitiesOfVerb(verb: string): EntitiesTerm | null;
  /** Returns a measure that counts the events that the verb describes. */
  eventCountOf(verb: string): MeasureTerm | null;
}

/**
 * A function that combines the terms in a construction's slots into one term, or returns null. The types of the slots
 * follow from the categories in the patterns.
 */
export type TermOperator = (
  slots: never,
  takes: Readonly<Record<string, string>>,
  nameLookup: NameLookup,
) => Term | null;

export const hasFeature = (term: Term | undefined, feature: string): boolean =>
  term?.features.includes(feature) ?? false;

export const replaceEntityPredicates = (
  { text, options, features }: EntitiesTerm,
  predicates: readonly PredicateTerm[],
): EntitiesTerm => createEntities(text, options, predicates, features);
export const restrictEntities = (entityTerm: EntitiesTerm, addedPredicates: readonly PredicateTerm[]): EntitiesTerm =>
  replaceEntityPredicates(entityTerm, [...entityTerm.predicates, ...addedPredicates]);
export const replacePredicates = (measureTerm: MeasureTerm, predicates: readonly PredicateTerm[]): MeasureTerm =>
  createMeasure({ ...measureTerm, predicates }, measureTerm.features);
export const restrictMeasure = (measureTerm: MeasureTerm, addedPredicates: readonly PredicateTerm[]): MeasureTerm =>
  replacePredicates(measureTerm, [...measureTerm.predicates, ...addedPredicates]);

export const createValuePredicate = (value: ValueTerm, word: string | null): PredicateTerm =>
  createPredicate({ is: 'value', value, word }, word ? ['value', 'verb'] : ['value']);

export const negatePredicate = (of: PredicateTerm): PredicateTerm => createPredicate({ is: 'not', of }, ['negated']);

/** Adds the role that the word before a value names, as in "from Rome". */
export const addRoleToValue = (
  predicateTerm: PredicateTerm,
  roleTerm: WordTerm,
  { parts }: Pick<NameLookup, 'parts'>,
): PredicateTerm =>
  predicateTerm.is === 'value' && parts && (hasFeature(roleTerm, 'part') || hasFeature(roleTerm, 'valued'))
    ? createPredicate({ ...predicateTerm, led: roleTerm.value }, predicateTerm.features)
    : predicateTerm;

/** Creates a condition that a field is true, or has the value that means "yes". */
export const createFlagPredicate = (field: FieldTerm, yes: string | true = true): PredicateTerm =>
  createPredicate({ is: 'compare', field, op: '=', values: [yes], unit: null }, ['value']);

/** Creates a condition on a measure. */
export const createMeasurePredicate = (
  measure: MeasureTerm,
  op: Operator,
  { value, unit }: Pick<NumberTerm, 'value' | 'unit'>,
): PredicateTerm => createPredicate({ is: 'total', measure, op, value, unit }, ['total']);

/** Returns the verb that links two entities, or null if the question uses no verb. */
export const getLinkVerb = (link: WordTerm | undefined): string | null => link?.value ?? null;
export const getOperator = (op: WordTerm | undefined, fallback: Operator = '='): Operator =>
  op ? (op.value as Operator) : fallback;
export const isWholeNumber = (term: NumberTerm | undefined, minimum = 1): term is NumberTerm =>
  term !== undefined && term.unit === null && Number.isInteger(term.value) && term.value >= minimum;

export const createCountMeasure = (entityTerm: EntitiesTerm): MeasureTerm =>
  createMeasure({ is: 'count', things: replaceEntityPredicates(entityTerm, []), predicates: entityTerm.predicates }, [
    'count',
  ]);

export const joinValues = (parts: readonly ValueTerm[]): ValueTerm | null => {
  if (parts.some(({ field }) => field)) return null;
  const any = parts.flatMap((part) => part.any);
  const text = any.map((item) => item.text).join(' or ');
  const isState = parts.every((part) => hasFeature(part, 'state'));
  return createValue(text, any, undefined, isState);
};

export const createRelatedPredicate = (
  things: EntitiesTerm,
  verb: string | null,
  count: { op: Operator; value: number } | null,
): PredicateTerm | null =>
  hasFeature(things, 'values') ? null : createPredicate({ is: 'has', things, verb, count }, ['has']);

export const createMeasureQuery = (measureTerm: MeasureTerm): QueryTerm => {
  const hoistedPredicates = ['combined', 'part', 'averaged'].includes(measureTerm.is) ? [] : measureTerm.predicates;
  const shownTerm = hoistedPredicates.length > 0 ? replacePredicates(measureTerm, []) : measureTerm;
  return createQuery({ shown: [shownTerm], predicates: hoistedPredicates }, ['measured']);
};

/** Returns true for a period that names its date or event, such as "shipped in 2016". */
export const isOnNamedDate = (predicate: PredicateTerm): predicate is PredicateOf<'time'> =>
  predicate.is === 'time' && (predicate.field !== null || predicate.verb !== null);
export const isPercent = (word: WordTerm): boolean => word.value === 'percent';
export const getDirection = (word: WordTerm | undefined): 'asc' | 'desc' => (word?.value === 'asc' ? 'asc' : 'desc');

/** Returns true if the measure compares, accumulates or averages values of groups. */
export const isComputedOverGroups = ({ is }: MeasureTerm): boolean =>
  ['share', 'change', 'running', 'averaged'].includes(is);
/**
 * Returns true if parts of the measure have their own conditions. A further condition can then apply to one part or to
 * all parts.
 */
export const hasOwnPredicates = (measureTerm: MeasureTerm): boolean =>
  measureTerm.is === 'part' ||
  (measureTerm.is === 'combined' &&
    (measureTerm.left.predicates.length > 0 || measureTerm.right.predicates.length > 0));
