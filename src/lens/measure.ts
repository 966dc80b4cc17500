// Metrics and aggregates taken apart: leaves are aggregates over the rows of one home; the rest is computed from leaves.

import { unitOfValues } from './aggregation.ts';
import type { Compilation } from './compilation.ts';
import { aggregateSql, whenever } from './filter-sql.ts';
import type { Aggregate, MetricUse } from './intent.ts';
import { datasetOfPath, isPathWord } from './join-paths.ts';
import type { LensMetric } from './lens.ts';
import type { Leaf, Output } from './output.ts';
import { unknownName } from './project-problem.ts';
import { replaceMetricCalls } from './sql-words.ts';

export type Computed = Pick<Output, 'name' | 'datatype' | 'unit' | 'source' | 'additive' | 'leaves'> & {
  sql: (leaf: (leaf: Leaf) => string) => string;
};

export function compute(compilation: Compilation, measure: MetricUse | Aggregate): Computed | null {
  return measure.kind === 'metric' ? ofMetric(compilation, measure.name, []) : ofAggregate(compilation, measure);
}

function ofMetric(compilation: Compilation, name: string, trail: string[]): Computed | null {
  const { lens } = compilation;
  const metric = lens.metrics.find((one) => one.name === name);
  if (!metric || trail.includes(name)) {
    compilation.fault(
      unknownName(
        'metric',
        name,
        lens.metrics.map((one) => one.name),
      ),
      name,
      'unknown_name',
    );
    return null;
  }
  if (trail.length === 0) compilation.metrics.add(name);
  const shared = { name, datatype: metric.datatype, unit: metric.unit, source: `metric ${name}` };
  if (metric.references.metrics.length === 0) {
    const leaf = leafOf(metric);
    return leaf && { ...shared, additive: isAdditive(metric), leaves: [leaf], sql: (of) => of(leaf) };
  }
  const parts = new Map<string, Computed>();
  for (const part of metric.references.metrics) {
    const found = ofMetric(compilation, part, [...trail, name]);
    if (!found) return null;
    parts.set(part, found);
  }
  const divides = metric.expression.includes('/');
  return {
    ...shared,
    additive: !/[*/]/.test(metric.expression) && [...parts.values()].every(({ additive }) => additive),
    leaves: [...parts.values()].flatMap(({ leaves }) => leaves),
    sql: (of) =>
      replaceMetricCalls(metric.expression, (part) => {
        const computed = parts.get(part)!;
        const sql = group(computed.sql(of));
        return divides && computed.datatype === 'integer' ? compilation.sql.exact(sql) : sql;
      }),
  };
}

function leafOf(metric: LensMetric): Leaf | null {
  if (!metric.home) return null;
  const { fields, aggregates } = metric.references;
  return {
    key: `metric ${metric.name}`,
    name: metric.name,
    home: metric.home,
    filter: metric.filter,
    repeatable:
      metric.filter === null && aggregates.every((fn) => fn === 'count_distinct' || fn === 'min' || fn === 'max'),
    additive: isAdditive(metric),
    conditional: false,
    count: /^\s*count\s*\(/i.test(metric.expression) && aggregates.length === 1 && /\)\s*$/.test(metric.expression),
    sql: (scope) => {
      scope.verbatim(fields.map(({ dataset, field }) => ({ dataset, field })));
      return metric.expression;
    },
  };
}
const isAdditive = ({ references, expression }: LensMetric): boolean =>
  references.aggregates.every((fn) => /^(?:sum|count|count_star)$/.test(fn)) && !expression.includes('/');

function ofAggregate(compilation: Compilation, aggregate: Aggregate): Computed | null {
  const { lens } = compilation;
  const { fn, path, field: name } = aggregate;
  const dataset = isPathWord(lens, path.split('.').at(-1)!) ? datasetOfPath(lens, path) : undefined;
  if (!dataset || !name) {
    if (!dataset || fn !== 'count') {
      compilation.fault(
        dataset
          ? `${fn} needs a field of ${path}.`
          : unknownName(
              'dataset or role',
              path,
              lens.datasets.map((one) => one.name),
            ),
        path,
        'unknown_name',
      );
      return null;
    }
  }
  const field = name ? compilation.field({ path, field: name })?.field : null;
  if (field === undefined) return null;
  const written = name ? `${path}.${name}` : path;
  if (field && ['sum', 'avg', 'median'].includes(fn) && !['integer', 'decimal', 'float'].includes(field.datatype)) {
    compilation.fault(`${fn} needs a number; ${written} is ${field.datatype}.`, written);
    return null;
  }
  if (field?.masked && fn !== 'count_distinct') {
    compilation.fault(
      `${written} is masked: it may be listed, where it is null, or counted distinct, and nothing else.`,
      written,
      'masked',
    );
    return null;
  }
  const counts = fn === 'count' || fn === 'count_distinct';
  const key = dataset.primaryKey.length === 1 ? dataset.primaryKey[0]! : null;
  const leaf: Leaf = {
    key: `${fn}(${written})`,
    name: name ? `${fn}_${name}` : `${path.replaceAll('.', '_')}_count`,
    home: dataset.name,
    filter: null,
    repeatable: ['count_distinct', 'min', 'max'].includes(fn) || (fn === 'count' && !name && key !== null),
    count: counts,
    additive: fn === 'sum' || fn === 'count',
    conditional: true,
    sql: (scope, condition) => {
      // From a home further on the many side its rows are told apart by their key.
      if (fn === 'count' && !name && scope.home.dataset.name !== dataset.name) {
        const joined = scope.at(path, path);
        return joined && key ? `count(distinct ${whenever(condition, scope.key(joined, [key])[0]!)})` : null;
      }
      const own = scope.home.dataset.name === dataset.name ? dataset.name : path;
      return aggregateSql(scope, { ...aggregate, path: own }, condition);
    },
  };
  return {
    name: leaf.name,
    datatype: counts
      ? 'integer'
      : fn === 'median'
        ? 'float'
        : fn === 'avg'
          ? field?.datatype === 'decimal'
            ? 'decimal'
            : 'float'
          : (field?.datatype ?? 'integer'),
    unit: counts || !field ? null : unitOfValues(field),
    source: leaf.key,
    additive: fn === 'sum' || fn === 'count',
    leaves: [leaf],
    sql: (of) => of(leaf),
  };
}

/** Brackets unless it is one call or one name. */
export const group = (sql: string): string => (/^\w+\([^()]*\)$|^[\w."]+$/.test(sql) ? sql : `(${sql})`);

/** Growth from nothing or from a loss has no percentage. */
export const percentOf = ({ sql: { ratio } }: Compilation, difference: string, before: string): string =>
  `case when ${before} > 0 then 100 * ${ratio(`(${difference})`, before)} end`;
