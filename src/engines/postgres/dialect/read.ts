import { type AstNode, isAstNode, toAstNode, toList, toTextOrEmpty } from '../../../dialects/ast.ts';
import type { FaultCollector } from '../../../dialects/fault-collector.ts';
import { derivedOf, EMPTY_TAIL, joinOf, selectOf, tableOf } from '../../../dialects/make-nodes.ts';
import type {
  CommonTable,
  Expression,
  FromItem,
  GroupKey,
  Join,
  Query,
  QueryTail,
  Select,
  SelectItem,
  SetOperation,
  TableCall,
  WithClause,
} from '../../../dialects/tree.ts';
import { parsePostgres, readPosition, readStrings, refuseConstruct, refuseOtherFields, unwrapNode } from './native.ts';
import { type ReadContext, readExpression, readList, readOptional, readOrder, readWindow } from './read-expression.ts';

export async function readPostgres(sql: string, faults: FaultCollector): Promise<Query | null> {
  const select = await parsePostgres(sql, faults);
  if (!select) return null;
  const reading: ReadContext = { faults, depth: 0, readQuery: (data) => readQuery(reading, data) };
  return readQuery(reading, select);
}

const MAX_QUERY_DEPTH = 200;
const SELECT_FIELDS = `distinctClause targetList fromClause whereClause groupClause groupDistinct havingClause \
windowClause valuesLists sortClause limitOffset limitCount limitOption withClause op all larg rarg intoClause lockingClause`;

function readQuery(reading: ReadContext, stmt: AstNode): Query {
  const { faults } = reading;
  refuseOtherFields(faults, 'SELECT', stmt, SELECT_FIELDS);
  if (stmt['intoClause'] !== undefined) faults.add('into', 'SELECT … INTO writes a table and is not allowed.');
  if (stmt['lockingClause'] !== undefined) faults.add('locking', 'FOR UPDATE and FOR SHARE are not allowed.');
  if (stmt['limitOption'] === 'LIMIT_OPTION_WITH_TIES') {
    faults.add('limit', 'FETCH … WITH TIES is not allowed. Use rank() in a subquery.');
  }
  if (reading.depth >= MAX_QUERY_DEPTH) {
    faults.add('too_deep', 'The statement is nested too deeply.');
    return { kind: 'values', rows: [], ...EMPTY_TAIL };
  }
  reading.depth++;
  const query = readBody(reading, stmt);
  reading.depth--;
  return query;
}

function readBody(reading: ReadContext, stmt: AstNode): Query {
  const readQueryTail = (): QueryTail => ({
    with: isAstNode(stmt['withClause']) ? readWithClause(reading, stmt['withClause']) : null,
    orderBy: readOrder(reading, stmt['sortClause']),
    limit: readLimit(reading, stmt['limitCount']),
    offset: readOptional(reading, stmt['limitOffset']),
    at: null,
  });
  if (stmt['op'] !== undefined && stmt['op'] !== 'SETOP_NONE') return readSetOperation(reading, stmt, readQueryTail());
  if (toList(stmt['valuesLists']).length > 0) {
    const rows = toList(stmt['valuesLists']).map((row) => readList(reading, unwrapNode(row).data['items']));
    return { kind: 'values', rows, ...readQueryTail() };
  }
  return readSelect(reading, stmt, readQueryTail());
}

/** Returns a LIMIT or OFFSET. The parser returns LIMIT ALL as null. */
function readLimit(reading: ReadContext, value: unknown): Expression | null {
  const limit = readOptional(reading, value);
  return limit?.kind === 'literal' && limit.type === 'null' ? null : limit;
}

function readSetOperation(reading: ReadContext, stmt: AstNode, ends: QueryTail): SetOperation {
  const operator = ({ SETOP_UNION: 'union', SETOP_INTERSECT: 'intersect', SETOP_EXCEPT: 'except' } as const)[
    toTextOrEmpty(stmt['op'])
  ];
  if (!operator) refuseConstruct(reading.faults, 'This set operation');
  const [left, right] = [readQuery(reading, toAstNode(stmt['larg'])), readQuery(reading, toAstNode(stmt['rarg']))];
  return { kind: 'set', operator: operator ?? 'union', all: stmt['all'] === true, byName: false, left, right, ...ends };
}

