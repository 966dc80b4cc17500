// Rewrites a statement so that svc can move its parts. Gives each table a unique alias, and qualifies each column with
// that alias. Replaces each reference to a WITH query or an output with its definition. Removes queries in FROM that
// only name expressions (flatten-subqueries.ts).

import type { Dialect } from '../../../dialects/dialect.ts';
import { foldName } from '../../../dialects/fold-name.ts';
import { allOf, columnOf, compare, derivedOf, EMPTY_TAIL, literalOf } from '../../../dialects/make-nodes.ts';
import { isQuery, replaceNodes } from '../../../dialects/nodes.ts';
import type {
  CommonTable,
  Expression,
  FromItem,
  GroupKey,
  Query,
  Select,
  SelectItem,
  SortKey,
} from '../../../dialects/tree.ts';
import type { Lens } from '../../../lens/model/lens.ts';
import { takeFreeName } from '../../../platform/take-free-name.ts';
import { isSameName } from '../statement/sources.ts';
import { flattenSubqueries } from './flatten-subqueries.ts';
import { findColumnOfDataset, requireDataset, UnreadablePartError } from './scope.ts';
import { type DayList, isRecursive, readDayList, readDays } from './time/series.ts';

interface NamedSource {
  /** The name in the statement. `alias` is the unique name. */
  originalName: string;
  alias: string;
  findColumn(name: string): string | null;
  names: string[];
  /** Columns in a USING clause. An unqualified name refers to the left table's column. */
  sharedColumns: string[];
}
interface NameScope {
  sources: NamedSource[];
  outer: NameScope | null;
}
/** A query in a WITH clause, and the other WITH queries that it can refer to. */
interface WithQuery {
  query: Query;
  earlierQueries: WithQueries;
  /** The days that the query lists, if it is only a list of days. */
  days: DayList | null;
}
/** Keyed by name, in the case that the engine compares. */
type WithQueries = ReadonlyMap<string, WithQuery>;

export function withUniqueNames(lens: Lens, dialect: Dialect, query: Query): Query {
  return new UniqueNameAssigner(lens, dialect).query(query, new Map(), null, true);
}

class UniqueNameAssigner {
  readonly #lens: Lens;
  readonly #dialect: Dialect;
  readonly #takenNames = new Set<string>();

  constructor(lens: Lens, dialect: Dialect) {
    this.#lens = lens;
    this.#dialect = dialect;
  }

