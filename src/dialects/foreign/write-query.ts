// Writes queries, with parentheses where a set operation could be misread.
import { UnwritableError } from '../dialect.ts';
import type { FromItem, Grouping, Join, Query, Select, SelectItem, SetOperation } from '../tree.ts';
import type { SqlWriter } from './sql-writer.ts';
import { writeSortKeys, writeWindow } from './write-expression.ts';

export function writeQuery(writer: SqlWriter, query: Query): void {
  const hasTail = query.orderBy.length > 0 || query.limit !== null || query.offset !== null;
  if (query.kind === 'set' && hasTail && !writer.grammar.endsOfSets)
    throw new UnwritableError('ORDER BY or LIMIT after a set operation');
  const clause = query.with;
  if (clause) {
    writer.put(`WITH ${clause.recursive ? 'RECURSIVE ' : ''}`);
    writer.putList(clause.entries, (entry) => {
      if (entry.materialized !== null) throw new UnwritableError('MATERIALIZED');
      writer.starts.push([entry, writer.text.length]);
      writer.put(writer.grammar.quoteName(entry.name));
      if (entry.columns.length > 0) writer.putNames(entry.columns);
      writer.put(' AS ');
      writer.putSubquery(entry.query);
    });
    writer.put(' ');
  }
  if (query.kind === 'select') writeSelect(writer, query);
  else if (query.kind === 'set') writeSetOperation(writer, query);
  else throw new UnwritableError('VALUES');
  if (query.orderBy.length > 0) writer.putClause('ORDER BY', query.orderBy, (keys) => writeSortKeys(writer, keys));
  if (writer.grammar.features.has('top')) {
    writeOffsetFetch(writer, query);
    return;
  }
  const writeOffset = () => writer.putClause('OFFSET', query.offset, (value) => writer.putExpression(value));
  if (writer.grammar.offsetFirst) writeOffset();
  writer.putClause('LIMIT', query.limit, (limit) => writer.putExpression(limit));
  if (!writer.grammar.offsetFirst) writeOffset();
}

/** Writes OFFSET and FETCH NEXT, for grammars that write a limit without an offset as TOP. */
function writeOffsetFetch(writer: SqlWriter, { kind, orderBy, limit, offset }: Query): void {
  if ((kind === 'set' && (limit || offset)) || (offset && orderBy.length === 0))
    throw new UnwritableError('OFFSET without ORDER BY, or a limit on a set operation,');
  if (!offset) return;
  writer.putClause('OFFSET', offset, (value) => writer.putExpression(value));
  writer.put(' ROWS');
  writer.putClause('FETCH NEXT', limit, (value) => writer.putExpression(value));
  if (limit) writer.put(' ROWS ONLY');
}

function writeSetOperation(writer: SqlWriter, query: SetOperation): void {
  if (query.byName) throw new UnwritableError('BY NAME');
  const isChained = (operand: Query): boolean =>
    operand.kind === 'set' &&
    operand.operator === query.operator &&
    writer.grammar.chainableOperators.has(query.operator);
  const needsParentheses = (operand: Query): boolean =>
    operand.with !== null || operand.orderBy.length > 0 || operand.limit !== null || operand.offset !== null;
  const start = writer.text.length;
  writer.putQuery(query.left, (query.left.kind === 'set' && !isChained(query.left)) || needsParentheses(query.left));
  // Without parentheses around the left operand, the parser would read the set operator as part of a scalar subquery.
  if (!writer.sourceBrackets && writer.text.length === writer.scalarSubqueryEnd) {
    writer.text = `${writer.text.slice(0, start)}(${writer.text.slice(start)})`;
  }
  writer.put(` ${query.operator.toUpperCase()}${query.all ? ' ALL' : writer.grammar.saysDistinct ? ' DISTINCT' : ''} `);
  writer.putQuery(query.right, query.right.kind === 'set' || needsParentheses(query.right));
}

