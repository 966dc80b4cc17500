// Converts DuckDB's serialized tree to the neutral tree. Constructs that are unknown to either tree are faults.

import { type AstNode, asList, asNode, asText, isNode } from '../../../dialects/ast.ts';
import type { Faults } from '../../../dialects/faults.ts';
import { EMPTY_TAIL, selectOf } from '../../../dialects/make-nodes.ts';
import type {
  Expression,
  Grouping,
  GroupKey,
  Query,
  QueryTail,
  Select,
  SetOperation,
  With,
} from '../../../dialects/tree.ts';
import { asTexts, onlyFields, type Reading, refuse, words } from './native.ts';
import { parseDuckdb } from './parse.ts';
import { readSortKeys } from './read-call.ts';
import { readExpression, readItem } from './read-expression.ts';
import { readFrom } from './read-from.ts';

const SELECT_FIELDS = words(
  `type modifiers cte_map select_list from_table where_clause group_expressions group_sets aggregate_handling having sample
   qualify`,
);
const SET_FIELDS = words('type modifiers cte_map setop_type left right setop_all children');
const RECURSIVE_FIELDS = words(
  'type modifiers cte_map cte_name union_all left right aliases key_targets payload_aggregates',
);
const ENTRY_FIELDS = words('aliases query materialized key_targets');
const VALUES_FIELDS = words('type alias sample query_location values expected_names expected_types');
const MODIFIERS = new Map([
  ['DISTINCT_MODIFIER', { what: 'DISTINCT', fields: words('type distinct_on_targets') }],
  ['ORDER_MODIFIER', { what: 'ORDER BY', fields: words('type orders') }],
  ['LIMIT_MODIFIER', { what: 'LIMIT', fields: words('type limit offset') }],
]);
const SET_OPERATORS = new Map<string, Pick<SetOperation, 'operator' | 'byName'>>([
  ['UNION', { operator: 'union', byName: false }],
  ['UNION_BY_NAME', { operator: 'union', byName: true }],
  ['EXCEPT', { operator: 'except', byName: false }],
  ['INTERSECT', { operator: 'intersect', byName: false }],
]);

export async function readDuckdb(sql: string, faults: Faults): Promise<Query | null> {
  const statement = await parseDuckdb(sql, faults);
  if (!statement) return null;
  const reading: Reading = {
    faults,
    query: (value) => readQuery(reading, asNode(value)),
    expression: (value) => readExpression(reading, value),
  };
  return reading.query(statement['node']);
}

function readQuery(reading: Reading, node: AstNode): Query {
  const { distinct, ...ends } = readEnds(reading, node);
  if (node['type'] === 'SELECT_NODE') {
    const rows = valuesOf(reading, node);
    if (rows && distinct === null) return { kind: 'values', rows, ...ends };
    return { ...select(reading, node), distinct, ...ends };
  }
  if (distinct) refuse(reading, 'DISTINCT');
  if (node['type'] === 'SET_OPERATION_NODE') return { ...setOperation(reading, node), ...ends };
  refuse(reading, asText(node['type']) || 'This query');
  return selectOf([], [], ends);
}

/** Reads DISTINCT, ORDER BY and LIMIT, which the parser lists in this order, each at most once. */
function readEnds(reading: Reading, node: AstNode): QueryTail & { distinct: Select['distinct'] } {
  const ends: ReturnType<typeof readEnds> = {
    distinct: null,
    with: readWith(reading, asNode(node['cte_map'])),
    orderBy: [],
    limit: null,
    offset: null,
    at: null,
  };
  const order = [...MODIFIERS.keys()];
  let last = -1;
  for (const modifier of asList(node['modifiers']).map(asNode)) {
    const type = asText(modifier['type']);
    const modifierRule = MODIFIERS.get(type);
    if (!modifierRule || order.indexOf(type) <= last) {
      refuse(reading, type === 'LIMIT_PERCENT_MODIFIER' ? 'LIMIT in percent' : type);
      continue;
    }
    last = order.indexOf(type);
    onlyFields(reading, modifierRule.what, modifier, modifierRule.fields);
    if (type === 'DISTINCT_MODIFIER') ends.distinct = { on: expressions(reading, modifier['distinct_on_targets']) };
    else if (type === 'ORDER_MODIFIER') ends.orderBy = orderBy(reading, modifier);
    else {
      ends.limit = optional(reading, modifier['limit']);
      ends.offset = optional(reading, modifier['offset']);
    }
  }
  return ends;
}

