// The meanings of parts of a question, before svc resolves their names to fields, datasets or dates. Terms are plain,
// immutable data. Terms with the same key have the same meaning.
import type { Grain } from '../../contract/warehouse.ts';
import type { LensDefinition, LensField, LensMetric } from '../../lens/model/lens.ts';
import type { DayPart, Operator } from '../../plan/lens-plan.ts';
import type { TimeMention } from '../words/time-expressions.ts';

interface TermBase {
  /** svc derives the key from the content of the term. Terms with the same key have the same meaning. */
  readonly key: string;
  readonly features: readonly string[];
}
/** A possible meaning of a field name. A candidate has several fields only if they are a first and a last name. */
export interface FieldCandidate {
  dataset: string;
  role?: string;
  fields: LensField[];
  loose: number;
  /** Set if the field identifies an entity that has no dataset of its own. */
  identity?: 'name' | 'key';
}
export interface EntityCandidate {
  dataset: string;
  role?: string;
  /** Set if the entities are the values of this field. */
  by?: FieldCandidate;
}
export interface ValueCandidate {
  dataset: string;
  field: LensField;
  value: string;
}

export interface WordTerm extends TermBase {
  t: 'word';
  value: string;
}
export interface NumberTerm extends TermBase {
  t: 'number';
  value: number;
  unit: string | null;
}
export interface PeriodTerm extends TermBase {
  t: 'period';
  text: string;
  mention: TimeMention;
}
export interface FieldTerm extends TermBase {
  t: 'field';
  text: string;
  options: readonly FieldCandidate[];
  /** The rows that the question links to the field, as in "price of products". */
  of?: EntitiesTerm;
}
export interface ValueTerm extends TermBase {
  t: 'value';
  text: string;
  /** Alternative values, each with its possible meanings. A value without options is a quoted string in `field`. */
  any: readonly { text: string; options: readonly ValueCandidate[]; defined?: LensDefinition }[];
  field?: FieldTerm;
}
export interface EntitiesTerm extends TermBase {
  t: 'things';
  text: string;
  options: readonly EntityCandidate[];
  predicates: readonly PredicateTerm[];
}
export type PredicateTerm = TermBase & { t: 'cond' } & (
    | {
        is: 'value';
        value: ValueTerm;
        word: string | null;
        /** The preposition or verb that chooses between two roles of a place, as in "from Rome" or "ended in Rome". */
        led?: string;
        /**
         * "The branch Prague" means the branch with this name, if such a branch exists. "The branch called Prague"
         * always means the branch with this name.
         */
        called?: 'perhaps by name' | 'by name';
      }
    | {
        is: 'compare';
        field: FieldTerm;
        op: Operator;
        values: readonly (number | string | boolean)[];
        unit: string | null;
      }
    | { is: 'amount'; op: Operator; values: readonly number[]; unit: string }
    | { is: 'missing'; field: FieldTerm }
    | { is: 'time'; period: PeriodTerm; field: FieldTerm | null; verb: string | null }
    | { is: 'has'; things: EntitiesTerm; verb: string | null; count: { op: Operator; value: number } | null }
    | { is: 'total'; measure: MeasureTerm; op: Operator; value: number; unit: string | null }
    | { is: 'all' | 'any'; of: readonly PredicateTerm[] }
    | { is: 'not'; of: PredicateTerm }
  );
