// The schemas of lens.yaml and semantic/*.yaml, which share datasets and definitions. Unknown keys are errors.
import { z } from 'zod';
import {
  createMaxEntriesRule,
  datatypeSchema,
  durationSchema,
  identifierSchema,
  lowercaseNameSchema,
  newLensNameSchema,
  oneLineSchema,
  sqlTextSchema,
  textSchema,
  wordsSchema,
} from './shared-schemas.ts';

const explanationSchema = textSchema.describe('A description for people, agents and models');
const synonymsSchema = wordsSchema.describe('Other names that questions can use');
const unitSchema = z.string().max(40).describe('Unit of the numbers, such as USD, percent or days');
const dictionaryValueSchema = z.union([
  z.string().max(1000),
  z.number(),
  z.boolean(),
  z.strictObject({
    value: z.union([z.string().max(1000), z.number(), z.boolean()]),
    synonyms: synonymsSchema.default([]),
  }),
]);
export const AGGREGATIONS = ['sum', 'average', 'latest', 'none'] as const;
export type Aggregation = (typeof AGGREGATIONS)[number];
const aggregationSchema = z
  .enum(AGGREGATIONS)
  .describe(
    'How svc aggregates the numbers. sum: the numbers are additive. average: the numbers are not additive (rates, prices, temperatures). latest: the numbers are additive at one time, but not over time (balances, stocks). none: the numbers are not amounts (years, codes, coordinates). Default: svc decides by name, unit and description, and asks for clarification if these properties are inconclusive',
  );
