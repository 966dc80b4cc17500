// Reads queries: WITH, a SELECT or a set operation, then ORDER BY and LIMIT.
import { asList, asNode, asText, isNode } from '../ast.ts';
import { derivedOf, EMPTY_TAIL, joinOf, selectOf, tableOf } from '../make-nodes.ts';
import type {
  CommonTable,
  Expression,
  FromItem,
  Grouping,
  GroupingSet,
  Item,
  Join,
  Query,
  QueryTail,
  SetOperation,
  With,
} from '../tree.ts';
import { Fields, isEmpty, kindOf, nodeKindText } from './fields.ts';
import { readWindow } from './read-call.ts';
import { aliasIn, type Reading } from './reader.ts';

const SET_OPERATIONS = ['union', 'intersect', 'except'];
export const isQuery = (node: unknown): boolean => ['select', ...SET_OPERATIONS].includes(kindOf(node)[0]);

export function readQuery(reading: Reading, node: unknown): Query {
  const [kind, data] = kindOf(node);
  if (kind === 'select') return readSelect(reading, new Fields(data));
  if (SET_OPERATIONS.includes(kind)) return readSetOperation(reading, kind as SetOperation['operator'], data);
  if (kind !== 'subquery') {
    reading.faults.add('not_select', `${nodeKindText(kind)} is not a SELECT; only reading is allowed.`);
    return { kind: 'values', rows: [], ...EMPTY_TAIL };
  }
  return reading.bracketed(queryIn(reading, new Fields(data)));
}

/** Reads the query in a node that has its own parentheses. */
export function queryIn(reading: Reading, fields: Fields): Query {
  const query = reading.query(fields.take('this'));
  fields.end('A query in brackets', reading.faults);
  return query;
}

function readSetOperation(reading: Reading, operator: SetOperation['operator'], data: unknown): SetOperation {
  const fields = new Fields(data);
  const [left, right] = [fields.take('left'), fields.take('right')];
  // Engines and versions differ in the precedence of INTERSECT.
  const rows = SET_OPERATIONS.some(
    (other) =>
      other in asNode(right) || (other in asNode(left) && (other !== operator || !reading.grammar.chained.has(other))),
  );
  if (rows) reading.faults.add('brackets', 'Put brackets around the parts of this set operation.');
  const all = fields.flag('all');
  if (reading.grammar.saysDistinct) fields.take('distinct');
  const query: SetOperation = {
    kind: 'set',
    operator,
    all,
    byName: false,
    left: reading.query(left),
    right: reading.query(right),
    ...readEnds(reading, fields),
  };
  if (!reading.grammar.endsOfSets && (query.orderBy.length > 0 || query.limit || query.offset))
    reading.construct(`ORDER BY or LIMIT behind ${nodeKindText(operator)}, outside of a subquery,`);
  fields.end(nodeKindText(operator), reading.faults);
  return query;
}

function readSelect(reading: Reading, fields: Fields): Query {
  const condition = (field: string): Expression | null => {
    const clause = fields.node(field);
    if (!clause) return null;
    const inner = new Fields(clause);
    const value = reading.expression(inner.take('this'));
    inner.end('A condition', reading.faults);
    return value;
  };
  const items = fields.list('expressions').map((item) => readItem(reading, item));
  if (items.length === 0) reading.construct('A SELECT without columns');
  const query = selectOf(items, readFrom(reading, fields), {
    distinct: fields.flag('distinct') ? { on: [] } : null,
    where: condition('where_clause'),
    groupBy: readGrouping(reading, fields.node('group_by')),
    having: condition('having'),
    qualify: reading.grammar.knows.has('qualify') ? condition('qualify') : null,
    windows: fields.list('windows').map((namedWindow) => {
      const windowFields = new Fields(namedWindow);
      const window = {
        name: reading.name(windowFields.take('name')),
        window: readWindow(reading, windowFields.take('spec')),
      };
      windowFields.end('WINDOW', reading.faults);
      return window;
    }),
    ...readEnds(reading, fields),
  });
  fields.end('SELECT', reading.faults);
  const alone = reading.grammar.knows.has('qualify with where');
  if (alone && query.qualify && !query.where && !query.groupBy && !query.having)
    reading.faults.add('construct', 'QUALIFY needs WHERE, GROUP BY or HAVING; write WHERE TRUE.');
  return query;
}

