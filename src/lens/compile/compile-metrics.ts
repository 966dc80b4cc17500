// Compiles the metrics of a lens file. Parses them, checks references, finds the dataset whose rows each metric
// aggregates (`home`), refuses fan-out and cycles, and infers the datatype.

import type { LensFile, MetricFile } from '../../contract/files/lens-file.ts';
import { type Datatype, isTemporal } from '../../contract/warehouse.ts';
import { analyzeExpression, type ExpressionAnalysis } from '../../guard/analyze-expression.ts';
import { createDidYouMeanHint, createUnknownNameMessage } from '../../platform/closest-names.ts';
import type { ProblemReporter } from '../files/yaml-file.ts';
import { findCommonDataset, findDatasetOfPath, findPath, isDatasetOrRole } from '../model/join-paths.ts';
import { findDataset, findField, type Lens, type LensMetric, type LensModel } from '../model/lens.ts';
import { findConditionFault } from './check-conditions.ts';

export type ModelWithDialect = LensModel & Pick<Lens, 'dialect'>;
export type FaultReporter = (code: string, message: string) => void;

export async function compileMetrics(
  file: LensFile,
  model: ModelWithDialect,
  add: ProblemReporter,
): Promise<LensMetric[]> {
  const names = Object.keys(file.metrics);
  const metrics: LensMetric[] = [];
  for (const [name, metric] of Object.entries(file.metrics)) {
    const report =
      (key: string): FaultReporter =>
      (code, message) =>
        add(['metrics', name, key], code, message);
    const analysis = await analyzeExpression(model.dialect, metric.expression);
    if (analysis.fault) {
      report('expression')('expression', `The expression of "${name}" can't be read: ${analysis.fault}`);
      continue;
    }
    const usedColumns = new Set(analysis.usedColumns.map((parts) => parts.join('.')));
    checkFieldReferences(model, analysis.columns, report('expression'), (column) => !usedColumns.has(column));
    checkSumsAreAdditive(model, analysis.aggregates, report('expression'));
    for (const metricName of analysis.metricCalls)
      if (!names.includes(metricName))
        report('expression')('unknown_name', createUnknownNameMessage('metric', metricName, names));
    if (analysis.metricCalls.length > 0 && analysis.columns.length > 0)
      report('expression')('invalid', "An expression over metric(…) can't also use fields. Make that part a metric.");
    if (analysis.metricCalls.length === 0 && analysis.aggregates.length === 0)
      report('expression')('invalid', 'A metric must aggregate: sum(orders.sales), count(distinct orders.order_id), …');
    const filter = metric.filter ? await analyzeExpression(model.dialect, metric.filter) : null;
    if (filter?.fault) report('filter')('expression', `The filter of "${name}" can't be read: ${filter.fault}`);
    if (filter) checkFieldReferences(model, filter.columns, report('filter'));
    const conditionFault = metric.filter && (await findConditionFault(model, metric.filter));
    if (conditionFault) report('filter')('datatype', conditionFault);
    if (filter && analysis.metricCalls.length > 0)
      report('filter')('invalid', "A metric that combines metrics can't have a filter. Filter its parts.");
    if (filter && (filter.aggregates.length > 0 || filter.metricCalls.length > 0))
      report('filter')('invalid', "A filter applies to single rows, so it can't aggregate.");
    metrics.push({
      name,
      description: metric.description ?? null,
      synonyms: metric.synonyms,
      unit: metric.unit ?? null,
      datatype: metric.datatype ?? 'decimal',
      expression: metric.expression,
      filter: metric.filter ?? null,
      timeField: resolveTimeField(model, metric, report('time_field')),
      references: {
        fields: removeDuplicatePaths([...analysis.columns, ...(filter?.columns ?? [])]).map(
          ([dataset = '', field = '']) => ({
            dataset,
            field,
          }),
        ),
        metrics: [...new Set(analysis.metricCalls)],
        aggregates: analysis.aggregates.map(({ name: fn, distinct }) => (distinct ? `${fn}_distinct` : fn)),
      },
      home:
        analysis.metricCalls.length > 0
          ? null
          : findMeasuredDataset(
              name,
              metric,
              { ...analysis, columns: [...analysis.columns, ...(filter?.columns ?? [])] },
              model,
              report('expression'),
            ),
    });
  }
  resolveDerivedMetrics(metrics, file, model, add);
  return metrics;
}

