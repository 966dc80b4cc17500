// What the grammar writes down while it reads: mentions with all that each may stand for, not yet bound to paths.

import type { Aggregate, DayPart, Operator, Scalar } from '../../lens/model/intent.ts';
import type { Grain, LensDefinition, LensField, LensMetric } from '../../lens/model/lens.ts';
import type { Compared } from '../words/lexicon.ts';
import type { TimeMention } from '../words/time-expressions.ts';
import type { Unreadable } from './unreadable.ts';

/** A field of rows, said of a thing that has many of them. */
export type Taken = 'total' | 'average' | 'single';

export interface FieldCandidate {
  dataset: string;
  role?: string;
  /** More than one: a full name. */
  fields: LensField[];
  loose: number;
}
export interface FieldSlot {
  at: number;
  text: string;
  candidates: FieldCandidate[];
  /** The dataset named with it: "names of customers". */
  bound?: string;
  boundRole?: string;
  grain?: Grain;
  /** Named as a unit of time is: "by month" is of the date, unless the rows lead to the field called so. */
  unit?: Grain;
  quantified?: boolean;
  /** Behind "per". */
  per?: boolean;
  /** Behind "in every": of each, or in all of them. */
  inEvery?: boolean;
  /** Whose the name before it in the list is: "account name, id and …". */
  beside?: string;
}
export interface EntityMention {
  at: number;
  text: string;
  dataset: string;
  role?: string;
  each?: boolean;
  /** Behind a plain "by": a listing is ordered by it. */
  ordering?: boolean;
  per?: boolean;
  inEvery?: boolean;
  /** Plays a part of the thing before it: "reported by the staff". */
  part?: true;
  clause: Clause;
}
export interface MeasureDraft {
  at: number;
  text: string;
  kind: 'metric' | 'count' | 'aggregate' | 'money';
  metrics?: LensMetric[];
  fn?: Aggregate['fn'];
  slot?: FieldSlot;
  dataset?: string;
  window?: 'share_of_total' | 'running_total';
  /** A share in percent; and where its words end. */
  percent?: boolean;
  end?: number;
  /** "average revenue per ride": divided by the number of rows measured. */
  eachRow?: true;
  /** How it changed: the difference, the percentage or both; `unit`: "month over month". */
  growth?: { forms: ('absolute' | 'percent')[]; unit: Grain | null };
  /** Divided by, or less, another measure. */
  combined?: { fn: 'ratio' | 'difference'; with: MeasureDraft };
}
/** A relative clause or prepositional phrase; its negation and its relation cover what stands in it. */
export interface Clause {
  id: number;
  negated: boolean;
  /** "who have more than 3 albums": the dataset related to. */
  relation?: {
    dataset: string;
    role?: string;
    at: number;
    text: string;
    count?: { op: '=' | '>' | '>=' | '<' | '<='; value: number };
  };
  /** "who have …": what follows is theirs. */
  has?: true;
  /** "a cat that is 3 years old": what the clause goes on about. */
  of?: string;
  /** "where English is not the official language": not all that stands in it together. */
  whole?: true;
  /** Conditions joined by "both … and". */
  both?: boolean;
  /** One of "both a … and a …": of related rows, not of the row itself. */
  twin?: true;
  subject?: string;
  /** The thing named right before it. */
  about?: EntityMention;
  /** "… and whose …": the clause that it continues. */
  goesOn?: Clause;
}
export interface ConditionOption {
  dataset: string;
  role?: string;
  field: LensField;
  values: Scalar[];
  /** False: the dictionary cannot prove the value. */
  known: boolean;
  synonym?: string;
  loose: number;
  /** All of these hold together: first and last name. */
  and?: { field: LensField; values: Scalar[]; known: boolean }[];
}
export interface ConditionDraft {
  at: number;
  end: number;
  text: string;
  options: ConditionOption[];
  op: Operator;
  negated: boolean;
  clause: Clause;
  /** Joined to the previous condition by "or". */
  or: boolean;
  /** The field was named beside the value. */
  named: boolean;
  bound?: string;
  boundRole?: string;
  than?: boolean;
  only?: boolean;
  /** "without an X": there is none, where X is of related rows. */
  lacks?: boolean;
  /** Of single rows or of what they come to, where that is settled. */
  taken?: Taken;
}
export interface HavingDraft {
  measure: MeasureDraft;
  op: '=' | '!=' | '>' | '>=' | '<' | '<=' | 'between';
  values: number[];
  negated: boolean;
}
export interface RankDraft {
  at: number;
  text: string;
  limit: number | null;
  /** "second highest": how many come before it. */
  offset?: number;
  direction: 'asc' | 'desc';
  /** "top states" */
  unnumbered?: true;
  by: MeasureDraft | FieldSlot | { about: Compared } | null;
  /** The thing that is ranked, when it was named right behind: "top 5 states". */
  of?: FieldSlot | EntityMention;
  perGroup?: boolean;
  /** "used most often": the rows that have it are counted, which must be all there is to it. */
  often?: true;
}
export interface TimeDraft {
  mention: TimeMention;
  /** "in 2014 or 2016": any of these; "in both 2014 and 2016": of different rows. */
  any?: TimeMention[];
  every?: TimeMention[];
  at: number;
  text: string;
  /** A date field or an event verb named with it. */
  slot?: FieldSlot;
  negated: boolean;
  clause: Clause;
  /** A measure's own periods: no restriction of all rows. */
  taken?: true;
  /** Has two readings; asked back when all else is placed. */
  ask?: Unreadable;
}
export interface Shown {
  slot?: FieldSlot;
  entity?: EntityMention;
  measure?: MeasureDraft;
  all?: boolean;
}

