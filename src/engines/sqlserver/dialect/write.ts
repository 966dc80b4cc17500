// Writes T-SQL, which lacks conditions as values, positions in GROUP BY, WITH in subqueries, limits on set operations,
// and SELECT DISTINCT with nulls ordered last. svc rewrites these constructs.
import { UnwritableError } from '../../../dialects/dialect.ts';
import { writeForeign, writeForeignExpression } from '../../../dialects/foreign/write.ts';
import {
  caseOf,
  castOf,
  columnOf,
  compare,
  createNegation,
  derivedOf,
  itemOf,
  numberOf,
  selectOf,
  starOf,
} from '../../../dialects/make-nodes.ts';
import { areTreesEqual, listNodes, replaceNodes } from '../../../dialects/nodes.ts';
import type { CommonTable, Expression, Node, Query, Select, SelectItem } from '../../../dialects/tree.ts';
import { isCondition, isNeverUnknown, listConditions } from './conditions.ts';
import { SQLSERVER_FUNCTIONS } from './functions.ts';
import { SQLSERVER_GRAMMAR } from './grammar.ts';

export const ALL_ROWS_ALIAS = 'svc_all_rows';
const DISTINCT_ROWS_ALIAS = 'svc_distinct_rows';
const BIT_TYPE = 'bit';

export function writeSqlserver(query: Query): string {
  const commonTables: CommonTable[] = [];
  const body = toTsqlNode(moveCommonTablesOutside(query, commonTables));
  const entries = commonTables.map((entry) => ({ ...entry, query: toTsqlNode(entry.query) }));
  return writeForeign(SQLSERVER_GRAMMAR, {
    ...body,
    with: entries.length > 0 ? { recursive: false, entries } : null,
  });
}

export const writeSqlserverExpression = (expression: Expression): string =>
  writeForeignExpression(
    SQLSERVER_GRAMMAR,
    isCondition(expression) ? toTsqlNode(expression) : toValueExpression(expression),
  );

const isQuery = (node: Node): node is Query => node.kind === 'select' || node.kind === 'set' || node.kind === 'values';

/** Moves all CTEs to the outermost query and gives them unique names, because T-SQL accepts WITH only there. */
function moveCommonTablesOutside(query: Query, commonTables: CommonTable[]): Query {
  const liftInside = (outerQuery: Query): Query =>
    replaceNodes(outerQuery, (node) =>
      isQuery(node) && node !== outerQuery ? moveCommonTablesOutside(node, commonTables) : null,
    );
  if (query.with?.recursive) throw new UnwritableError('WITH RECURSIVE');
  let body: Query = { ...query, with: null };
  let innerEntries = query.with?.entries ?? [];
  for (let entry = innerEntries[0]; entry; entry = innerEntries[0]) {
    const originalName = entry.name;
    const innerQuery = liftInside(entry.query.with ? moveCommonTablesOutside(entry.query, commonTables) : entry.query);
    const name = findUnusedName(originalName, commonTables);
    commonTables.push({ ...entry, name, query: innerQuery });
    innerEntries = innerEntries.slice(1);
    if (name === originalName) continue;
    body = renameTable(body, originalName, name);
    innerEntries = innerEntries.map((item) => ({ ...item, query: renameTable(item.query, originalName, name) }));
  }
  return liftInside(body);
}

function findUnusedName(preferredName: string, commonTables: readonly CommonTable[]): string {
  const usedNames = new Set(commonTables.map(({ name }) => name.toLowerCase()));
  let name = preferredName;
  for (let copy = 2; usedNames.has(name.toLowerCase()); copy++) name = `${preferredName}_${copy}`;
  return name;
}

const renameTable = (query: Query, from: string, to: string): Query =>
  replaceNodes(query, (node) => {
    if (isQuery(node) && node.with?.entries.some(({ name }) => name === from)) return node;
    if (node.kind !== 'table' || node.schema !== null || node.name !== from) return null;
    return { ...node, name: to, alias: node.alias ?? from };
  });

