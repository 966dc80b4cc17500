// Converts DuckDB's syntax tree to svc's neutral tree. svc refuses constructs that it doesn't know, and constructs
// without a node in the neutral tree.

import { type AstNode, isAstNode, toAstNode, toList, toTextOrEmpty } from '../../../dialects/ast.ts';
import type { FaultCollector } from '../../../dialects/fault-collector.ts';
import { EMPTY_TAIL, selectOf } from '../../../dialects/make-nodes.ts';
import type {
  Expression,
  Grouping,
  GroupKey,
  Query,
  QueryTail,
  Select,
  SetOperation,
  WithClause,
} from '../../../dialects/tree.ts';
import { type ReadContext, refuseConstruct, refuseOtherFields, toTextList, toWordSet } from './native.ts';
import { parseDuckdb } from './parse.ts';
import { readSortKeys } from './read-call.ts';
import { readExpression, readItem } from './read-expression.ts';
import { readFromClause } from './read-from.ts';

const SELECT_FIELDS = toWordSet(
  `type modifiers cte_map select_list from_table where_clause group_expressions group_sets aggregate_handling having sample
   qualify`,
);
const SET_FIELDS = toWordSet('type modifiers cte_map setop_type left right setop_all children');
const RECURSIVE_FIELDS = toWordSet(
  'type modifiers cte_map cte_name union_all left right aliases key_targets payload_aggregates',
);
const COMMON_TABLE_FIELDS = toWordSet('aliases query materialized key_targets');
const VALUES_FIELDS = toWordSet('type alias sample query_location values expected_names expected_types');
const MODIFIER_FIELDS = new Map([
  ['DISTINCT_MODIFIER', { clause: 'DISTINCT', fields: toWordSet('type distinct_on_targets') }],
  ['ORDER_MODIFIER', { clause: 'ORDER BY', fields: toWordSet('type orders') }],
  ['LIMIT_MODIFIER', { clause: 'LIMIT', fields: toWordSet('type limit offset') }],
]);
const SET_OPERATORS = new Map<string, Pick<SetOperation, 'operator' | 'byName'>>([
  ['UNION', { operator: 'union', byName: false }],
  ['UNION_BY_NAME', { operator: 'union', byName: true }],
  ['EXCEPT', { operator: 'except', byName: false }],
  ['INTERSECT', { operator: 'intersect', byName: false }],
]);

export async function readDuckdb(sql: string, faults: FaultCollector): Promise<Query | null> {
  const statement = await parseDuckdb(sql, faults);
  if (!statement) return null;
  const reading: ReadContext = {
    faults,
    readQuery: (value) => readQuery(reading, toAstNode(value)),
    readExpression: (value) => readExpression(reading, value),
  };
  return reading.readQuery(statement['node']);
}

function readQuery(reading: ReadContext, node: AstNode): Query {
  const { distinct, ...ends } = readQueryTail(reading, node);
  if (node['type'] === 'SELECT_NODE') {
    const rows = readValues(reading, node);
    if (rows && distinct === null) return { kind: 'values', rows, ...ends };
    return { ...readSelect(reading, node), distinct, ...ends };
  }
  if (distinct) refuseConstruct(reading, 'DISTINCT');
  if (node['type'] === 'SET_OPERATION_NODE') return { ...readSetOperation(reading, node), ...ends };
  refuseConstruct(reading, toTextOrEmpty(node['type']) || 'This query');
  return selectOf([], [], ends);
}

/** The parser lists DISTINCT, ORDER BY and LIMIT in this order, each at most once. */
function readQueryTail(reading: ReadContext, node: AstNode): QueryTail & { distinct: Select['distinct'] } {
  const tail: ReturnType<typeof readQueryTail> = {
    distinct: null,
    with: readWithClause(reading, toAstNode(node['cte_map'])),
    orderBy: [],
    limit: null,
    offset: null,
    at: null,
  };
  const modifierOrder = [...MODIFIER_FIELDS.keys()];
  let lastIndex = -1;
  for (const modifier of toList(node['modifiers']).map(toAstNode)) {
    const type = toTextOrEmpty(modifier['type']);
    const modifierRule = MODIFIER_FIELDS.get(type);
    if (!modifierRule || modifierOrder.indexOf(type) <= lastIndex) {
      refuseConstruct(reading, type === 'LIMIT_PERCENT_MODIFIER' ? 'LIMIT in percent' : type);
      continue;
    }
    lastIndex = modifierOrder.indexOf(type);
    refuseOtherFields(reading, modifierRule.clause, modifier, modifierRule.fields);
    if (type === 'DISTINCT_MODIFIER') tail.distinct = { on: readExpressions(reading, modifier['distinct_on_targets']) };
    else if (type === 'ORDER_MODIFIER') tail.orderBy = readOrderBy(reading, modifier);
    else {
      tail.limit = readOptional(reading, modifier['limit']);
      tail.offset = readOptional(reading, modifier['offset']);
    }
  }
  return tail;
}

