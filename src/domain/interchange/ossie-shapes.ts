// The parts of Apache Ossie files that svc reads, for versions 0.1.1 and 0.2.0.dev0. Unknown members pass through.
import { z } from 'zod';

const contextSchema = z.union([
  z.string(),
  z.looseObject({
    instructions: z.string().optional(),
    synonyms: z.array(z.string()).optional(),
    examples: z.array(z.string()).optional(),
  }),
]);
const extensionsSchema = z.array(z.looseObject({ vendor_name: z.string(), data: z.string() })).optional();
const expressionSchema = z.looseObject({
  dialects: z.array(z.looseObject({ dialect: z.string(), expression: z.string() })).min(1),
});
const commonMembers = {
  description: z.string().optional(),
  ai_context: contextSchema.optional(),
  custom_extensions: extensionsSchema,
};
const fieldSchema = z.looseObject({
  name: z.string().min(1),
  expression: expressionSchema,
  dimension: z.looseObject({ is_time: z.boolean().optional() }).nullish(),
  label: z.string().optional(),
  datatype: z.string().optional(),
  ...commonMembers,
});
const metricSchema = z.looseObject({
  name: z.string().min(1),
  expression: expressionSchema,
  datatype: z.string().optional(),
  ...commonMembers,
});
const datasetSchema = z.looseObject({
  name: z.string().min(1),
  source: z.string().min(1),
  primary_key: z.array(z.string()).optional(),
  unique_keys: z.array(z.array(z.string())).optional(),
  fields: z.array(fieldSchema).optional(),
  metrics: z.array(metricSchema).optional(),
  ...commonMembers,
});
const relationshipSchema = z.looseObject({
  name: z.string().min(1),
  from: z.string(),
  to: z.string(),
  from_columns: z.array(z.string()).min(1),
  to_columns: z.array(z.string()).min(1),
  ai_context: contextSchema.optional(),
  custom_extensions: extensionsSchema,
});
export const ossieModelSchema = z.looseObject({
  name: z.string().min(1),
  datasets: z.array(datasetSchema).min(1),
  relationships: z.array(relationshipSchema).optional(),
  metrics: z.array(metricSchema).optional(),
  ...commonMembers,
});
export const ossieFileSchema = z.looseObject({
  version: z.union([z.string(), z.number()]),
  semantic_model: z.array(ossieModelSchema).min(1),
});
export type OssieFile = z.infer<typeof ossieFileSchema>;
export type OssieModel = z.infer<typeof ossieModelSchema>;
export type OssieField = z.infer<typeof fieldSchema>;
export type OssieMetric = z.infer<typeof metricSchema>;
export type OssieContext = z.infer<typeof contextSchema> | undefined;

export const DATATYPE_BY_OSSIE_TYPE: Record<string, string> = {
  String: 'string',
  Integer: 'integer',
  Decimal: 'decimal',
  Float: 'float',
  Boolean: 'boolean',
  Date: 'date',
  Time: 'time',
  DateTime: 'datetime',
  DateTimeTz: 'datetimetz',
};
/** Prefers ANSI SQL. */
export const selectSqlExpression = ({ dialects }: z.infer<typeof expressionSchema>): string =>
  (dialects.find(({ dialect }) => dialect === 'ANSI_SQL') ?? dialects[0]!).expression.trim();
export const listSynonyms = (ossieContext: OssieContext): string[] =>
  typeof ossieContext === 'object' ? (ossieContext.synonyms ?? []) : [];