/** Reports sums of fields that the lens declares as not additive. */
function checkSumsAreAdditive(
  model: ModelWithDialect,
  aggregates: ExpressionAnalysis['aggregates'],
  report: FaultReporter,
): void {
  for (const { name, valueColumns } of aggregates) {
    const [[path = '', column = ''] = [], secondColumn] = valueColumns;
    const dataset = findDatasetOfPath(model, path);
    const declaredAggregation = dataset && findField(dataset, column)?.aggregation;
    if (
      name.toLowerCase() === 'sum' &&
      !secondColumn &&
      (declaredAggregation === 'average' || declaredAggregation === 'none')
    )
      report(
        'invalid',
        `The metric sums ${path}.${column}, but the aggregation of this field is "${declaredAggregation}". Use avg, or change the field's aggregation to sum.`,
      );
  }
}

/** Checks that every column is written as path.field, exists in the lens, and is masked only if that is allowed. */
export function checkFieldReferences(
  model: ModelWithDialect,
  columns: string[][],
  report: FaultReporter,
  isMaskAllowed: (column: string) => boolean = () => false,
): void {
  for (const parts of removeDuplicatePaths(columns)) {
    const [path = '', name = ''] = parts;
    const columnText = parts.join('.');
    if (parts.length !== 2) {
      const owners = model.datasets
        .filter((dataset) => findField(dataset, path))
        .map((dataset) => `${dataset.name}.${path}`);
      report(
        'unknown_name',
        parts.length === 1
          ? `Write ${columnText} as dataset.field${owners.length > 0 ? `: ${owners.join(' or ')}` : ''}.`
          : `"${columnText}" does not have the form dataset.field.`,
      );
      continue;
    }
    const dataset = isDatasetOrRole(model, path) ? findDatasetOfPath(model, path) : undefined;
    if (!dataset) {
      report(
        'unknown_name',
        createUnknownNameMessage('dataset or role', path, [
          ...model.datasets.map((dataset) => dataset.name),
          ...model.relationships.filter(({ named }) => named).map(({ role }) => role),
        ]),
      );
      continue;
    }
    const field = findField(dataset, name);
    if (!field) {
      const fieldNames = dataset.fields.map((field) => field.name);
      report(
        'unknown_name',
        `There is no field "${name}" in ${dataset.name}.${createDidYouMeanHint(name, fieldNames)}`,
      );
    } else if (field.masked && !isMaskAllowed(columnText))
      report('masked', `${columnText} is masked. You can only count it, with count(distinct ${columnText}).`);
  }
}

function findMeasuredDataset(
  name: string,
  metric: MetricFile,
  { columns, aggregates }: Pick<ExpressionAnalysis, 'columns' | 'aggregates'>,
  model: ModelWithDialect,
  report: FaultReporter,
): string | null {
  const paths = [...new Set(columns.map(([path = '']) => path).filter((path) => isDatasetOrRole(model, path)))];
  const singleDataset = model.datasets.length === 1 ? model.datasets[0]!.name : undefined;
  const declaredDataset =
    metric.dataset ?? (paths.length === 0 ? (metric.time_field?.split('.')[0] ?? singleDataset) : undefined);
  if (declaredDataset && !model.datasets.some((dataset) => dataset.name === declaredDataset)) {
    const names = model.datasets.map((dataset) => dataset.name);
    report('unknown_name', createUnknownNameMessage('dataset', declaredDataset, names));
    return null;
  }
  const homeDataset = declaredDataset ?? (paths.length > 0 ? findCommonDataset(model, paths) : null);
  if (!homeDataset) {
    if (paths.length > 1)
      report(
        'fan_out',
        `"${name}" mixes ${paths.join(' and ')}, which no many-to-one relationship joins. Make one metric for each and combine them with metric(…).`,
      );
    else
      report(
        'invalid',
        `The dataset of "${name}" is not clear. Count a field of that dataset, or set the metric's dataset.`,
      );
    return null;
  }
  for (const path of paths) {
    const pathResult = findPath(model, homeDataset, path);
    if (pathResult.kind === 'ambiguous')
      report(
        'ambiguous',
        `Several paths lead from ${homeDataset} to ${path}. Name the role: ${pathResult.choices.join(' or ')}.`,
      );
    if (pathResult.kind === 'unreachable')
      report(
        'fan_out',
        `A row of ${homeDataset} has many rows of ${path}. Make one metric for each and combine them with metric(…).`,
      );
  }
  // Refuses fan-out. For example, sum(customers.credit) over rows of orders would count each customer once for each
  // order.
  for (const { name: fn, distinct, columns: countedColumns } of aggregates) {
    const aggregatedPaths = [...new Set(countedColumns.map(([path = '']) => path))].filter((path) =>
      isDatasetOrRole(model, path),
    );
    const isRepeated =
      aggregatedPaths.length > 0 && !aggregatedPaths.includes(homeDataset) && !distinct && !['min', 'max'].includes(fn);
    const isOneToOne = findCommonDataset(model, aggregatedPaths) === homeDataset;
    if (isRepeated && !isOneToOne)
      report(
        'fan_out',
        `${fn}(${aggregatedPaths.join(', ')} …) would count a row of ${aggregatedPaths.join(' and ')} once for each row of ${homeDataset}. Make it a separate metric, and combine both metrics with metric(…).`,
      );
  }
  return homeDataset;
}

