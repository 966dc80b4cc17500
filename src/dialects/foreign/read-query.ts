// Reads queries: WITH, a SELECT or a set operation, then ORDER BY and LIMIT.
import { isAstNode, toAstNode, toList, toTextOrEmpty } from '../ast.ts';
import { derivedOf, joinOf, nodeOf, selectOf, tableOf } from '../make-nodes.ts';
import type {
  Expression,
  FromItem,
  Grouping,
  GroupingSet,
  Join,
  Query,
  QueryTail,
  SelectItem,
  SetOperation,
  WithClause,
} from '../tree.ts';
import { describeNodeKind, isEmptyField, NodeFields, splitNode } from './fields.ts';
import { readWindow } from './read-call.ts';
import { EMPTY_QUERY, readAlias, type TreeReader } from './tree-reader.ts';

const SET_OPERATIONS = ['union', 'intersect', 'except'];
export const isQuery = (node: unknown): boolean => ['select', ...SET_OPERATIONS].includes(splitNode(node)[0]);

export function readQuery(reader: TreeReader, node: unknown): Query {
  const [kind, data] = splitNode(node);
  if (kind === 'select') return readSelect(reader, new NodeFields(data));
  if (SET_OPERATIONS.includes(kind)) return readSetOperation(reader, kind as SetOperation['operator'], data);
  if (kind !== 'subquery') {
    reader.faults.add('not_select', `${describeNodeKind(kind)} is not a SELECT; only reading is allowed.`);
    return EMPTY_QUERY;
  }
  return reader.markBracketed(readParenthesizedQuery(reader, new NodeFields(data)));
}

/** Reads the query in a node whose own syntax includes parentheses, such as a subquery. */
export function readParenthesizedQuery(reader: TreeReader, fields: NodeFields): Query {
  const query = reader.readQuery(fields.take('this'));
  fields.reportRemaining('A query in parentheses', reader.faults);
  return query;
}

function readSetOperation(reader: TreeReader, operator: SetOperation['operator'], data: unknown): SetOperation {
  const fields = new NodeFields(data);
  const [left, right] = [fields.take('left'), fields.take('right')];
  // Requires parentheses, because engines and versions differ in the precedence of INTERSECT.
  const isAmbiguous = SET_OPERATIONS.some(
    (other) =>
      other in toAstNode(right) ||
      (other in toAstNode(left) && (other !== operator || !reader.grammar.chainableOperators.has(other))),
  );
  if (isAmbiguous) reader.faults.add('brackets', 'Put parentheses around the parts of this set operation.');
  const all = fields.takeFlag('all');
  if (reader.grammar.saysDistinct) fields.take('distinct');
  const query: SetOperation = {
    kind: 'set',
    operator,
    all,
    byName: false,
    left: reader.readQuery(left),
    right: reader.readQuery(right),
    ...readQueryTail(reader, fields),
  };
  if (!reader.grammar.endsOfSets && (query.orderBy.length > 0 || query.limit || query.offset))
    reader.refuseConstruct(`ORDER BY or LIMIT after ${describeNodeKind(operator)}, outside a subquery,`);
  fields.reportRemaining(describeNodeKind(operator), reader.faults);
  return query;
}

function readSelect(reader: TreeReader, fields: NodeFields): Query {
  const readCondition = (field: string): Expression | null => {
    const clause = fields.takeNode(field);
    return clause && reader.readFields(clause, 'A condition', (inner) => reader.readExpression(inner.take('this')));
  };
  const items = fields.takeList('expressions').map((item) => readSelectItem(reader, item));
  if (items.length === 0) reader.refuseConstruct('A SELECT without columns');
  const query = selectOf(items, readFromClause(reader, fields), {
    distinct: fields.takeFlag('distinct') ? { on: [] } : null,
    where: readCondition('where_clause'),
    groupBy: readGrouping(reader, fields.takeNode('group_by')),
    having: readCondition('having'),
    qualify: reader.grammar.features.has('qualify') ? readCondition('qualify') : null,
    windows: fields.takeList('windows').map((namedWindow) =>
      reader.readFields(namedWindow, 'WINDOW', (windowFields) => ({
        name: reader.readName(windowFields.take('name')),
        window: readWindow(reader, windowFields.take('spec')),
      })),
    ),
    ...readQueryTail(reader, fields),
  });
  fields.reportRemaining('SELECT', reader.faults);
  const qualifyNeedsClause = reader.grammar.features.has('qualify with where');
  if (qualifyNeedsClause && query.qualify && !query.where && !query.groupBy && !query.having)
    reader.faults.add('construct', 'QUALIFY needs WHERE, GROUP BY or HAVING. Write WHERE TRUE.');
  return query;
}

