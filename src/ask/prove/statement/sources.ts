// Reads a statement in terms of the lens. For each SELECT, finds its sources, the origin of their columns, their unique
// keys, and the equal columns that join them.
import type { Dialect } from '../../../dialects/dialect.ts';
import { foldName } from '../../../dialects/fold-name.ts';
import { listConjuncts, toConstant } from '../../../dialects/nodes.ts';
import type { Column, Expression, FromItem, Join, Query, Select } from '../../../dialects/tree.ts';
import type { Lens, LensDataset, LensField } from '../../../lens/model/lens.ts';
import { findAggregateCalls, findQueries } from './parts.ts';

export interface ColumnOrigin {
  dataset: LensDataset;
  field: LensField;
}
export interface OutputColumn {
  name: string;
  /** The field that the output shows unchanged. */
  origin: ColumnOrigin | null;
  /** The aggregate that computed the output, in this query or a nested one. */
  aggregate: string | null;
  /** The source whose rows a join in a nested query repeats. If set, the output must not be summed. */
  repeated: string | null;
}
/** The rows of a table, a query or a function. */
interface Relation {
  /** The dataset of a table, or null for a query or a function. */
  dataset: LensDataset | null;
  outputs: OutputColumn[];
  /** Unique keys: sets of outputs whose values no two rows share. */
  keys: string[][];
  hasOneRow: boolean;
}
const UNKNOWN_RELATION: Relation = { dataset: null, outputs: [], keys: [], hasOneRow: false };
export interface SelectSource extends Relation {
  alias: string;
  /** True if the source only restricts rows of other sources and never repeats them, as in EXISTS or IN. */
  restricts: boolean;
}
/** Equal columns of two sources. One of the sources can belong to an outer query. */
export interface JoinLink {
  left: SelectSource;
  right: SelectSource;
  pairs: { left: OutputColumn; right: OutputColumn }[];
}
export interface SelectView {
  select: Select;
  sources: SelectSource[];
  links: JoinLink[];
  outerSources: SelectSource[];
  /** Columns with only one value, because a condition compares each of them with a constant. */
  fixedColumns: ResolvedColumn[];
  /** Columns with one value in each group. */
  groupedColumns: ResolvedColumn[];
}
export interface ResolvedColumn {
  source: SelectSource;
  output: OutputColumn;
}

type SourceByTableName = ReadonlyMap<string, SelectSource>;

export class StatementReader {
  readonly views: SelectView[] = [];
  readonly #lens: Lens;
  readonly dialect: Dialect;
  /** Nested queries in conditions and outputs. svc reads each nested query only once. */
  readonly #nestedQueries = new Map<Query, Relation>();

  constructor(lens: Lens, dialect: Dialect) {
    this.#lens = lens;
    this.dialect = dialect;
  }

  fold(name: string): string {
    return foldName(this.dialect, name);
  }

