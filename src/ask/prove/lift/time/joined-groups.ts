// Reads statements in which every row of one table makes a group, even without rows to measure. People write such a
// statement with a left join to the many side, but a compiled plan groups each measure separately and joins the
// results. Both forms have the same canonical meaning.
import type { Dialect } from '../../../../dialects/dialect.ts';
import { allOf, callOf, columnOf } from '../../../../dialects/make-nodes.ts';
import { areTreesEqual, listNodes, replaceNodes, toConstant } from '../../../../dialects/nodes.ts';
import type { Call, Column, DerivedTable, Expression, FromItem, Node, Select } from '../../../../dialects/tree.ts';
import { findAggregateCalls, findCalls, findColumns } from '../../statement/parts.ts';
import type { ExpressionRenderer } from '../expression-renderer.ts';
import type { Meaning } from '../meaning.ts';
import { ROW_COUNT_FUNCTION } from '../row-count-function.ts';
import { type Scope, type Source, UnreadablePartError } from '../scope.ts';
import { readStringAggregate } from '../string-lists.ts';

/**
 * Refuses aggregates that repeated rows would change. The join repeats each group's row for each row of the main
 * source, so most aggregates must use only the main source.
 */
export function requireNoMultipliedRows(scope: Scope, fullyGroupedSource: Source, parts: unknown[]): void {
  for (const call of findAggregateCalls(scope.dialect, parts)) {
    const columns = [...listNodes(call)].filter((node): node is Column => node.kind === 'column');
    const ofGroups = columns.map(
      ({ path }) => scope.find(path)?.source.label.startsWith(fullyGroupedSource.label) ?? true,
    );
    const repeatable = call.name === 'min' || call.name === 'max' || (call.name === 'count' && call.distinct);
    if (columns.length === 0 || call.star || call.filter) throw new UnreadablePartError('rows that may be missing');
    if (ofGroups.every(Boolean) ? !repeatable : ofGroups.some(Boolean) || !ignoresMissingRow(call))
      throw new UnreadablePartError('rows that are repeated');
  }
}

/** Whether the aggregate ignores a missing row, because the aggregate's arguments are NULL for that row. */
function ignoresMissingRow(call: Call): boolean {
  const texts = readStringAggregate(call, () => false);
  return (texts ? [texts.of] : call.args).every(isNullIfRowMissing);
}
export function requireMissingRowIgnored(call: Call): void {
  if (call.star || call.args.length === 0 || !ignoresMissingRow(call))
    throw new UnreadablePartError('rows that may be missing');
}

/** Whether the expression is NULL if its row is missing. */
const isNullIfRowMissing = (expression: Expression): boolean =>
  expression.kind === 'column' ||
  (expression.kind === 'cast' && isNullIfRowMissing(expression.value)) ||
  (expression.kind === 'arithmetic' &&
    expression.left !== null &&
    [expression.left, expression.right].every(
      (operand) => isNullIfRowMissing(operand) || toConstant(operand) !== undefined,
    ) &&
    [expression.left, expression.right].some(isNullIfRowMissing)) ||
  (expression.kind === 'case' &&
    expression.otherwise === null &&
    expression.operand === null &&
    expression.whens.every(
      ({ when }) => when.kind === 'compare' && isNullIfRowMissing(when.left) && toConstant(when.right) !== undefined,
    ));

interface JoinedGroups {
  /** The outer SELECT, whose outputs refer directly to the tables of the joined queries. */
  select: Select;
  joinRows(scope: Scope, text: ExpressionRenderer): Pick<Meaning, 'mainSource' | 'where' | 'fullyGroupedSource'>;
  keys: Expression[];
}

type MeaningReader = (query: Select) => Meaning;

