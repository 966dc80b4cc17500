// Filters over the rows of a scope: conditions, any-of, all-of, not, and semijoins that never multiply rows.
import type { Compilation } from './compilation.ts';
import { conditionSql, timeText } from './condition-sql.ts';
import { fieldSql, typeOfGrain, typeOfPart } from './field-sql.ts';
import { type Aggregate, type Condition, type Exists, type Filter, isDayPart, type TimeWindow } from './intent.ts';
import { withInner } from './intent-filters.ts';
import { datasetOfPath, isPathWord, pathTo, reachable, relatedTo, waysBetween } from './join-paths.ts';
import type { Lens, LensRelationship } from './lens.ts';
import { unknownName } from './project-problem.ts';
import { RowScope } from './row-scope.ts';
import { indent } from './sql-name.ts';

/** A filter that every row must meet. */
export function restriction(compilation: Compilation, scope: RowScope, filter: Filter): string | null {
  scope.lookup(filter);
  return filterSql(compilation, scope, filter);
}

export function filterSql(compilation: Compilation, scope: RowScope, filter: Filter): string | null {
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
    case 'not': {
      const inner = filterSql(compilation, scope, filter.of);
      return inner && `not (${inner})`;
    }
    case 'exists':
      return exists(compilation, scope, filter);
  }
}
const bracket = (sql: string): string => (/ and /.test(sql) && !sql.startsWith('(') ? `(${sql})` : sql);

function condition(compilation: Compilation, scope: RowScope, one: Condition): string | null {
  const found = scope.field(one.field);
  if (!found) return null;
  if (one.than) return comparedWith(compilation, scope, one, one.than, found.sql);
  if (one.other) return otherField(compilation, scope, one, one.other);
  if (isDayPart(one.field.grain)) {
    const part = fieldSql(compilation, scope, one.field);
    return conditionSql(compilation, part, typeOfPart(one.field.grain), one);
  }
  const sql = conditionSql(compilation, found.sql, found.datatype, one);
  return sql && one.orNull ? `(${sql} or ${found.sql} is null)` : sql;
}

const COMPARES = ['=', '!=', '>', '>=', '<', '<='];
const sign = (op: Condition['op']): string => (op === '!=' ? '<>' : op);

/** The aggregate over every row of its dataset that the asker may see, or over those that are named. */
function comparedWith(
  compilation: Compilation,
  scope: RowScope,
  { op, field }: Condition,
  than: NonNullable<Condition['than']>,
  sql: string,
): string | null {
  if (!COMPARES.includes(op)) {
    compilation.fault(
      `${op} can't compare with an aggregate; use =, !=, >, >=, < or <=.`,
      `${field.path}.${field.field}`,
    );
    return null;
  }
  const dataset = isPathWord(compilation.lens, than.path) ? datasetOfPath(compilation.lens, than.path) : undefined;
  if (!dataset) {
    const valid = compilation.lens.datasets.map(({ name }) => name);
    compilation.fault(unknownName('dataset or role', than.path, valid), than.path, 'unknown_name');
    return null;
  }
  const inner = new RowScope(compilation, dataset.name, scope.aliases);
  const own = (path: string): string => (path === than.path ? dataset.name : path);
  const value = aggregateSql(inner, { ...than, path: dataset.name });
  // What is masked shows as null to a listing, and is no group to compare within.
  if (!(than.per ?? []).every((ref) => scope.field(ref))) return null;
  const same = (than.per ?? []).map((ref) =>
    compilation.sql.sameOrBothNull(
      fieldSql(compilation, inner, { ...ref, path: own(ref.path) }),
      fieldSql(compilation, scope, ref),
    ),
  );
  const where = (than.where ?? []).flatMap((one) => filterSql(compilation, inner, asHome(one, than.path, inner)) ?? []);
  const conditions = [...same, ...where];
  const filtered = conditions.length > 0 ? `\nwhere ${conditions.join('\n  and ')}` : '';
  return value && `${sql} ${sign(op)} (\n${indent(`select ${value}\n${inner.from()}${filtered}`)}\n)`;
}