function readSelect(reading: ReadContext, stmt: AstNode, ends: QueryTail): Select {
  const { faults } = reading;
  const targets = toList(stmt['targetList']);
  if (targets.length === 0) refuseConstruct(faults, 'A SELECT without columns');
  const keys = toList(stmt['distinctClause']).filter((key) => isAstNode(key) && Object.keys(key).length > 0);
  const groups = toList(stmt['groupClause']);
  const items = targets.map((target) => readItem(reading, target));
  const from = toList(stmt['fromClause']).map((item) => readFromClauseItem(reading, item));
  return selectOf(items, from, {
    distinct: stmt['distinctClause'] === undefined ? null : { on: readList(reading, keys) },
    where: readOptional(reading, stmt['whereClause']),
    groupBy:
      groups.length === 0
        ? null
        : {
            all: false,
            distinct: stmt['groupDistinct'] === true,
            keys: groups.map((key) => readGroupKey(reading, key)),
          },
    having: readOptional(reading, stmt['havingClause']),
    windows: toList(stmt['windowClause']).map((item) => {
      const { data } = unwrapNode(item);
      return { name: toTextOrEmpty(data['name']), window: readWindow(reading, data, false) };
    }),
    ...ends,
  });
}

function readItem(reading: ReadContext, target: unknown): SelectItem {
  const { kind, data } = unwrapNode(target);
  if (kind !== 'ResTarget') refuseConstruct(reading.faults, kind || 'An empty output column');
  refuseOtherFields(reading.faults, 'An output column', data, 'name val location');
  const alias = data['name'] === undefined ? null : toTextOrEmpty(data['name']);
  return { value: readExpression(reading, data['val']), alias };
}

const GROUPING_SETS = {
  GROUPING_SET_EMPTY: 'empty',
  GROUPING_SET_ROLLUP: 'rollup',
  GROUPING_SET_CUBE: 'cube',
  GROUPING_SET_SETS: 'sets',
} as const;

function readGroupKey(reading: ReadContext, node: unknown): GroupKey {
  const { kind, data } = unwrapNode(node);
  if (kind !== 'GroupingSet') return readExpression(reading, node);
  refuseOtherFields(reading.faults, 'GROUP BY', data, 'kind content location');
  const how = GROUPING_SETS[toTextOrEmpty(data['kind']) as keyof typeof GROUPING_SETS];
  if (!how) refuseConstruct(reading.faults, 'This GROUP BY');
  const keys = toList(data['content']).map((key) => readGroupKey(reading, key));
  return { kind: 'grouping_set', how: how ?? 'sets', keys, at: readPosition(data) };
}

function readWithClause(reading: ReadContext, clause: AstNode): WithClause {
  refuseOtherFields(reading.faults, 'WITH', clause, 'ctes recursive location');
  const entries = toList(clause['ctes']).flatMap((node) => {
    const entry = readCommonTable(reading, unwrapNode(node).data);
    return entry ? [entry] : [];
  });
  return { recursive: clause['recursive'] === true, entries };
}

const ENTRY_FIELDS = 'ctename aliascolnames ctematerialized ctequery location cterefcount';
const MATERIALIZED_OPTIONS: Readonly<Record<string, boolean>> = {
  CTEMaterializeAlways: true,
  CTEMaterializeNever: false,
};

function readCommonTable(reading: ReadContext, entry: AstNode): CommonTable | null {
  refuseOtherFields(reading.faults, 'WITH', entry, ENTRY_FIELDS);
  const name = toTextOrEmpty(entry['ctename']);
  const { kind, data } = unwrapNode(entry['ctequery']);
  if (kind !== 'SelectStmt') {
    reading.faults.add('not_select', `WITH ${name} contains ${kind || 'a statement'}, which is not a SELECT.`);
    return null;
  }
  return {
    name,
    columns: readStrings(entry['aliascolnames']),
    materialized: MATERIALIZED_OPTIONS[toTextOrEmpty(entry['ctematerialized'])] ?? null,
    query: readQuery(reading, data),
    at: readPosition(entry),
  };
}

