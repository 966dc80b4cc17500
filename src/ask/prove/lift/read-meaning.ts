// Reads the meaning of a SELECT. Throws UnreadablePartError for a part that svc can't read.

import type { Dialect } from '../../../dialects/dialect.ts';
import { columnOf, compare, isNull } from '../../../dialects/make-nodes.ts';
import { listConjuncts } from '../../../dialects/nodes.ts';
import type { Expression, FromItem, Query, Select } from '../../../dialects/tree.ts';
import type { Lens } from '../../../lens/model/lens.ts';
import { findAggregateCalls, findCalls, findColumns } from '../statement/parts.ts';
import { attachSources } from './attach-sources.ts';
import { ExpressionRenderer } from './expression-renderer.ts';
import { FunctionalDependencies } from './functional-dependencies.ts';
import { type Meaning, writeNestedQuery } from './meaning.ts';
import { writeRankLimit } from './rank-limits.ts';
import { rewriteToExists } from './rewrite-to-exists.ts';
import { requireDataset, Scope, type Source, UnreadablePartError } from './scope.ts';
import {
  type GroupedQuery,
  listGroupKeys,
  readGroupedQuery,
  readJoinedGroups,
  relabelConditions,
  requireNoMultipliedRows,
} from './time/joined-groups.ts';
import { readSpine, toPeriods } from './time/spine.ts';

/** `query` must have a unique alias for each table (with-unique-names.ts). */
export function readMeaning(lens: Lens, dialect: Dialect, query: Query, outer: Scope | null = null): Meaning {
  if (query.kind !== 'select') throw new UnreadablePartError(query.kind);
  const { distinct, groupBy, windows } = query;
  if (query.with || windows.length > 0 || (distinct && distinct.on.length > 0)) throw new UnreadablePartError('select');
  if (groupBy && (groupBy.all || groupBy.distinct)) throw new UnreadablePartError('group by');
  const scope = new Scope(lens, dialect, outer);
  const text = new ExpressionRenderer(scope, (inner, kind) =>
    writeNestedQuery(readMeaning(lens, dialect, inner, scope), kind),
  );
  const dependencies = new FunctionalDependencies(text);
  const select = rewriteToExists(lens, dialect, query, dependencies.keyedDatasets);
  const readPart = (part: Select): Meaning => readMeaning(lens, dialect, part, outer);
  const periodSpine = readSpine(dialect, select, (part) => readGroupedQuery(part, readPart));
  const groups = periodSpine ? null : readJoinedGroups(dialect, select, readPart);
  text.groupsAreJoined = groups !== null;
  const shownSelect = periodSpine?.select ?? groups?.select ?? select;
  const joinedRows = periodSpine?.part
    ? readRowsOfGroupedQuery(scope, text, periodSpine.part)
    : groups
      ? groups.joinRows(scope, text)
      : readRowsOfSelect(scope, text, shownSelect);
  if (periodSpine) {
    if (joinedRows.fullyGroupedSource) throw new UnreadablePartError('periods');
    [text.groupsHaveRows, text.groupsAreJoined] = [false, true];
  }
  const periods = periodSpine && toPeriods(periodSpine, text);
  for (const end of periods?.boundConditions ?? []) joinedRows.where.set(end.text, end.value);
  const { items: outputItems, having, qualify } = shownSelect;
  // Without rows, a division by count(*) fails. A statement that returned a result therefore had at least one row.
  const dividesByRowCount =
    dialect.compiling.faultsByZero && outputItems.some(({ value }) => hasRowCountDivisor(value));
  if (!periodSpine && !groups && !select.groupBy && !select.having && dividesByRowCount) text.groupsHaveRows = true;
  const items = outputItems.map(({ value }) => ({ text: text.render(value), value }));
  const keys = groups?.keys ?? (periodSpine?.part && listGroupKeys(periodSpine.part.meaning));
  const group = keys ? dependencies.findMinimalKeys(keys) : readGroup(shownSelect, items, text, dependencies);
  if (periods && ([...group!.keys()].join() !== periods.key || !items.some((item) => item.text === periods.key)))
    throw new UnreadablePartError('periods');
  const meaning: Meaning = {
    ...joinedRows,
    ...{ dialect, select, sources: scope.sources, group, items, text, periods },
    having: new Map(text.renderConjuncts(having).map((conjunct) => [conjunct.text, conjunct.value])),
    qualify: new Map(),
    dependencies,
  };
  for (const conjunct of listConjuncts(qualify))
    meaning.qualify.set(writeRankLimit(conjunct, meaning, text, dependencies) ?? text.render(conjunct), conjunct);
  pushDownConditions(meaning, dependencies);
  return meaning;
}

function hasRowCountDivisor(expression: Expression): boolean {
  if (expression.kind === 'cast') return hasRowCountDivisor(expression.value);
  if (expression.kind === 'call' && expression.name === 'round') return expression.args.some(hasRowCountDivisor);
  if (expression.kind !== 'arithmetic') return false;
  const divisor = expression.right.kind === 'cast' ? expression.right.value : expression.right;
  const isRowCount =
    divisor.kind === 'call' && divisor.name === 'count' && divisor.star && !divisor.filter && !divisor.over;
  return (
    (expression.operator === '/' && isRowCount) ||
    (expression.left !== null && hasRowCountDivisor(expression.left)) ||
    hasRowCountDivisor(expression.right)
  );
}

type RowsMeaning = Pick<Meaning, 'mainSource' | 'where' | 'fullyGroupedSource'>;

function readRowsOfGroupedQuery(scope: Scope, text: ExpressionRenderer, { meaning }: GroupedQuery): RowsMeaning {
  scope.sources.push(...meaning.sources);
  const where = relabelConditions(text, meaning);
  return { mainSource: meaning.mainSource, where, fullyGroupedSource: null };
}