  read(query: Query, tables: SourceByTableName = new Map(), outerSources: SelectSource[] = []): Relation {
    let visibleTables = tables;
    for (const { name, columns, query: commonTable } of query.with?.entries ?? []) {
      const source = this.read(commonTable, visibleTables, outerSources);
      visibleTables = new Map([...visibleTables, [this.fold(name), this.#renameSource(source, name, columns)]]);
    }
    const isLimitedToOneRow = query.limit?.kind === 'literal' && query.limit.value === '1';
    switch (query.kind) {
      case 'values':
        return { ...UNKNOWN_RELATION, hasOneRow: query.rows.length === 1 };
      case 'set': {
        const left = this.read(query.left, visibleTables, outerSources);
        this.read(query.right, visibleTables, outerSources);
        const outputs = left.outputs.map((output) => ({ ...output, origin: null }));
        const keys = query.all ? [] : [outputs.map(({ name }) => name)];
        return { dataset: null, outputs, keys, hasOneRow: isLimitedToOneRow };
      }
      case 'select': {
        const source = this.#readSelect(query, visibleTables, outerSources);
        return { ...source, hasOneRow: source.hasOneRow || isLimitedToOneRow };
      }
    }
  }

  /** The column that a name refers to among these sources, or null if the column isn't known. */
  resolve({ path }: Column, sources: readonly SelectSource[]): { source: SelectSource; output: OutputColumn } | null {
    const name = this.fold(path.at(-1)!);
    const alias = path.length > 1 ? this.fold(path.at(-2)!) : null;
    for (const source of sources) {
      if (alias !== null && this.fold(source.alias) !== alias) continue;
      const output = source.outputs.find((output) => this.fold(output.name) === name);
      if (output) return { source, output };
    }
    return null;
  }

  #readSelect(select: Select, tables: SourceByTableName, outerSources: SelectSource[]): Relation {
    const view: SelectView = { select, sources: [], links: [], outerSources, fixedColumns: [], groupedColumns: [] };
    const conditions = listConjuncts(select.where);
    for (const item of select.from) this.#readFrom(item, tables, outerSources, view, conditions);
    for (const condition of conditions) this.#addLink(condition, view);
    view.groupedColumns = this.#findGroupColumns(view);
    this.views.push(view);
    for (const nestedQuery of findQueries([select.items, conditions, select.having, select.qualify, select.orderBy]))
      this.#nestedQueries.set(nestedQuery, this.read(nestedQuery, tables, [...view.sources, ...outerSources]));
    for (const condition of conditions) if (condition.kind === 'in') this.#addLinkForIn(condition, view);
    return this.#createResult(view);
  }

  #readFrom(
    item: FromItem,
    tables: SourceByTableName,
    outerSources: SelectSource[],
    view: SelectView,
    conditions: Expression[],
  ): void {
    switch (item.kind) {
      case 'join':
        this.#readFrom(item.left, tables, outerSources, view, conditions);
        this.#readJoin(item, tables, outerSources, view, conditions);
        return;
      case 'table': {
        const commonTable = item.schema === null ? tables.get(this.fold(item.name)) : undefined;
        const source = commonTable ?? this.#readTable(item.schema, item.name);
        view.sources.push(this.#renameSource(source, item.alias ?? item.name, item.columns));
        return;
      }
      case 'derived': {
        const source = this.read(item.query, tables, [...view.sources, ...outerSources]);
        view.sources.push(this.#renameSource(source, item.alias ?? '', item.columns));
        return;
      }
      case 'table_call':
        view.sources.push(this.#renameSource(UNKNOWN_RELATION, item.alias ?? '', item.columns));
    }
  }

  #readJoin(
    item: Join,
    tables: SourceByTableName,
    outerSources: SelectSource[],
    view: SelectView,
    conditions: Expression[],
  ): void {
    const sourcesBefore = [...view.sources];
    this.#readFrom(item.right, tables, outerSources, view, conditions);
    const right = view.sources.slice(sourcesBefore.length);
    if (item.how === 'semi' || item.how === 'anti') for (const source of right) source.restricts = true;
    conditions.push(...listConjuncts(item.on));
    const sharedNames = item.natural ? this.#findSharedNames(sourcesBefore, right) : item.using;
    for (const name of sharedNames) {
      const column: Column = { kind: 'column', path: [name], at: null };
      const [a, b] = [this.resolve(column, sourcesBefore), this.resolve(column, right)];
      if (a && b) addJoinLink(view, a, b);
    }
  }

  #findSharedNames(left: SelectSource[], right: SelectSource[]): string[] {
    const names = new Set(left.flatMap(({ outputs }) => outputs.map(({ name }) => this.fold(name))));
    return right.flatMap(({ outputs }) => outputs.map(({ name }) => this.fold(name))).filter((name) => names.has(name));
  }

  #addLink(condition: Expression, view: SelectView): void {
    if (condition.kind !== 'compare' || condition.operator !== '=') return;
    const [left, right] = [unwrapCasts(condition.left), unwrapCasts(condition.right)];
    if (!left || !right) {
      const resolvedColumn = left || right ? this.resolve((left ?? right)!, view.sources) : null;
      const isFixed = resolvedColumn && isFixedColumn(view.fixedColumns, resolvedColumn.source, resolvedColumn.output);
      if (resolvedColumn && !isFixed && isConstant(left ? condition.right : condition.left))
        view.fixedColumns.push(resolvedColumn);
      return;
    }
    const sources = [...view.sources, ...view.outerSources];
    const [a, b] = [this.resolve(left, sources), this.resolve(right, sources)];
    if (a && b && a.source !== b.source && (view.sources.includes(a.source) || view.sources.includes(b.source)))
      addJoinLink(view, a, b);
  }

  /** `x in (select y …)` joins like `x = y`, but doesn't repeat rows. */
  #addLinkForIn({ value, among }: Expression & { kind: 'in' }, view: SelectView): void {
    if (Array.isArray(among)) return;
    const column = unwrapCasts(value);
    const a = column && this.resolve(column, view.sources);
    const innerSource = this.#nestedQueries.get(among)!;
    const [output] = innerSource.outputs;
    if (a && output) addJoinLink(view, a, { source: { ...innerSource, alias: 'in', restricts: true }, output });
  }

