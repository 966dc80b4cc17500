// Measures taken apart: leaves are aggregates over the rows of one home, and what is computed from leaves comes after.
import type { Datatype } from '../contract/warehouse.ts';
import type { Compilation } from './compilation.ts';
import { aggregateSql } from './filter-sql.ts';
import type { Aggregate, Filter, Measure, MetricUse, TimeWindow } from './intent.ts';
import { datasetOfPath, isPathWord } from './join-paths.ts';
import type { LensMetric } from './lens.ts';
import { unknownName } from './project-problem.ts';
import type { RowScope } from './row-scope.ts';
import { replaceMetricCalls } from './sql-words.ts';

export interface Leaf {
  key: string;
  name: string;
  home: string;
  /** The metric's own filter, an author's text over dataset.field. */
  filter: string | null;
  /** Counting the same row twice changes nothing, so a home further on the many side will do. */
  repeatable: boolean;
  /** Null means none: counts of a group without rows are 0. */
  count: boolean;
  /** Only the rows of this period, or those that also satisfy these. */
  within?: TimeWindow;
  where?: Filter[];
  sql: (scope: RowScope) => string | null;
}
export interface Computed {
  name: string;
  datatype: Datatype;
  unit: string | null;
  source: string;
  additive: boolean;
  leaves: Leaf[];
  sql: (leaf: (leaf: Leaf) => string) => string;
}

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
    count: /^\s*count\s*\(/i.test(metric.expression) && aggregates.length === 1 && /\)\s*$/.test(metric.expression),
    sql: (scope) => {
      scope.verbatim(fields.map(({ dataset, field }) => ({ dataset, field })));
      return metric.expression;
    },
  };
}
const isAdditive = ({ references, expression }: LensMetric): boolean =>
  references.aggregates.every((fn) => fn === 'sum' || fn === 'count') && !expression.includes('/');

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
    sql: (scope) => {
      // From a home further on the many side its rows are told apart by their key.
      if (fn === 'count' && !name && scope.home.dataset.name !== dataset.name) {
        const joined = scope.at(path, path);
        return joined && key ? `count(distinct ${scope.key(joined, [key])[0]})` : null;
      }
      const own = scope.home.dataset.name === dataset.name ? dataset.name : path;
      return aggregateSql(scope, { ...aggregate, path: own });
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
    unit: counts ? null : (field?.unit ?? null),
    source: leaf.key,
    additive: fn === 'sum' || fn === 'count',
    leaves: [leaf],
    sql: (of) => of(leaf),
  };
}

