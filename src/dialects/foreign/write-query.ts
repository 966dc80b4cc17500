// Writes queries, with parentheses where a set operation could be misread.
import { UnwritableError } from '../dialect.ts';
import type { FromItem, Grouping, Item, Join, Query, Select, SetOperation } from '../tree.ts';
import { writeSortKeys, writeWindow } from './write-expression.ts';
import type { Writing } from './writing.ts';

export function writeQuery(writing: Writing, query: Query): void {
  const hasTail = query.orderBy.length > 0 || query.limit !== null || query.offset !== null;
  if (query.kind === 'set' && hasTail && !writing.grammar.endsOfSets)
    throw new UnwritableError('ORDER BY or LIMIT after a set operation');
  const clause = query.with;
  if (clause) {
    writing.put(`WITH ${clause.recursive ? 'RECURSIVE ' : ''}`);
    writing.putList(clause.entries, (entry) => {
      if (entry.materialized !== null) throw new UnwritableError('MATERIALIZED');
      writing.starts.push([entry, writing.text.length]);
      writing.put(writing.grammar.quoteName(entry.name));
      if (entry.columns.length > 0) writing.putNames(entry.columns);
      writing.put(' AS ');
      writing.putSubquery(entry.query);
    });
    writing.put(' ');
  }
  if (query.kind === 'select') writeSelect(writing, query);
  else if (query.kind === 'set') writeSetOperation(writing, query);
  else throw new UnwritableError('VALUES');
  if (query.orderBy.length > 0) writing.putClause('ORDER BY', query.orderBy, (keys) => writeSortKeys(writing, keys));
  if (writing.grammar.features.has('top')) {
    writeOffsetFetch(writing, query);
    return;
  }
  const writeOffset = () => writing.putClause('OFFSET', query.offset, (value) => writing.putExpression(value));
  if (writing.grammar.offsetFirst) writeOffset();
  writing.putClause('LIMIT', query.limit, (limit) => writing.putExpression(limit));
  if (!writing.grammar.offsetFirst) writeOffset();
}

/** Writes OFFSET and FETCH NEXT, for grammars that write a limit without an offset as TOP. */
function writeOffsetFetch(writing: Writing, { kind, orderBy, limit, offset }: Query): void {
  if ((kind === 'set' && (limit || offset)) || (offset && orderBy.length === 0))
    throw new UnwritableError('OFFSET without ORDER BY, or a limit on a set operation,');
  if (!offset) return;
  writing.putClause('OFFSET', offset, (value) => writing.putExpression(value));
  writing.put(' ROWS');
  writing.putClause('FETCH NEXT', limit, (value) => writing.putExpression(value));
  if (limit) writing.put(' ROWS ONLY');
}

function writeSetOperation(writing: Writing, query: SetOperation): void {
  if (query.byName) throw new UnwritableError('BY NAME');
  const isChained = (operand: Query): boolean =>
    operand.kind === 'set' &&
    operand.operator === query.operator &&
    writing.grammar.chainableOperators.has(query.operator);
  const needsParentheses = (operand: Query): boolean =>
    operand.with !== null || operand.orderBy.length > 0 || operand.limit !== null || operand.offset !== null;
  const start = writing.text.length;
  writing.putQuery(query.left, (query.left.kind === 'set' && !isChained(query.left)) || needsParentheses(query.left));
  // Without these parentheses, the parser would read the next clause as part of the subquery.
  if (!writing.sourceBrackets && writing.text.length === writing.scalarSubqueryEnd) {
    writing.text = `${writing.text.slice(0, start)}(${writing.text.slice(start)})`;
  }
  writing.put(
    ` ${query.operator.toUpperCase()}${query.all ? ' ALL' : writing.grammar.saysDistinct ? ' DISTINCT' : ''} `,
  );
  writing.putQuery(query.right, query.right.kind === 'set' || needsParentheses(query.right));
}