function resolveTimeField(model: ModelWithDialect, metric: MetricFile, report: FaultReporter): LensMetric['timeField'] {
  if (!metric.time_field) return null;
  const [dataset = '', field = ''] = metric.time_field.split('.');
  checkFieldReferences(model, [[dataset, field]], report);
  requireDate(model, { dataset, field }, report);
  return { dataset, field };
}

export function requireDate(
  model: ModelWithDialect,
  of: { dataset: string; field: string },
  report: FaultReporter,
): void {
  const timeDataset = findDataset(model, of.dataset);
  const datatype = timeDataset && findField(timeDataset, of.field)?.datatype;
  if (datatype && !isTemporal(datatype)) report('invalid', 'A time field must be a date, datetime or datetimetz.');
}

/**
 * Reports cycles, derives `home`, datatype and time field of metrics that use other metrics, and sets default time
 * fields.
 */
function resolveDerivedMetrics(
  metrics: LensMetric[],
  file: LensFile,
  model: ModelWithDialect,
  add: ProblemReporter,
): void {
  const byName = new Map(metrics.map((metric) => [metric.name, metric]));
  const resolvedNames = new Set<string>();
  const visit = (metric: LensMetric, ancestors: string[]): void => {
    if (ancestors.includes(metric.name)) {
      const cycleText = [...ancestors.slice(ancestors.indexOf(metric.name)), metric.name].join(' -> ');
      if (!resolvedNames.has(metric.name))
        add(['metrics', metric.name, 'expression'], 'cycle', `The metrics have a circular reference: ${cycleText}.`);
      resolvedNames.add(metric.name);
      return;
    }
    if (resolvedNames.has(metric.name)) return;
    const parts = metric.references.metrics.flatMap((name) => byName.get(name) ?? []);
    for (const part of parts) visit(part, [...ancestors, metric.name]);
    resolvedNames.add(metric.name);
    if (parts.length > 0) {
      const homes = new Set(parts.map(({ home }) => home));
      metric.home = homes.size === 1 ? (parts[0]!.home ?? null) : null;
      metric.timeField ??= parts.every(
        ({ timeField }) =>
          timeField?.dataset === parts[0]!.timeField?.dataset && timeField?.field === parts[0]!.timeField?.field,
      )
        ? parts[0]!.timeField
        : null;
    } else if (!metric.timeField && metric.home) {
      const homeDataset = findDataset(model, metric.home);
      if (homeDataset?.timeField) metric.timeField = { dataset: homeDataset.name, field: homeDataset.timeField };
    }
    if (!file.metrics[metric.name]?.datatype) metric.datatype = inferDatatype(metric, parts, model);
  };
  for (const metric of metrics) visit(metric, []);
}

function inferDatatype(metric: LensMetric, parts: LensMetric[], model: ModelWithDialect): Datatype {
  const divides = metric.expression.includes('/');
  if (parts.length > 0) {
    const types = parts.map(({ datatype }) => datatype);
    if (types.includes('float')) return 'float';
    return !divides && types.every((type) => type === types[0]) ? types[0]! : 'decimal';
  }
  const { aggregates, fields } = metric.references;
  const types = fields.flatMap(({ dataset, field }) => {
    const ownerDataset = findDatasetOfPath(model, dataset);
    return (ownerDataset && findField(ownerDataset, field)?.datatype) ?? [];
  });
  if (!divides && aggregates.every((fn) => fn.startsWith('count'))) return 'integer';
  const isSingleCall =
    /^\s*\w+\s*\([^()]*\)\s*$/.test(metric.expression) && /\(\s*[\w."]+\s*\)/.test(metric.expression);
  if (isSingleCall && ['sum', 'min', 'max'].includes(aggregates[0] ?? '') && types[0]) return types[0];
  return types.includes('float') ? 'float' : 'decimal';
}

const removeDuplicatePaths = (columns: string[][]): string[][] => [
  ...new Map(columns.map((column) => [column.join('\u0000'), column])).values(),
];