function readSelectItem(reader: TreeReader, node: unknown): SelectItem {
  const [kind, data] = splitNode(node);
  if (kind !== 'alias') return { value: reader.readExpression(node), alias: null };
  return reader.readFields(data, 'AS', (fields) => {
    const value = reader.readExpression(fields.take('this'));
    if (value.kind === 'star') reader.refuseConstruct('* AS');
    return { value, alias: reader.readName(fields.take('alias')) };
  });
}

function readGrouping(reader: TreeReader, clause: unknown): Grouping | null {
  if (!isAstNode(clause)) return null;
  const expressions = reader.readFields(clause, 'GROUP BY', (fields) => fields.takeList('expressions'));
  const rolledUpKeys = expressions.length === 1 ? readRollupKeys(reader, expressions[0]) : null;
  if (rolledUpKeys) return { all: false, distinct: false, keys: [createRollup(rolledUpKeys)] };
  const rollups = expressions.filter((item) => 'rollup' in toAstNode(item));
  const keys = reader.readExpressions(expressions.filter((item) => !rollups.includes(item)));
  if (rollups.length === 0) return { all: false, distinct: false, keys };
  if (!isEmptyField(toAstNode(toAstNode(rollups[0])['rollup'])['expressions']) || rollups.length > 1)
    reader.refuseConstruct('ROLLUP (…)');
  return { all: false, distinct: false, keys: [createRollup(keys)] };
}

const createRollup = (keys: Expression[]): GroupingSet => nodeOf('grouping_set', { how: 'rollup', keys });

/** Returns the keys of GROUP BY ROLLUP (…), which the parser reads as a function call. */
function readRollupKeys(reader: TreeReader, node: unknown): Expression[] | null {
  const [kind, data] = splitNode(node);
  const call = toAstNode(data);
  if (reader.grammar.rollup !== 'around' || kind !== 'function' || call['known'] === true) return null;
  return /^rollup$/i.test(toTextOrEmpty(call['name'])) ? reader.readExpressions(toList(call['args'])) : null;
}

function readQueryTail(reader: TreeReader, fields: NodeFields): QueryTail {
  const readLimit = (field: 'limit' | 'offset'): Expression | null => {
    const boundNode = fields.takeNode(field);
    if (!boundNode) return null;
    const boundFields = new NodeFields(boundNode);
    return readRowCount(reader, boundFields.has('this') ? boundFields.take('this') : boundNode, field);
  };
  const orderBy = reader.readFields(fields.takeNode('order_by'), 'ORDER BY', (orderFields) =>
    reader.readSortKeys(orderFields.takeList('expressions')),
  );
  return {
    with: readWithClause(reader, fields.takeNode('with')),
    orderBy,
    limit: reader.grammar.features.has('top') ? readTop(reader, fields) : readLimit('limit'),
    offset: readLimit('offset'),
    at: null,
  };
}

function readRowCount(reader: TreeReader, node: unknown, clause: string): Expression {
  const value = reader.readExpression(node);
  const isFixedCount =
    value.kind === 'parameter' || (value.kind === 'literal' && value.type === 'number' && /^\d+$/.test(value.value));
  if (!isFixedCount) reader.refuseConstruct(`A computed ${clause.toUpperCase()}`);
  return value;
}

function readTop(reader: TreeReader, fields: NodeFields): Expression | null {
  const [top, fetch] = [fields.takeNode('top'), fields.takeNode('fetch')];
  if (top && fetch) reader.refuseConstruct('TOP with FETCH');
  if (fetch && !fields.has('offset')) reader.refuseConstruct('FETCH without OFFSET');
  if (!top && !fetch) return null;
  return reader.readFields(top ?? fetch, 'TOP', (clauseFields) => {
    const limit = readRowCount(reader, clauseFields.take('this', 'count'), 'top');
    if (clauseFields.takeFlag('parenthesized')) reader.markBracketed(limit);
    if (fetch) for (const word of ['direction', 'rows']) clauseFields.take(word);
    return limit;
  });
}

