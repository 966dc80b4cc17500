// The compiled, immutable lens: everything that a question, a plan or a statement may use. Plain,
// serializable data, compiled from the project files of CONTRACT 2 and stored with each lens version.

import type { Aggregation, FACT_ORIGINS, FactKind } from '../../contract/files/lens-file.ts';
import type { Datatype, Dialect, Grain } from '../../contract/warehouse.ts';

export type { Grain };
export const GRAINS: readonly Grain[] = ['day', 'week', 'month', 'quarter', 'year'];

export interface DictionaryValue {
  value: string;
  synonyms: string[];
}
/** Stored values of one field. If not `complete`, there are more values, so absence proves nothing. */
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
  /** Null if not declared; svc infers it then. Absent in older versions. */
  aggregation?: Aggregation | null;
  masked: boolean;
  /** False: the column has no nulls. Absent: it may have, or svc doesn't know. */
  nullable?: false;
  /** Scalar SQL over the dataset's source columns (unqualified). Null: the source column with the field's name. */
  expression: string | null;
  /** Null: no dictionary. For `values: auto`, it is filled at apply. Never for masked or policy-filtered fields. */
  dictionary: Dictionary | null;
  /** The file has `values: auto`. */
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
  /** True if every column that the table had at publishing is a field. Absent: false or unknown. */
  whole?: boolean;
}

/** Many to one. `role` is the alias that leads to the target: `origin.city`. */
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
  /** Aggregate SQL over `dataset.field`, or over `metric(name)` for derived metrics. */
  expression: string;
  filter: string | null;
  timeField: { dataset: string; field: string } | null;
  /** Fields, metrics and aggregate functions in the expression. */
  references: { fields: { dataset: string; field: string }[]; metrics: string[]; aggregates: string[] };
  /** The dataset with the aggregated rows. Null for a metric of metrics with different homes. */
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
  /** A term from semantic/definitions.yaml, or one that the API created for all lenses. Absent: the lens's own. */
  shared?: 'file' | 'api';
}

export interface RowPolicy {
  name: string;
  dataset: string;
  /** SQL over `dataset.field` with `{caller.attribute}` placeholders, which become literals. Fails closed. */
  filter: string;
  groups: string[];
  /** Source columns it reads that aren't listed fields; nothing else may read them. Absent in older versions. */
  unlisted?: string[];
  /** What it reads through many-to-one joins. Absent in older versions. */
  joins?: PolicyJoin[];
  /** Types of unlisted source columns, by `dataset.column`. Absent in older versions. */
  columnTypes?: Record<string, Datatype>;
}
export interface PolicyJoin {
  /** A dataset or a role. */
  path: string;
  fields: string[];
  /** Source columns that aren't listed fields. */
  unlisted: string[];
}

export interface CertifiedParameter {
  datatype: Datatype;
}
/** An approved question with its approved SQL, as served with its lens. */
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

/**
 * The origin of a fact. A fact without an entry was written by an author. Applies only while the lens still
 * says the same.
 */
export interface LensFact {
  kind: FactKind;
  /** A dataset; a dataset.field; or the `from` columns of a join, in order. */
  of: string;
  says: string;
  origin: (typeof FACT_ORIGINS)[number];
  evidence: string;
  /** The day on which the data contradicted it. */
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
  /** Words without meaning, according to its curators. */
  fillerWords?: string[];
  /** Absent: its authors wrote every fact. */
  facts?: LensFact[];
}

/**
 * The caller as policies see it. For an admin, a policy that names groups applies only if the admin is in
 * one; see `policiesFor`.
 */
export interface Caller {
  name: string;
  groups: string[];
  attributes: Record<string, string | number | boolean>;
  /** An admin token on /v1, exempt from row policies. */
  superuser: boolean;
}
/** svc itself, which reads for no caller and sees every row. */
export const OWNER: Caller = { name: 'svc', groups: [], attributes: {}, superuser: true };

export const findDataset = (lens: Lens, name: string): LensDataset | undefined =>
  lens.datasets.find((dataset) => dataset.name === name);
export const findField = (dataset: LensDataset, name: string): LensField | undefined =>
  dataset.fields.find((field) => field.name === name);
