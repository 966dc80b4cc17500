// The meaning of parts of a question before its names are resolved to fields, datasets or dates. Plain,
// immutable data; terms with the same key mean the same.
import type { Grain } from '../../contract/warehouse.ts';
import type { LensDefinition, LensField, LensMetric } from '../../lens/model/lens.ts';
import type { DayPart, Operator } from '../../plan/lens-plan.ts';
import type { TimeMention } from '../words/time-expressions.ts';

interface Said {
  readonly key: string;
  readonly features: readonly string[];
}
/** A possible meaning of a name; several fields if first and last name form one. */
export interface NamedField {
  dataset: string;
  role?: string;
  fields: LensField[];
  loose: number;
  /** This field identifies a thing that has no dataset. */
  identity?: 'name' | 'key';
}
export interface NamedThing {
  dataset: string;
  role?: string;
  /** The things are the values of this field. */
  by?: NamedField;
}
export interface NamedValue {
  dataset: string;
  field: LensField;
  value: string;
}

export interface Word extends Said {
  t: 'word';
  value: string;
}
export interface Num extends Said {
  t: 'number';
  value: number;
  unit: string | null;
}
export interface Period extends Said {
  t: 'period';
  text: string;
  mention: TimeMention;
}
export interface Field extends Said {
  t: 'field';
  text: string;
  options: readonly NamedField[];
  /** Only of these rows. */
  of?: Things;
}
export interface Value extends Said {
  t: 'value';
  text: string;
  /** Each is one of the named values, with its possible meanings. Without options: a quoted text of `field`. */
  any: readonly { text: string; options: readonly NamedValue[]; defined?: LensDefinition }[];
  field?: Field;
  /** "a and b": one row can't be both, but a thing with several rows can. */
  both?: boolean;
}
export interface Things extends Said {
  t: 'things';
  text: string;
  options: readonly NamedThing[];
  conds: readonly Cond[];
}
export type Cond = Said & { t: 'cond' } & (
    | {
        is: 'value';
        value: Value;
        word: string | null;
        /** "from Rome", "ended in Rome": which of two roles a place has. */
        led?: { by: string; must: boolean };
        /** "the branch Prague": by its name, if one has this name. */
        called?: true;
      }
    | { is: 'days'; days: readonly string[]; field: Field | null }
    | {
        is: 'compare';
        field: Field;
        op: Operator;
        values: readonly (number | string | boolean)[];
        unit: string | null;
        /** For a thing with several rows: any of them. */
        anyRow?: boolean;
      }
    | { is: 'fields'; field: Field; op: Operator; other: Field }
    | { is: 'amount'; op: Operator; values: readonly number[]; unit: string }
    | { is: 'missing'; field: Field }
    | { is: 'time'; period: Period; field: Field | null; verb: string | null }
    | { is: 'has'; things: Things; verb: string | null; count: { op: Operator; value: number } | null }
    | { is: 'total'; measure: Measure; op: Operator; value: number; unit: string | null }
    | { is: 'all' | 'any'; of: readonly Cond[] }
    | { is: 'not'; of: Cond }
  );
/** A period that excludes its last day. */
interface Ends {
  readonly from: string;
  readonly to: string;
}
export type Aggregated = 'sum' | 'avg' | 'min' | 'max' | 'median';
export type Measure = Said & {
  t: 'measure';
  conds: readonly Cond[] /** the key of the restricted term */;
  base: string;
} & (
    | {
        is: 'metric';
        metrics: readonly LensMetric[] /** several possible metrics, to ask back about */;
        said?: string;
        defined?: LensDefinition /** The words as asked. */;
        called?: string;
      }
    | { is: 'count'; things: Things /** none of the things is called an amount */; unlessAmount?: true }
    | { is: 'distinct'; field: Field }
    | {
        is: 'aggregate';
        fn: Aggregated;
        field: Field /** no word says that it is summed */;
        unsaid?: true /** of these rows, not of rows that they lead to */;
        ofRows?: true;
      }
    | { is: 'combined'; fn: 'ratio' | 'difference' | 'total'; left: Measure; right: Measure; percent: boolean }
    | { is: 'part'; of: Measure; where: readonly Cond[]; percent: boolean }
    | { is: 'averaged'; fn: 'avg' | 'min' | 'max' | 'median'; of: Measure; over: Group }
    | { is: 'share'; of: Measure; percent: boolean }
    | { is: 'change'; of: Measure; percent: boolean }
    | { is: 'running'; of: Measure }
    | { is: 'between'; of: Measure; earlier: Ends; later: Ends; percent: boolean }
  );
export type Group = Said & { t: 'group' /** an event of the grouped things */; verb?: string } & (
    | { is: 'field'; field: Field }
    | { is: 'things'; things: Things }
    | { is: 'period'; grain: Grain | DayPart; date: Field | null }
    | { is: 'several'; of: readonly Group[] }
  );