/** ORDER BY ALL orders by every output, as `*` does. */
function orderBy(reading: Reading, modifier: AstNode): QueryTail['orderBy'] {
  return readSortKeys(reading, modifier['orders']).map((key) => {
    if (key.value.kind !== 'star') return key;
    if (key.value.qualifier.length > 0 || key.value.columns?.of) refuse(reading, 'ORDER BY COLUMNS(…)');
    return { ...key, value: { ...key.value, columns: null } };
  });
}

function select(reading: Reading, node: AstNode): Select {
  onlyFields(reading, 'SELECT', node, SELECT_FIELDS);
  if (node['sample']) refuse(reading, 'USING SAMPLE');
  const from = readFrom(reading, node['from_table']);
  const items = asList(node['select_list']).map((item) => readItem(reading, item));
  return selectOf(items, from, {
    where: optional(reading, node['where_clause']),
    groupBy: grouping(reading, node),
    having: optional(reading, node['having']),
    qualify: optional(reading, node['qualify']),
  });
}

/** The parser returns VALUES as `select *` from a list of rows. No other statement has this form. */
function valuesOf(reading: Reading, node: AstNode): Expression[][] | null {
  const from = asNode(node['from_table']);
  if (from['type'] !== 'EXPRESSION_LIST') return null;
  onlyFields(reading, 'VALUES', from, VALUES_FIELDS);
  const { items, where, groupBy, having, qualify } = select(reading, { ...node, from_table: { type: 'EMPTY' } });
  const [star] = items;
  const isBareStar = star?.alias === null && isWhole(star.value);
  const hasExpectedNames = asList(from['expected_names']).length > 0 || asList(from['expected_types']).length > 0;
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
    refuse(reading, 'VALUES like this');
  return asList(from['values']).map((row) => expressions(reading, row));
}

const isWhole = (value: Expression): boolean =>
  value.kind === 'star' &&
  value.columns === null &&
  [value.qualifier, value.exclude, value.replace].every(({ length }) => length === 0);

const MAX_SETS = 1024;

function grouping(reading: Reading, node: AstNode): Grouping | null {
  const keys = expressions(reading, node['group_expressions']);
  const sets = asList(node['group_sets']).map((set) => asList(set).map(Number));
  if (node['aggregate_handling'] === 'FORCE_AGGREGATES') {
    if (keys.length > 0 || sets.length > 0) refuse(reading, 'GROUP BY ALL with keys');
    return { all: true, distinct: false, keys: [] };
  }
  if (node['aggregate_handling'] !== 'STANDARD_HANDLING') refuse(reading, asText(node['aggregate_handling']));
  if (sets.length === 0) return null;
  const isPlainGrouping = sets.length === 1 && keys.length > 0 && sets[0]!.length === keys.length;
  if (sets.length > MAX_SETS) {
    // The parser expands CUBE, which doubles with each key. Reading more sets would block other requests.
    const message = `GROUP BY has ${sets.length} sets of keys, those of CUBE and ROLLUP counted; ${MAX_SETS} are allowed.`;
    reading.faults.add('unbounded', message);
    return null;
  }
  // DuckDB numbers keys in order of appearance, so svc keeps that order.
  const indexes = [...new Set(sets.flat())];
  const grouped: GroupKey[] = sets.map((set) =>
    setOf([...set].sort((a, b) => indexes.indexOf(a) - indexes.indexOf(b)).map((index) => keys[index]!)),
  );
  if (isPlainGrouping || sets.length === 1)
    return { all: false, distinct: false, keys: isPlainGrouping ? keys : grouped };
  return { all: false, distinct: false, keys: [{ kind: 'grouping_set', how: 'sets', keys: grouped, at: null }] };
}

function setOf(keys: Expression[]): GroupKey {
  if (keys.length === 0) return { kind: 'grouping_set', how: 'empty', keys: [], at: null };
  return keys.length === 1 ? keys[0]! : { kind: 'row', items: keys, keyword: false, at: null };
}