/** Brackets unless it is one call or one name. */
export const group = (sql: string): string => (/^\w+\([^()]*\)$|^[\w."]+$/.test(sql) ? sql : `(${sql})`);

export interface Output {
  name: string;
  datatype: Datatype;
  unit: string | null;
  source: string;
  leaves: Leaf[];
  /** `windows` are over the grouped rows, so every measure can be computed at one level. */
  windowed: boolean;
  sql: (leaf: (leaf: Leaf) => string, frame: Frame) => string;
}
/** The grouped rows a window looks at: dimensions by their SQL at that level. */
export interface Frame {
  time: { sql: string; grain: 'day' | 'week' | 'month' | 'quarter' | 'year' } | null;
  others: string[];
}

export function outputOf(compilation: Compilation, measure: Measure, hasTime: boolean): Output | null {
  if (measure.kind === 'metric' || measure.kind === 'aggregate') {
    const computed = compute(compilation, measure);
    return computed && { ...computed, name: measure.as ?? computed.name, windowed: false };
  }
  if (measure.kind === 'combined') {
    const left = compute(compilation, measure.left);
    const right = compute(compilation, measure.right);
    if (!left || !right) return null;
    const ratio = measure.fn === 'ratio';
    return {
      name: measure.as ?? `${left.name}_${ratio ? 'per' : 'minus'}_${right.name}`,
      datatype: ratio ? 'decimal' : left.datatype,
      unit: ratio ? (left.unit === right.unit ? null : left.unit) : left.unit,
      source: `${left.source} ${ratio ? '/' : '-'} ${right.source}`,
      leaves: [...left.leaves, ...right.leaves],
      windowed: false,
      sql: (of) => {
        const [l, r] = [group(left.sql(of)), group(right.sql(of))];
        return ratio ? compilation.sql.ratio(l, r) : `${l} - ${r}`;
      },
    };
  }
  if (measure.kind === 'change') return changeOf(compilation, measure);
  if (measure.kind === 'part') return partOf(compilation, measure);
  if (measure.kind === 'averaged') {
    compilation.fault('An average over groups stands alone, without conditions on groups.', 'metrics');
    return null;
  }
  return windowed(compilation, measure, hasTime);
}

/** The same measure over part of the rows; read by the leaves that `compute` made. */
function restricted(of: Computed, tag: string, to: Pick<Leaf, 'within' | 'where'>) {
  const leaves = new Map(
    of.leaves.map((leaf): [string, Leaf] => [
      leaf.key,
      { ...leaf, ...to, key: `${leaf.key} ${JSON.stringify(to)}`, name: `${leaf.name}_${tag}` },
    ]),
  );
  return {
    leaves: [...leaves.values()],
    sql: (read: (leaf: Leaf) => string): string => group(of.sql((leaf) => read(leaves.get(leaf.key)!))),
  };
}
/** Growth from nothing or from a loss has no percentage. */
const percentOf = ({ sql: { ratio } }: Compilation, difference: string, before: string): string =>
  `case when ${before} > 0 then 100 * ${ratio(`(${difference})`, before)} end`;
const zeroed = (read: (leaf: Leaf) => string) => (leaf: Leaf) => `coalesce(${read(leaf)}, 0)`;

function changeOf(compilation: Compilation, measure: Extract<Measure, { kind: 'change' }>): Output | null {
  const of = compute(compilation, measure.of);
  if (!of) return null;
  const earlier = restricted(of, 'before', { within: measure.earlier });
  const later = restricted(of, 'after', { within: measure.later });
  const percent = measure.fn === 'percent';
  return {
    name: measure.as ?? `${of.name}_${percent ? 'percent_change' : 'change'}`,
    datatype: percent ? 'decimal' : of.datatype,
    unit: percent ? '%' : of.unit,
    source: `${percent ? 'percent change' : 'change'} of ${of.source}`,
    leaves: [...earlier.leaves, ...later.leaves],
    windowed: false,
    sql: (leaf, { time, others }) => {
      // A group without rows in one of the periods had nothing to add up there.
      const read = of.additive && (time !== null || others.length > 0) ? zeroed(leaf) : leaf;
      const [before, after] = [earlier.sql(read), later.sql(read)];
      const difference = `${after} - ${before}`;
      return percent ? percentOf(compilation, difference, before) : difference;
    },
  };
}

function partOf(compilation: Compilation, measure: Extract<Measure, { kind: 'part' }>): Output | null {
  const of = compute(compilation, measure.of);
  if (!of) return null;
  if (!of.additive && !of.leaves.every(({ count }) => count)) {
    compilation.fault(`${of.name} is an average or a ratio: a part of it is no share.`, of.name);
    return null;
  }
  const part = restricted(of, 'part', { where: measure.where });
  return {
    name: measure.as ?? `${of.name}_${measure.percent ? 'percent' : 'share'}`,
    datatype: 'decimal',
    unit: measure.percent ? '%' : null,
    source: `part of ${of.source}`,
    leaves: [...of.leaves, ...part.leaves],
    windowed: false,
    sql: (leaf) => {
      const share = compilation.sql.ratio(part.sql(zeroed(leaf)), group(of.sql(leaf)));
      return measure.percent ? `100 * ${share}` : share;
    },
  };
}

function windowed(
  compilation: Compilation,
  measure: Extract<Measure, { kind: 'windowed' }>,
  hasTime: boolean,
): Output | null {
  const { fn } = measure;
  const of = compute(compilation, measure.of);
  if (!of) return null;
  if (['share_of_total', 'running_total'].includes(fn) && !of.additive) {
    compilation.fault(
      `${fn} of ${of.name} would add up what can't be added (an average, a ratio or a distinct count).`,
      of.name,
    );
    return null;
  }
  if (['running_total', 'change', 'percent_change'].includes(fn) && !hasTime) {
    compilation.fault(`${fn} needs a date among the dimensions, like orders.order_date.month.`, of.name);
    return null;
  }
  const { ratio, nullsLast, previous } = compilation.sql;
  const unit =
    fn === 'percent_change' || measure.percent ? '%' : fn === 'share_of_total' || fn === 'rank' ? null : of.unit;
  return {
    name: measure.as ?? `${of.name}_${measure.percent ? 'percent_of_total' : fn}`,
    datatype: fn === 'rank' ? 'integer' : fn === 'share_of_total' || fn === 'percent_change' ? 'decimal' : of.datatype,
    unit,
    source: `${fn} of ${of.source}`,
    leaves: of.leaves,
    windowed: true,
    sql: (leaf, { time, others }) => {
      const value = group(of.sql(leaf));
      if (fn === 'share_of_total') return `${measure.percent ? '100 * ' : ''}${ratio(value, `sum(${value}) over ()`)}`;
      if (fn === 'rank') return `rank() over (order by ${nullsLast(value, 'desc')})`;
      const partition = others.length > 0 ? `partition by ${others.join(', ')} ` : '';
      const over = `over (${partition}order by ${time!.sql})`;
      if (fn === 'running_total') return `sum(${value}) ${over}`;
      // The row before is the period before only when no period is missing.
      const before = `case when lag(${time!.sql}) ${over} = ${previous(time!.sql, time!.grain)} then lag(${value}) ${over} end`;
      const difference = `${value} - (${before})`;
      return fn === 'change' ? difference : percentOf(compilation, difference, `(${before})`);
    },
  };
}