/** ORDER BY ALL orders by every output, as `*` does. */
function readOrderBy(reading: ReadContext, modifier: AstNode): QueryTail['orderBy'] {
  return readSortKeys(reading, modifier['orders']).map((key) => {
    if (key.value.kind !== 'star') return key;
    if (key.value.qualifier.length > 0 || key.value.columns?.of) refuseConstruct(reading, 'ORDER BY COLUMNS(…)');
    return { ...key, value: { ...key.value, columns: null } };
  });
}

function readSelect(reading: ReadContext, node: AstNode): Select {
  refuseOtherFields(reading, 'SELECT', node, SELECT_FIELDS);
  if (node['sample']) refuseConstruct(reading, 'USING SAMPLE');
  const from = readFromClause(reading, node['from_table']);
  const items = toList(node['select_list']).map((item) => readItem(reading, item));
  return selectOf(items, from, {
    where: readOptional(reading, node['where_clause']),
    groupBy: readGrouping(reading, node),
    having: readOptional(reading, node['having']),
    qualify: readOptional(reading, node['qualify']),
  });
}

/**
 * Returns the rows of a VALUES list, which the parser returns as `select *` from these rows. No other statement has
 * this form.
 */
function readValues(reading: ReadContext, node: AstNode): Expression[][] | null {
  const from = toAstNode(node['from_table']);
  if (from['type'] !== 'EXPRESSION_LIST') return null;
  refuseOtherFields(reading, 'VALUES', from, VALUES_FIELDS);
  const { items, where, groupBy, having, qualify } = readSelect(reading, { ...node, from_table: { type: 'EMPTY' } });
  const [star] = items;
  const isBareStar = star?.alias === null && isUnqualifiedStar(star.value);
  const hasExpectedNames = toList(from['expected_names']).length > 0 || toList(from['expected_types']).length > 0;
  if (
    !isBareStar ||
    items.length > 1 ||
    where ||
    groupBy ||
    having ||
    qualify ||
    hasExpectedNames ||
    from['alias'] !== 'valueslist'
  )
    refuseConstruct(reading, 'This form of VALUES');
  return toList(from['values']).map((row) => readExpressions(reading, row));
}

const isUnqualifiedStar = (value: Expression): boolean =>
  value.kind === 'star' &&
  value.columns === null &&
  [value.qualifier, value.exclude, value.replace].every(({ length }) => length === 0);

const MAX_GROUPING_SETS = 1024;

function readGrouping(reading: ReadContext, node: AstNode): Grouping | null {
  const keys = readExpressions(reading, node['group_expressions']);
  const sets = toList(node['group_sets']).map((set) => toList(set).map(Number));
  if (node['aggregate_handling'] === 'FORCE_AGGREGATES') {
    if (keys.length > 0 || sets.length > 0) refuseConstruct(reading, 'GROUP BY ALL with keys');
    return { all: true, distinct: false, keys: [] };
  }
  if (node['aggregate_handling'] !== 'STANDARD_HANDLING')
    refuseConstruct(reading, toTextOrEmpty(node['aggregate_handling']));
  if (sets.length === 0) return null;
  const isPlainGrouping = sets.length === 1 && keys.length > 0 && sets[0]!.length === keys.length;
  if (sets.length > MAX_GROUPING_SETS) {
    // svc limits the grouping sets, because the parser expands CUBE, and each key doubles the number of sets. Reading
    // more sets would block other requests.
    const message = `GROUP BY has ${sets.length} grouping sets, including those of CUBE and ROLLUP. At most ${MAX_GROUPING_SETS} are allowed.`;
    reading.faults.add('unbounded', message);
    return null;
  }
  // DuckDB numbers keys in order of appearance, so svc keeps that order.
  const indexes = [...new Set(sets.flat())];
  const groupKeys: GroupKey[] = sets.map((set) =>
    createGroupingSet([...set].sort((a, b) => indexes.indexOf(a) - indexes.indexOf(b)).map((index) => keys[index]!)),
  );
  if (isPlainGrouping || sets.length === 1)
    return { all: false, distinct: false, keys: isPlainGrouping ? keys : groupKeys };
  return { all: false, distinct: false, keys: [{ kind: 'grouping_set', how: 'sets', keys: groupKeys, at: null }] };
}

function createGroupingSet(keys: Expression[]): GroupKey {
  if (keys.length === 0) return { kind: 'grouping_set', how: 'empty', keys: [], at: null };
  return keys.length === 1 ? keys[0]! : { kind: 'row', items: keys, keyword: false, at: null };
}

