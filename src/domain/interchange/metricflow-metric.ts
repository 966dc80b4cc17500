// svc never approximates a metric. If a metric has no exact equivalent, the result is the reason.
import { toSnakeCase } from '../../lens/model/name-words.ts';
import {
  getInputName,
  type MetricflowMeasure,
  type MetricflowMetric,
  type MetricflowModel,
  type MetricInput,
} from './metricflow-shapes.ts';

export type MeasuresByName = ReadonlyMap<string, { model: MetricflowModel; measure: MetricflowMeasure }>;
type ConvertedFieldsByName = Record<string, Record<string, unknown>>;
type ConvertedDatasets = Record<string, { fields: ConvertedFieldsByName; time_field?: unknown }>;
type ImportedMetric = { body: Record<string, unknown> } | { reason: string };

const AGGREGATE_SQL: Record<string, (sql: string) => string> = {
  sum: (sql) => `sum(${sql})`,
  count: (sql) => `count(${sql})`,
  count_distinct: (sql) => `count(distinct ${sql})`,
  average: (sql) => `avg(${sql})`,
  min: (sql) => `min(${sql})`,
  max: (sql) => `max(${sql})`,
  median: (sql) => `percentile_cont(0.5) within group (order by ${sql})`,
  sum_boolean: (sql) => `sum(case when ${sql} then 1 else 0 end)`,
};

export function convertMetric(
  flowMetric: MetricflowMetric,
  measuresByName: MeasuresByName,
  models: MetricflowModel[],
  datasets: ConvertedDatasets,
): ImportedMetric {
  const params = flowMetric.type_params ?? {};
  if (flowMetric.type === 'simple' && params.measure) {
    const measureSource = measuresByName.get(getInputName(params.measure));
    if (!measureSource) return { reason: `its measure ${getInputName(params.measure)} is not in these files` };
    const metric = convertMeasure(measureSource.model, measureSource.measure, datasets);
    if ('reason' in metric) return metric;
    const measureFilter = typeof params.measure === 'object' ? params.measure.filter : undefined;
    const filters = [flowMetric.filter, measureFilter].filter((filter) => filter !== undefined && filter !== null);
    const filterTexts = filters.map((filter) => convertFilter(filter, measureSource.model, models));
    if (filterTexts.some((filter) => filter === null))
      return { reason: 'its filter uses something other than a dimension of these models, or truncates a time' };
    if (filterTexts.length === 0) return metric;
    return {
      body: {
        ...metric.body,
        filter: filterTexts.length === 1 ? filterTexts[0] : filterTexts.map((sql) => `(${sql})`).join(' and '),
      },
    };
  }
  if (flowMetric.filter !== undefined && flowMetric.filter !== null)
    return { reason: 'it combines metrics and has a filter' };
  if (flowMetric.type === 'ratio' && params.numerator && params.denominator) {
    const parts = [params.numerator, params.denominator];
    if (parts.some(isModified)) return { reason: 'its numerator or denominator has its own filter or offset' };
    const [numeratorSql, denominatorSql] = parts.map((part) => `metric(${toSnakeCase(getInputName(part))})`);
    // MetricFlow divides integers as floating-point numbers. In svc, dividing two counts would be an integer division.
    return { body: { expression: `${numeratorSql} * 1.0 / nullif(${denominatorSql}, 0)` } };
  }
  if (flowMetric.type === 'derived' && params.expr && params.metrics) {
    if (params.metrics.some(isModified)) return { reason: 'one of its metrics has its own filter or offset' };
    const names = new Map(
      params.metrics.map((part) => [
        typeof part === 'object' ? (part.alias ?? part.name) : part,
        toSnakeCase(getInputName(part)),
      ]),
    );
    return {
      body: {
        expression: params.expr.replace(/'[^']*'|\b[A-Za-z_]\w*\b/g, (word) =>
          names.has(word) ? `metric(${names.get(word)})` : word,
        ),
      },
    };
  }
  return { reason: `type ${flowMetric.type} has no counterpart in a lens` };
}

const isModified = (part: MetricInput): boolean =>
  typeof part === 'object' &&
  ['filter', 'offset_window', 'offset_to_grain'].some((key) => part[key] !== undefined && part[key] !== null);