function readItem(reading: Reading, node: unknown): Item {
  const [kind, data] = kindOf(node);
  if (kind !== 'alias') return { value: reading.expression(node), alias: null };
  const fields = new Fields(data);
  const value = reading.expression(fields.take('this'));
  if (value.kind === 'star') reading.construct('* AS');
  const item = { value, alias: reading.name(fields.take('alias')) };
  fields.end('AS', reading.faults);
  return item;
}

function readGrouping(reading: Reading, clause: unknown): Grouping | null {
  if (!isNode(clause)) return null;
  const fields = new Fields(clause);
  const listed = fields.list('expressions');
  fields.end('GROUP BY', reading.faults);
  const around = listed.length === 1 ? rollupAround(reading, listed[0]) : null;
  if (around) return { all: false, distinct: false, keys: [rollupOf(around)] };
  const rollups = listed.filter((item) => 'rollup' in asNode(item));
  const keys = reading.expressions(listed.filter((item) => !rollups.includes(item)));
  if (rollups.length === 0) return { all: false, distinct: false, keys };
  if (!isEmpty(asNode(asNode(rollups[0])['rollup'])['expressions']) || rollups.length > 1)
    reading.construct('ROLLUP (…)');
  return { all: false, distinct: false, keys: [rollupOf(keys)] };
}

const rollupOf = (keys: Expression[]): GroupingSet => ({ kind: 'grouping_set', how: 'rollup', keys, at: null });

/** Keys of GROUP BY ROLLUP (…). The parser reads it as a function call. */
function rollupAround(reading: Reading, node: unknown): Expression[] | null {
  const [kind, data] = kindOf(node);
  const call = asNode(data);
  if (reading.grammar.rollup !== 'around' || kind !== 'function' || call['known'] === true) return null;
  return /^rollup$/i.test(asText(call['name'])) ? reading.expressions(asList(call['args'])) : null;
}

function readEnds(reading: Reading, fields: Fields): QueryTail {
  const bound = (field: 'limit' | 'offset'): Expression | null => {
    const boundNode = fields.node(field);
    if (!boundNode) return null;
    const inner = new Fields(boundNode);
    return readRowCount(reading, inner.has('this') ? inner.take('this') : boundNode, field);
  };
  const order = fields.node('order_by');
  const sorted = new Fields(order);
  const orderBy = reading.sortKeys(sorted.list('expressions'));
  sorted.end('ORDER BY', reading.faults);
  return {
    with: readWith(reading, fields.node('with')),
    orderBy,
    limit: reading.grammar.knows.has('top') ? readTop(reading, fields) : bound('limit'),
    offset: bound('offset'),
    at: null,
  };
}

function readRowCount(reading: Reading, node: unknown, clause: string): Expression {
  const value = reading.expression(node);
  const isFixedCount =
    value.kind === 'parameter' || (value.kind === 'literal' && value.type === 'number' && /^\d+$/.test(value.value));
  if (!isFixedCount) reading.construct(`A computed ${clause.toUpperCase()}`);
  return value;
}

function readTop(reading: Reading, fields: Fields): Expression | null {
  const [top, fetch] = [fields.node('top'), fields.node('fetch')];
  if (top && fetch) reading.construct('TOP with FETCH');
  if (fetch && !fields.has('offset')) reading.construct('FETCH without OFFSET');
  if (!top && !fetch) return null;
  const inner = new Fields(top ?? fetch);
  const limit = readRowCount(reading, inner.take('this', 'count'), 'top');
  if (inner.flag('parenthesized')) reading.bracketed(limit);
  if (fetch) for (const word of ['direction', 'rows']) inner.take(word);
  inner.end('TOP', reading.faults);
  return limit;
}