function toTsqlNode<T extends Node>(node: T): T {
  const result = convertOutermostNode(node);
  const conditions = new Set<unknown>(listConditions(result));
  const convertValue = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(convertValue);
    if (!('kind' in value))
      return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, convertValue(member)]));
    if (conditions.has(value)) return toCondition(value as Expression);
    return isQuery(value as Node) || !isCondition(value as Node)
      ? toTsqlNode(value as Node)
      : toValueExpression(value as Expression);
  };
  return Object.fromEntries(Object.entries(result).map(([key, member]) => [key, convertValue(member)])) as unknown as T;
}

const createBitLiteral = (value: 0 | 1): Expression => castOf(numberOf(value), BIT_TYPE);
const toCondition = (node: Expression): Expression =>
  isCondition(node) ? toTsqlNode(node) : compare(toTsqlNode(node), '=', createBitLiteral(1));

/** Converts a condition to a value. An unknown condition becomes null. */
function toValueExpression(node: Expression): Expression {
  if (!isCondition(node)) return toTsqlNode(node);
  const condition = toTsqlNode(node);
  if (isNeverUnknown(node)) return castOf(caseOf(condition, numberOf(1), numberOf(0)), BIT_TYPE);
  return castOf(caseOf(condition, numberOf(1), caseOf(toTsqlNode(createNegation(node)), numberOf(0))), BIT_TYPE);
}

function convertOutermostNode(node: Node): Node {
  switch (node.kind) {
    case 'select':
      return replacePositions(wrapDistinctForOrderBy(node));
    case 'set':
      return wrapSetOperationWithLimit(node);
    case 'literal':
      return node.type === 'boolean' ? createBitLiteral(node.value === 'true' ? 1 : 0) : node;
    case 'call':
      if (SQLSERVER_FUNCTIONS.kind(node.name) === 'aggregate' && node.args.some(hasSubquery))
        throw new UnwritableError('an aggregate over the result of a subquery');
      return node.name === 'count' ? { ...node, name: 'count_big' } : node;
    default:
      return node;
  }
}
const hasSubquery = (node: Node): boolean => [...listNodes(node)].some(isQuery);

/** Wraps a set operation with a limit in a SELECT, because TOP is valid only there. */
function wrapSetOperationWithLimit(set: Extract<Query, { kind: 'set' }>): Query {
  if (!set.limit && !set.offset) return set;
  const { orderBy, limit, offset } = set;
  const unlimited: Query = { ...set, orderBy: [], limit: null, offset: null };
  return selectOf([itemOf(starOf())], [derivedOf(unlimited, ALL_ROWS_ALIAS)], { orderBy, limit, offset });
}

/** Wraps a SELECT DISTINCT that sorts by other columns, because its ORDER BY accepts only output columns. */
function wrapDistinctForOrderBy(select: Select): Select {
  const { distinct, items, orderBy, limit, offset } = select;
  const isOutput = ({ value }: { value: Expression }): boolean =>
    value.kind === 'literal' ||
    items.some(
      (item) => areTreesEqual(item.value, value) || (value.kind === 'column' && item.alias === value.path.at(-1)),
    );
  if (!distinct || orderBy.every(isOutput)) return select;
  const nameOf = ({ value, alias }: SelectItem): string => alias ?? (value.kind === 'column' ? value.path.at(-1)! : '');
  const toOuterColumn = (value: Expression): Expression =>
    replaceNodes(value, (node) => {
      const item = items.find((item) => areTreesEqual(item.value, node));
      return item ? columnOf(nameOf(item)) : null;
    });
  const rows: Select = { ...select, orderBy: [], limit: null, offset: null };
  return selectOf(
    items.map((item) => itemOf(columnOf(nameOf(item)))),
    [derivedOf(rows, DISTINCT_ROWS_ALIAS)],
    { orderBy: orderBy.map((key) => ({ ...key, value: toOuterColumn(key.value) })), limit, offset },
  );
}

function replacePositions(select: Select): Select {
  const { groupBy, items } = select;
  if (!groupBy) return select;
  const keys = groupBy.keys.map((key) => {
    const position = key.kind === 'literal' && key.type === 'number' ? items[Number(key.value) - 1] : undefined;
    return position?.value ?? key;
  });
  if (keys.some(hasSubquery)) throw new UnwritableError('GROUP BY the result of a subquery');
  return { ...select, groupBy: { ...groupBy, keys } };
}
