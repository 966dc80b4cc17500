// Splits metrics and aggregates into base aggregates, each over the rows of one dataset, and computations over the base
// aggregates.

import { isNumeric } from '../../contract/warehouse.ts';
import { createNullSafeDivision, preserveFraction } from '../../dialects/compiling.ts';
import { caseOf, compare, compute as computed, numberOf } from '../../dialects/make-nodes.ts';
import { replaceNodes } from '../../dialects/nodes.ts';
import type { Expression, Node } from '../../dialects/tree.ts';
import { findValueUnit } from '../../lens/model/aggregation.ts';
import type { LensMetric } from '../../lens/model/lens.ts';
import { type Aggregate, getRowsPath, type MetricMeasure } from '../lens-plan.ts';
import type { Compilation } from './compilation.ts';
import { compileAggregate, createConditionalValue, createDistinctCount } from './filter-sql.ts';
import { type BaseAggregate, createAggregateOutput, type MeasureOutput } from './output.ts';

/** Ignores `where`, which the caller of this function applies. */
export const compileBaseMeasure = (
  compilation: Compilation,
  measure: MetricMeasure | Aggregate,
): MeasureOutput | null =>
  measure.fn === 'metric'
    ? compileMetricOutput(compilation, measure.metric)
    : compileAggregateOutput(compilation, measure);

function compileMetricOutput(compilation: Compilation, name: string, isPart = false): MeasureOutput | null {
  const { lens } = compilation;
  const metric = lens.metrics.find((metric) => metric.name === name)!;
  if (!isPart) compilation.metrics.add(name);
  const column = { datatype: metric.datatype, unit: metric.unit, source: `metric ${name}` };
  if (metric.references.metrics.length === 0) {
    const baseAggregate = findBaseAggregate(compilation, metric);
    return baseAggregate && createAggregateOutput(baseAggregate, column);
  }
  const parts = new Map<string, MeasureOutput>();
  for (const part of metric.references.metrics) {
    const computedPart = compileMetricOutput(compilation, part, true);
    if (!computedPart) return null;
    parts.set(part, computedPart);
  }
  const hasDivision = metric.expression.includes('/');
  return {
    name,
    ...column,
    windowed: false,
    additive: !/[*/]/.test(metric.expression) && [...parts.values()].every(({ additive }) => additive),
    leaves: [...parts.values()].flatMap(({ leaves }) => leaves),
    value: (readAggregate, frame) =>
      replaceNodes(compilation.readAuthored(metric.expression), (node) => {
        const part = parts.get(findMetricName(node) ?? '');
        if (!part) return null;
        const value = part.value(readAggregate, frame);
        return hasDivision && part.datatype === 'integer' ? preserveFraction(compilation.dialect, value) : value;
      }),
  };
}

const findMetricName = (node: Node): string | undefined =>
  node.kind === 'call' && node.name === 'metric' && node.args[0]?.kind === 'column' ? node.args[0].path[0] : undefined;

/**
 * Replaces an aggregate of a field in a metric's SQL with the SQL that svc compiles for the same aggregate in a plan.
 */
function toPlanAggregate(compilation: Compilation, node: Node): Node | null {
  if (node.kind !== 'call' || node.args[0]?.kind !== 'column') return null;
  const [path = '', field = ''] = node.args[0].path;
  const datatype =
    node.args.length === 1
      ? compilation.lens.datasets.find(({ name }) => name === path)?.fields.find(({ name }) => name === field)?.datatype
      : undefined;
  if (!datatype) return null;
  return { ...node, args: [compilation.dialect.compiling.aggregated(node.name, node.args[0], datatype)] };
}

function findBaseAggregate(compilation: Compilation, metric: LensMetric): BaseAggregate | null {
  const { readAuthored } = compilation;
  if (!metric.home) return null;
  const { fields, aggregates } = metric.references;
  return {
    key: `metric ${metric.name}`,
    name: metric.name,
    home: metric.home,
    filter: metric.filter,
    repeatable:
      metric.filter === null && aggregates.every((fn) => fn === 'count_distinct' || fn === 'min' || fn === 'max'),
    additive: isAdditiveMetric(metric),
    acceptsCondition: false,
    isZeroWhenNull:
      /^\s*count\s*\(/i.test(metric.expression) && aggregates.length === 1 && /\)\s*$/.test(metric.expression),
    value: (scope) => {
      scope.joinByExactNames(fields.map(({ dataset, field }) => ({ dataset, field })));
      return replaceNodes(readAuthored(metric.expression), (node) => toPlanAggregate(compilation, node));
    },
  };
}
const isAdditiveMetric = ({ references, expression }: LensMetric): boolean =>
  references.aggregates.every((fn) => /^(?:sum|count|count_star)$/.test(fn)) && !expression.includes('/');

function compileAggregateOutput(compilation: Compilation, aggregate: Aggregate): MeasureOutput | null {
  const { fn } = aggregate;
  const path = getRowsPath(aggregate);
  const name = 'rows' in aggregate ? undefined : aggregate.field.field;
  const dataset = compilation.requireDataset(path);
  const field = name ? compilation.requireField({ path, field: name }).field : null;
  const writtenName = name ? `${path}.${name}` : path;
  if (field && ['sum', 'avg', 'median'].includes(fn) && !isNumeric(field.datatype))
    return compilation.addFault(`${fn} needs a number; ${writtenName} is ${field.datatype}.`, writtenName);
  const isCount = fn === 'count' || fn === 'count_distinct';
  const key = dataset.primaryKey.length === 1 ? dataset.primaryKey[0]! : null;
  const baseAggregate: BaseAggregate = {
    key: `${fn}(${writtenName})`,
    name: name ? `${fn}_${name}` : `${path.replaceAll('.', '_')}_count`,
    home: dataset.name,
    filter: null,
    repeatable: ['count_distinct', 'min', 'max'].includes(fn) || (fn === 'count' && !name && key !== null),
    isZeroWhenNull: isCount,
    additive: fn === 'sum' || fn === 'count',
    acceptsCondition: true,
    value: (scope, condition) => {
      // If the SELECT reads rows on the "many" side of the counted rows, counts the distinct keys of the counted rows.
      if (fn === 'count' && !name && scope.home.dataset.name !== dataset.name) {
        const joinedDataset = scope.joinPath(path, path);
        return joinedDataset && key
          ? createDistinctCount(createConditionalValue(condition, scope.listPrimaryKeyColumns(joinedDataset)[0]!))
          : null;
      }
      const fieldPath = scope.home.dataset.name === dataset.name ? dataset.name : path;
      return compileAggregate(scope, fn, name === undefined ? null : { path: fieldPath, field: name }, condition);
    },
  };
  const isFloat = fn === 'median' || (fn === 'avg' && field?.datatype !== 'decimal');
  return createAggregateOutput(baseAggregate, {
    datatype: isCount ? 'integer' : isFloat ? 'float' : (field?.datatype ?? 'integer'),
    unit: isCount || !field ? null : findValueUnit(field),
    source: baseAggregate.key,
  });
}

/** Growth from zero or from a negative value has no percentage. */
export const createPercentChange = ({ dialect }: Compilation, difference: Expression, before: Expression): Expression =>
  caseOf(compare(before, '>', numberOf(0)), toPercent(createNullSafeDivision(dialect, difference, before)));
export const toPercent = (value: Expression): Expression => computed(numberOf(100), '*', value);
