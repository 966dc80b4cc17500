// Filters over the rows of a scope: conditions, any-of, all-of, and semijoins that never multiply rows.
import type { Compilation } from './compilation.ts';
import { conditionSql, timeText } from './condition-sql.ts';
import { fieldSql } from './dimension.ts';
import { type Aggregate, type Condition, type Exists, type Filter, isDayPart, type TimeWindow } from './intent.ts';
import { datasetOfPath, isPathWord, reachable, waysBetween } from './join-paths.ts';
import type { LensRelationship } from './lens.ts';
import { RowScope } from './row-scope.ts';
import { indent } from './sql-name.ts';

/** A filter that every row must meet. */
export function restriction(compilation: Compilation, scope: RowScope, filter: Filter): string | null {
  scope.lookup(filter);
  return filterSql(compilation, scope, filter);
}

function filterSql(compilation: Compilation, scope: RowScope, filter: Filter): string | null {
  switch (filter.kind) {
    case 'condition':
      return condition(compilation, scope, filter);
    case 'any':
    case 'all': {
      const parts = filter.of.flatMap((one) => filterSql(compilation, scope, one) ?? []);
      if (filter.of.length === 0) compilation.fault(`An ${filter.kind}-of needs at least one condition.`);
      if (parts.length < filter.of.length) return null;
      return parts.length === 1 ? parts[0]! : `(${parts.map(bracket).join(filter.kind === 'any' ? ' or ' : ' and ')})`;
    }
    case 'exists':
      return exists(compilation, scope, filter);
  }
}
const bracket = (sql: string): string => (/ and /.test(sql) && !sql.startsWith('(') ? `(${sql})` : sql);

function condition(compilation: Compilation, scope: RowScope, one: Condition): string | null {
  const found = scope.field(one.field);
  if (!found) return null;
  if (!one.than && isDayPart(one.field.grain)) {
    const part = fieldSql(compilation, scope, one.field);
    return conditionSql(compilation, part, one.field.grain === 'hour' ? 'integer' : 'string', one);
  }
  if (!one.than) {
    const sql = conditionSql(compilation, found.sql, found.datatype, one);
    return sql && one.orNull ? `(${sql} or ${found.sql} is null)` : sql;
  }
  if (!['=', '!=', '>', '>=', '<', '<='].includes(one.op)) {
    compilation.fault(`${one.op} can't compare with an aggregate; use =, !=, >, >=, < or <=.`);
    return null;
  }
  const over = aggregateOverAll(compilation, one.than, scope.aliases);
  return over && `${found.sql} ${one.op === '!=' ? '<>' : one.op} ${over}`;
}

/** The aggregate over every row of its dataset that the asker may see. */
function aggregateOverAll(compilation: Compilation, aggregate: Aggregate, around: ReadonlySet<string>): string | null {
  const dataset = isPathWord(compilation.lens, aggregate.path)
    ? datasetOfPath(compilation.lens, aggregate.path)
    : undefined;
  if (!dataset) {
    compilation.fault(`There is no dataset or role "${aggregate.path}".`, aggregate.path, 'unknown_name');
    return null;
  }
  const inner = new RowScope(compilation, dataset.name, around);
  const sql = aggregateSql(inner, { ...aggregate, path: dataset.name });
  return sql && `(\n${indent(`select ${sql}\n${inner.from()}`)}\n)`;
}

export function aggregateSql(scope: RowScope, { fn, path, field }: Aggregate): string | null {
  if (!field) return 'count(*)';
  const found = scope.field({ path, field }, fn === 'count_distinct');
  if (!found) return null;
  if (fn === 'median') return scope.median(found.sql, path);
  return fn === 'count_distinct' ? `count(distinct ${found.sql})` : `${fn}(${found.sql})`;
}

export interface Correlation {
  inner: RowScope;
  on: string[];
}
/** A scope over the rows of `path` that belong to the current row of `scope`. */
export function relatedRows(compilation: Compilation, scope: RowScope, path: string): Correlation | null {
  const { lens } = compilation;
  const target = isPathWord(lens, path) ? datasetOfPath(lens, path) : undefined;
  if (!target) {
    compilation.fault(`There is no dataset or role "${path}".`, path, 'unknown_name');
    return null;
  }
  for (const anchor of reachable(lens, scope.home.dataset.name)) {
    const anchorDataset = datasetOfPath(lens, anchor)!;
    const ways = waysBetween(lens, target.name, anchorDataset.name);
    if (ways.length === 0) continue;
    if (ways.length > 1) {
      compilation.fault(
        `${path} leads to ${anchorDataset.name} in several ways (${ways.map((way) => way.map(({ role }) => role).join('.')).join(' or ')}); the question must say which.`,
        path,
        'ambiguous',
      );
      return null;
    }
    const outer = anchor === scope.home.dataset.name ? scope.home : scope.at(anchor, path);
    if (!outer) return null;
    const inner = new RowScope(compilation, target.name, scope.aliases);
    return { inner, on: match(inner, inner.walk(ways[0]!.slice(0, -1)), scope, outer, ways[0]!.at(-1)!, 'up') };
  }
  // Many to one: the row itself leads there.
  const down = lens.relationships.filter(
    (one) => one.from.dataset === scope.home.dataset.name && (one.role === path || one.to.dataset === path),
  );
  if (down.length === 1) {
    const inner = new RowScope(compilation, target.name, scope.aliases);
    return { inner, on: match(inner, inner.home, scope, scope.home, down[0]!, 'down') };
  }
  compilation.fault(`No relationship leads from ${path} to ${scope.home.dataset.name}.`, path, 'fan_out');
  return null;
}