function convertMeasure(
  model: MetricflowModel,
  measure: MetricflowMeasure,
  datasets: ConvertedDatasets,
): ImportedMetric {
  if (measure.non_additive_dimension && !markSemiAdditiveField(model, measure, datasets[model.name]!))
    return { reason: `its measure ${measure.name} is not additive over every dimension` };
  const aggregate = measure.agg === 'percentile' ? createPercentileWriter(measure) : AGGREGATE_SQL[measure.agg];
  if (!aggregate) return { reason: `aggregation ${measure.agg} has no counterpart` };
  const dataset = datasets[model.name]!;
  const timeDimension = measure.agg_time_dimension;
  const timeFieldMember =
    timeDimension && timeDimension in dataset.fields && timeDimension !== dataset.time_field
      ? { time_field: `${model.name}.${timeDimension}` }
      : {};
  const expr = String(measure.expr ?? measure.name);
  if (/^\d+$/.test(expr))
    return expr === '1' && /^(sum|count)$/.test(measure.agg)
      ? { body: { expression: 'count(*)', dataset: model.name, ...timeFieldMember } }
      : { reason: `its measure ${measure.name} is the constant ${expr}` };
  const qualifiedSql = expr.replace(/'[^']*'|"[^"]*"|\b[A-Za-z_]\w*\b/g, (word) => {
    const field = findFieldOfColumn(dataset.fields, word);
    return field ? `${model.name}.${field}` : word;
  });
  return qualifiedSql === expr
    ? { reason: `its measure ${measure.name} uses no known column` }
    : { body: { expression: aggregate(qualifiedSql), ...timeFieldMember } };
}

/**
 * Sets the aggregation of a semi-additive field, such as a stock level, to `latest`, unless another measure sums the
 * column.
 */
function markSemiAdditiveField(
  model: MetricflowModel,
  measure: MetricflowMeasure,
  { fields, time_field }: ConvertedDatasets[string],
): boolean {
  const nonAdditive = measure.non_additive_dimension;
  const column = String(measure.expr ?? measure.name);
  const field = findFieldOfColumn(fields, column);
  const isOnlySum = model.measures.every(
    (other) => other === measure || other.agg !== 'sum' || String(other.expr ?? other.name) !== column,
  );
  const isLatest =
    nonAdditive?.window_choice === 'max' && !nonAdditive.window_groupings?.length && nonAdditive.name === time_field;
  if (!isLatest || !isOnlySum || !field || measure.agg !== 'sum') return false;
  fields[field]!['aggregation'] = 'latest';
  return true;
}

/** A name in a measure refers to the column, even if a computed dimension has the same name. */
export const findFieldOfColumn = (fields: ConvertedFieldsByName, column: string): string | undefined =>
  Object.keys(fields).find((name) => (fields[name]!['expression'] ?? name) === column);

function createPercentileWriter({ agg_params: params }: MetricflowMeasure): ((sql: string) => string) | undefined {
  const fraction = params?.percentile;
  if (fraction === undefined) return undefined;
  const functionName = params?.use_discrete_percentile ? 'percentile_disc' : 'percentile_cont';
  return (sql) => `${functionName}(${fraction}) within group (order by ${sql})`;
}

/** Converts {{ Dimension('order_id__is_food') }} = true to orders.is_food = true. Null if that isn't possible. */
function convertFilter(filter: unknown, measureModel: MetricflowModel, models: MetricflowModel[]): string | null {
  const parts = Array.isArray(filter) ? filter : [filter];
  if (!parts.every((part) => typeof part === 'string')) return null;
  const text = parts.length === 1 ? parts[0]!.trim() : parts.map((part) => `(${part.trim()})`).join(' and ');
  const sql = text.replace(
    /\{\{\s*(Dimension|TimeDimension)\(\s*['"]([^'"]+)['"]\s*(?:,\s*['"](\w+)['"]\s*)?\)\s*\}\}/g,
    (match, _kind, path: string, grain: string | undefined) => {
      const field = convertField(path, measureModel, models);
      // A date truncated to a period compares differently from the full date, so it isn't converted.
      return field && grain === undefined ? field : match;
    },
  );
  return sql.includes('{{') ? null : sql;
}

function convertField(path: string, measureModel: MetricflowModel, models: MetricflowModel[]): string | null {
  const [entity, dimension, ...restParts] = path.split('__');
  if (!entity || !dimension || restParts.length > 0) return null;
  const hasDimension = (model: MetricflowModel) => model.dimensions.some(({ name }) => name === dimension);
  const isKeyOf = (model: MetricflowModel) =>
    model.primary_entity === entity ||
    model.entities.some(({ name, type }) => name === entity && /^(primary|unique|natural)$/.test(type));
  if (isKeyOf(measureModel)) return hasDimension(measureModel) ? `${measureModel.name}.${dimension}` : null;
  if (!measureModel.entities.some(({ name, type }) => name === entity && type === 'foreign')) return null;
  const ownerModels = models.filter((model) => model !== measureModel && isKeyOf(model));
  return ownerModels.length === 1 && hasDimension(ownerModels[0]!) ? `${ownerModels[0]!.name}.${dimension}` : null;
}