export type Sorted = Said & { t: 'sorted'; by: Measure | Field | null; direction: 'asc' | 'desc' };
export interface Shown extends Said {
  t: 'shown';
  of: readonly (Field | Measure)[];
}
export interface Query extends Said {
  t: 'query';
  /** The things that are listed or grouped; null if the measure determines them. */
  things: Things | null;
  shown: readonly (Field | Measure)[];
  groups: readonly Group[];
  conds: readonly Cond[];
  order: readonly Sorted[];
  limit: number | null;
  /** The first of each of these. */
  perGroup: Group | null;
  /** The things are shown by name next to the other columns. */
  named: boolean;
}
export type Term = Word | Num | Period | Field | Value | Things | Cond | Measure | Group | Sorted | Shown | Query;

const sortedKeys = (all: readonly Said[]): string => [...new Set(all.map(({ key }) => key))].sort().join('&');
const once = <T extends Said>(all: readonly T[]): T[] =>
  all.filter((one, at) => all.findIndex(({ key }) => key === one.key) === at);

export const word = (value: string, features: readonly string[] = []): Word => ({
  t: 'word',
  value,
  key: value,
  features,
});
export const number = (value: number, unit: string | null): Num => ({
  t: 'number',
  value,
  unit,
  key: `${value}${unit ?? ''}`,
  features: unit ? ['unit'] : [],
});
export const field = (text: string, options: readonly NamedField[], features: readonly string[]): Field => ({
  t: 'field',
  text,
  options,
  key: `${options.map(({ dataset, role, fields }) => `${role ?? dataset}.${fields.map(({ name }) => name).join('+')}`).join('|')}`,
  features,
});
export const withOwner = (one: Field, of: Things): Field => ({
  ...one,
  of,
  key: `${one.key}<${of.key}>`,
  features: one.features,
});
export const value = (
  text: string,
  any: Value['any'],
  more: Pick<Value, 'field' | 'both'> = {},
  state = false,
): Value => ({
  t: 'value',
  text,
  any,
  ...more,
  key: `${any.map((one) => `${one.text}${one.defined?.term ?? ''}=${one.options.map(({ dataset, field: of }) => `${dataset}.${of.name}`).join('|')}`).join(more.both ? '&' : '/')}${more.field ? `@${more.field.key}` : ''}`,
  features: [
    ...(any.length > 1 ? ['list'] : ['one']),
    ...(any.some(({ options, defined }) => options.length === 0 && !defined) ? ['quoted'] : []),
    ...(state ? ['state'] : []),
    ...(any.some(({ defined }) => defined) ? ['defined'] : []),
  ],
});
export const things = (
  text: string,
  options: readonly NamedThing[],
  conds: readonly Cond[],
  features: readonly string[],
): Things => ({
  t: 'things',
  text,
  options,
  conds: once(conds),
  key: `${options.map(({ dataset, role, by }) => `${role ?? dataset}${by ? `:${by.fields[0]!.name}` : ''}`).join('|')}[${sortedKeys(conds)}]`,
  features,
});
type Bare<T> = T extends unknown ? Omit<T, 't' | 'key' | 'features' | 'base'> : never;
export const cond = (of: Bare<Cond>, key: string, features: readonly string[] = []): Cond =>
  ({ ...of, t: 'cond', key: `${of.is}(${key})`, features }) as Cond;
export const measure = (of: Bare<Measure>, key: string, features: readonly string[] = []): Measure =>
  ({
    ...of,
    conds: once(of.conds),
    t: 'measure',
    base: `${of.is}(${key})`,
    key: `${of.is}(${key})[${sortedKeys(of.conds)}]`,
    features,
  }) as Measure;
export const restricted = (of: Measure, more: readonly Cond[]): Measure =>
  ({
    ...of,
    conds: once([...of.conds, ...more]),
    key: `${of.base}[${sortedKeys([...of.conds, ...more])}]`,
  }) as Measure;
export const group = (of: Bare<Group>, key: string, features: readonly string[] = []): Group =>
  ({ ...of, t: 'group', key: `${of.is}(${key})`, features }) as Group;
export const sorted = (by: Sorted['by'], direction: 'asc' | 'desc'): Sorted => ({
  t: 'sorted',
  by,
  direction,
  key: `${by?.key ?? '*'} ${direction}`,
  features: [],
});
export const shown = (of: Shown['of']): Shown => ({
  t: 'shown',
  of,
  key: of.map(({ key }) => key).join(','),
  // "with the highest price" selects one.
  features: of.some(({ features }) => features.includes('end')) ? [] : ['beside'],
});
export const query = (of: Partial<Bare<Query>>, features: readonly string[] = []): Query => {
  const made = {
    ...{
      things: null,
      shown: [],
      groups: [],
      conds: [],
      order: [],
      limit: null,
      perGroup: null,
      named: false,
    },
    ...of,
  };
  const groups = once(made.groups.flatMap((one) => (one.is === 'several' ? one.of : [one])));
  const conds = once(made.conds);
  const parts = [
    made.things?.key ?? '',
    made.shown.map(({ key }) => key).join(','),
    groups.map(({ key }) => key).join(','),
    sortedKeys(conds),
    made.order.map(({ key }) => key).join(','),
    made.limit ?? '',
    made.perGroup?.key ?? '',
    made.named ? 'named' : '',
  ];
  return { ...made, groups, conds, t: 'query', key: parts.join(' # '), features };
};