function match(
  inner: RowScope,
  innerSide: RowScope['home'],
  scope: RowScope,
  outer: RowScope['home'],
  { from, to, role }: LensRelationship,
  way: 'up' | 'down',
): string[] {
  inner.note(
    `${from.columns.map((column, index) => `${from.dataset}.${column} = ${to.dataset}.${to.columns[index]}`).join(' and ')}${role === to.dataset ? '' : ` as ${role}`}`,
  );
  const left = inner.key(innerSide, (way === 'up' ? from : to).columns);
  const right = scope.key(outer, (way === 'up' ? to : from).columns);
  return left.map((column, index) => `${column} = ${right[index]}`);
}

function exists(compilation: Compilation, scope: RowScope, filter: Exists): string | null {
  const { path, negated, where, count, total, sharing } = filter;
  const related = sharing ? sharingRows(compilation, scope, sharing) : relatedRows(compilation, scope, path);
  if (!related) return null;
  const { inner, on } = related;
  const conditions = where.flatMap((one) => filterSql(compilation, inner, asHome(one, path, inner)) ?? []);
  const selected = (what: string): string =>
    `(\n${indent(`select ${what}\n${inner.from()}\nwhere ${[...on, ...conditions].join('\n  and ')}`)}\n)`;
  if (!count && !total) return `${negated ? 'not exists' : 'exists'} ${selected('1')}`;
  const compared = count
    ? `${selected('count(*)')} ${count.op} ${compilation.literal(count.value, 'integer')}`
    : totalSql(compilation, inner, total!, selected);
  return negated ? `not (${compared})` : compared;
}

function totalSql(
  compilation: Compilation,
  inner: RowScope,
  { fn, field, op, values }: NonNullable<Exists['total']>,
  selected: (what: string) => string,
): string {
  const sum = aggregateSql(inner, { kind: 'aggregate', fn, path: inner.home.dataset.name, field }) ?? '';
  const [low, high] = values.map((value) => compilation.literal(value, 'decimal'));
  return op === 'between'
    ? `${selected(sum)} between ${low} and ${high}`
    : `${selected(sum)} ${op === '!=' ? '<>' : op} ${low}`;
}

/** "orders over 5000", where each row is a line of one: the lines that have its number. */
function sharingRows(compilation: Compilation, scope: RowScope, field: string): Correlation | null {
  const home = scope.home.dataset.name;
  const inner = new RowScope(compilation, home, scope.aliases);
  const [left, right] = [inner, scope].map((one) => one.field({ path: home, field }));
  return left && right ? { inner, on: [`${left.sql} = ${right.sql}`] } : null;
}

/** Inside an exists, its path (a role perhaps) is the home. */
function asHome(filter: Filter, path: string, inner: RowScope): Filter {
  const home = inner.home.dataset.name;
  const moved = (one: string): string => (one === path ? home : one);
  switch (filter.kind) {
    case 'condition':
      return { ...filter, field: { ...filter.field, path: moved(filter.field.path) } };
    case 'any':
      return { ...filter, of: filter.of.map((one) => asHome(one, path, inner)) as typeof filter.of };
    case 'all':
      return { ...filter, of: filter.of.map((one) => asHome(one, path, inner)) as typeof filter.of };
    case 'exists':
      return filter;
  }
}

export function timeSql(compilation: Compilation, scope: RowScope, { field, from, to }: TimeWindow): string[] {
  const found = scope.field({ path: field.path, field: field.field });
  if (!found) return [];
  if (!['date', 'datetime', 'datetimetz'].includes(found.datatype)) {
    compilation.fault(`${field.path}.${field.field} is no date; a time window needs one.`, 'time');
    return [];
  }
  const bound = (text: string): string =>
    compilation.literal(...timeText(text, found.datatype, compilation.lens.timezone));
  return [`${found.sql} >= ${bound(from)}`, `${found.sql} < ${bound(to)}`];
}

/** The paths whose rows the filters read, without those that live inside an exists. */
export const filterPaths = (filters: Filter[]): string[] =>
  filters.flatMap((filter) =>
    filter.kind === 'condition' ? [filter.field.path] : filter.kind === 'exists' ? [] : filterPaths(filter.of),
  );