export interface Draft {
  shown: Shown[];
  groups: (
    | FieldSlot
    | EntityMention
    | { grain: Grain | DayPart; at: number; text: string; per?: boolean; ranked?: true }
  )[];
  /** "on weekends" */
  days?: { days: string[]; at: number; text: string; clause: Clause };
  /** The group whose totals are averaged. */
  meanOver?: Draft['groups'][number];
  onAverage?: number;
  entities: EntityMention[];
  /** Named in front of what is theirs: "bank customers". */
  owners: string[];
  conditions: ConditionDraft[];
  havings: HavingDraft[];
  clauses: Clause[];
  ranks: RankDraft[];
  orders: { by: FieldSlot | MeasureDraft | null; direction: 'asc' | 'desc'; at: number; alphabetical?: true }[];
  times: TimeDraft[];
  /** Where the times stand that became conditions of related rows. */
  placedTimes: Set<number>;
  definitions: { definition: LensDefinition; at: number; text: string; negated: boolean; clause: Clause }[];
  verbs: { text: string; at: number; clause: Clause }[];
  /** "how long", "how much is": the one field of that kind. */
  about?: { kind: Compared; at: number; text: string; unit: string | null };
  /** How much was shown when each further sentence began. */
  sentences: number[];
  distinct: boolean;
  extremes: boolean;
  /** "compare", "versus": what is named is shown side by side. */
  compared: boolean;
  /** "which 3 states": how many, before what ranks them. */
  limit?: number;
  /** "For the cars with …, which model …": whose rows are ranked. */
  scope?: string;
  /** "Sort … by": the next "by" orders. */
  sorting?: boolean;
  /** A grouping was said with "per". */
  per: boolean;
  /** Metrics that count, named without a counting word. */
  plainCounts: string[];
  notes: string[];
  faults: string[];
}
export const isMeasure = (by: object): by is MeasureDraft => 'kind' in by;
export const isSlot = (by: object): by is FieldSlot => 'candidates' in by;

export const emptyDraft = (): Draft => ({
  shown: [],
  groups: [],
  entities: [],
  owners: [],
  conditions: [],
  havings: [],
  clauses: [{ id: 0, negated: false }],
  ranks: [],
  orders: [],
  times: [],
  placedTimes: new Set(),
  definitions: [],
  verbs: [],
  sentences: [],
  distinct: false,
  extremes: false,
  compared: false,
  per: false,
  plainCounts: [],
  notes: [],
  faults: [],
});