function readSetOperation(reading: ReadContext, node: AstNode): Omit<SetOperation, keyof QueryTail> {
  refuseOtherFields(reading, 'A set operation', node, SET_FIELDS);
  const type = toTextOrEmpty(node['setop_type']);
  const setOperator = SET_OPERATORS.get(type);
  if (!setOperator) refuseConstruct(reading, type);
  const { operator, byName } = setOperator ?? { operator: 'union', byName: false };
  const all = node['setop_all'] === true;
  const arms = [node['left'], node['right'], ...toList(node['children'])].filter(isAstNode);
  const flat = all && operator === 'union' ? arms.flatMap((arm) => flattenUnionAll(arm, type)) : arms;
  const [firstArm, ...otherArms] = flat.map((arm) => reading.readQuery(arm));
  const lastArm = otherArms.pop();
  if (!firstArm || !lastArm) refuseConstruct(reading, 'This form of set operation');
  const combine = (left: Query, right: Query) => ({ kind: 'set' as const, operator, all, byName, left, right });
  const left = otherArms.reduce<Query>(
    (previous, arm) => ({ ...combine(previous, arm), ...EMPTY_TAIL }),
    firstArm ?? selectOf([], []),
  );
  return combine(left, lastArm ?? selectOf([], []));
}

/** Flattens a chain of UNION ALL, which is one node in DuckDB but nested nodes in the serialized tree. */
function flattenUnionAll(arm: AstNode, type: string): AstNode[] {
  const isPlainArm = toList(arm['modifiers']).length === 0 && toList(toAstNode(arm['cte_map'])['map']).length === 0;
  if (!isPlainArm || arm['setop_type'] !== type || arm['setop_all'] !== true) return [arm];
  return [arm['left'], arm['right'], ...toList(arm['children'])]
    .filter(isAstNode)
    .flatMap((item) => flattenUnionAll(item, type));
}

function readWithClause(reading: ReadContext, map: AstNode): WithClause | null {
  const natives = toList(map['map']).map(toAstNode);
  if (natives.length === 0) return null;
  const queries = natives.map((entry) => toAstNode(toAstNode(toAstNode(entry['value'])['query'])['node']));
  const recursive = queries.some((query) => query['type'] === 'RECURSIVE_CTE_NODE');
  const entries = natives.map((entry, index) => {
    const entryNode = toAstNode(entry['value']);
    refuseOtherFields(reading, 'WITH', entryNode, COMMON_TABLE_FIELDS);
    if (toList(entryNode['key_targets']).length > 0) refuseConstruct(reading, 'USING KEY');
    // DuckDB's serialized trees always have the default here, even if the source has MATERIALIZED.
    if (entryNode['materialized'] !== 'CTE_MATERIALIZE_DEFAULT') refuseConstruct(reading, 'MATERIALIZED');
    const query = queries[index]!;
    const isRecursive = query['type'] === 'RECURSIVE_CTE_NODE';
    // If DuckDB doesn't treat this query as recursive, the CTE's name in it refers to a table. In the SQL that svc
    // would write, the name would refer to the CTE itself, because that SQL contains WITH RECURSIVE.
    if (recursive && !isRecursive && query['type'] === 'SET_OPERATION_NODE')
      refuseConstruct(reading, 'A set operation next to a recursive query');
    return {
      name: toTextOrEmpty(entry['key']),
      columns: toTextList(entryNode['aliases']),
      materialized: null,
      query: isRecursive ? readRecursiveQuery(reading, query, toTextOrEmpty(entry['key'])) : reading.readQuery(query),
      at: null,
    };
  });
  return { recursive, entries };
}

function readRecursiveQuery(reading: ReadContext, node: AstNode, name: string): Query {
  refuseOtherFields(reading, 'A recursive query', node, RECURSIVE_FIELDS);
  if (toList(toAstNode(node['cte_map'])['map']).length > 0) refuseConstruct(reading, 'WITH inside a recursive part');
  if (toTextOrEmpty(node['cte_name']) !== name || toList(node['key_targets']).length > 0)
    refuseConstruct(reading, 'USING KEY');
  const { distinct, ...ends } = readQueryTail(reading, node);
  if (distinct || ends.orderBy.length > 0 || ends.limit || ends.offset)
    refuseConstruct(reading, 'ORDER BY or LIMIT in a recursive query');
  const [left, right] = [reading.readQuery(node['left']), reading.readQuery(node['right'])];
  return { kind: 'set', operator: 'union', all: node['union_all'] === true, byName: false, left, right, ...ends };
}

const readExpressions = (reading: ReadContext, list: unknown): Expression[] =>
  toList(list).map((value) => reading.readExpression(value));

const readOptional = (reading: ReadContext, value: unknown): Expression | null =>
  isAstNode(value) ? reading.readExpression(value) : null;