function readRowsOfSelect(scope: Scope, text: ExpressionRenderer, select: Select): RowsMeaning {
  const joinConditions: Expression[] = [];
  for (const item of select.from) addSources(scope, item, joinConditions);
  const conditions = [...listConjuncts(select.where), ...joinConditions];
  const isGrouped = select.groupBy !== null && select.groupBy.keys.length > 0;
  const { mainSource, remaining, fullyGroupedSource } = attachSources(scope, conditions, isGrouped);
  text.groupsHaveRows = isGrouped && !fullyGroupedSource;
  text.groupsAreJoined = fullyGroupedSource !== null;
  if (fullyGroupedSource)
    requireNoMultipliedRows(scope, fullyGroupedSource, [select.items, select.having, select.orderBy]);
  const where = new Map(remaining.flatMap((item) => text.renderConjuncts(item)).map((item) => [item.text, item.value]));
  for (const source of scope.sources) {
    const presenceText = `there(${source.label})`;
    if (source === fullyGroupedSource) continue;
    if (source.joinKind !== 'left' && source.steps.length > 0) where.set(presenceText, createPresenceCondition(source));
    if (rejectsNull(where, source)) where.delete(presenceText);
  }
  return { mainSource, where, fullyGroupedSource };
}

/** The condition that an inner join adds: the joined row exists. */
const createPresenceCondition = ({ alias, steps }: Source): Expression =>
  isNull(columnOf(alias, steps.at(-1)!.to.columns[0]!), true);

/**
 * Applies a condition before the windows if all rows of a partition share the compared values, because such a condition
 * drops only whole partitions.
 */
function pushDownConditions({ qualify, where, group, items }: Meaning, dependencies: FunctionalDependencies): void {
  if (qualify.size === 0 || group !== null) return;
  const windows = findCalls([items.map(({ value }) => value), ...qualify.values()]).flatMap(({ over }) => over ?? []);
  const partitions = windows.map(({ partitionBy }) => dependencies.findKnownColumns(partitionBy));
  for (const [key, condition] of qualify) {
    if (findCalls([condition]).some(({ over }) => over)) continue;
    const columns = findColumns([condition]);
    if (!partitions.every((item) => columns.every((column) => item.has(column)))) continue;
    qualify.delete(key);
    where.set(key, condition);
  }
}

export function addSources(
  scope: Scope,
  item: FromItem,
  usingConditions: Expression[],
  joinKind: Source['joinKind'] = 'base',
): void {
  if (item.kind === 'join') {
    if (item.natural || item.alias !== null || item.usingAlias !== null) throw new UnreadablePartError('join');
    if (item.how !== 'inner' && item.how !== 'left' && item.how !== 'cross') throw new UnreadablePartError(item.how);
    addSources(scope, item.left, usingConditions, joinKind);
    if (item.right.kind !== 'table') throw new UnreadablePartError('join');
    const sourcesBefore = [...scope.sources];
    addSources(scope, item.right, usingConditions, item.how === 'left' ? 'left' : 'inner');
    const source = scope.sources.at(-1)!;
    const on = [
      ...listConjuncts(item.on),
      ...item.using.map((name) => requireSharedColumn(sourcesBefore, source, name)),
    ];
    if (source.joinKind === 'left') source.on = on;
    else usingConditions.push(...on);
    return;
  }
  if (item.kind !== 'table' || item.columns.length > 0 || item.catalog !== null) throw new UnreadablePartError('from');
  const dataset = requireDataset(scope.lens, scope.dialect, item.schema, item.name);
  const isFirst = scope.sources.length === 0;
  scope.sources.push({
    ...{ alias: item.alias ?? item.name, dataset, on: [], label: '', steps: [], isPresent: false },
    joinKind: isFirst ? 'base' : joinKind === 'base' ? 'inner' : joinKind,
  });
}

function requireSharedColumn(sourcesBefore: Source[], right: Source, name: string): Expression {
  const [left, second] = sourcesBefore.filter(({ dataset }) => dataset.fields.some((field) => field.name === name));
  if (!left || second) throw new UnreadablePartError('using');
  return compare(columnOf(left.alias, name), '=', columnOf(right.alias, name));
}

/** Whether a condition on the source, or on a source that is joined from it, fails if the source's row is missing. */
const rejectsNull = (where: ReadonlyMap<string, Expression>, { label }: Source): boolean =>
  [...where.keys()].some((text) => {
    const columnReference = /^(?:in|like|isnotnull|compare(?=\(\S+ (?:[<>]=?|=|<>) ))\((\S+?)[ )]/.exec(text)?.[1];
    return (
      columnReference !== undefined &&
      (columnReference.startsWith(`${label}.`) || columnReference.startsWith(`${label}/`))
    );
  });

function readGroup(
  select: Select,
  items: Meaning['items'],
  text: ExpressionRenderer,
  dependencies: FunctionalDependencies,
): Meaning['group'] {
  const aggregates = findAggregateCalls(text.scope.dialect, [select.items, select.having, select.orderBy]);
  if (select.distinct) {
    if (select.groupBy || aggregates.length > 0) throw new UnreadablePartError('distinct groups');
    return dependencies.findMinimalKeys(items.map(({ value }) => value));
  }
  if (!select.groupBy) return aggregates.length > 0 ? new Map() : null;
  const keys = select.groupBy.keys.map((key) => {
    if (key.kind === 'grouping_set') throw new UnreadablePartError('grouping sets');
    return key;
  });
  return dependencies.findMinimalKeys(keys);
}