/** Returns null for a SELECT of any other form. */
export function readJoinedGroups(dialect: Dialect, select: Select, readMeaning: MeaningReader): JoinedGroups | null {
  const [onlyItem, second] = select.from;
  if (!onlyItem || second || select.where || select.groupBy || select.qualify) return null;
  const parts = findJoinedQueries(onlyItem, dialect);
  if (!parts) return null;
  const [spine, ...otherParts] = parts.map(({ query }) => readGroupedQuery(query, readMeaning));
  const otherMainSources = otherParts.filter(
    ({ meaning }) => meaning.mainSource.dataset !== spine!.meaning.mainSource.dataset,
  );
  const otherMeaning = otherMainSources[0]?.meaning;
  if (!otherMeaning) throw new UnreadablePartError('parts');
  const fullyGroupedSource = requireGroupSource(spine!.meaning, otherMeaning);
  const outputs = parts.map((part, index) => ({ ...part, items: [spine!, ...otherParts][index]!.items }));
  for (const part of outputs.slice(1)) requirePlainAggregates(dialect, select, part);
  const substitutedSelect = substituteJoinedOutputs(select, outputs);
  return {
    select: substitutedSelect,
    joinRows: (scope, text) => {
      for (const { meaning } of [spine!, ...otherParts]) scope.sources.push(...meaning.sources);
      return {
        mainSource: otherMeaning.mainSource,
        where: mergeConditions(
          text,
          spine!.meaning,
          otherParts.map(({ meaning }) => meaning),
          fullyGroupedSource,
        ),
        fullyGroupedSource,
      };
    },
    keys: listGroupKeys(spine!.meaning),
  };
}

interface JoinedQuery {
  alias: string;
  query: Select;
}

/** The queries of a FROM, or null unless each later query is left-joined to the first on all group columns. */
function findJoinedQueries(item: FromItem, dialect: Dialect): JoinedQuery[] | null {
  if (item.kind === 'derived') return item.query.kind === 'select' ? [toJoinedQuery(item)] : null;
  if (item.kind !== 'join' || item.how !== 'left' || item.right.kind !== 'derived') return null;
  const precedingParts = findJoinedQueries(item.left, dialect);
  const [spine] = precedingParts ?? [];
  if (!precedingParts || !spine || item.right.query.kind !== 'select') return null;
  const right = toJoinedQuery(item.right);
  const names = spine.query.items.flatMap(({ value, alias }) => (findCalls([value]).some(isCount) ? [] : [alias!]));
  const { sameOrBothNull } = dialect.compiling;
  const on = allOf(names.map((name) => sameOrBothNull(columnOf(right.alias, name), columnOf(spine.alias, name))));
  return on && item.on && areTreesEqual(item.on, on) ? [...precedingParts, right] : null;
}
const toJoinedQuery = ({ alias, query }: DerivedTable): JoinedQuery => ({ alias: alias!, query: query as Select });
const isCount = ({ name, over }: Call): boolean => name === 'count' && over === null;

export interface GroupedQuery {
  meaning: Meaning;
  items: Select['items'];
}

export function readGroupedQuery(query: Select, readMeaning: MeaningReader): GroupedQuery {
  const meaning = readMeaning(query);
  if (
    !meaning.group ||
    meaning.periods ||
    meaning.having.size + meaning.qualify.size > 0 ||
    meaning.fullyGroupedSource ||
    query.limit
  )
    throw new UnreadablePartError('parts');
  const column = columnOf(meaning.mainSource.alias, meaning.mainSource.dataset.fields[0]!.name);
  const items = query.items.map(({ value, alias }) => ({
    alias,
    value: meaning.text.render(value) === 'count(*)' ? callOf(ROW_COUNT_FUNCTION, [column]) : value,
  }));
  return { meaning, items };
}

/** In the query with the measures, finds the source whose rows form the groups. */
function requireGroupSource(spine: Meaning, part: Meaning): Source {
  const [fullyGroupedSource, second] = part.sources.filter(
    ({ dataset, steps }) => dataset === spine.mainSource.dataset && steps.length > 0,
  );
  if (!fullyGroupedSource || second) throw new UnreadablePartError('groups of unknown rows');
  return fullyGroupedSource;
}

/**
 * Conditions that all the joined queries share apply to the groups. All other conditions apply to rows of the main
 * source.
 */