export type PredicateOf<K extends PredicateTerm['is']> = Extract<PredicateTerm, { is: K }>;
interface DateRange {
  readonly from: string;
  readonly to: string;
}
export type ComparisonOutput = 'from' | 'to' | 'change' | 'percent';
export type AggregateFunction = 'sum' | 'avg' | 'min' | 'max' | 'median';
export type MeasureTerm = TermBase & {
  t: 'measure';
  predicates: readonly PredicateTerm[];
} & (
    | {
        is: 'metric';
        metrics: readonly LensMetric[];
        /** The term to ask about if the name can mean several metrics. */
        said?: string;
        defined?: LensDefinition;
        /** The words of the question that name the metric. */
        called?: string;
      }
    | { is: 'count'; things: EntitiesTerm }
    | { is: 'distinct'; field: FieldTerm }
    | {
        is: 'aggregate';
        fn: AggregateFunction;
        field: FieldTerm;
        /** True if the question doesn't name the aggregate, so that svc sums the field. */
        unsaid?: true;
        /** True if the field must belong to the named rows, not to joined rows. */
        ofRows?: true;
      }
    | { is: 'combined'; fn: 'ratio' | 'difference'; left: MeasureTerm; right: MeasureTerm }
    | { is: 'part'; of: MeasureTerm; where: readonly PredicateTerm[]; percent: boolean }
    | { is: 'averaged'; fn: 'avg' | 'min' | 'max' | 'median'; of: MeasureTerm; over: GroupTerm }
    | { is: 'share'; of: MeasureTerm; percent: boolean }
    | { is: 'change'; of: MeasureTerm }
    | { is: 'running'; of: MeasureTerm }
    | { is: 'between'; of: MeasureTerm; earlier: DateRange; later: DateRange; part: ComparisonOutput }
  );
export type GroupTerm = TermBase & {
  t: 'group';
  /** The verb of the event whose date forms the groups, as in "papers published per year". */
  verb?: string;
} & (
    | { is: 'field'; field: FieldTerm }
    | { is: 'things'; things: EntitiesTerm }
    | { is: 'period'; grain: Grain | DayPart; date: FieldTerm | null }
    | { is: 'several'; of: readonly GroupTerm[] }
  );
export type SortOrderTerm = TermBase & { t: 'sorted'; by: MeasureTerm | FieldTerm | null; direction: 'asc' | 'desc' };
export interface ShownItemsTerm extends TermBase {
  t: 'shown';
  of: readonly (FieldTerm | MeasureTerm)[];
}
export interface QueryTerm extends TermBase {
  t: 'query';
  /** The listed or grouped entities. Null if the measure determines the rows. */
  things: EntitiesTerm | null;
  shown: readonly (FieldTerm | MeasureTerm)[];
  groups: readonly GroupTerm[];
  predicates: readonly PredicateTerm[];
  order: readonly SortOrderTerm[];
  limit: number | null;
  /** If set, the limit applies within each of these groups. */
  perGroup: GroupTerm | null;
  /** True if the answer shows the names of the entities in addition to the other columns. */
  named: boolean;
}
export type Term =
  | WordTerm
  | NumberTerm
  | PeriodTerm
  | FieldTerm
  | ValueTerm
  | EntitiesTerm
  | PredicateTerm
  | MeasureTerm
  | GroupTerm
  | SortOrderTerm
  | ShownItemsTerm
  | QueryTerm;

const removeDuplicateTerms = <T extends TermBase>(terms: readonly T[]): T[] =>
  terms.filter((item, index) => terms.findIndex(({ key }) => key === item.key) === index);

/**
 * Members that the key leaves out: the spelling in the question, the verb before a value, and members that derive from
 * others.
 */
const MEMBERS_WITHOUT_MEANING: ReadonlySet<string> = new Set([
  ...['t', 'key', 'features'],
  ...['text', 'said', 'called', 'defined', 'word'],
]);
// Uses a loop because, in a large lens, a question can have thousands of candidates.
const toTermKey = (part: unknown): string => {
  if (typeof part !== 'object' || part === null) return part === null || part === undefined ? '' : String(part);
  if ('key' in part) return part.key as string;
  if ('name' in part) return part.name as string;
  if (!Array.isArray(part)) return createTermKey(part, null);
  let key = '';
  for (const item of part) key += `${toTermKey(item)},`;
  return key;
};
const createTermKey = (content: object, unkeyedMembers: ReadonlySet<string> | null): string => {
  let key = '';
  for (const member in content) {
    const part: unknown = content[member as never];
    if (part === undefined || unkeyedMembers?.has(member)) continue;
    key += `${member}(${member === 'predicates' ? (part as PredicateTerm[]).map(toTermKey).sort() : toTermKey(part)})`;
  }
  return key;
};