function readWithClause(reader: TreeReader, clause: unknown): WithClause | null {
  if (!isAstNode(clause)) return null;
  return reader.readFields(clause, 'WITH', (fields) => ({
    recursive: fields.takeFlag('recursive'),
    entries: fields.takeList('ctes').map((entry) =>
      reader.readFields(entry, 'WITH', (cte) => ({
        name: reader.readName(cte.take('alias')),
        columns: cte.takeList('columns').map((column) => reader.readName(column)),
        materialized: null,
        query: reader.readQuery(cte.take('this')),
        at: null,
      })),
    ),
  }));
}

/**
 * The parser lists the tables before the first join separately from the joins. A comma after a join starts another
 * item.
 */
function readFromClause(reader: TreeReader, fields: NodeFields): FromItem[] {
  const from = reader.readFields(fields.takeNode('from'), 'FROM', (clauseFields) =>
    clauseFields.takeList('expressions').map((item) => readFromClauseItem(reader, item)),
  );
  for (const node of fields.takeList('joins')) {
    const join = readJoin(reader, node);
    if (join === null) continue;
    if (join.isComma || from.length === 0) from.push(join.right);
    else from.push(join.withLeft(from.pop()!));
  }
  return from;
}

function readFromClauseItem(reader: TreeReader, node: unknown): FromItem {
  const [kind, data] = splitNode(node);
  const fields = new NodeFields(data);
  switch (kind) {
    case 'paren': {
      // The node is a join in parentheses that starts with a subquery.
      const innerNode = fields.take('this');
      fields.reportRemaining('FROM', reader.faults);
      if (splitNode(innerNode)[0] === 'joined_table') return readFromClauseItem(reader, innerNode);
      break;
    }
    case 'alias': {
      // The node is a subquery in several pairs of parentheses.
      const parenthesis = splitNode(fields.take('this'));
      const innerNode = new NodeFields(parenthesis[0] === 'paren' ? parenthesis[1] : {}).take('this');
      const alias = readAlias(reader, fields.take('alias'));
      fields.reportRemaining('FROM', reader.faults);
      if (isQuery(innerNode)) return readSubquery(reader, reader.readQuery(innerNode), alias);
      break;
    }
    case 'table': {
      const [name, schema, alias] = [fields.take('name'), fields.take('schema'), fields.take('alias')];
      const catalog = reader.grammar.features.has('catalogs') ? fields.take('catalog') : undefined;
      fields.reportRemaining('A table', reader.faults);
      return tableOf(reader.readName(name), {
        catalog: catalog === undefined ? null : reader.readName(catalog),
        schema: schema === undefined ? null : reader.readName(schema),
        alias: readAlias(reader, alias),
      });
    }
    case 'subquery': {
      const query = reader.readQuery(fields.take('this'));
      const alias = readAlias(reader, fields.take('alias'));
      fields.reportRemaining('A subquery in FROM', reader.faults);
      return readSubquery(reader, query, alias);
    }
    case 'joined_table': {
      let item = readFromClauseItem(reader, fields.take('left'));
      for (const joinNode of fields.takeList('joins')) {
        const join = readJoin(reader, joinNode);
        if (join?.isComma) reader.refuseConstruct('A comma in parentheses');
        if (join) item = join.withLeft(item);
      }
      fields.reportRemaining('A join', reader.faults);
      return reader.markBracketed(item);
    }
  }
  reader.refuseConstruct(`${describeNodeKind(kind)} in FROM`);
  return tableOf('');
}

function readSubquery(reader: TreeReader, query: Query, alias: string | null): FromItem {
  if (alias === null && reader.grammar.namesSubqueries)
    reader.faults.add('alias', 'A subquery in FROM needs an alias.');
  return derivedOf(query, alias);
}

interface ParsedJoin {
  withLeft(left: FromItem): Join;
  right: FromItem;
  isComma: boolean;
}

function readJoin(reader: TreeReader, node: unknown): ParsedJoin | null {
  const fields = new NodeFields(node);
  const kind = fields.takeText('kind');
  const right = readFromClauseItem(reader, fields.take('this'));
  const using = fields.takeList('using').map((column) => reader.readName(column));
  const on = reader.readOptionalExpression(fields.take('on'));
  fields.reportRemaining('A join', reader.faults);
  const comma = kind === 'Implicit';
  const rule = comma ? { how: 'cross' as const, natural: false } : reader.grammar.joins[kind];
  if (!rule) {
    reader.refuseConstruct(`${kind.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toUpperCase()} JOIN`);
    return null;
  }
  const joinWith = (left: FromItem): Join => joinOf(rule.how, left, right, { natural: rule.natural, using, on });
  return { withLeft: joinWith, right, isComma: comma };
}