const readAlias = (item: AstNode) => {
  const { aliasname, colnames } = toAstNode(item['alias']);
  return { alias: aliasname === undefined ? null : toTextOrEmpty(aliasname), columns: readStrings(colnames) };
};
const toTextOrNull = (value: unknown): string | null => (value === undefined ? null : toTextOrEmpty(value));

function readFromClauseItem(reading: ReadContext, node: unknown): FromItem {
  const { faults } = reading;
  const { kind, data } = unwrapNode(node);
  const lateral = data['lateral'] === true;
  switch (kind) {
    case 'RangeVar':
      refuseOtherFields(faults, 'A table', data, 'catalogname schemaname relname inh relpersistence alias location');
      if (data['inh'] !== true) refuseConstruct(faults, 'ONLY');
      return tableOf(toTextOrEmpty(data['relname']), {
        catalog: toTextOrNull(data['catalogname']),
        schema: toTextOrNull(data['schemaname']),
        ...readAlias(data),
        at: readPosition(data),
      });
    case 'RangeSubselect': {
      refuseOtherFields(faults, 'A subquery', data, 'lateral subquery alias');
      const { kind: inner, data: select } = unwrapNode(data['subquery']);
      if (inner !== 'SelectStmt') refuseConstruct(faults, inner || 'This subquery');
      return derivedOf(readQuery(reading, select), null, { lateral, ...readAlias(data) });
    }
    case 'RangeFunction':
      return readTableCall(reading, data, lateral);
    case 'JoinExpr':
      return readJoin(reading, data);
    default:
      refuseConstruct(faults, kind === 'RangeTableSample' ? 'TABLESAMPLE' : `${kind || 'This'} in FROM`);
      return { kind: 'table_call', calls: [], lateral: false, ordinality: false, ...readAlias(data), at: null };
  }
}

function readTableCall(reading: ReadContext, data: AstNode, lateral: boolean): TableCall {
  const { faults } = reading;
  refuseOtherFields(faults, 'A function in FROM', data, 'lateral ordinality is_rowsfrom functions alias');
  const calls = toList(data['functions']).flatMap((node) => {
    const [call, definitions] = toList(unwrapNode(node).data['items']);
    if (isAstNode(definitions) && Object.keys(definitions).length > 0)
      refuseConstruct(faults, 'A column definition list');
    const expression = readExpression(reading, call);
    if (expression.kind !== 'call') refuseConstruct(faults, 'This function in FROM');
    return expression.kind === 'call' ? [expression] : [];
  });
  return { kind: 'table_call', calls, lateral, ordinality: data['ordinality'] === true, ...readAlias(data), at: null };
}

const JOIN_KINDS: Readonly<Record<string, Join['how']>> = {
  JOIN_INNER: 'inner',
  JOIN_LEFT: 'left',
  JOIN_RIGHT: 'right',
  JOIN_FULL: 'full',
};
const JOIN_FIELDS = 'jointype isNatural larg rarg usingClause join_using_alias quals alias rtindex';

function readJoin(reading: ReadContext, data: AstNode): Join {
  const { faults } = reading;
  refuseOtherFields(faults, 'A join', data, JOIN_FIELDS);
  const how = JOIN_KINDS[toTextOrEmpty(data['jointype'])];
  if (!how) refuseConstruct(faults, 'This join');
  if (reading.depth >= MAX_QUERY_DEPTH) faults.add('too_deep', 'The statement is nested too deeply.');
  reading.depth++;
  const [left, right] =
    reading.depth > MAX_QUERY_DEPTH
      ? []
      : [readFromClauseItem(reading, data['larg']), readFromClauseItem(reading, data['rarg'])];
  const on = readOptional(reading, data['quals']);
  reading.depth--;
  const using = readStrings(data['usingClause']);
  const natural = data['isNatural'] === true;
  // The parser returns CROSS JOIN as an inner join without a condition.
  const cross = how === 'inner' && !natural && using.length === 0 && on === null;
  return joinOf(cross ? 'cross' : (how ?? 'inner'), left ?? tableOf(''), right ?? tableOf(''), {
    natural,
    using,
    usingAlias: toTextOrNull(toAstNode(data['join_using_alias'])['aliasname']),
    on,
    ...readAlias(data),
  });
}
