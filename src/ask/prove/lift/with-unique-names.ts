// Rewrites a statement so that its parts can be moved. Each table gets a unique alias, which qualifies its columns. The
// definition of a WITH query or an output replaces each reference to it. Queries in FROM that only name expressions are
// removed (flatten-subqueries.ts).

import type { Dialect } from '../../../dialects/dialect.ts';
import { allOf, columnOf, compare, derivedOf, EMPTY_TAIL, literalOf } from '../../../dialects/make-nodes.ts';
import { isQuery, replaceNodes } from '../../../dialects/nodes.ts';
import type {
  CommonTable,
  Expression,
  FromItem,
  GroupKey,
  Item,
  Query,
  Select,
  SortKey,
} from '../../../dialects/tree.ts';
import type { Lens } from '../../../lens/model/lens.ts';
import { takeName } from '../../../platform/take-name.ts';
import { flattenSubqueries } from './flatten-subqueries.ts';
import { columnOfDataset, datasetCalled, sameName, UnreadablePart } from './scope.ts';
import { type DayList, daysFrom, daysOf, isRecursive } from './time/series.ts';

interface NamedSource {
  /** The name in the statement. `alias` is the unique name. */
  originalName: string;
  alias: string;
  column(name: string): string | null;
  names: string[];
  /** Columns in a USING clause. An unqualified name refers to the left table's column. */
  sharedColumns: string[];
}
interface Names {
  sources: NamedSource[];
  outer: Names | null;
}
/** A query in a WITH clause, and the other WITH queries that it can refer to. */
interface WithQuery {
  query: Query;
  steps: WithQueries;
  /** The days that the query lists, if it is only a list of days. */
  days: DayList | null;
}
type WithQueries = ReadonlyMap<string, WithQuery>;

export function withUniqueNames(lens: Lens, dialect: Dialect, query: Query): Query {
  return new Namer(lens, dialect).query(query, new Map(), null, true);
}

class Namer {
  readonly #lens: Lens;
  readonly #dialect: Dialect;
  readonly #taken = new Set<string>();

  constructor(lens: Lens, dialect: Dialect) {
    this.#lens = lens;
    this.#dialect = dialect;
  }