function setOperation(reading: Reading, node: AstNode): Omit<SetOperation, keyof QueryTail> {
  onlyFields(reading, 'A set operation', node, SET_FIELDS);
  const type = asText(node['setop_type']);
  const setOperator = SET_OPERATORS.get(type);
  if (!setOperator) refuse(reading, type);
  const { operator, byName } = setOperator ?? { operator: 'union', byName: false };
  const all = node['setop_all'] === true;
  const arms = [node['left'], node['right'], ...asList(node['children'])].filter(isNode);
  const flat = all && operator === 'union' ? arms.flatMap((arm) => unionParts(arm, type)) : arms;
  const [first, ...others] = flat.map((arm) => reading.query(arm));
  const last = others.pop();
  if (!first || !last) refuse(reading, 'A set operation like this');
  const joined = (left: Query, right: Query) => ({ kind: 'set' as const, operator, all, byName, left, right });
  const left = others.reduce<Query>(
    (before, arm) => ({ ...joined(before, arm), ...EMPTY_TAIL }),
    first ?? selectOf([], []),
  );
  return joined(left, last ?? selectOf([], []));
}

/** A chain of UNION ALL is one node in DuckDB, but its tree shows nested nodes. */
function unionParts(arm: AstNode, type: string): AstNode[] {
  const isPlainArm = asList(arm['modifiers']).length === 0 && asList(asNode(arm['cte_map'])['map']).length === 0;
  if (!isPlainArm || arm['setop_type'] !== type || arm['setop_all'] !== true) return [arm];
  return [arm['left'], arm['right'], ...asList(arm['children'])]
    .filter(isNode)
    .flatMap((item) => unionParts(item, type));
}

function readWith(reading: Reading, map: AstNode): With | null {
  const natives = asList(map['map']).map(asNode);
  if (natives.length === 0) return null;
  const queries = natives.map((entry) => asNode(asNode(asNode(entry['value'])['query'])['node']));
  const recursive = queries.some((query) => query['type'] === 'RECURSIVE_CTE_NODE');
  const entries = natives.map((entry, index) => {
    const entryNode = asNode(entry['value']);
    onlyFields(reading, 'WITH', entryNode, ENTRY_FIELDS);
    if (asList(entryNode['key_targets']).length > 0) refuse(reading, 'USING KEY');
    // DuckDB's serialized trees always have the default here, even if the source has MATERIALIZED.
    if (entryNode['materialized'] !== 'CTE_MATERIALIZE_DEFAULT') refuse(reading, 'MATERIALIZED');
    const query = queries[index]!;
    const itself = query['type'] === 'RECURSIVE_CTE_NODE';
    // DuckDB's tree says that this query isn't recursive, so its own name means a table. In a UNION under WITH
    // RECURSIVE, the name would mean the query.
    if (recursive && !itself && query['type'] === 'SET_OPERATION_NODE')
      refuse(reading, 'This next to a recursive query');
    return {
      name: asText(entry['key']),
      columns: asTexts(entryNode['aliases']),
      materialized: null,
      query: itself ? recursiveQuery(reading, query, asText(entry['key'])) : reading.query(query),
      at: null,
    };
  });
  return { recursive, entries };
}

function recursiveQuery(reading: Reading, node: AstNode, name: string): Query {
  onlyFields(reading, 'A recursive query', node, RECURSIVE_FIELDS);
  if (asList(asNode(node['cte_map'])['map']).length > 0) refuse(reading, 'WITH inside a recursive part');
  if (asText(node['cte_name']) !== name || asList(node['key_targets']).length > 0) refuse(reading, 'USING KEY');
  const { distinct, ...ends } = readEnds(reading, node);
  if (distinct || ends.orderBy.length > 0 || ends.limit || ends.offset)
    refuse(reading, 'ORDER BY or LIMIT of a recursion');
  const [left, right] = [reading.query(node['left']), reading.query(node['right'])];
  return { kind: 'set', operator: 'union', all: node['union_all'] === true, byName: false, left, right, ...ends };
}

const expressions = (reading: Reading, list: unknown): Expression[] =>
  asList(list).map((value) => reading.expression(value));

const optional = (reading: Reading, value: unknown): Expression | null =>
  isNode(value) ? reading.expression(value) : null;
