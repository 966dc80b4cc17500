// The parts of dbt MetricFlow files that svc reads. Unknown members pass through.
import { z } from 'zod';

const commonMemberSchemas = {
  name: z.string(),
  description: z.string().nullish(),
  label: z.string().nullish(),
  expr: z.union([z.string(), z.number()]).nullish(),
};
const measureSchema = z.looseObject({
  ...commonMemberSchemas,
  agg: z.string(),
  agg_time_dimension: z.string().nullish(),
  agg_params: z
    .looseObject({ percentile: z.number().optional(), use_discrete_percentile: z.boolean().optional() })
    .nullish(),
  non_additive_dimension: z
    .looseObject({
      name: z.string(),
      window_choice: z.string().optional(),
      window_groupings: z.array(z.unknown()).nullish(),
    })
    .nullish(),
  create_metric: z.boolean().nullish(),
});
const semanticModelSchema = z.looseObject({
  name: z.string(),
  model: z.string(),
  description: z.string().nullish(),
  defaults: z.looseObject({ agg_time_dimension: z.string().nullish() }).nullish(),
  primary_entity: z.string().nullish(),
  entities: z.array(z.looseObject({ ...commonMemberSchemas, type: z.string() })).default([]),
  dimensions: z.array(z.looseObject({ ...commonMemberSchemas, type: z.string() })).default([]),
  measures: z.array(measureSchema).default([]),
});
const metricReferenceSchema = z.union([
  z.string(),
  z.looseObject({ name: z.string(), alias: z.string().nullish(), filter: z.unknown().optional() }),
]);
const metricSchema = z.looseObject({
  ...commonMemberSchemas,
  type: z.string(),
  filter: z.unknown().optional(),
  type_params: z
    .looseObject({
      measure: metricReferenceSchema.nullish(),
      numerator: metricReferenceSchema.nullish(),
      denominator: metricReferenceSchema.nullish(),
      expr: z.string().nullish(),
      metrics: z.array(metricReferenceSchema).nullish(),
    })
    .nullish(),
});
const dbtModelSchema = z.looseObject({
  name: z.string(),
  columns: z.array(z.looseObject({ name: z.string(), description: z.string().nullish() })).nullish(),
});
export const metricflowFileSchema = z.looseObject({
  semantic_models: z.array(semanticModelSchema).nullish(),
  metrics: z.array(metricSchema).nullish(),
  models: z.array(dbtModelSchema).nullish(),
  saved_queries: z.array(z.looseObject({ name: z.string() })).nullish(),
});
export type MetricflowModel = z.infer<typeof semanticModelSchema>;
export type MetricflowMeasure = MetricflowModel['measures'][number];
export type MetricflowMetric = z.infer<typeof metricSchema>;
export type MetricInput = z.infer<typeof metricReferenceSchema>;
export const getInputName = (metricInput: MetricInput): string =>
  typeof metricInput === 'string' ? metricInput : metricInput.name;
