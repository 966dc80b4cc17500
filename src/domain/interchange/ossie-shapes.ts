// The parts of Apache Ossie model files that svc reads, for versions 0.1.1 and 0.2.0.dev0. Unknown members pass
// through.
import { z } from 'zod';

const context = z.union([
  z.string(),
  z.looseObject({
    instructions: z.string().optional(),
    synonyms: z.array(z.string()).optional(),
    examples: z.array(z.string()).optional(),
  }),
]);
const extensions = z.array(z.looseObject({ vendor_name: z.string(), data: z.string() })).optional();
const expression = z.looseObject({
  dialects: z.array(z.looseObject({ dialect: z.string(), expression: z.string() })).min(1),
});
const commonMembers = {
  description: z.string().optional(),
  ai_context: context.optional(),
  custom_extensions: extensions,
};
const field = z.looseObject({
  name: z.string().min(1),
  expression,
  dimension: z.looseObject({ is_time: z.boolean().optional() }).nullish(),
  label: z.string().optional(),
  datatype: z.string().optional(),
  ...commonMembers,
});
const metric = z.looseObject({
  name: z.string().min(1),
  expression,
  datatype: z.string().optional(),
  ...commonMembers,
});
const dataset = z.looseObject({
  name: z.string().min(1),
  source: z.string().min(1),
  primary_key: z.array(z.string()).optional(),
  unique_keys: z.array(z.array(z.string())).optional(),
  fields: z.array(field).optional(),
  metrics: z.array(metric).optional(),
  ...commonMembers,
});
const relationship = z.looseObject({
  name: z.string().min(1),
  from: z.string(),
  to: z.string(),
  from_columns: z.array(z.string()).min(1),
  to_columns: z.array(z.string()).min(1),
  ai_context: context.optional(),
  custom_extensions: extensions,
});
export const ossieModel = z.looseObject({
  name: z.string().min(1),
  datasets: z.array(dataset).min(1),
  relationships: z.array(relationship).optional(),
  metrics: z.array(metric).optional(),
  ...commonMembers,
});
export const ossieFile = z.looseObject({
  version: z.union([z.string(), z.number()]),
  semantic_model: z.array(ossieModel).min(1),
});
export type OssieFile = z.infer<typeof ossieFile>;
export type OssieModel = z.infer<typeof ossieModel>;
export type OssieField = z.infer<typeof field>;
export type OssieMetric = z.infer<typeof metric>;
export type OssieContext = z.infer<typeof context> | undefined;

export const LENS_DATATYPE_OF: Record<string, string> = {
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
/** The expression in ANSI SQL, otherwise the first expression. */
export const sqlOf = ({ dialects }: z.infer<typeof expression>): string =>
  (dialects.find(({ dialect }) => dialect === 'ANSI_SQL') ?? dialects[0]!).expression.trim();
export const synonymsOf = (ossieContext: OssieContext): string[] =>
  typeof ossieContext === 'object' ? (ossieContext.synonyms ?? []) : [];
