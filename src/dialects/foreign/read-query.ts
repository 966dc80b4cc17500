// Reads queries: WITH, a SELECT or a set operation, then ORDER BY and LIMIT.
import { asList, asNode, asText, isNode } from '../ast.ts';
import { derivedOf, joinOf, nodeOf, selectOf, tableOf } from '../make-nodes.ts';
import type {
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
import { NO_QUERY, type Reading, readAlias } from './reader.ts';

const SET_OPERATIONS = ['union', 'intersect', 'except'];
export const isQuery = (node: unknown): boolean => ['select', ...SET_OPERATIONS].includes(kindOf(node)[0]);

export function readQuery(reading: Reading, node: unknown): Query {
  const [kind, data] = kindOf(node);
  if (kind === 'select') return readSelect(reading, new Fields(data));
  if (SET_OPERATIONS.includes(kind)) return readSetOperation(reading, kind as SetOperation['operator'], data);
  if (kind !== 'subquery') {
    reading.faults.add('not_select', `${nodeKindText(kind)} is not a SELECT; only reading is allowed.`);
    return NO_QUERY;
  }
  return reading.markBracketed(readParenthesizedQuery(reading, new Fields(data)));
}

/** Reads the query in a node whose own syntax includes parentheses, such as a subquery. */
export function readParenthesizedQuery(reading: Reading, fields: Fields): Query {
  const query = reading.readQuery(fields.take('this'));
  fields.reportRemaining('A query in parentheses', reading.faults);
  return query;
}

function readSetOperation(reading: Reading, operator: SetOperation['operator'], data: unknown): SetOperation {
  const fields = new Fields(data);
  const [left, right] = [fields.take('left'), fields.take('right')];
  // Engines and versions differ in the precedence of INTERSECT.
  const isAmbiguous = SET_OPERATIONS.some(
    (other) =>
      other in asNode(right) ||
      (other in asNode(left) && (other !== operator || !reading.grammar.chainableOperators.has(other))),
  );
  if (isAmbiguous) reading.faults.add('brackets', 'Put parentheses around the parts of this set operation.');
  const all = fields.flag('all');
  if (reading.grammar.saysDistinct) fields.take('distinct');
  const query: SetOperation = {
    kind: 'set',
    operator,
    all,
    byName: false,
    left: reading.readQuery(left),
    right: reading.readQuery(right),
    ...readQueryTail(reading, fields),
  };
  if (!reading.grammar.endsOfSets && (query.orderBy.length > 0 || query.limit || query.offset))
    reading.refuseConstruct(`ORDER BY or LIMIT after ${nodeKindText(operator)}, outside a subquery,`);
  fields.reportRemaining(nodeKindText(operator), reading.faults);
  return query;
}

function readSelect(reading: Reading, fields: Fields): Query {
  const readCondition = (field: string): Expression | null => {
    const clause = fields.node(field);
    return clause && reading.readFields(clause, 'A condition', (inner) => reading.readExpression(inner.take('this')));
  };
  const items = fields.list('expressions').map((item) => readItem(reading, item));
  if (items.length === 0) reading.refuseConstruct('A SELECT without columns');
  const query = selectOf(items, readFrom(reading, fields), {
    distinct: fields.flag('distinct') ? { on: [] } : null,
    where: readCondition('where_clause'),
    groupBy: readGrouping(reading, fields.node('group_by')),
    having: readCondition('having'),
    qualify: reading.grammar.features.has('qualify') ? readCondition('qualify') : null,
    windows: fields.list('windows').map((namedWindow) =>
      reading.readFields(namedWindow, 'WINDOW', (windowFields) => ({
        name: reading.readName(windowFields.take('name')),
        window: readWindow(reading, windowFields.take('spec')),
      })),
    ),
    ...readQueryTail(reading, fields),
  });
  fields.reportRemaining('SELECT', reading.faults);
  const qualifyNeedsClause = reading.grammar.features.has('qualify with where');
  if (qualifyNeedsClause && query.qualify && !query.where && !query.groupBy && !query.having)
    reading.faults.add('construct', 'QUALIFY needs WHERE, GROUP BY or HAVING; write WHERE TRUE.');
  return query;
}

function readItem(reading: Reading, node: unknown): Item {
  const [kind, data] = kindOf(node);
  if (kind !== 'alias') return { value: reading.readExpression(node), alias: null };
  return reading.readFields(data, 'AS', (fields) => {
    const value = reading.readExpression(fields.take('this'));
    if (value.kind === 'star') reading.refuseConstruct('* AS');
    return { value, alias: reading.readName(fields.take('alias')) };
  });
}

function readGrouping(reading: Reading, clause: unknown): Grouping | null {
  if (!isNode(clause)) return null;
  const expressions = reading.readFields(clause, 'GROUP BY', (fields) => fields.list('expressions'));
  const rolledUpKeys = expressions.length === 1 ? readRollupKeys(reading, expressions[0]) : null;
  if (rolledUpKeys) return { all: false, distinct: false, keys: [rollupOf(rolledUpKeys)] };
  const rollups = expressions.filter((item) => 'rollup' in asNode(item));
  const keys = reading.readExpressions(expressions.filter((item) => !rollups.includes(item)));
  if (rollups.length === 0) return { all: false, distinct: false, keys };
  if (!isEmpty(asNode(asNode(rollups[0])['rollup'])['expressions']) || rollups.length > 1)
    reading.refuseConstruct('ROLLUP (…)');
  return { all: false, distinct: false, keys: [rollupOf(keys)] };
}

const rollupOf = (keys: Expression[]): GroupingSet => nodeOf('grouping_set', { how: 'rollup', keys });

/** Returns the keys of GROUP BY ROLLUP (…), which the parser reads as a function call. */
function readRollupKeys(reading: Reading, node: unknown): Expression[] | null {
  const [kind, data] = kindOf(node);
  const call = asNode(data);
  if (reading.grammar.rollup !== 'around' || kind !== 'function' || call['known'] === true) return null;
  return /^rollup$/i.test(asText(call['name'])) ? reading.readExpressions(asList(call['args'])) : null;
}

function readQueryTail(reading: Reading, fields: Fields): QueryTail {
  const readLimit = (field: 'limit' | 'offset'): Expression | null => {
    const boundNode = fields.node(field);
    if (!boundNode) return null;
    const boundFields = new Fields(boundNode);
    return readRowCount(reading, boundFields.has('this') ? boundFields.take('this') : boundNode, field);
  };
  const orderBy = reading.readFields(fields.node('order_by'), 'ORDER BY', (orderFields) =>
    reading.readSortKeys(orderFields.list('expressions')),
  );
  return {
    with: readWith(reading, fields.node('with')),
    orderBy,
    limit: reading.grammar.features.has('top') ? readTop(reading, fields) : readLimit('limit'),
    offset: readLimit('offset'),
    at: null,
  };
}

function readRowCount(reading: Reading, node: unknown, clause: string): Expression {
  const value = reading.readExpression(node);
  const isFixedCount =
    value.kind === 'parameter' || (value.kind === 'literal' && value.type === 'number' && /^\d+$/.test(value.value));
  if (!isFixedCount) reading.refuseConstruct(`A computed ${clause.toUpperCase()}`);
  return value;
}

function readTop(reading: Reading, fields: Fields): Expression | null {
  const [top, fetch] = [fields.node('top'), fields.node('fetch')];
  if (top && fetch) reading.refuseConstruct('TOP with FETCH');
  if (fetch && !fields.has('offset')) reading.refuseConstruct('FETCH without OFFSET');
  if (!top && !fetch) return null;
  return reading.readFields(top ?? fetch, 'TOP', (clauseFields) => {
    const limit = readRowCount(reading, clauseFields.take('this', 'count'), 'top');
    if (clauseFields.flag('parenthesized')) reading.markBracketed(limit);
    if (fetch) for (const word of ['direction', 'rows']) clauseFields.take(word);
    return limit;
  });
}

function readWith(reading: Reading, clause: unknown): With | null {
  if (!isNode(clause)) return null;
  return reading.readFields(clause, 'WITH', (fields) => ({
    recursive: fields.flag('recursive'),
    entries: fields.list('ctes').map((entry) =>
      reading.readFields(entry, 'WITH', (cte) => ({
        name: reading.readName(cte.take('alias')),
        columns: cte.list('columns').map((column) => reading.readName(column)),
        materialized: null,
        query: reading.readQuery(cte.take('this')),
        at: null,
      })),
    ),
  }));
}

/**
 * The parser lists the tables before the first join separately from the joins. A comma after a join starts another
 * item.
 */
function readFrom(reading: Reading, fields: Fields): FromItem[] {
  const from = reading.readFields(fields.node('from'), 'FROM', (clauseFields) =>
    clauseFields.list('expressions').map((item) => readFromItem(reading, item)),
  );
  for (const node of fields.list('joins')) {
    const join = readJoin(reading, node);
    if (join === null) continue;
    if (join.isComma || from.length === 0) from.push(join.right);
    else from.push(join.withLeft(from.pop()!));
  }
  return from;
}

function readFromItem(reading: Reading, node: unknown): FromItem {
  const [kind, data] = kindOf(node);
  const fields = new Fields(data);
  switch (kind) {
    case 'paren': {
      // The node is a join in parentheses that starts with a subquery.
      const innerNode = fields.take('this');
      fields.reportRemaining('FROM', reading.faults);
      if (kindOf(innerNode)[0] === 'joined_table') return readFromItem(reading, innerNode);
      break;
    }
    case 'alias': {
      // The node is a subquery in several pairs of parentheses.
      const parenthesis = kindOf(fields.take('this'));
      const innerNode = new Fields(parenthesis[0] === 'paren' ? parenthesis[1] : {}).take('this');
      const alias = readAlias(reading, fields.take('alias'));
      fields.reportRemaining('FROM', reading.faults);
      if (isQuery(innerNode)) return readSubquery(reading, reading.readQuery(innerNode), alias);
      break;
    }
    case 'table': {
      const [name, schema, alias] = [fields.take('name'), fields.take('schema'), fields.take('alias')];
      const catalog = reading.grammar.features.has('catalogs') ? fields.take('catalog') : undefined;
      fields.reportRemaining('A table', reading.faults);
      return tableOf(reading.readName(name), {
        catalog: catalog === undefined ? null : reading.readName(catalog),
        schema: schema === undefined ? null : reading.readName(schema),
        alias: readAlias(reading, alias),
      });
    }
    case 'subquery': {
      const query = reading.readQuery(fields.take('this'));
      const alias = readAlias(reading, fields.take('alias'));
      fields.reportRemaining('A subquery in FROM', reading.faults);
      return readSubquery(reading, query, alias);
    }
    case 'joined_table': {
      let item = readFromItem(reading, fields.take('left'));
      for (const joinNode of fields.list('joins')) {
        const join = readJoin(reading, joinNode);
        if (join?.isComma) reading.refuseConstruct('A comma in parentheses');
        if (join) item = join.withLeft(item);
      }
      fields.reportRemaining('A join', reading.faults);
      return reading.markBracketed(item);
    }
  }
  reading.refuseConstruct(`${nodeKindText(kind)} in FROM`);
  return tableOf('');
}

function readSubquery(reading: Reading, query: Query, alias: string | null): FromItem {
  if (alias === null && reading.grammar.namesSubqueries)
    reading.faults.add('alias', 'A subquery in FROM needs an alias.');
  return derivedOf(query, alias);
}

interface ParsedJoin {
  withLeft(left: FromItem): Join;
  right: FromItem;
  isComma: boolean;
}

function readJoin(reading: Reading, node: unknown): ParsedJoin | null {
  const fields = new Fields(node);
  const kind = fields.text('kind');
  const right = readFromItem(reading, fields.take('this'));
  const using = fields.list('using').map((column) => reading.readName(column));
  const on = reading.readOptional(fields.take('on'));
  fields.reportRemaining('A join', reading.faults);
  const comma = kind === 'Implicit';
  const rule = comma ? { how: 'cross' as const, natural: false } : reading.grammar.joins[kind];
  if (!rule) {
    reading.refuseConstruct(`${kind.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toUpperCase()} JOIN`);
    return null;
  }
  const joinWith = (left: FromItem): Join => joinOf(rule.how, left, right, { natural: rule.natural, using, on });
  return { withLeft: joinWith, right, isComma: comma };
}