type TermContent<T> = T extends unknown ? Omit<T, 't' | keyof TermBase> : never;
const createTerm = <T extends Term>(t: T['t'], content: TermContent<T>, features: readonly string[]): T => {
  const uniqueContent =
    'predicates' in content ? { ...content, predicates: removeDuplicateTerms(content.predicates) } : content;
  return { ...uniqueContent, t, key: createTermKey(uniqueContent, MEMBERS_WITHOUT_MEANING), features } as unknown as T;
};

export const createWord = (value: string, features: readonly string[] = []): WordTerm =>
  createTerm('word', { value }, features);
export const createNumber = (value: number, unit: string | null): NumberTerm =>
  createTerm('number', { value, unit }, unit ? ['unit'] : []);
export const createPeriod = (text: string, mention: TimeMention, features: readonly string[]): PeriodTerm => ({
  ...createTerm<PeriodTerm>('period', { text, mention }, features),
  key: `${mention.from}..${mention.to}`,
});
export const createField = (
  text: string,
  options: readonly FieldCandidate[],
  features: readonly string[] = [],
  of?: EntitiesTerm,
): FieldTerm => createTerm('field', { text, options, of }, features);
export const createValue = (text: string, any: ValueTerm['any'], field?: FieldTerm, state = false): ValueTerm =>
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
  predicates: readonly PredicateTerm[] = [],
  features: readonly string[] = [],
): EntitiesTerm => createTerm('things', { text, options, predicates }, features);
export const createPredicate = (content: TermContent<PredicateTerm>, features: readonly string[] = []): PredicateTerm =>
  createTerm<PredicateTerm>('cond', content, features);
/** Returns the condition and all conditions nested in it by "not", "and" and "or". */
export const flattenPredicate = (predicate: PredicateTerm): PredicateTerm[] => [
  predicate,
  ...(predicate.is === 'not'
    ? [predicate.of]
    : predicate.is === 'all' || predicate.is === 'any'
      ? predicate.of
      : []
  ).flatMap(flattenPredicate),
];
export const createMeasure = (content: TermContent<MeasureTerm>, features: readonly string[] = []): MeasureTerm =>
  createTerm<MeasureTerm>('measure', content, features);
export const createGroup = (content: TermContent<GroupTerm>, features: readonly string[] = []): GroupTerm =>
  createTerm<GroupTerm>('group', content, features);
export const createSortOrder = (by: SortOrderTerm['by'], direction: 'asc' | 'desc'): SortOrderTerm =>
  createTerm('sorted', { by, direction }, []);
export const createShownItems = (items: ShownItemsTerm['of']): ShownItemsTerm =>
  // Without the feature "beside", the phrase can restrict the entities instead of adding columns. For example, "with
  // email" can mean the entities that have an email, and "with the highest price" selects one entity.
  createTerm(
    'shown',
    { of: items },
    (items.length === 1 && isNameAlone(items[0]!)) ||
      items.some(({ features }) => features.includes('end') || features.includes('indefinite'))
      ? []
      : ['beside'],
  );
const isNameAlone = (item: FieldTerm | MeasureTerm): boolean =>
  item.t === 'field' || (item.is === 'metric' && item.called !== undefined);
const EMPTY_QUERY: TermContent<QueryTerm> = {
  things: null,
  shown: [],
  groups: [],
  predicates: [],
  order: [],
  limit: null,
  perGroup: null,
  named: false,
};
export const createQuery = (content: Partial<TermContent<QueryTerm>>, features: readonly string[] = []): QueryTerm => {
  const query = { ...EMPTY_QUERY, ...content };
  const groups = query.groups.flatMap((group) => (group.is === 'several' ? group.of : [group]));
  return createTerm('query', { ...query, groups: removeDuplicateTerms(groups) }, features);
};