function writeSelect(writing: Writing, select: Select): void {
  if (select.distinct && select.distinct.on.length > 0) throw new UnwritableError('DISTINCT ON');
  if (select.qualify && !writing.grammar.features.has('qualify')) throw new UnwritableError('QUALIFY');
  writing.put(`SELECT ${select.distinct ? 'DISTINCT ' : ''}`);
  if (select.limit && !select.offset && writing.grammar.features.has('top')) {
    writing.put('TOP ');
    writing.putExpression(select.limit, !writing.sourceBrackets);
    writing.put(' ');
  }
  writing.putList(select.items, (item) => writeItem(writing, item));
  if (select.from.length > 0)
    writing.putClause('FROM', select.from, (items) => writing.putList(items, (item) => writeFrom(writing, item)));
  writing.putClause('WHERE', select.where, (condition) => writing.putExpression(condition));
  writing.putClause('GROUP BY', select.groupBy, (grouping) => writeGrouping(writing, grouping));
  writing.putClause('HAVING', select.having, (condition) => writing.putExpression(condition));
  writing.putClause('QUALIFY', select.qualify, (condition) => writing.putExpression(condition));
  if (select.windows.length > 0) {
    writing.put(' WINDOW ');
    writing.putList(select.windows, ({ name, window }) => {
      writing.put(`${writing.grammar.quoteName(name)} AS `);
      writeWindow(writing, { ...window, named: false });
    });
  }
}

function writeItem(writing: Writing, { value, alias }: Item): void {
  writing.putExpression(value);
  writing.putAlias(alias);
}

function writeGrouping(writing: Writing, { all, distinct, keys }: Grouping): void {
  const [firstKey] = keys;
  const rollup = keys.length === 1 && firstKey?.kind === 'grouping_set' && firstKey.how === 'rollup' ? firstKey : null;
  if (all || distinct) throw new UnwritableError('GROUP BY ALL');
  const wrapsRollup = rollup !== null && writing.grammar.rollup === 'around';
  if (rollup) writing.starts.push([rollup, writing.text.length]);
  if (wrapsRollup) writing.put('ROLLUP (');
  writing.putList(rollup ? rollup.keys : keys, (key) => {
    if (key.kind === 'grouping_set') throw new UnwritableError('GROUPING SETS');
    writing.putExpression(key);
  });
  if (rollup) writing.put(wrapsRollup ? ')' : ' WITH ROLLUP');
}

function writeFrom(writing: Writing, item: FromItem, parenthesize = false): void {
  if (item.columns.length > 0) throw new UnwritableError('column names after an alias');
  writing.putBracketed(item, parenthesize, () => {
    switch (item.kind) {
      case 'table':
        if (item.catalog !== null && !writing.grammar.features.has('catalogs')) throw new UnwritableError('a catalog');
        writeTable(
          writing,
          [item.catalog, item.schema, item.name].filter((part) => part !== null),
        );
        break;
      case 'derived':
        if (item.lateral) throw new UnwritableError('LATERAL');
        writing.putSubquery(item.query);
        break;
      case 'join':
        writeJoin(writing, item);
        break;
      case 'table_call':
        throw new UnwritableError('a function in FROM');
    }
    writing.putAlias(item.alias);
  });
}

function writeTable(writing: Writing, path: string[]): void {
  if (writing.grammar.features.has('paths in quotes') && path.some((part) => part.includes('.')))
    throw new UnwritableError('a dot in the name of a table');
  writing.putPath(path);
}

function writeJoin(writing: Writing, join: Join): void {
  const joinRule = Object.values(writing.grammar.joins).find(
    ({ how, natural }) => how === join.how && natural === join.natural,
  );
  if (!joinRule || join.usingAlias !== null) throw new UnwritableError(`a join of kind ${join.how}`);
  writeFrom(writing, join.left);
  writing.put(` ${joinRule.text} `);
  writeFrom(writing, join.right, join.right.kind === 'join');
  writing.putClause('ON', join.on, (condition) => writing.putExpression(condition));
  if (join.using.length > 0) writing.putClause('USING', join.using, (names) => writing.putNames(names));
}
