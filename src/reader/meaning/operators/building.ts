import type { Operator } from '../../../plan/lens-plan.ts';
import {
  type Entities,
  entities,
  type Field,
  type Measure,
  measure,
  type NumberTerm,
  type Predicate,
  predicate,
  type Query,
  query,
  restricted,
  type Term,
  type Value,
  value,
  type Word,
} from '../terms.ts';

/** Names in the lens that operators need in addition to the slots. */
export interface NameLookup {
  ranking(at: number): { by: Field | Measure; direction: 'asc' | 'desc' } | null;
  metric(phrase: string): Measure | null;
  gain(phrase: string): Measure | null;
  isAmount(phrase: string): boolean;
  /** True if some things refer to the same kind in several roles. */
  parts: boolean;
  /** Things whose name derives from the verb. */
  done(verb: string): Entities | null;
  /** The number of the verb's events. */
  events(verb: string): Measure | null;
}

export type Slots = Readonly<Record<string, Term>>;

export type Operation = (slots: Slots, takes: Readonly<Record<string, string>>, named: NameLookup) => Term | null;

export const cast = <T extends Term>(term: Term | undefined): T => term as T;

export const has = (term: Term, feature: string): boolean => term.features.includes(feature);

export const withPredicates = (entityTerm: Entities, more: readonly Predicate[]): Entities =>
  entities(entityTerm.text, entityTerm.options, [...entityTerm.predicates, ...more], entityTerm.features);

export const valuePredicate = (meant: Value, word: string | null): Predicate =>
  predicate({ is: 'value', value: meant, word }, meant.key, word ? ['value', 'verb'] : ['value']);

export const not = (predicateTerm: Predicate): Predicate =>
  predicate({ is: 'not', of: predicateTerm }, predicateTerm.key, ['negated']);

/** The word before a value can name its role. */
export const withRole = (predicateTerm: Predicate, by: Term, { parts }: Pick<NameLookup, 'parts'>): Predicate => {
  if (predicateTerm.is !== 'value' || !parts || !(has(by, 'part') || has(by, 'valued'))) return predicateTerm;
  const { value } = by as Word;
  return { ...predicateTerm, led: value, key: `${predicateTerm.key} ${value}` };
};
type Comparison = Omit<Extract<Predicate, { is: 'compare' }>, 't' | 'key' | 'features' | 'is'>;
export const compared = (of: Comparison, features: readonly string[] = []): Predicate =>
  predicate({ is: 'compare', ...of }, `${of.field.key} ${of.op} ${of.values}${of.unit ?? ''}`, features);
/** A condition that a row either meets or doesn't. */
export const flagPredicate = (field: Field): Predicate =>
  compared({ field, op: '=', values: [true], unit: null }, ['value']);

/** A condition on a measure. `led`: the verb before it. */
export const total = (
  measure: Measure,
  op: Operator,
  { value, unit }: Pick<NumberTerm, 'value' | 'unit'>,
  led = '',
): Predicate =>
  predicate({ is: 'total', measure, op, value, unit }, `${led} ${measure.key} ${op} ${value}${unit ?? ''}`, ['total']);

/** The verb. `comparisonOf`: the comparison, by default "is". */
export const verbOf = (link: Term | undefined): string | null => (link ? cast<Word>(link).value : null);
export const comparisonOf = (op: Term | undefined, otherwise: Operator = '='): Operator =>
  op ? (cast<Word>(op).value as Operator) : otherwise;
export const isWhole = (of: Term | undefined, least = 1): of is NumberTerm =>
  of?.t === 'number' && of.unit === null && Number.isInteger(of.value) && of.value >= least;

export const allOf = (predicateTerms: readonly Predicate[]): Predicate =>
  predicate(
    { is: 'all', of: predicateTerms },
    predicateTerms
      .map(({ key }) => key)
      .sort()
      .join('&'),
    predicateTerms.every((item) => has(item, 'period')) ? ['period'] : [],
  );

export const count = (entityTerm: Entities): Measure =>
  measure(
    { is: 'count', things: { ...entityTerm, predicates: [] }, predicates: entityTerm.predicates },
    entities(entityTerm.text, entityTerm.options, [], []).key,
    ['count'],
  );

export const listOf = (parts: readonly Value[]): Value | null => {
  if (parts.some(({ field }) => field)) return null;
  const any = parts.flatMap((part) => part.any);
  return value(
    any.map(({ text }) => text).join(' or '),
    any,
    {},
    parts.every((part) => has(part, 'state')),
  );
};

export const relatedPredicate = (
  entityTerm: Entities,
  verb: string | null,
  counted: { op: Operator; value: number } | null,
): Predicate | null =>
  has(entityTerm, 'values')
    ? null
    : predicate(
        { is: 'has', things: entityTerm, verb, count: counted },
        `${verb ?? ''} ${entityTerm.key} ${counted ? counted.op + counted.value : ''}`,
        ['has'],
      );

export const restrictedTo = (measureTerm: Measure, predicates: readonly Predicate[]): Measure =>
  restricted({ ...measureTerm, predicates: [] } as Measure, predicates);

export const measured = (measureTerm: Measure): Query => {
  const hoisted =
    measureTerm.is === 'combined' || measureTerm.is === 'part' || measureTerm.is === 'averaged'
      ? []
      : measureTerm.predicates;
  return query({ shown: [hoisted.length > 0 ? restrictedTo(measureTerm, []) : measureTerm], predicates: hoisted }, [
    'measured',
  ]);
};

export const isPercent = (term: Term | undefined): boolean => cast<Word>(term).value === 'percent';

export const directionOf = (term: Term | undefined): 'asc' | 'desc' =>
  cast<Word>(term).value === 'asc' ? 'asc' : 'desc';

/** True if parts have their own conditions. Another condition can then apply to one part or to all. */
export const hasOwnPredicates = (measureTerm: Measure): boolean =>
  measureTerm.is === 'part' ||
  (measureTerm.is === 'combined' &&
    (measureTerm.left.predicates.length > 0 || measureTerm.right.predicates.length > 0));
