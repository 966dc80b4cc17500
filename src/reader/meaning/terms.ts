// The meanings of parts of a question before svc resolves their names to fields, datasets or dates. Terms are plain,
// immutable data. Terms with the same key have the same meaning.
import type { Grain } from '../../contract/warehouse.ts';
import type { LensDefinition, LensField, LensMetric } from '../../lens/model/lens.ts';
import type { DayPart, Operator } from '../../plan/lens-plan.ts';
import type { TimeMention } from '../words/time-expressions.ts';

interface TermBase {
  /** svc derives the key from the content of the term. */
  readonly key: string;
  readonly features: readonly string[];
}
/** A possible meaning of a name. The candidate has several fields only for a first and a last name. */
export interface FieldCandidate {
  dataset: string;
  role?: string;
  fields: LensField[];
  loose: number;
  /** The field is set if it identifies an entity that has no dataset. */
  identity?: 'name' | 'key';
}
export interface EntityCandidate {
  dataset: string;
  role?: string;
  /** The entities are the values of this field. */
  by?: FieldCandidate;
}
export interface ValueCandidate {
  dataset: string;
  field: LensField;
  value: string;
}

export interface Word extends TermBase {
  t: 'word';
  value: string;
}
export interface NumberTerm extends TermBase {
  t: 'number';
  value: number;
  unit: string | null;
}
export interface Period extends TermBase {
  t: 'period';
  text: string;
  mention: TimeMention;
}
export interface Field extends TermBase {
  t: 'field';
  text: string;
  options: readonly FieldCandidate[];
  /** The rows to which the question ties the field, as in "price of products". */
  of?: Entities;
}
export interface Value extends TermBase {
  t: 'value';
  text: string;
  /** One of these values, each with its possible meanings. A value without options is a quoted string in `field`. */
  any: readonly { text: string; options: readonly ValueCandidate[]; defined?: LensDefinition }[];
  field?: Field;
}
export interface Entities extends TermBase {
  t: 'things';
  text: string;
  options: readonly EntityCandidate[];
  predicates: readonly Predicate[];
}
export type Predicate = TermBase & { t: 'cond' } & (
    | {
        is: 'value';
        value: Value;
        word: string | null;
        /** The word that chooses between two roles of a place: "from Rome", "ended in Rome". */
        led?: string;
        /** Set for "the branch Prague", which means the branch with this name if there is one. */
        called?: true;
      }
    | {
        is: 'compare';
        field: Field;
        op: Operator;
        values: readonly (number | string | boolean)[];
        unit: string | null;
      }
    | { is: 'amount'; op: Operator; values: readonly number[]; unit: string }
    | { is: 'missing'; field: Field }
    | { is: 'time'; period: Period; field: Field | null; verb: string | null }
    | { is: 'has'; things: Entities; verb: string | null; count: { op: Operator; value: number } | null }
    | { is: 'total'; measure: Measure; op: Operator; value: number; unit: string | null }
    | { is: 'all' | 'any'; of: readonly Predicate[] }
    | { is: 'not'; of: Predicate }
  );
export type PredicateOf<K extends Predicate['is']> = Extract<Predicate, { is: K }>;
interface DateRange {
  readonly from: string;
  readonly to: string;
}
export type ComparisonOutput = 'from' | 'to' | 'change' | 'percent';
export type AggregateFunction = 'sum' | 'avg' | 'min' | 'max' | 'median';
export type Measure = TermBase & {
  t: 'measure';
  predicates: readonly Predicate[];
} & (
    | {
        is: 'metric';
        metrics: readonly LensMetric[];
        /** The term to ask about if there are several possible metrics. */
        said?: string;
        defined?: LensDefinition;
        /** The words of the question that name the metric. */
        called?: string;
      }
    | { is: 'count'; things: Entities }
    | { is: 'distinct'; field: Field }
    | {
        is: 'aggregate';
        fn: AggregateFunction;
        field: Field;
        /** No word of the question states that the field is summed. */
        unsaid?: true;
        /** The field belongs to the named rows, not to rows that the named rows lead to. */
        ofRows?: true;
      }
    | { is: 'combined'; fn: 'ratio' | 'difference'; left: Measure; right: Measure }
    | { is: 'part'; of: Measure; where: readonly Predicate[]; percent: boolean }
    | { is: 'averaged'; fn: 'avg' | 'min' | 'max' | 'median'; of: Measure; over: Group }
    | { is: 'share'; of: Measure; percent: boolean }
    | { is: 'change'; of: Measure }
    | { is: 'running'; of: Measure }
    | { is: 'between'; of: Measure; earlier: DateRange; later: DateRange; part: ComparisonOutput }
  );
export type Group = TermBase & {
  t: 'group';
  /** The verb of an event that chooses the date, as in "papers published per year". */
  verb?: string;
} & (
    | { is: 'field'; field: Field }
    | { is: 'things'; things: Entities }
    | { is: 'period'; grain: Grain | DayPart; date: Field | null }
    | { is: 'several'; of: readonly Group[] }
  );
export type SortOrder = TermBase & { t: 'sorted'; by: Measure | Field | null; direction: 'asc' | 'desc' };
export interface ShownItems extends TermBase {
  t: 'shown';
  of: readonly (Field | Measure)[];
}
export interface Query extends TermBase {
  t: 'query';
  /** The listed or grouped entities. Null if the measure determines them. */
  things: Entities | null;
  shown: readonly (Field | Measure)[];
  groups: readonly Group[];
  predicates: readonly Predicate[];
  order: readonly SortOrder[];
  limit: number | null;
  /** If set, the limit applies to each of these groups separately. */
  perGroup: Group | null;
  /** True if the entities are shown by name in addition to the other columns. */
  named: boolean;
}
export type Term =
  | Word
  | NumberTerm
  | Period
  | Field
  | Value
  | Entities
  | Predicate
  | Measure
  | Group
  | SortOrder
  | ShownItems
  | Query;

