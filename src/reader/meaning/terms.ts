// The meanings of parts of a question before svc resolves their names to fields, datasets or dates. Terms are plain,
// immutable data. Terms with the same key have the same meaning.
import type { Grain } from '../../contract/warehouse.ts';
import type { LensDefinition, LensField, LensMetric } from '../../lens/model/lens.ts';
import type { DayPart, Operator } from '../../plan/lens-plan.ts';
import type { TimeMention } from '../words/time-expressions.ts';

interface TermBase {
  readonly key: string;
  readonly features: readonly string[];
}
/** A possible meaning of a name. The candidate has several fields only for a first and a last name. */
export interface FieldCandidate {
  dataset: string;
  role?: string;
  fields: LensField[];
  loose: number;
  /** The field is set if it identifies a thing that has no dataset. */
  identity?: 'name' | 'key';
}
export interface EntityCandidate {
  dataset: string;
  role?: string;
  /** The things are the values of this field. */
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
interface DateRange {
  readonly from: string;
  readonly to: string;
}
export type ComparedPart = 'from' | 'to' | 'change' | 'percent';
export type AggregateFunction = 'sum' | 'avg' | 'min' | 'max' | 'median';
export type Measure = TermBase & {
  t: 'measure';
  predicates: readonly Predicate[];
  /** The key of the measure without `predicates`. */
  base: string;
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
    | { is: 'between'; of: Measure; earlier: DateRange; later: DateRange; part: ComparedPart }
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
  /** The listed or grouped things. Null if the measure determines them. */
  things: Entities | null;
  shown: readonly (Field | Measure)[];
  groups: readonly Group[];
  predicates: readonly Predicate[];
  order: readonly SortOrder[];
  limit: number | null;
  /** If set, the limit applies to each of these groups separately. */
  perGroup: Group | null;
  /** True if the things are shown by name in addition to the other columns. */
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

const joinSortedKeys = (terms: readonly TermBase[]): string =>
  [...new Set(terms.map(({ key }) => key))].sort().join('&');
const removeDuplicateTerms = <T extends TermBase>(terms: readonly T[]): T[] =>
  terms.filter((item, index) => terms.findIndex(({ key }) => key === item.key) === index);

export const createWord = (value: string, features: readonly string[] = []): Word => ({
  t: 'word',
  value,
  key: value,
  features,
});
export const createNumber = (value: number, unit: string | null): NumberTerm => ({
  t: 'number',
  value,
  unit,
  key: `${value}${unit ?? ''}`,
  features: unit ? ['unit'] : [],
});
export const createField = (text: string, options: readonly FieldCandidate[], features: readonly string[]): Field => ({
  t: 'field',
  text,
  options,
  key: `${options.map(({ dataset, role, fields }) => `${role ?? dataset}.${fields.map(({ name }) => name).join('+')}`).join('|')}`,
  features,
});
export const withOwner = (field: Field, entityTerm: Entities): Field => ({
  ...field,
  of: entityTerm,
  key: `${field.key}<${entityTerm.key}>`,
  features: field.features,
});
export const createValue = (
  text: string,
  any: Value['any'],
  extras: Pick<Value, 'field'> = {},
  state = false,
): Value => ({
  t: 'value',
  text,
  any,
  ...extras,
  key: `${any.map((item) => `${item.text}${item.defined?.term ?? ''}=${item.options.map(({ dataset, field: valueField }) => `${dataset}.${valueField.name}`).join('|')}`).join('/')}${extras.field ? `@${extras.field.key}` : ''}`,
  features: [
    ...(any.length > 1 ? ['list'] : ['one']),
    ...(extras.field ? ['named'] : []),
    ...(any.some(({ options, defined }) => options.length === 0 && !defined) ? ['quoted'] : []),
    ...(state ? ['state'] : []),
    ...(any.some(({ defined }) => defined) ? ['defined'] : []),
  ],
});
export const createEntities = (
  text: string,
  options: readonly EntityCandidate[],
  predicates: readonly Predicate[],
  features: readonly string[],
): Entities => ({
  t: 'things',
  text,
  options,
  predicates: removeDuplicateTerms(predicates),
  key: `${options.map(({ dataset, role, by }) => `${role ?? dataset}${by ? `:${by.fields[0]!.name}` : ''}`).join('|')}[${joinSortedKeys(predicates)}]`,
  features,
});
type WithoutBase<T> = T extends unknown ? Omit<T, 't' | 'key' | 'features' | 'base'> : never;
export const createPredicate = (
  body: WithoutBase<Predicate>,
  key: string,
  features: readonly string[] = [],
): Predicate => ({ ...body, t: 'cond', key: `${body.is}(${key})`, features }) as Predicate;
export const createMeasure = (body: WithoutBase<Measure>, key: string, features: readonly string[] = []): Measure =>
  ({
    ...body,
    predicates: removeDuplicateTerms(body.predicates),
    t: 'measure',
    base: `${body.is}(${key})`,
    key: `${body.is}(${key})[${joinSortedKeys(body.predicates)}]`,
    features,
  }) as Measure;
export const restrictMeasure = (measureTerm: Measure, addedPredicates: readonly Predicate[]): Measure =>
  ({
    ...measureTerm,
    predicates: removeDuplicateTerms([...measureTerm.predicates, ...addedPredicates]),
    key: `${measureTerm.base}[${joinSortedKeys([...measureTerm.predicates, ...addedPredicates])}]`,
  }) as Measure;
export const createGroup = (body: WithoutBase<Group>, key: string, features: readonly string[] = []): Group =>
  ({ ...body, t: 'group', key: `${body.is}(${key})`, features }) as Group;
export const createSortOrder = (by: SortOrder['by'], direction: 'asc' | 'desc'): SortOrder => ({
  t: 'sorted',
  by,
  direction,
  key: `${by?.key ?? '*'} ${direction}`,
  features: [],
});
export const createShownItems = (items: ShownItems['of']): ShownItems => ({
  t: 'shown',
  of: items,
  key: items.map(({ key }) => key).join(','),
  // The phrase "with the highest price" selects one thing. The phrases "with email" and "with a paid date" can select
  // the things that have an email or a paid date.
  features:
    (items.length === 1 && items[0]!.t === 'field') ||
    items.some(({ features }) => features.includes('end') || features.includes('indefinite'))
      ? []
      : ['beside'],
});
export const createQuery = (body: Partial<WithoutBase<Query>>, features: readonly string[] = []): Query => {
  const combined = {
    ...{
      things: null,
      shown: [],
      groups: [],
      predicates: [],
      order: [],
      limit: null,
      perGroup: null,
      named: false,
    },
    ...body,
  };
  const groups = removeDuplicateTerms(
    combined.groups.flatMap((group) => (group.is === 'several' ? group.of : [group])),
  );
  const predicates = removeDuplicateTerms(combined.predicates);
  const parts = [
    combined.things?.key ?? '',
    combined.shown.map(({ key }) => key).join(','),
    groups.map(({ key }) => key).join(','),
    joinSortedKeys(predicates),
    combined.order.map(({ key }) => key).join(','),
    combined.limit ?? '',
    combined.perGroup?.key ?? '',
    combined.named ? 'named' : '',
  ];
  return { ...combined, groups, predicates, t: 'query', key: parts.join(' # '), features };
};
