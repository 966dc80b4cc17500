// What one SELECT means, in one form: two texts of one meaning have the same one, and what it doesn't know has none. Its
// sources are named by the relationships that lead to them, so that aliases and the order of joins don't matter; an inner
// join to a key is a left join whose key is there.
import type { Dialect } from '../../../dialects/dialect.ts';
import type { Expression, FromItem, Query, Select } from '../../../dialects/tree.ts';
import type { Lens, LensDataset } from '../../../lens/lens.ts';
import { attached } from './attach.ts';
import { conjunctsOf, ExpressionText } from './expression-text.ts';
import { Scope, type Source, Unread } from './scope.ts';

export interface Meaning {
  select: Select;
  sources: Source[];
  home: Source;
  /** Conditions that every row meets, each by its text. */
  where: Map<string, Expression>;
  /** Null: rows are not grouped; of no keys: all rows are one group. */
  group: string[] | null;
  having: Map<string, Expression>;
  items: { text: string; value: Expression }[];
  /** How expressions over its sources read. */
  text: ExpressionText;
}
export function meaningOf(lens: Lens, dialect: Dialect, query: Query, outer: Scope | null = null): Meaning {
  if (query.kind !== 'select') throw new Unread(query.kind);
  const { distinct, groupBy, qualify, windows } = query;
  if (query.with || qualify || windows.length > 0 || (distinct && distinct.on.length > 0)) throw new Unread('select');
  if (groupBy && (groupBy.all || groupBy.distinct)) throw new Unread('group by');
  const scope = new Scope(lens, dialect, outer);
  const using: Expression[] = [];
  for (const item of query.from) takeFrom(scope, item, using);
  const text = new ExpressionText(scope, (inner) => meaningOf(lens, dialect, inner, scope));
  const conditions = [...(query.where ? conjunctsOf(query.where) : []), ...using];
  const { home, left } = attached(scope, conditions);
  const where = new Map(left.flatMap((one) => text.conjuncts(one)).map((one) => [one.text, one.value]));
  for (const { text: needed, source, value } of keysNeeded(scope, text))
    if (!rejectsNull(where, source)) where.set(needed, value);
  const items = query.items.map(({ value }) => {
    if (value.kind === 'star') throw new Unread('*');
    return { text: text.of(value), value };
  });
  const group = groupOf(query, items, scope, text);
  const having = new Map(
    (query.having ? text.conjuncts(unaliased(query.having, query, scope)) : []).map((one) => [one.text, one.value]),
  );
  return { select: query, sources: scope.sources, home, where, group, having, items, text };
}

/** The same rows, grouped alike, show the same: in which order of columns, each of `b` by its place in `a`; else null. */
export function sameMeaning(a: Meaning, b: Meaning): number[] | null {
  const equal = (one: Iterable<string>, other: Iterable<string>): boolean =>
    [...one].sort().join('\n') === [...other].sort().join('\n');
  if (a.home.label !== b.home.label || (a.group === null) !== (b.group === null)) return null;
  if (!equal(a.where.keys(), b.where.keys()) || !equal(a.having.keys(), b.having.keys())) return null;
  if (a.group && !equal(a.group, b.group!)) return null;
  if (a.items.length !== b.items.length) return null;
  const free = a.items.map(({ text }) => text as string | null);
  const places = b.items.map(({ text }) => {
    const at = free.indexOf(text);
    if (at >= 0) free[at] = null;
    return at;
  });
  return places.includes(-1) ? null : places;
}