function writeSelect(writer: SqlWriter, select: Select): void {
  if (select.distinct && select.distinct.on.length > 0) throw new UnwritableError('DISTINCT ON');
  if (select.qualify && !writer.grammar.features.has('qualify')) throw new UnwritableError('QUALIFY');
  writer.put(`SELECT ${select.distinct ? 'DISTINCT ' : ''}`);
  if (select.limit && !select.offset && writer.grammar.features.has('top')) {
    writer.put('TOP ');
    writer.putExpression(select.limit, !writer.sourceBrackets);
    writer.put(' ');
  }
  writer.putList(select.items, (item) => writeSelectItem(writer, item));
  if (select.from.length > 0)
    writer.putClause('FROM', select.from, (items) => writer.putList(items, (item) => writeFromItem(writer, item)));
  writer.putClause('WHERE', select.where, (condition) => writer.putExpression(condition));
  writer.putClause('GROUP BY', select.groupBy, (grouping) => writeGrouping(writer, grouping));
  writer.putClause('HAVING', select.having, (condition) => writer.putExpression(condition));
  writer.putClause('QUALIFY', select.qualify, (condition) => writer.putExpression(condition));
  if (select.windows.length > 0) {
    writer.put(' WINDOW ');
    writer.putList(select.windows, ({ name, window }) => {
      writer.put(`${writer.grammar.quoteName(name)} AS `);
      writeWindow(writer, { ...window, named: false });
    });
  }
}

function writeSelectItem(writer: SqlWriter, { value, alias }: SelectItem): void {
  writer.putExpression(value);
  writer.putAlias(alias);
}

function writeGrouping(writer: SqlWriter, { all, distinct, keys }: Grouping): void {
  const [firstKey] = keys;
  const rollup = keys.length === 1 && firstKey?.kind === 'grouping_set' && firstKey.how === 'rollup' ? firstKey : null;
  if (all || distinct) throw new UnwritableError('GROUP BY ALL');
  const wrapsRollup = rollup !== null && writer.grammar.rollup === 'around';
  if (rollup) writer.starts.push([rollup, writer.text.length]);
  if (wrapsRollup) writer.put('ROLLUP (');
  writer.putList(rollup ? rollup.keys : keys, (key) => {
    if (key.kind === 'grouping_set') throw new UnwritableError('GROUPING SETS');
    writer.putExpression(key);
  });
  if (rollup) writer.put(wrapsRollup ? ')' : ' WITH ROLLUP');
}

function writeFromItem(writer: SqlWriter, item: FromItem, parenthesize = false): void {
  if (item.columns.length > 0) throw new UnwritableError('column names after an alias');
  writer.putBracketed(item, parenthesize, () => {
    switch (item.kind) {
      case 'table':
        if (item.catalog !== null && !writer.grammar.features.has('catalogs')) throw new UnwritableError('a catalog');
        writeTable(
          writer,
          [item.catalog, item.schema, item.name].filter((part) => part !== null),
        );
        break;
      case 'derived':
        if (item.lateral) throw new UnwritableError('LATERAL');
        writer.putSubquery(item.query);
        break;
      case 'join':
        writeJoin(writer, item);
        break;
      case 'table_call':
        throw new UnwritableError('a function in FROM');
    }
    writer.putAlias(item.alias);
  });
}

function writeTable(writer: SqlWriter, path: string[]): void {
  if (writer.grammar.features.has('paths in quotes') && path.some((part) => part.includes('.')))
    throw new UnwritableError('a dot in the name of a table');
  writer.putPath(path);
}

function writeJoin(writer: SqlWriter, join: Join): void {
  const joinRule = Object.values(writer.grammar.joins).find(
    ({ how, natural }) => how === join.how && natural === join.natural,
  );
  if (!joinRule || join.usingAlias !== null) throw new UnwritableError(`a join of kind ${join.how}`);
  writeFromItem(writer, join.left);
  writer.put(` ${joinRule.text} `);
  writeFromItem(writer, join.right, join.right.kind === 'join');
  writer.putClause('ON', join.on, (condition) => writer.putExpression(condition));
  if (join.using.length > 0) writer.putClause('USING', join.using, (names) => writer.putNames(names));
}