function mergeConditions(
  text: ExpressionRenderer,
  spine: Meaning,
  otherParts: Meaning[],
  fullyGroupedSource: Source,
): Meaning['where'] {
  relabelSources(spine, fullyGroupedSource);
  const ofGroups = relabelConditions(text, spine);
  let sharedConditions: Meaning['where'] | null = null;
  for (const part of otherParts) {
    if (part.mainSource.dataset === spine.mainSource.dataset) relabelSources(part, fullyGroupedSource);
    for (const source of part.sources) if (source.label === fullyGroupedSource.label) source.isPresent = false;
    const conditions = relabelConditions(text, part);
    for (const key of ofGroups.keys())
      if (!conditions.delete(key)) throw new UnreadablePartError('conditions of groups');
    conditions.delete(`there(${fullyGroupedSource.label})`);
    if (writeGroupKeys(text, part) !== writeGroupKeys(text, spine)) throw new UnreadablePartError('groups');
    if (part.mainSource.label === fullyGroupedSource.label) {
      if (conditions.size > 0) throw new UnreadablePartError('conditions of groups');
    } else if (sharedConditions === null) sharedConditions = conditions;
    else if ([...sharedConditions.keys()].sort().join() !== [...conditions.keys()].sort().join())
      throw new UnreadablePartError('parts');
  }
  for (const condition of sharedConditions!.values())
    for (const node of listNodes(condition))
      if (node.kind === 'column' && findSourceLabel(otherParts, node)?.startsWith(fullyGroupedSource.label))
        throw new UnreadablePartError('conditions');
  return new Map([...ofGroups, ...sharedConditions!]);
}

const findSourceLabel = (parts: Meaning[], { path }: Column): string | undefined =>
  parts.flatMap(({ sources }) => sources).find(({ alias }) => alias === path[0])?.label;

function relabelSources({ mainSource, sources }: Meaning, fullyGroupedSource: Source): void {
  const previousLabel = mainSource.label;
  if (previousLabel === fullyGroupedSource.label) return;
  for (const source of sources) {
    source.label = fullyGroupedSource.label + source.label.slice(previousLabel.length);
    source.steps = [...fullyGroupedSource.steps, ...source.steps];
    source.isPresent = source !== mainSource && source.isPresent;
  }
}

export const relabelConditions = (text: ExpressionRenderer, { where }: Meaning): Meaning['where'] =>
  new Map([...where.values()].map((item) => [text.render(item), item]));
export const listGroupKeys = ({ select }: Meaning): Expression[] => (select.groupBy?.keys ?? []) as Expression[];
const writeGroupKeys = (text: ExpressionRenderer, meaning: Meaning): string =>
  listGroupKeys(meaning)
    .map((key) => text.render(key))
    .join(' and ');

/** Requires that the SELECT shows only plain aggregates of a left-joined query. */
export function requirePlainAggregates(
  { functions }: Dialect,
  select: Select,
  { alias, items }: JoinedQuery & Pick<Select, 'items'>,
): void {
  for (const { path } of findColumns([select.items, select.having, select.orderBy])) {
    if (path[0] !== alias) continue;
    const value = items.find((item) => item.alias === path[1])?.value;
    const uncastValue = value?.kind === 'cast' ? value.value : value;
    const isAggregate = (call: Call) =>
      call.name === ROW_COUNT_FUNCTION || functions.list.kind(call.name) === 'aggregate';
    if (uncastValue?.kind !== 'call' || uncastValue.over || !isAggregate(uncastValue))
      throw new UnreadablePartError('parts');
  }
}

/**
 * Replaces outputs of the joined queries with their expressions. A count must be in COALESCE(…, 0), because a group
 * without rows has a count of 0.
 */
export function substituteJoinedOutputs<T>(select: T, parts: (JoinedQuery & { items: Select['items'] })[]): T {
  const shownExpression = (node: Node): Expression | null => {
    if (node.kind !== 'column') return null;
    const part = parts.find(({ alias }) => alias === node.path[0]);
    return part?.items.find(({ alias }) => alias === node.path[1])?.value ?? null;
  };
  const isRowCount = (value: Expression | null): boolean =>
    value !== null && findCalls([{ value }]).some((call) => isCount(call) || call.name === ROW_COUNT_FUNCTION);
  const substitute = (node: Node): Node | null => {
    if (node.kind === 'call' && node.name === 'coalesce' && node.args.length === 2 && toConstant(node.args[1]!) === 0) {
      const value = shownExpression(node.args[0]!);
      if (isRowCount(value)) return value;
    }
    const value = shownExpression(node);
    if (isRowCount(value)) throw new UnreadablePartError('a count that may be missing');
    return value;
  };
  return replaceNodes(select, substitute);
}
