// lens.yaml and the dataset and definition shapes that semantic/*.yaml reuse (CONTRACT 2). Unknown keys are errors.
import { z } from 'zod';
import {
  atMost,
  datatype,
  duration,
  identifier,
  lensName,
  newLensName,
  oneLine,
  sqlText,
  text,
  words,
} from './file-words.ts';

const dictionaryValue = z.union([
  z.string().max(1000),
  z.number(),
  z.boolean(),
  z.strictObject({ value: z.union([z.string().max(1000), z.number(), z.boolean()]), synonyms: words.default([]) }),
]);
export const AGGREGATIONS = ['sum', 'average', 'latest', 'none'] as const;
export type Aggregation = (typeof AGGREGATIONS)[number];
const aggregation = z
  .enum(AGGREGATIONS)
  .describe(
    'Whether its numbers add up. sum: always. average: never, as a rate, a price or a temperature. latest: a level, as a balance or a stock, which adds up at one time and not over several. none: a year, a code, a coordinate. Absent: judged by name, unit and description, and what they do not tell is asked back',
  );
export const fieldFile = z.strictObject({
  datatype,
  description: text.optional(),
  synonyms: words.default([]),
  unit: z.string().max(40).optional(),
  aggregation: aggregation.optional(),
  mask: z.boolean().default(false).describe('Null in results; may be counted distinct and used in no other way'),
  expression: sqlText.optional().describe('Scalar SQL over the columns of the source; absent: the column of that name'),
  values: z
    .union([z.literal('auto'), z.array(dictionaryValue).max(10_000)])
    .optional()
    .describe('auto: read from the warehouse when the project is applied'),
});
export const datasetFile = z.strictObject({
  source: z
    .string()
    .regex(/^("[^"]+"|[A-Za-z_][\w$]*)(\.("[^"]+"|[A-Za-z_][\w$]*)){0,2}$/, 'must be [catalog.]schema.table')
    .describe('[catalog.]schema.table'),
  description: text.optional(),
  synonyms: words.default([]),
  primary_key: z.array(z.string().min(1).max(128)).min(1).max(16).optional(),
  time_field: identifier.optional().describe('What "last month" means when the question names no date field'),
  fields: z.record(identifier, fieldFile).refine(...atMost(2_000, 'fields')),
});
const lensDataset = z.union([
  datasetFile,
  z.strictObject({
    entity: identifier.describe('A dataset of semantic/entities.yaml, taken as it stands'),
    fields: z
      .record(identifier, fieldFile)
      .refine(...atMost(2_000, 'fields'))
      .optional()
      .describe('Fields added to, or put in place of, its own'),
  }),
]);
const columnPath = z.string().regex(/^[A-Za-z_]\w*\.("[^"]+"|[A-Za-z_][\w$ ]*)$/, 'must be dataset.column');
const fieldPath = z.string().regex(/^[A-Za-z_]\w*\.[A-Za-z_]\w*$/, 'must be dataset.field');
const relationshipFile = z.strictObject({
  name: identifier.optional().describe('Makes a role: origin.city'),
  from: z.union([columnPath, z.array(columnPath).min(1).max(16)]).describe('The many side'),
  to: z.union([columnPath, z.array(columnPath).min(1).max(16)]).describe('The one side; a unique key'),
});
const metricFile = z.strictObject({
  expression: sqlText.describe('Aggregate SQL over dataset.field, or over metric(name)'),
  description: text.optional(),
  synonyms: words.default([]),
  unit: z.string().max(40).optional(),
  datatype: datatype.optional().describe('Inferred when absent'),
  filter: sqlText.optional(),
  time_field: fieldPath.optional(),
  dataset: identifier.optional().describe('Whose rows are aggregated, where the expression names no field: count(*)'),
});
const about = { metric: identifier.optional(), filter: sqlText.optional(), field: fieldPath.optional() };
export const definitionFile = z.strictObject({
  term: z.string().trim().min(1).max(200),
  synonyms: words.default([]),
  meaning: text.optional(),
  ...about,
  senses: z
    .array(z.strictObject({ key: identifier, label: text, meaning: text, ...about }))
    .min(2)
    .max(20)
    .optional()
    .describe('Several senses: a question that says only the term is ambiguous'),
});
const rowPolicyFile = z.strictObject({
  name: lensName,
  dataset: identifier,
  filter: sqlText.describe(
    'SQL over dataset.field, or dataset.column for a source column that no field lists, of its own dataset and of those that many-to-one relationships lead to. {caller.attribute} is bound, must be of the type that it is compared with, and fails closed when absent. "true" says that a dataset is meant to be open',
  ),
  groups: z.array(z.string().min(1).max(200)).max(200).default([]).describe('None: everyone but superusers'),
});
export const FACT_KINDS = ['key', 'join', 'aggregation', 'time_field', 'unit', 'codes', 'reading'] as const;
export type FactKind = (typeof FACT_KINDS)[number];
export const FACT_ORIGINS = ['inferred', 'declared', 'confirmed'] as const;
const factFile = z.strictObject({
  kind: z.enum(FACT_KINDS),
  of: oneLine
    .min(1)
    .max(2_500)
    .describe(
      'The dataset of a key or time_field; the "from" of a join, its columns joined by ", "; else dataset.field',
    ),
  says: oneLine
    .min(1)
    .max(2_500)
    .describe(
      'What the lens says of it. The entry holds only while the lens says the same: after an edit by hand the new text is the author’s own',
    ),
  origin: z
    .enum(FACT_ORIGINS)
    .describe(
      'inferred: a draft guessed it, and answers that depend on it are partial. declared: the database says so. confirmed: a person does. A fact without an entry was written by an author',
    ),
  evidence: oneLine.min(1).max(500).describe('Why it is believed, in one clause'),
  by: oneLine.max(200).optional().describe('Who confirmed it'),
  at: z.iso.date().optional().describe('When it was confirmed'),
  withdrawn: z.iso.date().optional().describe('When the data contradicted it; the evidence says how'),
});
export const fillerWord = z.string().regex(/^\p{L}[\p{L}\p{M}'-]{0,60}$/u, 'must be one word');
export const MODEL_ENTRIES = ['fast', 'smart'];
export const lensFile = z.strictObject({
  name: newLensName,
  title: text.optional(),
  description: text.optional(),
  connection: z.string().min(1).max(63),
  model: z
    .string()
    .min(1)
    .max(200)
    .meta({
      enum: MODEL_ENTRIES,
      description:
        'The entry of the installation’s `models` that writes SQL and sentences for this lens. Absent: smart',
    })
    .optional(),
  max_rows_to_compose: z.int().min(1).max(1_000_000).default(200),
  max_rows_to_return: z.int().min(1).max(1_000_000).default(1000),
  timezone: z
    .string()
    .refine((zone) => validZone(zone), 'must be an IANA time zone, like Europe/Berlin')
    .default('UTC'),
  data_as_of: z
    .union([
      z.strictObject({ field: fieldPath }),
      z.strictObject({ sql: sqlText }),
      z.strictObject({ at: z.iso.datetime({ offset: true }) }),
    ])
    .optional(),
  fresh_for: duration.optional(),
  datasets: z
    .record(identifier, lensDataset)
    .refine((all) => Object.keys(all).length > 0, 'must name a dataset')
    .refine(...atMost(2_000, 'datasets')),
  relationships: z.array(relationshipFile).max(5_000).default([]),
  metrics: z
    .record(identifier, metricFile)
    .refine(...atMost(5_000, 'metrics'))
    .default({}),
  definitions: z.array(definitionFile).max(2000).default([]),
  row_policies: z.array(rowPolicyFile).max(200).default([]),
  grants: z
    .strictObject({
      callers: z.array(z.string().min(1).max(200)).default([]),
      groups: z.array(z.string().min(1).max(200)).default([]),
    })
    .default({ callers: [], groups: [] }),
  sample_questions: z.array(text).max(50).default([]),
  filler_words: z
    .array(fillerWord)
    .max(200)
    .default([])
    .describe(
      'Words of questions that carry nothing here. They are left out only where nothing else in the lens places them',
    ),
  facts: z.array(factFile).max(20_000).default([]).describe('Where facts of this lens come from, one entry each'),
});
const validZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).format(0) !== '';
  } catch {
    return false;
  }
};

export const definitionsFile = z.union([
  z.array(definitionFile),
  z.strictObject({ definitions: z.array(definitionFile).default([]) }),
]);
export const entitiesFile = z.strictObject({ entities: z.record(identifier, datasetFile).default({}) });
export type LensFile = z.infer<typeof lensFile>;
export type DatasetFile = z.infer<typeof datasetFile>;
export type FieldFile = z.infer<typeof fieldFile>;
export type MetricFile = z.infer<typeof metricFile>;
export type FactFile = z.infer<typeof factFile>;
export type DefinitionFile = z.infer<typeof definitionFile>;
export type EntitiesFile = z.infer<typeof entitiesFile>;
