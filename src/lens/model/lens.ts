// The compiled, immutable lens: what a question, an intent or a statement may touch. Plain data, JSON-serialisable.
// Compiled from the project files of CONTRACT 2; stored with each lens version.

import type { Aggregation, FACT_ORIGINS, FactKind } from '../../contract/files/lens-file.ts';
import type { Datatype, Dialect, Grain } from '../../contract/warehouse.ts';

export type { Grain };
export const GRAINS: readonly Grain[] = ['day', 'week', 'month', 'quarter', 'year'];

export interface DictionaryValue {
  value: string;
  synonyms: string[];
}
/** The committed values of one field. `complete` false: there are more than were kept, so absence proves nothing. */
export interface Dictionary {
  values: DictionaryValue[];
  complete: boolean;
}

export interface LensField {
  name: string;
  datatype: Datatype;
  description: string | null;
  synonyms: string[];
  unit: string | null;
  /** Declared; null: judged by what is known of it. Absent in versions of before. */
  aggregation?: Aggregation | null;
  masked: boolean;
  /** False: the column holds no null. Absent: it may, or no one knows. */
  nullable?: false;
  /** Scalar SQL over the dataset's own source columns (bare names); null: the source column of the same name. */
  expression: string | null;
  /** null: no dictionary asked for. Filled at apply for `values: auto`. Never for masked or policy-filtered fields. */
  dictionary: Dictionary | null;
  /** The file says `values: auto`. */
  dictionaryFromWarehouse: boolean;
}

export interface LensDataset {
  name: string;
  source: { catalog: string | null; schema: string | null; table: string };
  description: string | null;
  synonyms: string[];
  primaryKey: string[];
  timeField: string | null;
  fields: LensField[];
  /** Each column that its table had when the lens was published is a field of that name. Absent: not, or no one knows. */
  whole?: boolean;
}

/** Many to one. `role` is the alias under which the target is reached: `origin.city`. */
export interface LensRelationship {
  role: string;
  named: boolean;
  from: { dataset: string; columns: string[] };
  to: { dataset: string; columns: string[] };
}

export interface LensMetric {
  name: string;
  description: string | null;
  synonyms: string[];
  unit: string | null;
  datatype: Datatype;
  /** Aggregate SQL over `dataset.field`, or over `metric(name)` for derived ones. */
  expression: string;
  filter: string | null;
  timeField: { dataset: string; field: string } | null;
  /** What the parser found: fields referenced, metrics referenced, aggregate functions used. */
  references: { fields: { dataset: string; field: string }[]; metrics: string[]; aggregates: string[] };
  /** The dataset whose rows are aggregated; null for a metric made of metrics with different homes. */
  home: string | null;
}

export interface DefinitionSense {
  key: string;
  label: string;
  meaning: string;
  metric: string | null;
  filter: string | null;
  field: string | null;
}
export interface LensDefinition {
  term: string;
  synonyms: string[];
  meaning: string | null;
  metric: string | null;
  filter: string | null;
  field: string | null;
  senses: DefinitionSense[];
  /** A term of semantic/definitions.yaml, or one that was made by API for all lenses. Absent: the lens's own. */
  shared?: 'file' | 'api';
}

export interface RowPolicy {
  name: string;
  dataset: string;
  /** SQL over `dataset.field` with `{caller.attribute}` placeholders, which become literals; fails closed. */
  filter: string;
  groups: string[];
  /** Source columns it reads that are no listed fields: no one else may read them. Absent in versions of before. */
  unlisted?: string[];
  /** What it reads along many-to-one relationships. Absent in versions of before. */
  joins?: PolicyJoin[];
  /** By `dataset.column`: of the source columns that no field lists. Absent in versions of before. */
  columnTypes?: Record<string, Datatype>;
}
export interface PolicyJoin {
  /** A dataset or a role. */
  path: string;
  fields: string[];
  /** Source columns that no field lists. */
  unlisted: string[];
}

export interface CertifiedParameter {
  datatype: Datatype;
}
/** An approved question-to-SQL pair as served with its lens. */
export interface CertifiedEntry {
  certId: string;
  question: string;
  alsoAsked: string[];
  sql: string;
  parameters: Record<string, CertifiedParameter>;
  approvedBy: string | null;
  approvedAt: string | null;
  status: 'draft' | 'approved' | 'suspended' | 'retired';
  notes: string | null;
}

/** Where a fact comes from. A fact without one was written by an author. Holds while the lens says what it says. */
export interface LensFact {
  kind: FactKind;
  /** A dataset; a dataset.field; or the `from` columns of a join, in its order. */
  of: string;
  says: string;
  origin: (typeof FACT_ORIGINS)[number];
  evidence: string;
  /** The data contradicted it on this day. */
  withdrawn?: string;
}

export interface Lens {
  name: string;
  title: string;
  description: string;
  connection: string;
  dialect: Dialect;
  model: string | null;
  maxRowsToCompose: number;
  maxRowsToReturn: number;
  timezone: string;
  dataAsOf: { field: { dataset: string; field: string } } | { sql: string } | { at: string } | null;
  /** ISO 8601 duration. */
  freshFor: string | null;
  datasets: LensDataset[];
  relationships: LensRelationship[];
  metrics: LensMetric[];
  definitions: LensDefinition[];
  rowPolicies: RowPolicy[];
  sampleQuestions: string[];
  /** Words that its curators say carry nothing. */
  fillerWords?: string[];
  /** Absent: its authors wrote every fact. */
  facts?: LensFact[];
}

/** The caller as policies see it. Admin asks apply no row policy that names groups the admin is not in; see `policiesFor`. */
export interface Asker {
  name: string;
  groups: string[];
  attributes: Record<string, string | number | boolean>;
  /** An admin token: a superuser identity on /v1, exempt from row policies. */
  superuser: boolean;
}

export const findDataset = (lens: Lens, name: string): LensDataset | undefined =>
  lens.datasets.find((dataset) => dataset.name === name);
export const findField = (dataset: LensDataset, name: string): LensField | undefined =>
  dataset.fields.find((field) => field.name === name);
