// The parts of dbt MetricFlow files that svc reads. Unknown members pass through.
import { z } from 'zod';

const commonShape = {
  name: z.string(),
  description: z.string().nullish(),
  label: z.string().nullish(),
  expr: z.union([z.string(), z.number()]).nullish(),
};
const measure = z.looseObject({
  ...commonShape,
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
const semanticModel = z.looseObject({
  name: z.string(),
  model: z.string(),
  description: z.string().nullish(),
  defaults: z.looseObject({ agg_time_dimension: z.string().nullish() }).nullish(),
  primary_entity: z.string().nullish(),
  entities: z.array(z.looseObject({ ...commonShape, type: z.string() })).default([]),
  dimensions: z.array(z.looseObject({ ...commonShape, type: z.string() })).default([]),
  measures: z.array(measure).default([]),
});
const metricReference = z.union([
  z.string(),
  z.looseObject({ name: z.string(), alias: z.string().nullish(), filter: z.unknown().optional() }),
]);
const metric = z.looseObject({
  ...commonShape,
  type: z.string(),
  filter: z.unknown().optional(),
  type_params: z
    .looseObject({
      measure: metricReference.nullish(),
      numerator: metricReference.nullish(),
      denominator: metricReference.nullish(),
      expr: z.string().nullish(),
      metrics: z.array(metricReference).nullish(),
    })
    .nullish(),
});
const dbtModel = z.looseObject({
  name: z.string(),
  columns: z.array(z.looseObject({ name: z.string(), description: z.string().nullish() })).nullish(),
});
export const metricflowFile = z.looseObject({
  semantic_models: z.array(semanticModel).nullish(),
  metrics: z.array(metric).nullish(),
  models: z.array(dbtModel).nullish(),
  saved_queries: z.array(z.looseObject({ name: z.string() })).nullish(),
});
export type MetricflowModel = z.infer<typeof semanticModel>;
export type MetricflowMeasure = MetricflowModel['measures'][number];
export type MetricflowMetric = z.infer<typeof metric>;
export type MetricInput = z.infer<typeof metricReference>;
export const inputName = (metricInput: MetricInput): string =>
  typeof metricInput === 'string' ? metricInput : metricInput.name;