export const fieldFileSchema = z.strictObject({
  datatype: datatypeSchema.describe(
    "Data type of the values. A `date` can't have times of day. On PostgreSQL and DuckDB, `datetimetz` needs a column with a time zone, unless `timezone` is UTC",
  ),
  description: explanationSchema.optional(),
  synonyms: synonymsSchema.default([]),
  unit: unitSchema.optional(),
  aggregation: aggregationSchema.optional(),
  mask: z
    .boolean()
    .default(false)
    .describe('If true, the field is null in results, and callers can only count its distinct values'),
  expression: sqlTextSchema
    .optional()
    .describe('Scalar SQL over the columns of the source. Default: the column with the name of the field'),
  values: z
    .union([z.literal('auto'), z.array(dictionaryValueSchema).max(10_000)])
    .optional()
    .describe(
      'The stored values, each as the value itself or as {value, synonyms}. auto: svc reads the values from the warehouse when you apply the project',
    ),
});
export const datasetFileSchema = z.strictObject({
  source: z
    .string()
    .regex(/^("[^"]+"|[A-Za-z_][\w$]*)(\.("[^"]+"|[A-Za-z_][\w$]*)){0,2}$/, 'must be [catalog.]schema.table')
    .describe('The table, as [catalog.]schema.table'),
  description: explanationSchema.optional(),
  synonyms: synonymsSchema.default([]),
  primary_key: z.array(z.string().min(1).max(128)).min(1).max(16).optional().describe('Columns that identify a row'),
  time_field: identifierSchema.optional().describe('The default date for periods such as "last month"'),
  fields: z
    .record(identifierSchema, fieldFileSchema)
    .refine(...createMaxEntriesRule(2_000, 'fields'))
    .describe('The fields, by name. Other columns of the table are not visible'),
});
const lensDatasetSchema = z.union([
  datasetFileSchema,
  z.strictObject({
    entity: identifierSchema.describe('A dataset of semantic/entities.yaml to include'),
    fields: z
      .record(identifierSchema, fieldFileSchema)
      .refine(...createMaxEntriesRule(2_000, 'fields'))
      .optional()
      .describe('Fields that add to or replace the fields of the entity'),
  }),
]);
const columnPathSchema = z.string().regex(/^[A-Za-z_]\w*\.("[^"]+"|[A-Za-z_][\w$ ]*)$/, 'must be dataset.column');
export const fieldPathSchema = z.string().regex(/^[A-Za-z_]\w*\.[A-Za-z_]\w*$/, 'must be dataset.field');
const relationshipFileSchema = z.strictObject({
  name: identifierSchema
    .optional()
    .describe(
      'The role of the relationship: letters, digits and "_". For example, write bill_payer.city in expressions, and "bill payer" in questions. A role has no synonyms, so choose a name that people use in questions',
    ),
  from: z
    .union([columnPathSchema, z.array(columnPathSchema).min(1).max(16)])
    .describe('The columns on the "many" side. These columns need not be fields'),
  to: z
    .union([columnPathSchema, z.array(columnPathSchema).min(1).max(16)])
    .describe('The columns on the "one" side. These columns must be a unique key'),
});
const metricFileSchema = z.strictObject({
  expression: sqlTextSchema.describe(
    'Aggregate SQL over the names in the lens. Write a field as dataset.field, and another metric as metric(name). A sum of a field whose `aggregation` is average or none is an error',
  ),
  description: explanationSchema.optional(),
  synonyms: synonymsSchema.default([]),
  unit: unitSchema.optional(),
  datatype: datatypeSchema.optional().describe('Data type of the result. Default: inferred'),
  filter: sqlTextSchema
    .optional()
    .describe('SQL condition on the rows. Write a field as dataset.field, and a field of joined rows as role.field'),
  time_field: fieldPathSchema
    .optional()
    .describe('The date for periods of this metric, as dataset.field. The date can belong to a joined dataset'),
  dataset: identifierSchema
    .optional()
    .describe('The aggregated dataset, if the expression names no field, as in count(*)'),
});
const definitionTargetMembers = {
  metric: identifierSchema.optional().describe('The metric that the term means'),
  filter: sqlTextSchema
    .optional()
    .describe(
      'The condition that defines the term: comparisons of fields with values, in (…) and null tests, joined by "and". In place of a field, you can write an expression. In place of a value, you can write current_date. For conditions with "or" or other SQL, declare a boolean field with an expression and test that field, or use a metric',
    ),
  field: fieldPathSchema.optional().describe('The field that the term means, as dataset.field'),
};
export const definitionFileSchema = z.strictObject({
  term: z.string().trim().min(1).max(200).describe('The term, as people write it'),
  synonyms: synonymsSchema.default([]),
  meaning: textSchema.optional().describe('The approved text, which svc quotes unchanged'),
  ...definitionTargetMembers,
  senses: z
    .array(
      z.strictObject({
        key: identifierSchema.describe('The name of the meaning in `choices`'),
        label: textSchema.describe('The name that people see for this meaning'),
        meaning: textSchema.describe('The approved text of this meaning'),
        ...definitionTargetMembers,
      }),
    )
    .min(2)
    .max(20)
    .optional()
    .describe(
      'The meanings of the term, if it has several. If a question uses the term alone, svc asks which meaning to use',
    ),
});
const rowPolicyFileSchema = z.strictObject({
  name: lowercaseNameSchema.describe('Name of the policy, which appears in answers'),
  dataset: identifierSchema.describe('The dataset whose rows the policy hides'),
  filter: sqlTextSchema.describe(
    'The rows to show, as an SQL condition. Write a field as dataset.field, and a column that is not a field as dataset.column. The SQL can use the dataset of the policy, and datasets that are reachable from this dataset through many-to-one relationships. svc binds {caller.attribute} as a parameter. The attribute must have the type of the field in the comparison. A caller without the attribute sees no rows. The condition "true" shows all rows',
  ),
  groups: z
    .array(z.string().min(1).max(200))
    .max(200)
    .default([])
    .describe('The groups of callers that the policy applies to. Default: all callers'),
});
export const FACT_KINDS = ['key', 'join', 'aggregation', 'time_field', 'unit', 'codes', 'reading'] as const;
export type FactKind = (typeof FACT_KINDS)[number];
export const FACT_ORIGINS = ['inferred', 'declared', 'confirmed'] as const;
const factFileSchema = z.strictObject({
  kind: z.enum(FACT_KINDS).describe('The kind of the fact'),
  of: oneLineSchema
    .min(1)
    .max(2_500)
    .describe(
      'For a key or time_field, the dataset. For a join, the "from" columns, separated by ", ". Otherwise, dataset.field',
    ),
  says: oneLineSchema
    .min(1)
    .max(2_500)
    .describe('The value in the lens. If you edit the value in the lens, the entry no longer applies'),
  origin: z
    .enum(FACT_ORIGINS)
    .describe(
      'inferred: svc guessed the fact in a draft, and answers that depend on the fact are at most partial. declared: the database declares the fact. confirmed: a person confirmed the fact. If a fact has no entry, the author of the lens wrote it',
    ),
  evidence: oneLineSchema.min(1).max(500).describe('The reason for the fact, in a few words'),
  by: oneLineSchema.max(200).optional().describe('The person who confirmed the fact'),
  at: z.iso.date().optional().describe('The date of the confirmation'),
  withdrawn: z.iso
    .date()
    .optional()
    .describe('The date when the data contradicted the fact. `evidence` has the reason'),
});
export const fillerWordSchema = z.string().regex(/^\p{L}[\p{L}\p{M}'-]{0,60}$/u, 'must be one word');
export const MODEL_ENTRIES = ['fast', 'smart'];
export const lensFileSchema = z.strictObject({
  name: newLensNameSchema.describe('Name of the lens and of its folder, in lowercase letters, digits, "_" and "-"'),
  title: textSchema.optional().describe('The name that people see'),
  description: textSchema
    .optional()
    .describe(
      'A description for people, agents and models. svc also uses this description to choose a lens for a question',
    ),
  connection: z.string().min(1).max(63).describe('Name of the connection in svc.config.yaml'),
  model: z
    .string()
    .min(1)
    .max(200)
    .meta({
      enum: MODEL_ENTRIES,
      description:
        'The entry in `models` of svc.config.yaml that writes SQL and sentences for this lens. Default: smart',
    })
    .optional(),
  max_rows_to_compose: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(200)
    .describe(
      'The maximum number of rows that svc writes into the text of an answer, or sends to a model that writes the text',
    ),
  max_rows_to_return: z.int().min(1).max(1_000_000).default(1000).describe('The maximum number of rows in an answer'),
  timezone: z
    .string()
    .refine((zone) => isTimeZone(zone), 'must be an IANA time zone, like Europe/Berlin')
    .default('UTC')
    .describe('The time zone for days, months and "today". Today is the current date, even if `data_as_of` is earlier'),
  data_as_of: z
    .union([
      z.strictObject({ field: fieldPathSchema.describe('The latest value of this date, as dataset.field') }),
      z.strictObject({ sql: sqlTextSchema.describe('A SELECT that returns one time') }),
      z.strictObject({
        at: z.iso.datetime({ offset: true }).describe('A fixed time with a time zone, such as 2026-01-31T10:00:00Z'),
      }),
    ])
    .optional()
    .describe('How svc finds the time of the newest data'),
  fresh_for: durationSchema.optional().describe('The maximum age of fresh data, as an ISO 8601 duration such as P1D'),
  datasets: z
    .record(identifierSchema, lensDatasetSchema)
    .refine((all) => Object.keys(all).length > 0, 'must name a dataset')
    .refine(...createMaxEntriesRule(2_000, 'datasets'))
    .describe('The datasets, by name'),
  relationships: z.array(relationshipFileSchema).max(5_000).default([]).describe('Many-to-one joins between datasets'),
  metrics: z
    .record(identifierSchema, metricFileSchema)
    .refine(...createMaxEntriesRule(5_000, 'metrics'))
    .default({})
    .describe('The approved measures, by name'),
  definitions: z.array(definitionFileSchema).max(2000).default([]).describe('The governed terms'),
  row_policies: z.array(rowPolicyFileSchema).max(200).default([]).describe('Rules that hide rows from callers'),
  grants: z
    .strictObject({
      callers: z.array(z.string().min(1).max(200)).default([]).describe('Names of callers'),
      groups: z.array(z.string().min(1).max(200)).default([]).describe('Names of caller groups'),
    })
    .default({ callers: [], groups: [] })
    .describe('Callers and groups that may use the lens'),
  sample_questions: z.array(textSchema).max(50).default([]).describe('Questions to show to callers and agents'),
  filler_words: z
    .array(fillerWordSchema)
    .max(200)
    .default([])
    .describe('Words that svc may ignore in questions, unless the lens has another meaning for them'),
  facts: z
    .array(factFileSchema)
    .max(20_000)
    .default([])
    .describe('The origin of the facts in this lens, with one entry for each fact'),
});
const isTimeZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).format(0) !== '';
  } catch {
    return false;
  }
};

export const definitionsFileSchema = z.union([
  z.array(definitionFileSchema),
  z.strictObject({ definitions: z.array(definitionFileSchema).default([]) }),
]);
export const entitiesFileSchema = z.strictObject({
  entities: z.record(identifierSchema, datasetFileSchema).default({}),
});
export type LensFile = z.infer<typeof lensFileSchema>;
export type DatasetFile = z.infer<typeof datasetFileSchema>;
export type FieldFile = z.infer<typeof fieldFileSchema>;
export type MetricFile = z.infer<typeof metricFileSchema>;
export type FactFile = z.infer<typeof factFileSchema>;
export type DefinitionFile = z.infer<typeof definitionFileSchema>;
export type EntitiesFile = z.infer<typeof entitiesFileSchema>;