  query(query: Query, outerQueries: WithQueries, outer: Names | null, isShown = false): Select {
    if (query.kind !== 'select') throw new UnreadablePart(query.kind === 'set' ? query.operator : query.kind);
    const steps = query.with ? withQueriesOf(query.with, outerQueries) : outerQueries;
    const names: Names = { sources: [], outer };
    const raw = query.from.map((item) => this.#from(item, steps, names));
    const rename = <T>(part: T, outputs: Item[] = []): T => this.#renamed(part, steps, names, outputs);
    const from = raw.map((item) => changeJoinConditions(item, rename));
    const items = query.items.flatMap((item) => this.#items(item, names, rename, isShown));
    const renameKey = (key: GroupKey): GroupKey =>
      key.kind === 'grouping_set' ? key : this.#groupKey(key, names, items, rename);
    const select: Select = {
      ...query,
      with: null,
      distinct: query.distinct && { on: rename(query.distinct.on) },
      ...{ from, items },
      where: rename(query.where),
      groupBy: query.groupBy && { ...query.groupBy, keys: query.groupBy.keys.map(renameKey) },
      having: rename(query.having, items),
      qualify: rename(query.qualify, items),
      orderBy: query.orderBy.map((key): SortKey => ({ ...key, value: this.#orderKey(key.value, items, rename) })),
    };
    return flattenSubqueries(this.#dialect, select);
  }

  #unique(alias: string): string {
    return takeName(this.#taken, alias, '~');
  }

  #from(item: FromItem, steps: WithQueries, names: Names): FromItem {
    const days = item.kind === 'join' ? null : daysFrom(item, (name) => steps.get(name)?.days ?? null);
    if (days) return this.#days(days, item, names);
    switch (item.kind) {
      case 'join':
        return this.#join(item, steps, names);
      case 'derived': {
        if (item.lateral || item.alias === null) throw new UnreadablePart('lateral');
        return this.#derived(item.query, item.alias, item.columns, steps, names);
      }
      case 'table': {
        const step = item.schema === null ? steps.get(item.name) : undefined;
        if (step) return this.#derived(step.query, item.alias ?? item.name, item.columns, step.steps, names);
        if (item.columns.length > 0 || item.catalog !== null) throw new UnreadablePart('table');
        const dataset = datasetCalled(this.#lens, this.#dialect, item.schema, item.name);
        const original = item.alias ?? item.name;
        const alias = this.#unique(original);
        const column = (name: string) => columnOfDataset(this.#lens, this.#dialect, dataset, name)?.column ?? null;
        names.sources.push({
          originalName: original,
          alias,
          column,
          names: dataset.fields.map(({ name }) => name),
          sharedColumns: [],
        });
        return { ...item, alias };
      }
      default:
        throw new UnreadablePart(item.kind);
    }
  }

  #days({ days, column: dayColumn }: DayList, { alias: original, columns, ...item }: FromItem, names: Names): FromItem {
    const sourceName = original ?? ('name' in item ? item.name : dayColumn);
    const alias = this.#unique(sourceName);
    const name = columns[0] ?? dayColumn;
    const column = (columnName: string) => (sameName(this.#dialect, columnName, name) ? name : null);
    names.sources.push({ originalName: sourceName, alias, column, names: [name], sharedColumns: [] });
    const rows = days.map((day) => [literalOf('date', day)]);
    const query: Query = { kind: 'values', rows, ...EMPTY_TAIL };
    return { ...derivedOf(query, alias), columns: [name] };
  }

  #derived(query: Query, original: string, columns: string[], steps: WithQueries, names: Names): FromItem {
    const inner = this.query(query, steps, names.outer);
    const items = inner.items.map((item, index) => ({ ...item, alias: columns[index] ?? item.alias }));
    const alias = this.#unique(original);
    const aliases = items.flatMap((item) => item.alias ?? []);
    const column = (name: string) => aliases.find((item) => sameName(this.#dialect, item, name)) ?? null;
    names.sources.push({ originalName: original, alias, column, names: aliases, sharedColumns: [] });
    return derivedOf({ ...inner, items }, alias);
  }

  #join(join: FromItem & { kind: 'join' }, steps: WithQueries, names: Names): FromItem {
    if (join.natural || join.alias !== null || join.usingAlias !== null) throw new UnreadablePart('join');
    const sourceCount = names.sources.length;
    const left = this.#from(join.left, steps, names);
    const middle = names.sources.length;
    const right = this.#from(join.right, steps, names);
    const [leftSources, rightSources] = [names.sources.slice(sourceCount, middle), names.sources.slice(middle)];
    const usingColumns = join.using.map((name) => {
      const [one, other] = [sourceOfColumn(leftSources, name), sourceOfColumn(rightSources, name)];
      other.sharedColumns.push(name);
      return compare(columnOf(one.originalName, name), '=', columnOf(other.originalName, name));
    });
    return { ...join, left, right, using: [], on: allOf([...(join.on ? [join.on] : []), ...usingColumns]) };
  }

  #renamed<T>(part: T, steps: WithQueries, names: Names, outputs: Item[]): T {
    return replaceNodes(part, (node) => {
      if (node.kind === 'column') return this.#column(node.path, names, outputs);
      return isQuery(node) ? this.query(node, steps, names) : null;
    });
  }

  #column(path: string[], names: Names, outputs: Item[]): Expression {
    const source = this.#own(path, names.sources);
    if (source) return source;
    const output = path.length === 1 ? this.#output(path[0]!, outputs) : undefined;
    if (output) return output.value;
    if (names.outer) return this.#column(path, names.outer, []);
    throw new UnreadablePart('no such column');
  }

  #own(path: string[], sources: NamedSource[]): Expression | null {
    const [name, qualifier] = [path.at(-1)!, path.at(-2)];
    const matches = sources
      .filter((source) =>
        qualifier === undefined
          ? !source.sharedColumns.includes(name)
          : sameName(this.#dialect, source.originalName, qualifier),
      )
      .flatMap((source) => {
        const column = source.column(name);
        return column === null ? [] : [columnOf(source.alias, column)];
      });
    if (matches.length > 1) throw new UnreadablePart('several columns have this name');
    return matches[0] ?? null;
  }

  #output = (name: string, outputs: Item[]): Item | undefined =>
    outputs.find(({ alias }) => alias !== null && sameName(this.#dialect, alias, name));

  #items(item: Item, names: Names, rename: <T>(part: T) => T, isShown: boolean): Item[] {
    const { value } = item;
    if (value.kind !== 'star')
      return [{ value: rename(value), alias: item.alias ?? this.#dialect.names.output(value) }];
    const isPlainStar = value.exclude.length + value.replace.length + value.rename.length === 0 && !value.columns;
    if (isShown || !isPlainStar) throw new UnreadablePart('*');
    const qualifier = value.qualifier.at(-1);
    return names.sources
      .filter((source) => qualifier === undefined || sameName(this.#dialect, source.originalName, qualifier))
      .flatMap((source) => source.names.map((name) => ({ value: columnOf(source.alias, name), alias: name })));
  }

  #groupKey(key: Expression, names: Names, items: Item[], rename: <T>(part: T, outputs?: Item[]) => T): Expression {
    if (key.kind === 'literal' && key.type === 'number') return items[Number(key.value) - 1]?.value ?? key;
    const output = key.kind === 'column' && key.path.length === 1 ? this.#output(key.path[0]!, items) : undefined;
    const sourceColumn = output && key.kind === 'column' ? this.#own(key.path, names.sources) : null;
    if (output && sourceColumn && JSON.stringify(sourceColumn) !== JSON.stringify({ ...output.value, at: null }))
      throw new UnreadablePart('two meanings');
    return rename(key, items);
  }

  #orderKey(key: Expression, items: Item[], rename: <T>(part: T, outputs?: Item[]) => T): Expression {
    if (key.kind === 'literal' && key.type === 'number') return items[Number(key.value) - 1]?.value ?? key;
    const output = key.kind === 'column' && key.path.length === 1 ? this.#output(key.path[0]!, items) : undefined;
    return output?.value ?? rename(key, items);
  }
}

function withQueriesOf(
  { recursive, entries }: { recursive: boolean; entries: CommonTable[] },
  outerQueries: WithQueries,
): WithQueries {
  let steps = outerQueries;
  for (const { name, columns, query } of entries) {
    const earlierSteps = steps;
    const lookUpDays = (queryName: string): DayList | null => earlierSteps.get(queryName)?.days ?? null;
    const days = daysOf(query, lookUpDays, recursive ? { name, columns } : null);
    if (!days && recursive && isRecursive(query, name)) throw new UnreadablePart('recursive');
    if (!days && columns.length > 0) throw new UnreadablePart('columns of WITH');
    steps = new Map([...steps, [name, { query, steps, days: days && { ...days, column: columns[0] ?? days.column } }]]);
  }
  return steps;
}

function sourceOfColumn(sources: NamedSource[], name: string): NamedSource {
  const [source, second] = sources.filter(
    (source) => source.column(name) !== null && !source.sharedColumns.includes(name),
  );
  if (!source || second) throw new UnreadablePart('using');
  return source;
}

/** Rewrites the join conditions after all tables have aliases. */
function changeJoinConditions(item: FromItem, change: <T>(part: T) => T): FromItem {
  if (item.kind !== 'join') return item;
  const [left, right] = [item.left, item.right].map((item) => changeJoinConditions(item, change));
  return { ...item, left: left!, right: right!, on: change(item.on) };
}