const KIND: Record<string, string> = { integer: 'number', decimal: 'number', float: 'number' };
const kindOf = (datatype: string): string => KIND[datatype] ?? datatype;

function otherField(
  compilation: Compilation,
  scope: RowScope,
  { op, field }: Condition,
  { field: ref, plus }: NonNullable<Condition['other']>,
): string | null {
  const [left, right] = [field, ref].map((one) => compilation.field(one)?.field);
  if (!left || !right) return null;
  const at = `${ref.path}.${ref.field}`;
  const types = [field, ref].map((one, index) => typeOfGrain(one.grain) ?? [left, right][index]!.datatype);
  if (!COMPARES.includes(op)) {
    compilation.fault(`${op} can't compare with another field; use =, !=, >, >=, < or <=.`, at);
    return null;
  }
  const days = types.every((type) => type === 'date' || type === 'datetime');
  if (!days && kindOf(types[0]!) !== kindOf(types[1]!)) {
    compilation.fault(
      `${field.path}.${field.field} is ${types[0]} and ${at} is ${types[1]}: they can't be compared.`,
      at,
    );
    return null;
  }
  if (plus && !['date', 'datetime', 'datetimetz'].includes(types[1]!)) {
    compilation.fault(`${at} is ${types[1]}; only dates can be moved by a span.`, at);
    return null;
  }
  for (const one of [field, ref]) if (!scope.field(one)) return null;
  const [a, b] = [field, ref].map((one) => fieldSql(compilation, scope, one));
  return `${a} ${sign(op)} ${plus ? compilation.sql.later(b!, plus) : b}`;
}

/** `condition`: only over the rows that satisfy it; a group without such rows stays. */
export function aggregateSql(scope: RowScope, { fn, path, field }: Aggregate, condition?: string): string | null {
  if (!field) return condition ? `count(${whenever(condition, '1')})` : 'count(*)';
  const found = scope.field({ path, field }, fn === 'count_distinct');
  if (!found) return null;
  const value = whenever(condition, found.sql);
  if (fn === 'median') return scope.median(value, path);
  return fn === 'count_distinct' ? `count(distinct ${value})` : `${fn}(${value})`;
}
export const whenever = (condition: string | undefined, value: string): string =>
  condition ? `case when ${condition} then ${value} end` : value;

export interface Correlation {
  inner: RowScope;
  on: string[];
}
/** How rows elsewhere hang on the current row of a scope: columns of theirs that equal columns of it. */
interface Side {
  inner: RowScope;
  innerKeys: string[];
  outerKeys: string[];
  outer: RowScope['home'];
}
/** A scope over the rows of `path` that belong to the current row of `scope`. */
export function relatedRows(compilation: Compilation, scope: RowScope, path: string, via?: string): Correlation | null {
  const side = relatedSide(compilation, scope, path, via);
  return (
    side && { inner: side.inner, on: side.innerKeys.map((column, index) => `${column} = ${side.outerKeys[index]}`) }
  );
}
export function relatedSide(
  compilation: Compilation,
  scope: RowScope,
  path: string,
  via: string | undefined,
): Side | null {
  const { lens } = compilation;
  const target = isPathWord(lens, path) ? datasetOfPath(lens, path) : undefined;
  if (!target) {
    const valid = lens.datasets.map(({ name }) => name);
    compilation.fault(unknownName('dataset or role', path, valid), path, 'unknown_name');
    return null;
  }
  const home = scope.home.dataset.name;
  const hangs = anchorsOf(lens, home, target.name).filter(
    ({ anchor, way }) => !via || anchor === via || way.some(({ role }) => role === via),
  );
  const nearest = hangs.filter(({ far }) => far === hangs[0]!.far);
  const said = nearest.filter(({ anchor }) => anchor === via);
  const [found, another] = said.length > 0 ? said : nearest;
  if (found && another) {
    const roles = [
      ...new Set(nearest.map(({ anchor, way }) => (anchor === home ? way.map(({ role }) => role).join('.') : anchor))),
    ];
    compilation.fault(
      `${path} is related to ${home} in several ways (${roles.join(' or ')}); say which with via.`,
      path,
      'ambiguous',
    );
    return null;
  }
  if (found) {
    const outer = found.anchor === home ? scope.home : scope.at(found.anchor, path);
    if (!outer) return null;
    const inner = new RowScope(compilation, target.name, scope.aliases);
    return match(inner, inner.walk(found.way.slice(0, -1)), scope, outer, found.way.at(-1)!, 'up');
  }
  // Many to one: the row itself leads there.
  const down = lens.relationships.filter(
    (one) => one.from.dataset === home && (one.role === path || one.to.dataset === path) && (!via || one.role === via),
  );
  if (down.length === 1) {
    const inner = new RowScope(compilation, target.name, scope.aliases);
    return match(inner, inner.home, scope, scope.home, down[0]!, 'down');
  }
  compilation.fault(
    `No relationship leads from ${path} to ${home}${via ? ` along ${via}` : ''}. Related to it are: ${relatedTo(lens, home).join(', ') || 'none'}.`,
    path,
    'fan_out',
  );
  return null;
}