  query(query: Query, outerQueries: WithQueries, outer: NameScope | null, isShown = false): Select {
    if (query.kind !== 'select') throw new UnreadablePartError(query.kind === 'set' ? query.operator : query.kind);
    const withQueries = query.with ? readWithClause(this.#dialect, query.with, outerQueries) : outerQueries;
    const names: NameScope = { sources: [], outer };
    const itemsWithAliases = query.from.map((item) => this.#renameFrom(item, withQueries, names));
    const rename = <T>(part: T, outputs: SelectItem[] = []): T =>
      this.#renameColumns(part, withQueries, names, outputs);
    const from = itemsWithAliases.map((item) => changeJoinConditions(item, rename));
    const items = query.items.flatMap((item) => this.#renameItem(item, names, rename, isShown));
    const renameKey = (key: GroupKey): GroupKey =>
      key.kind === 'grouping_set' ? key : this.#renameGroupKey(key, names, items, rename);
    const select: Select = {
      ...query,
      with: null,
      distinct: query.distinct && { on: rename(query.distinct.on) },
      ...{ from, items },
      where: rename(query.where),
      groupBy: query.groupBy && { ...query.groupBy, keys: query.groupBy.keys.map(renameKey) },
      having: rename(query.having, items),
      qualify: rename(query.qualify, items),
      orderBy: query.orderBy.map((key): SortKey => ({ ...key, value: this.#renameSortKey(key.value, items, rename) })),
    };
    return flattenSubqueries(this.#dialect, select);
  }

  #createAlias(alias: string): string {
    return takeFreeName(this.#takenNames, alias, '~');
  }

  #renameFrom(item: FromItem, withQueries: WithQueries, names: NameScope): FromItem {
    const findWithQuery = (name: string) => withQueries.get(foldName(this.#dialect, name));
    const days = item.kind === 'join' ? null : readDays(item, (name) => findWithQuery(name)?.days ?? null);
    if (days) return this.#addDayList(days, item, names);
    switch (item.kind) {
      case 'join':
        return this.#renameJoin(item, withQueries, names);
      case 'derived': {
        if (item.lateral || item.alias === null) throw new UnreadablePartError('lateral');
        return this.#renameDerivedTable(item.query, item.alias, item.columns, withQueries, names);
      }
      case 'table': {
        const withQuery = item.schema === null ? findWithQuery(item.name) : undefined;
        if (withQuery)
          return this.#renameDerivedTable(
            withQuery.query,
            item.alias ?? item.name,
            item.columns,
            withQuery.earlierQueries,
            names,
          );
        if (item.columns.length > 0 || item.catalog !== null) throw new UnreadablePartError('table');
        const dataset = requireDataset(this.#lens, this.#dialect, item.schema, item.name);
        const originalName = item.alias ?? item.name;
        const alias = this.#createAlias(originalName);
        const column = (name: string) => findColumnOfDataset(this.#lens, this.#dialect, dataset, name)?.column ?? null;
        names.sources.push({
          originalName: originalName,
          alias,
          findColumn: column,
          names: dataset.fields.map(({ name }) => name),
          sharedColumns: [],
        });
        return { ...item, alias };
      }
      default:
        throw new UnreadablePartError(item.kind);
    }
  }

  #addDayList(
    { days, column: dayColumn }: DayList,
    { alias: originalName, columns, ...item }: FromItem,
    names: NameScope,
  ): FromItem {
    const sourceName = originalName ?? ('name' in item ? item.name : dayColumn);
    const alias = this.#createAlias(sourceName);
    const name = columns[0] ?? dayColumn;
    const column = (columnName: string) => (isSameName(this.#dialect, columnName, name) ? name : null);
    names.sources.push({ originalName: sourceName, alias, findColumn: column, names: [name], sharedColumns: [] });
    const rows = days.map((day) => [literalOf('date', day)]);
    const query: Query = { kind: 'values', rows, ...EMPTY_TAIL };
    return { ...derivedOf(query, alias), columns: [name] };
  }

  #renameDerivedTable(
    query: Query,
    originalName: string,
    columns: string[],
    withQueries: WithQueries,
    names: NameScope,
  ): FromItem {
    const innerSelect = this.query(query, withQueries, names.outer);
    const items = innerSelect.items.map((item, index) => ({ ...item, alias: columns[index] ?? item.alias }));
    const alias = this.#createAlias(originalName);
    const aliases = items.flatMap((item) => item.alias ?? []);
    const column = (name: string) => aliases.find((item) => isSameName(this.#dialect, item, name)) ?? null;
    names.sources.push({ originalName: originalName, alias, findColumn: column, names: aliases, sharedColumns: [] });
    return derivedOf({ ...innerSelect, items }, alias);
  }

  #renameJoin(join: FromItem & { kind: 'join' }, withQueries: WithQueries, names: NameScope): FromItem {
    if (join.natural || join.alias !== null || join.usingAlias !== null) throw new UnreadablePartError('join');
    const sourceCount = names.sources.length;
    const left = this.#renameFrom(join.left, withQueries, names);
    const leftEnd = names.sources.length;
    const right = this.#renameFrom(join.right, withQueries, names);
    const [leftSources, rightSources] = [names.sources.slice(sourceCount, leftEnd), names.sources.slice(leftEnd)];
    const usingColumns = join.using.map((name) => {
      const [leftSource, other] = [requireSourceOfColumn(leftSources, name), requireSourceOfColumn(rightSources, name)];
      other.sharedColumns.push(name);
      return compare(columnOf(leftSource.originalName, name), '=', columnOf(other.originalName, name));
    });
    return { ...join, left, right, using: [], on: allOf([...(join.on ? [join.on] : []), ...usingColumns]) };
  }

  #renameColumns<T>(part: T, withQueries: WithQueries, names: NameScope, outputs: SelectItem[]): T {
    return replaceNodes(part, (node) => {
      if (node.kind === 'column') return this.#resolveColumn(node.path, names, outputs);
      return isQuery(node) ? this.query(node, withQueries, names) : null;
    });
  }

  #resolveColumn(path: string[], names: NameScope, outputs: SelectItem[]): Expression {
    const source = this.#resolveOwnColumn(path, names.sources);
    if (source) return source;
    const output = path.length === 1 ? this.#findOutput(path[0]!, outputs) : undefined;
    if (output) return output.value;
    if (names.outer) return this.#resolveColumn(path, names.outer, []);
    throw new UnreadablePartError('no such column');
  }

  #resolveOwnColumn(path: string[], sources: NamedSource[]): Expression | null {
    const [name, qualifier] = [path.at(-1)!, path.at(-2)];
    const matches = sources
      .filter((source) =>
        qualifier === undefined
          ? !source.sharedColumns.includes(name)
          : isSameName(this.#dialect, source.originalName, qualifier),
      )
      .flatMap((source) => {
        const column = source.findColumn(name);
        return column === null ? [] : [columnOf(source.alias, column)];
      });
    if (matches.length > 1) throw new UnreadablePartError('several columns have this name');
    return matches[0] ?? null;
  }

  #findOutput = (name: string, outputs: SelectItem[]): SelectItem | undefined =>
    outputs.find(({ alias }) => alias !== null && isSameName(this.#dialect, alias, name));

  #renameItem(item: SelectItem, names: NameScope, rename: <T>(part: T) => T, isShown: boolean): SelectItem[] {
    const { value } = item;
    if (value.kind !== 'star')
      return [{ value: rename(value), alias: item.alias ?? this.#dialect.names.output(value) }];
    const isPlainStar = value.exclude.length + value.replace.length + value.rename.length === 0 && !value.columns;
    if (isShown || !isPlainStar) throw new UnreadablePartError('*');
    const qualifier = value.qualifier.at(-1);
    return names.sources
      .filter((source) => qualifier === undefined || isSameName(this.#dialect, source.originalName, qualifier))
      .flatMap((source) => source.names.map((name) => ({ value: columnOf(source.alias, name), alias: name })));
  }

  #renameGroupKey(
    key: Expression,
    names: NameScope,
    items: SelectItem[],
    rename: <T>(part: T, outputs?: SelectItem[]) => T,
  ): Expression {
    if (key.kind === 'literal' && key.type === 'number') return items[Number(key.value) - 1]?.value ?? key;
    const output = key.kind === 'column' && key.path.length === 1 ? this.#findOutput(key.path[0]!, items) : undefined;
    const sourceColumn = output && key.kind === 'column' ? this.#resolveOwnColumn(key.path, names.sources) : null;
    if (output && sourceColumn && JSON.stringify(sourceColumn) !== JSON.stringify({ ...output.value, at: null }))
      throw new UnreadablePartError('two meanings');
    return rename(key, items);
  }

  #renameSortKey(key: Expression, items: SelectItem[], rename: <T>(part: T, outputs?: SelectItem[]) => T): Expression {
    if (key.kind === 'literal' && key.type === 'number') return items[Number(key.value) - 1]?.value ?? key;
    const output = key.kind === 'column' && key.path.length === 1 ? this.#findOutput(key.path[0]!, items) : undefined;
    return output?.value ?? rename(key, items);
  }
}

function readWithClause(
  dialect: Dialect,
  { recursive, entries }: { recursive: boolean; entries: CommonTable[] },
  outerQueries: WithQueries,
): WithQueries {
  let withQueries = outerQueries;
  for (const { name, columns, query } of entries) {
    const earlierSteps = withQueries;
    const lookUpDays = (queryName: string): DayList | null =>
      earlierSteps.get(foldName(dialect, queryName))?.days ?? null;
    const days = readDayList(query, lookUpDays, recursive ? { name, columns } : null);
    if (!days && recursive && isRecursive(query, name)) throw new UnreadablePartError('recursive');
    if (!days && columns.length > 0) throw new UnreadablePartError('columns of WITH');
    withQueries = new Map([
      ...withQueries,
      [
        foldName(dialect, name),
        { query, earlierQueries: withQueries, days: days && { ...days, column: columns[0] ?? days.column } },
      ],
    ]);
  }
  return withQueries;
}

function requireSourceOfColumn(sources: NamedSource[], name: string): NamedSource {
  const [source, second] = sources.filter(
    (source) => source.findColumn(name) !== null && !source.sharedColumns.includes(name),
  );
  if (!source || second) throw new UnreadablePartError('using');
  return source;
}

/** Rewrites the join conditions after all tables have aliases. */
function changeJoinConditions(item: FromItem, change: <T>(part: T) => T): FromItem {
  if (item.kind !== 'join') return item;
  const [left, right] = [item.left, item.right].map((item) => changeJoinConditions(item, change));
  return { ...item, left: left!, right: right!, on: change(item.on) };
}