function readWith(reading: Reading, clause: unknown): With | null {
  if (!isNode(clause)) return null;
  const fields = new Fields(clause);
  const entries = fields.list('ctes').map((withEntry): CommonTable => {
    const cte = new Fields(withEntry);
    const entry: CommonTable = {
      name: reading.name(cte.take('alias')),
      columns: cte.list('columns').map((column) => reading.name(column)),
      materialized: null,
      query: reading.query(cte.take('this')),
      at: null,
    };
    cte.end('WITH', reading.faults);
    return entry;
  });
  const found = { recursive: fields.flag('recursive'), entries };
  fields.end('WITH', reading.faults);
  return found;
}

/** The parser separates the tables before the first join from the joins. A comma between joins starts another item. */
function readFrom(reading: Reading, fields: Fields): FromItem[] {
  const clause = fields.node('from');
  const inner = new Fields(clause);
  const from = inner.list('expressions').map((item) => readFromItem(reading, item));
  inner.end('FROM', reading.faults);
  for (const node of fields.list('joins')) {
    const join = readJoin(reading, node);
    if (join === null) continue;
    if (join.comma || from.length === 0) from.push(join.right);
    else from.push(join.with(from.pop()!));
  }
  return from;
}

function readFromItem(reading: Reading, node: unknown): FromItem {
  const [kind, data] = kindOf(node);
  const fields = new Fields(data);
  switch (kind) {
    case 'paren': {
      // Parentheses around a join that starts with a subquery.
      const inner = fields.take('this');
      fields.end('FROM', reading.faults);
      if (kindOf(inner)[0] === 'joined_table') return readFromItem(reading, inner);
      break;
    }
    case 'alias': {
      // A subquery in several pairs of parentheses.
      const paren = kindOf(fields.take('this'));
      const inner = new Fields(paren[0] === 'paren' ? paren[1] : {}).take('this');
      const alias = aliasIn(reading, fields.take('alias'));
      fields.end('FROM', reading.faults);
      if (isQuery(inner)) return readSubquery(reading, reading.query(inner), alias);
      break;
    }
    case 'table': {
      const [name, schema, alias] = [fields.take('name'), fields.take('schema'), fields.take('alias')];
      const catalog = reading.grammar.knows.has('catalogs') ? fields.take('catalog') : undefined;
      fields.end('A table', reading.faults);
      return tableOf(reading.name(name), {
        catalog: catalog === undefined ? null : reading.name(catalog),
        schema: schema === undefined ? null : reading.name(schema),
        alias: aliasIn(reading, alias),
      });
    }
    case 'subquery': {
      const query = reading.query(fields.take('this'));
      const alias = aliasIn(reading, fields.take('alias'));
      fields.end('A subquery in FROM', reading.faults);
      return readSubquery(reading, query, alias);
    }
    case 'joined_table': {
      let item = readFromItem(reading, fields.take('left'));
      for (const one of fields.list('joins')) {
        const join = readJoin(reading, one);
        if (join?.comma) reading.construct('A comma in brackets');
        if (join) item = join.with(item);
      }
      fields.end('A join', reading.faults);
      return reading.bracketed(item);
    }
  }
  reading.construct(`${nodeKindText(kind)} in FROM`);
  return tableOf('');
}

function readSubquery(reading: Reading, query: Query, alias: string | null): FromItem {
  if (alias === null && reading.grammar.namesSubqueries)
    reading.faults.add('alias', 'A subquery in FROM needs an alias.');
  return derivedOf(query, alias);
}

interface ReadJoin {
  with(left: FromItem): Join;
  right: FromItem;
  comma: boolean;
}

function readJoin(reading: Reading, node: unknown): ReadJoin | null {
  const fields = new Fields(node);
  const kind = fields.text('kind');
  const right = readFromItem(reading, fields.take('this'));
  const using = fields.list('using').map((column) => reading.name(column));
  const on = reading.optional(fields.take('on'));
  fields.end('A join', reading.faults);
  const comma = kind === 'Implicit';
  const rule = comma ? { how: 'cross' as const, natural: false } : reading.grammar.joins[kind];
  if (!rule) {
    reading.construct(`${kind.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toUpperCase()} JOIN`);
    return null;
  }
  const joined = (left: FromItem): Join => joinOf(rule.how, left, right, { natural: rule.natural, using, on });
  return { with: joined, right, comma };
}