const removeDuplicateTerms = <T extends TermBase>(terms: readonly T[]): T[] =>
  terms.filter((item, index) => terms.findIndex(({ key }) => key === item.key) === index);

/**
 * Members that don't belong to the meaning: how the question spells the term, the verb before a value, and what derives
 * from other members.
 */
const MEMBERS_WITHOUT_MEANING: ReadonlySet<string> = new Set([
  ...['t', 'key', 'features'],
  ...['text', 'said', 'called', 'defined', 'word'],
]);
// Loops, because the words of a question can have thousands of candidates in a large lens.
const toTermKey = (part: unknown): string => {
  if (typeof part !== 'object' || part === null) return part === null || part === undefined ? '' : String(part);
  if ('key' in part) return part.key as string;
  if ('name' in part) return part.name as string;
  if (!Array.isArray(part)) return createKey(part, null);
  let key = '';
  for (const item of part) key += `${toTermKey(item)},`;
  return key;
};
const createKey = (content: object, unkeyedMembers: ReadonlySet<string> | null): string => {
  let key = '';
  for (const member in content) {
    const part: unknown = content[member as never];
    if (part === undefined || unkeyedMembers?.has(member)) continue;
    key += `${member}(${member === 'predicates' ? (part as Predicate[]).map(toTermKey).sort() : toTermKey(part)})`;
  }
  return key;
};

type TermContent<T> = T extends unknown ? Omit<T, 't' | keyof TermBase> : never;
const createTerm = <T extends Term>(t: T['t'], content: TermContent<T>, features: readonly string[]): T => {
  const uniqueContent =
    'predicates' in content ? { ...content, predicates: removeDuplicateTerms(content.predicates) } : content;
  return { ...uniqueContent, t, key: createKey(uniqueContent, MEMBERS_WITHOUT_MEANING), features } as unknown as T;
};

export const createWord = (value: string, features: readonly string[] = []): Word =>
  createTerm('word', { value }, features);
export const createNumber = (value: number, unit: string | null): NumberTerm =>
  createTerm('number', { value, unit }, unit ? ['unit'] : []);
export const createPeriod = (text: string, mention: TimeMention, features: readonly string[]): Period => ({
  ...createTerm<Period>('period', { text, mention }, features),
  key: `${mention.from}..${mention.to}`,
});
export const createField = (
  text: string,
  options: readonly FieldCandidate[],
  features: readonly string[] = [],
  of?: Entities,
): Field => createTerm('field', { text, options, of }, features);
export const createValue = (text: string, any: Value['any'], field?: Field, state = false): Value =>
  createTerm('value', { text, any, field }, [
    ...(any.length > 1 ? ['list'] : ['one']),
    ...(field ? ['named'] : []),
    ...(any.some(({ options, defined }) => options.length === 0 && !defined) ? ['quoted'] : []),
    ...(state ? ['state'] : []),
    ...(any.some(({ defined }) => defined) ? ['defined'] : []),
  ]);
export const createEntities = (
  text: string,
  options: readonly EntityCandidate[],
  predicates: readonly Predicate[] = [],
  features: readonly string[] = [],
): Entities => createTerm('things', { text, options, predicates }, features);
export const createPredicate = (content: TermContent<Predicate>, features: readonly string[] = []): Predicate =>
  createTerm<Predicate>('cond', content, features);
/** The condition, the conditions that it negates or joins, and those inside them. */
export const flattenPredicate = (predicate: Predicate): Predicate[] => [
  predicate,
  ...(predicate.is === 'not'
    ? [predicate.of]
    : predicate.is === 'all' || predicate.is === 'any'
      ? predicate.of
      : []
  ).flatMap(flattenPredicate),
];
export const createMeasure = (content: TermContent<Measure>, features: readonly string[] = []): Measure =>
  createTerm<Measure>('measure', content, features);
export const createGroup = (content: TermContent<Group>, features: readonly string[] = []): Group =>
  createTerm<Group>('group', content, features);
export const createSortOrder = (by: SortOrder['by'], direction: 'asc' | 'desc'): SortOrder =>
  createTerm('sorted', { by, direction }, []);
export const createShownItems = (items: ShownItems['of']): ShownItems =>
  // The phrase "with the highest price" selects one entity. The phrases "with email", "with a paid date" and "with
  // refunds" can select the entities that have an email, a paid date or a refund.
  createTerm(
    'shown',
    { of: items },
    (items.length === 1 && isNameAlone(items[0]!)) ||
      items.some(({ features }) => features.includes('end') || features.includes('indefinite'))
      ? []
      : ['beside'],
  );
const isNameAlone = (item: Field | Measure): boolean =>
  item.t === 'field' || (item.is === 'metric' && item.called !== undefined);
const EMPTY_QUERY: TermContent<Query> = {
  things: null,
  shown: [],
  groups: [],
  predicates: [],
  order: [],
  limit: null,
  perGroup: null,
  named: false,
};
export const createQuery = (content: Partial<TermContent<Query>>, features: readonly string[] = []): Query => {
  const query = { ...EMPTY_QUERY, ...content };
  const groups = query.groups.flatMap((group) => (group.is === 'several' ? group.of : [group]));
  return createTerm('query', { ...query, groups: removeDuplicateTerms(groups) }, features);
};