/** Where rows of the target can hang on a row of the home: on itself, or on what it leads to, the nearest first. */
function anchorsOf(lens: Lens, home: string, target: string) {
  return reachable(lens, home)
    .flatMap((anchor) => {
      const found = pathTo(lens, home, anchor);
      const steps = found.kind === 'path' ? found.path.steps.length : Number.POSITIVE_INFINITY;
      const far = anchor === home ? 0 : steps;
      return waysBetween(lens, target, datasetOfPath(lens, anchor)!.name).map((way) => ({ anchor, way, far }));
    })
    .sort((a, b) => a.far - b.far);
}

function match(
  inner: RowScope,
  innerSide: RowScope['home'],
  scope: RowScope,
  outer: RowScope['home'],
  { from, to, role }: LensRelationship,
  way: 'up' | 'down',
): Side {
  inner.note(
    `${from.columns.map((column, index) => `${from.dataset}.${column} = ${to.dataset}.${to.columns[index]}`).join(' and ')}${role === to.dataset ? '' : ` as ${role}`}`,
  );
  return {
    inner,
    innerKeys: inner.key(innerSide, (way === 'up' ? from : to).columns),
    outerKeys: scope.key(outer, (way === 'up' ? to : from).columns),
    outer,
  };
}

function exists(compilation: Compilation, scope: RowScope, filter: Exists): string | null {
  const { path, negated, via, where, count, total, sharing } = filter;
  const related = sharing ? sharingRows(compilation, scope, sharing) : relatedRows(compilation, scope, path, via);
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
    case 'condition': {
      const { other } = filter;
      return {
        ...filter,
        field: { ...filter.field, path: moved(filter.field.path) },
        ...(other && { other: { ...other, field: { ...other.field, path: moved(other.field.path) } } }),
      };
    }
    case 'exists':
      return filter;
    default:
      return withInner(filter, (one) => asHome(one, path, inner));
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
  filters.flatMap((filter) => {
    switch (filter.kind) {
      case 'condition':
        return [filter.field, ...(filter.other ? [filter.other.field] : []), ...(filter.than?.per ?? [])].map(
          ({ path }) => path,
        );
      case 'exists':
        return [];
      case 'not':
        return filterPaths([filter.of]);
      default:
        return filterPaths(filter.of);
    }
  });

/** Of the row alone, without a look at others. */
export const ofTheRow = (filter: Filter): boolean =>
  filter.kind === 'condition'
    ? !filter.than
    : filter.kind !== 'exists' && (filter.kind === 'not' ? [filter.of] : filter.of).every(ofTheRow);