  #readTable(schema: string | null, name: string): Relation {
    const dataset = findDatasetOfTable(this.#lens, this.dialect, schema, name);
    if (!dataset) return UNKNOWN_RELATION;
    const outputs = dataset.fields.map((field) => ({
      name: field.name,
      origin: { dataset, field },
      aggregate: null,
      repeated: null,
    }));
    return { dataset, outputs, keys: listKeys(this.#lens, dataset), hasOneRow: false };
  }

  #renameSource(source: Relation, alias: string, columns: string[]): SelectSource {
    const renamedColumns = new Map(source.outputs.map(({ name }, index) => [name, columns[index] ?? name]));
    const outputs = source.outputs.map((output) => ({ ...output, name: renamedColumns.get(output.name)! }));
    const keys = source.keys.map((key) => key.map((name) => renamedColumns.get(name) ?? name));
    return { ...source, alias, outputs, keys, restricts: false };
  }

  #createResult(view: SelectView): Relation {
    const { select, sources } = view;
    const sourceCount = listMultiplyingSources(view).length;
    const reachAll = new Map(
      sources.map((source) => [source, findDeterminedSources(source, view).size === sourceCount]),
    );
    const repeatedSourceOf = ({ source, output }: ResolvedColumn): string | null =>
      reachAll.get(source) || source.restricts ? output.repeated : (source.dataset?.name ?? source.alias);
    const outputs = select.items.flatMap(({ value, alias }): OutputColumn[] => {
      if (value.kind === 'star')
        return sources.flatMap((source) =>
          source.outputs.map((output) => ({ ...output, repeated: repeatedSourceOf({ source, output }) })),
        );
      const column = unwrapCasts(value);
      const resolvedColumn = column && this.resolve(column, sources);
      const name = alias ?? column?.path.at(-1) ?? this.dialect.names.output(value);
      const [call] = findAggregateCalls(this.dialect, [value]);
      const innerAggregate = resolvedColumn?.output.aggregate ?? null;
      return [
        {
          name,
          origin: value.kind === 'column' ? (resolvedColumn?.output.origin ?? null) : null,
          aggregate: call?.name ?? innerAggregate,
          repeated: resolvedColumn && !select.groupBy && !select.distinct ? repeatedSourceOf(resolvedColumn) : null,
        },
      ];
    });
    const groupedColumns = select.groupBy && this.#listGroupedOutputNames(select, outputs);
    const hasAggregate = findAggregateCalls(this.dialect, [select.items, select.having]).length > 0;
    const keys = groupedColumns
      ? [groupedColumns]
      : select.distinct?.on.length === 0
        ? [outputs.map(({ name }) => name)]
        : this.#findOwnKeys(view, outputs);
    return { dataset: null, outputs, keys, hasOneRow: !select.groupBy && hasAggregate };
  }

  #findGroupColumns({ select, sources }: SelectView): ResolvedColumn[] {
    return (select.groupBy?.keys ?? []).flatMap((key) => {
      if (key.kind === 'grouping_set') return [];
      const keyExpression =
        key.kind === 'literal' ? select.items[Number(key.value) - 1]?.value : this.#findAliasedExpression(key, select);
      const column = keyExpression ? unwrapCasts(keyExpression) : null;
      return (column && this.resolve(column, sources)) ?? [];
    });
  }

  /** The expression of the output whose alias is this key, otherwise the key itself. */
  #findAliasedExpression(key: Expression, { items }: Select): Expression {
    if (key.kind !== 'column' || key.path.length > 1) return key;
    const name = this.fold(key.path[0]!);
    return items.find(({ alias }) => alias !== null && this.fold(alias) === name)?.value ?? key;
  }

  /** The output names of the group keys, or null if a key isn't shown. */
  #listGroupedOutputNames({ groupBy, items }: Select, outputs: OutputColumn[]): string[] | null {
    const computedOutputs = new Map(
      items.toReversed().map(({ value, alias }) => [JSON.stringify(value, withoutPosition), alias]),
    );
    const names = (groupBy?.keys ?? []).map((key) => {
      if (key.kind === 'literal') return outputs[Number(key.value) - 1]?.name ?? null;
      if (key.kind !== 'column') return computedOutputs.get(JSON.stringify(key, withoutPosition)) ?? null;
      const name = this.fold(key.path.at(-1)!);
      return outputs.find((output) => this.fold(output.name) === name)?.name ?? null;
    });
    return names.length === 0 || names.includes(null) ? null : (names as string[]);
  }

  /** The unique keys of the sources that no join repeats. Leaves out a key if the outputs lack one of its columns. */
  #findOwnKeys(view: SelectView, outputs: OutputColumn[]): string[][] {
    return view.sources
      .filter((source) => findDeterminedSources(source, view).size === listMultiplyingSources(view).length)
      .flatMap((source) =>
        source.keys.flatMap((key) => {
          const outputNames = key.map((name) => {
            const { origin } = source.outputs.find((output) => output.name === name) ?? { origin: null };
            return (
              outputs.find((output) => output.origin !== null && output.origin.field === origin?.field)?.name ?? null
            );
          });
          return outputNames.includes(null) ? [] : [outputNames as string[]];
        }),
      );
  }
}