export function takeFrom(scope: Scope, item: FromItem, using: Expression[], how: Source['how'] = 'base'): void {
  if (item.kind === 'join') {
    if (item.natural || item.alias !== null || item.usingAlias !== null) throw new Unread('join');
    if (item.how !== 'inner' && item.how !== 'left' && item.how !== 'cross') throw new Unread(item.how);
    takeFrom(scope, item.left, using, how);
    if (item.right.kind !== 'table') throw new Unread('join');
    const before = [...scope.sources];
    takeFrom(scope, item.right, using, item.how === 'left' ? 'left' : 'inner');
    const source = scope.sources.at(-1)!;
    const on = [
      ...(item.on ? conjunctsOf(item.on) : []),
      ...item.using.map((name) => sharedColumn(before, source, name)),
    ];
    if (source.how === 'left') source.on = on;
    else using.push(...on);
    return;
  }
  if (item.kind !== 'table' || item.columns.length > 0 || item.catalog !== null) throw new Unread('from');
  const dataset = datasetCalled(scope, item.schema, item.name);
  const first = scope.sources.length === 0;
  scope.sources.push({
    ...{ alias: item.alias ?? item.name, dataset, on: [], label: '', steps: [] },
    how: first ? 'base' : how === 'base' ? 'inner' : how,
  });
}

function sharedColumn(before: Source[], right: Source, name: string): Expression {
  const [left, more] = before.filter(({ dataset }) => dataset.fields.some((field) => field.name === name));
  if (!left || more) throw new Unread('using');
  const column = (alias: string): Expression => ({ kind: 'column', path: [alias, name], at: null });
  return { kind: 'compare', operator: '=', left: column(left.alias), right: column(right.alias), at: null };
}

function datasetCalled(scope: Scope, schema: string | null, name: string): LensDataset {
  const { datasets } = scope.lens;
  const called = datasets.filter(
    ({ source }) =>
      scope.same(source.table, name) &&
      (schema === null || (source.schema !== null && scope.same(source.schema, schema))),
  );
  const found = called.length === 1 ? called[0] : schema === null && datasets.find((one) => scope.same(one.name, name));
  if (!found) throw new Unread('table');
  return found;
}

/** An inner join to a row that may be missing keeps those that have it. */
function keysNeeded({ sources }: Scope, text: ExpressionText): { text: string; value: Expression; source: Source }[] {
  return sources.flatMap((source) =>
    source.how !== 'left' && source.steps.length > 0
      ? source.steps.at(-1)!.to.columns.map((column) => {
          const value: Expression = {
            kind: 'is_null',
            value: { kind: 'column', path: [source.alias, column], at: null },
            negated: true,
            at: null,
          };
          return { text: text.of(value), value, source };
        })
      : [],
  );
}

/** A condition on it, or on what it leads to, that holds of no row without it. */
const rejectsNull = (where: ReadonlyMap<string, Expression>, { label }: Source): boolean =>
  [...where.keys()].some((text) => {
    const bare = /^(?:in|like|isnotnull|compare(?=\(\S+ (?:[<>]=?|=|<>) ))\((\S+?)[ )]/.exec(text)?.[1];
    return bare !== undefined && (bare.startsWith(`${label}.`) || bare.startsWith(`${label}/`));
  });

function groupOf(select: Select, items: Meaning['items'], scope: Scope, text: ExpressionText): string[] | null {
  const aggregated = text.aggregates([select.items, select.having, select.orderBy]);
  if (select.distinct) {
    if (select.groupBy || aggregated) throw new Unread('distinct groups');
    return [...new Set(items.map((one) => one.text))];
  }
  if (!select.groupBy) return aggregated ? [] : null;
  const keys = select.groupBy.keys.map((key) => {
    if (key.kind === 'grouping_set') throw new Unread('grouping sets');
    if (key.kind === 'literal') return items[Number(key.value) - 1]?.text ?? text.of(key);
    const aliased = unaliased(key, select, scope);
    if (aliased !== key && scope.find((key as { path: string[] }).path) !== null) throw new Unread('two meanings');
    return text.of(aliased);
  });
  return [...new Set(keys)];
}

/** What an output's name stands for; a name of a column means the column. */
function unaliased(key: Expression, { items }: Select, scope: Scope): Expression {
  if (key.kind === 'compare')
    return {
      ...key,
      left: unaliased(key.left, { items } as Select, scope),
      right: unaliased(key.right, { items } as Select, scope),
    };
  if (key.kind !== 'column' || key.path.length > 1) return key;
  const named = items.find(({ alias }) => alias !== null && scope.same(alias, key.path[0]!));
  if (!named || (named.value.kind === 'column' && named.value.path.at(-1) === key.path[0])) return key;
  return named.value;
}
