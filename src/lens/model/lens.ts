// The compiled, immutable lens, which contains everything that questions, plans and statements can use. The lens is
// plain, serializable data. svc stores it with each version.

import type { Aggregation, FACT_ORIGINS, FactKind } from '../../contract/files/lens-file.ts';
import type { Datatype, DialectName, Grain } from '../../contract/warehouse.ts';

export type { Grain };
export const GRAINS: readonly Grain[] = ['day', 'week', 'month', 'quarter', 'year'];

export interface DictionaryValue {
  value: string;
  synonyms: string[];
}
/** Stored values of a field. If `complete` is false, the field can also have values that aren't listed. */
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
  /** If null, svc infers the aggregation. Absent in older lens versions. */
  aggregation?: Aggregation | null;
  masked: boolean;
  /** False if the column has no nulls. Absent if the column has nulls, or if svc doesn't know. */
  nullable?: false;
  /** True if `<` and `>` compare the column as text in PostgreSQL. Absent for enums, or if svc doesn't know. */
  comparesAsText?: true;
  /** Scalar SQL over unqualified source columns of the dataset. Null means the source column with the field's name. */
  expression: string | null;
  /**
   * Null if the field has no dictionary. svc fills the dictionary for `values: auto`, but never for masked fields or
   * fields of policies.
   */
  dictionary: Dictionary | null;
  /** True if the file has `values: auto`. */
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
  /**
   * True if the fields include every column that the table had when the lens was published. Absent if not, or if svc
   * doesn't know.
   */
  whole?: boolean;
}

/** A many-to-one join. `role` is the name of the join in a path, as in `origin.city`. */
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
  /** Aggregate SQL over `dataset.field`, or over `metric(name)` for a derived metric. */
  expression: string;
  filter: string | null;
  timeField: { dataset: string; field: string } | null;
  references: { fields: { dataset: string; field: string }[]; metrics: string[]; aggregates: string[] };
  /** The dataset whose rows the metric aggregates. Null for a metric that combines metrics of several datasets. */
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
  /** The origin of a term that all lenses share. Absent for the lens's own terms. */
  shared?: 'file' | 'api';
}

export interface RowPolicy {
  name: string;
  dataset: string;
  /** SQL over `dataset.field` and `{caller.attribute}`. If the caller lacks an attribute, the policy hides all rows. */
  filter: string;
  groups: string[];
  /** Source columns that only the policy reads, because they aren't fields. Absent in older lens versions. */
  unlisted?: string[];
  /** The data that the policy reads through many-to-one joins. Absent in older lens versions. */
  joins?: PolicyJoin[];
  /** Types of source columns that aren't fields, by `dataset.column`. Absent in older lens versions. */
  columnTypes?: Record<string, Datatype>;
}
export interface PolicyJoin {
  /** The name of a dataset or a role. */
  path: string;
  fields: string[];
  /** Source columns that aren't fields. */
  unlisted: string[];
}

export interface CertifiedParameter {
  datatype: Datatype;
}
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

/** The origin of a fact that still matches the lens. If a fact has no such entry, an author of the lens wrote it. */
export interface LensFact {
  kind: FactKind;
  /** A dataset, a dataset.field, or the `from` columns of a join, in order. */
  of: string;
  says: string;
  origin: (typeof FACT_ORIGINS)[number];
  evidence: string;
  /** The day on which the data contradicted the fact. */
  withdrawn?: string;
}

export interface Lens {
  name: string;
  title: string;
  description: string;
  connection: string;
  dialect: DialectName;
  model: string | null;
  maxRowsToCompose: number;
  maxRowsToReturn: number;
  timezone: string;
  dataAsOf: { field: { dataset: string; field: string } } | { sql: string } | { at: string } | null;
  /** The maximum age of fresh data, as an ISO 8601 duration. */
  freshFor: string | null;
  datasets: LensDataset[];
  relationships: LensRelationship[];
  metrics: LensMetric[];
  definitions: LensDefinition[];
  rowPolicies: RowPolicy[];
  sampleQuestions: string[];
  /** Words that curators declared meaningless in questions to this lens. */
  fillerWords?: string[];
  /** Absent if the lens has no inferred facts. */
  facts?: LensFact[];
}

/** The datasets of a lens and the joins between them. */
export type LensModel = Pick<Lens, 'datasets' | 'relationships'>;

/** The caller whose row policies svc applies. */
export interface Caller {
  name: string;
  groups: string[];
  attributes: Record<string, string | number | boolean>;
  /** True for admins and curators, to whom row policies don't apply. */
  superuser: boolean;
}
/** The caller of svc's own statements, which see every row. */
export const SVC_CALLER: Caller = { name: 'svc', groups: [], attributes: {}, superuser: true };

export const findDataset = (lens: Pick<Lens, 'datasets'>, name: string): LensDataset | undefined =>
  lens.datasets.find((dataset) => dataset.name === name);
export const findField = (dataset: LensDataset, name: string): LensField | undefined =>
  dataset.fields.find((field) => field.name === name);