export const isSameName = (dialect: Dialect, a: string, b: string): boolean =>
  foldName(dialect, a) === foldName(dialect, b);

/** The dataset of a table in FROM: the dataset that reads this table, otherwise the dataset with this name. */
export function findDatasetOfTable(
  { datasets }: Lens,
  dialect: Dialect,
  schema: string | null,
  name: string,
): LensDataset | null {
  const matches = datasets.filter(
    ({ source }) =>
      isSameName(dialect, source.table, name) &&
      (schema === null || isSameName(dialect, source.schema ?? dialect.defaultSchema, schema)),
  );
  if (matches.length === 1) return matches[0]!;
  return (schema === null && datasets.find((dataset) => isSameName(dialect, dataset.name, name))) || null;
}

const withoutPosition = (key: string, value: unknown): unknown => (key === 'at' ? undefined : value);

const isConstant = (expression: Expression): boolean =>
  toConstant(expression) !== undefined || expression.kind === 'parameter' || expression.kind === 'scalar';

/** The column inside any casts, or null for every other expression. */
export const unwrapCasts = (expression: Expression): Column | null =>
  expression.kind === 'column' ? expression : expression.kind === 'cast' ? unwrapCasts(expression.value) : null;

function addJoinLink({ links }: SelectView, a: ResolvedColumn, b: ResolvedColumn): void {
  const existingLink = links.find(({ left, right }) => left === a.source && right === b.source);
  const reversedLink = links.find(({ left, right }) => left === b.source && right === a.source);
  if (existingLink) addOutputPair(existingLink, a.output, b.output);
  else if (reversedLink) addOutputPair(reversedLink, b.output, a.output);
  else links.push({ left: a.source, right: b.source, pairs: [{ left: a.output, right: b.output }] });
}

function addOutputPair({ pairs }: JoinLink, left: OutputColumn, right: OutputColumn): void {
  if (!pairs.some((pair) => pair.left === left && pair.right === right)) pairs.push({ left, right });
}

/** The name of the column that a field shows, or the field's own name if the field is a larger expression. */
export const findColumnName = ({ name, expression }: LensField): string =>
  expression && /^\w+$/.test(expression.trim()) ? expression.trim() : name;

function listKeys(lens: Lens, { name, primaryKey, fields }: LensDataset): string[][] {
  const referencedKeys = lens.relationships.filter(({ to }) => to.dataset === name).map(({ to }) => to.columns);
  const keys = [...(primaryKey.length > 0 ? [primaryKey] : []), ...referencedKeys];
  // The lens declares keys as columns, but a statement uses field names.
  return keys.map((key) =>
    key.map((column) => fields.find((field) => findColumnName(field) === column)?.name ?? column),
  );
}

export const listMultiplyingSources = ({ sources }: SelectView): SelectSource[] =>
  sources.filter(({ restricts }) => !restricts);

/**
 * The sources with at most one row for each row of `from`, including `from`. `fixedColumns` are columns with only one
 * value.
 */
export function findDeterminedSources(
  from: SelectSource,
  view: SelectView,
  fixedColumns: readonly ResolvedColumn[] = view.fixedColumns,
): Set<SelectSource> {
  const determinedSources = new Set([from]);
  const determinedColumns = (source: SelectSource): Set<string> => {
    const columns = new Set(fixedColumns.flatMap((item) => (item.source === source ? item.output.name : [])));
    for (const { left, right, pairs } of view.links)
      for (const pair of pairs) {
        if (right === source && (determinedSources.has(left) || isFixedColumn(fixedColumns, left, pair.left)))
          columns.add(pair.right.name);
        if (left === source && (determinedSources.has(right) || isFixedColumn(fixedColumns, right, pair.right)))
          columns.add(pair.left.name);
      }
    return columns;
  };
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (const source of listMultiplyingSources(view)) {
      if (determinedSources.has(source)) continue;
      const columns = determinedColumns(source);
      if (!source.hasOneRow && !source.keys.some((key) => key.every((name) => columns.has(name)))) continue;
      determinedSources.add(source);
      hasChanged = true;
    }
  }
  return determinedSources;
}

const isFixedColumn = (fixedColumns: readonly ResolvedColumn[], source: SelectSource, output: OutputColumn): boolean =>
  fixedColumns.some((item) => item.source === source && item.output.name === output.name);
