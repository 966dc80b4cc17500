import type { Operator } from '../../../plan/lens-plan.ts';
import {
  createEntities,
  createMeasure,
  createPredicate,
  createQuery,
  createValue,
  type Entities,
  type Field,
  type Measure,
  type NumberTerm,
  type Predicate,
  type Query,
  restrictMeasure,
  type Term,
  type Value,
  type Word,
} from '../terms.ts';

/** Names in the lens that operators need in addition to the terms in their slots. */
export interface NameLookup {
  rankingAt(index: number): { by: Field | Measure; direction: 'asc' | 'desc' } | null;
  metric(phrase: string): Measure | null;
  gainMeasureOf(phrase: string): Measure | null;
  isAmount(phrase: string): boolean;
  /** True if things of one kind refer to things of another kind in several roles. */
  parts: boolean;
  /** Things whose name derives from the verb. */
  entitiesOfVerb(verb: string): Entities | null;
  /** The number of events that the verb describes. */
  eventCountOf(verb: string): Measure | null;
}

export type Slots = Readonly<Record<string, Term>>;

export type Operation = (slots: Slots, takes: Readonly<Record<string, string>>, nameLookup: NameLookup) => Term | null;

export const cast = <T extends Term>(term: Term | undefined): T => term as T;

export const hasFeature = (term: Term, feature: string): boolean => term.features.includes(feature);

export const withPredicates = (entityTerm: Entities, addedPredicates: readonly Predicate[]): Entities =>
  createEntities(
    entityTerm.text,
    entityTerm.options,
    [...entityTerm.predicates, ...addedPredicates],
    entityTerm.features,
  );

export const createValuePredicate = (valueTerm: Value, word: string | null): Predicate =>
  createPredicate({ is: 'value', value: valueTerm, word }, valueTerm.key, word ? ['value', 'verb'] : ['value']);

export const negate = (predicateTerm: Predicate): Predicate =>
  createPredicate({ is: 'not', of: predicateTerm }, predicateTerm.key, ['negated']);

/** The word before a value can name the value's role. */
export const withRole = (predicateTerm: Predicate, roleTerm: Term, { parts }: Pick<NameLookup, 'parts'>): Predicate => {
  if (predicateTerm.is !== 'value' || !parts || !(hasFeature(roleTerm, 'part') || hasFeature(roleTerm, 'valued')))
    return predicateTerm;
  const { value } = roleTerm as Word;
  return { ...predicateTerm, led: value, key: `${predicateTerm.key} ${value}` };
};
type Comparison = Omit<Extract<Predicate, { is: 'compare' }>, 't' | 'key' | 'features' | 'is'>;
export const createComparisonPredicate = (comparison: Comparison, features: readonly string[] = []): Predicate =>
  createPredicate(
    { is: 'compare', ...comparison },
    `${comparison.field.key} ${comparison.op} ${comparison.values}${comparison.unit ?? ''}`,
    features,
  );
/** A condition that a boolean field is true. */
export const createFlagPredicate = (field: Field): Predicate =>
  createComparisonPredicate({ field, op: '=', values: [true], unit: null }, ['value']);

/** A condition on a measure. `led`: the verb before the condition. */
export const createTotalPredicate = (
  measure: Measure,
  op: Operator,
  { value, unit }: Pick<NumberTerm, 'value' | 'unit'>,
  led = '',
): Predicate =>
  createPredicate({ is: 'total', measure, op, value, unit }, `${led} ${measure.key} ${op} ${value}${unit ?? ''}`, [
    'total',
  ]);

/** The verb that the link names, or null without a link. */
export const getVerb = (link: Term | undefined): string | null => (link ? cast<Word>(link).value : null);
export const getOperator = (op: Term | undefined, fallback: Operator = '='): Operator =>
  op ? (cast<Word>(op).value as Operator) : fallback;
export const isWholeNumber = (term: Term | undefined, minimum = 1): term is NumberTerm =>
  term?.t === 'number' && term.unit === null && Number.isInteger(term.value) && term.value >= minimum;

export const combinePredicates = (predicateTerms: readonly Predicate[]): Predicate =>
  createPredicate(
    { is: 'all', of: predicateTerms },
    predicateTerms
      .map(({ key }) => key)
      .sort()
      .join('&'),
    predicateTerms.every((item) => hasFeature(item, 'period')) ? ['period'] : [],
  );

export const createCountMeasure = (entityTerm: Entities): Measure =>
  createMeasure(
    { is: 'count', things: { ...entityTerm, predicates: [] }, predicates: entityTerm.predicates },
    createEntities(entityTerm.text, entityTerm.options, [], []).key,
    ['count'],
  );

export const joinValues = (parts: readonly Value[]): Value | null => {
  if (parts.some(({ field }) => field)) return null;
  const any = parts.flatMap((part) => part.any);
  return createValue(
    any.map(({ text }) => text).join(' or '),
    any,
    {},
    parts.every((part) => hasFeature(part, 'state')),
  );
};

export const createRelatedPredicate = (
  entityTerm: Entities,
  verb: string | null,
  countCondition: { op: Operator; value: number } | null,
): Predicate | null =>
  hasFeature(entityTerm, 'values')
    ? null
    : createPredicate(
        { is: 'has', things: entityTerm, verb, count: countCondition },
        `${verb ?? ''} ${entityTerm.key} ${countCondition ? countCondition.op + countCondition.value : ''}`,
        ['has'],
      );

export const replacePredicates = (measureTerm: Measure, predicates: readonly Predicate[]): Measure =>
  restrictMeasure({ ...measureTerm, predicates: [] } as Measure, predicates);

export const createMeasureQuery = (measureTerm: Measure): Query => {
  const hoistedPredicates =
    measureTerm.is === 'combined' || measureTerm.is === 'part' || measureTerm.is === 'averaged'
      ? []
      : measureTerm.predicates;
  return createQuery(
    {
      shown: [hoistedPredicates.length > 0 ? replacePredicates(measureTerm, []) : measureTerm],
      predicates: hoistedPredicates,
    },
    ['measured'],
  );
};

export const isPercent = (term: Term | undefined): boolean => cast<Word>(term).value === 'percent';

export const getDirection = (term: Term | undefined): 'asc' | 'desc' =>
  cast<Word>(term).value === 'asc' ? 'asc' : 'desc';

/**
 * Returns true if parts of the measure have their own conditions. Another condition can then apply to one part or to
 * all.
 */
export const hasOwnPredicates = (measureTerm: Measure): boolean =>
  measureTerm.is === 'part' ||
  (measureTerm.is === 'combined' &&
    (measureTerm.left.predicates.length > 0 || measureTerm.right.predicates.length > 0));
