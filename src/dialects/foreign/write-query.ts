// Writes queries, with parentheses where a set operation could be misread.
import { Unwritable } from '../dialect.ts';
import type { FromItem, Grouping, Item, Join, Query, Select, SetOperation } from '../tree.ts';
import { writeSortKeys, writeWindow } from './write-expression.ts';
import type { Writing } from './writing.ts';

export function writeQuery(writing: Writing, query: Query): void {
  const ends = query.orderBy.length > 0 || query.limit !== null || query.offset !== null;
  if (query.kind === 'set' && ends && !writing.grammar.endsOfSets)
    throw new Unwritable('ORDER BY behind a set operation');
  const clause = query.with;
  if (clause) {
    writing.put(`WITH ${clause.recursive ? 'RECURSIVE ' : ''}`);
    writing.each(clause.entries, (entry) => {
      if (entry.materialized !== null) throw new Unwritable('MATERIALIZED');
      writing.starts.push([entry, writing.text.length]);
      writing.put(writing.grammar.quoteName(entry.name));
      if (entry.columns.length > 0) writing.names(entry.columns);
      writing.put(' AS ');
      writing.subquery(entry.query);
    });
    writing.put(' ');
  }
  if (query.kind === 'select') writeSelect(writing, query);
  else if (query.kind === 'set') writeSetOperation(writing, query);
  else throw new Unwritable('VALUES');
  if (query.orderBy.length > 0) writing.clause('ORDER BY', query.orderBy, (keys) => writeSortKeys(writing, keys));
  if (writing.grammar.knows.has('top')) {
    writePage(writing, query);
    return;
  }
  const offset = () => writing.clause('OFFSET', query.offset, (one) => writing.expression(one));
  if (writing.grammar.offsetFirst) offset();
  writing.clause('LIMIT', query.limit, (limit) => writing.expression(limit));
  if (!writing.grammar.offsetFirst) offset();
}

/** Writes ORDER BY, LIMIT and OFFSET, except the parts that TOP already expresses. */
function writePage(writing: Writing, { kind, orderBy, limit, offset }: Query): void {
  if ((kind === 'set' && (limit || offset)) || (offset && orderBy.length === 0)) throw new Unwritable('OFFSET here');
  if (!offset) return;
  writing.clause('OFFSET', offset, (one) => writing.expression(one));
  writing.put(' ROWS');
  writing.clause('FETCH NEXT', limit, (one) => writing.expression(one));
  if (limit) writing.put(' ROWS ONLY');
}

function writeSetOperation(writing: Writing, query: SetOperation): void {
  if (query.byName) throw new Unwritable('BY NAME');
  const row = (operand: Query): boolean =>
    operand.kind === 'set' && operand.operator === query.operator && writing.grammar.chained.has(query.operator);
  const needsParentheses = (operand: Query): boolean =>
    operand.with !== null || operand.orderBy.length > 0 || operand.limit !== null || operand.offset !== null;
  const start = writing.text.length;
  writing.query(query.left, (query.left.kind === 'set' && !row(query.left)) || needsParentheses(query.left));
  // Otherwise the parser would read the next clause as part of the subquery.
  if (!writing.source && writing.text.length === writing.scalarEnd) {
    writing.text = `${writing.text.slice(0, start)}(${writing.text.slice(start)})`;
  }
  writing.put(
    ` ${query.operator.toUpperCase()}${query.all ? ' ALL' : writing.grammar.saysDistinct ? ' DISTINCT' : ''} `,
  );
  writing.query(query.right, query.right.kind === 'set' || needsParentheses(query.right));
}

function writeSelect(writing: Writing, select: Select): void {
  if (select.distinct && select.distinct.on.length > 0) throw new Unwritable('DISTINCT ON');
  if (select.qualify && !writing.grammar.knows.has('qualify')) throw new Unwritable('QUALIFY');
  writing.put(`SELECT ${select.distinct ? 'DISTINCT ' : ''}`);
  if (select.limit && !select.offset && writing.grammar.knows.has('top')) {
    writing.put('TOP ');
    writing.expression(select.limit, !writing.source);
    writing.put(' ');
  }
  writing.each(select.items, (item) => writeItem(writing, item));
  if (select.from.length > 0)
    writing.clause('FROM', select.from, (items) => writing.each(items, (item) => writeFrom(writing, item)));
  writing.clause('WHERE', select.where, (condition) => writing.expression(condition));
  writing.clause('GROUP BY', select.groupBy, (grouping) => writeGrouping(writing, grouping));
  writing.clause('HAVING', select.having, (condition) => writing.expression(condition));
  writing.clause('QUALIFY', select.qualify, (condition) => writing.expression(condition));
  if (select.windows.length > 0) {
    writing.put(' WINDOW ');
    writing.each(select.windows, ({ name, window }) => {
      writing.put(`${writing.grammar.quoteName(name)} AS `);
      writeWindow(writing, { ...window, named: false });
    });
  }
}

function writeItem(writing: Writing, { value, alias }: Item): void {
  writing.expression(value);
  writing.named(alias);
}

function writeGrouping(writing: Writing, { all, distinct, keys }: Grouping): void {
  const [first] = keys;
  const rollup = keys.length === 1 && first?.kind === 'grouping_set' && first.how === 'rollup' ? first : null;
  if (all || distinct) throw new Unwritable('GROUP BY ALL');
  const around = rollup !== null && writing.grammar.rollup === 'around';
  if (rollup) writing.starts.push([rollup, writing.text.length]);
  if (around) writing.put('ROLLUP (');
  writing.each(rollup ? rollup.keys : keys, (key) => {
    if (key.kind === 'grouping_set') throw new Unwritable('GROUPING SETS');
    writing.expression(key);
  });
  if (rollup) writing.put(around ? ')' : ' WITH ROLLUP');
}

function writeFrom(writing: Writing, item: FromItem, needed = false): void {
  if (item.columns.length > 0) throw new Unwritable('names of columns');
  writing.within(item, needed, () => {
    switch (item.kind) {
      case 'table':
        if (item.catalog !== null && !writing.grammar.knows.has('catalogs')) throw new Unwritable('a catalog');
        writeTable(
          writing,
          [item.catalog, item.schema, item.name].filter((part) => part !== null),
        );
        break;
      case 'derived':
        if (item.lateral) throw new Unwritable('LATERAL');
        writing.subquery(item.query);
        break;
      case 'join':
        writeJoin(writing, item);
        break;
      case 'table_call':
        throw new Unwritable('a function in FROM');
    }
    writing.named(item.alias);
  });
}

function writeTable(writing: Writing, path: string[]): void {
  if (writing.grammar.knows.has('paths in quotes') && path.some((part) => part.includes('.')))
    throw new Unwritable('a dot in the name of a table');
  writing.path(path);
}

function writeJoin(writing: Writing, join: Join): void {
  const word = Object.values(writing.grammar.joins).find(
    ({ how, natural }) => how === join.how && natural === join.natural,
  );
  if (!word || join.usingAlias !== null) throw new Unwritable(`a join of kind ${join.how}`);
  writeFrom(writing, join.left);
  writing.put(` ${word.text} `);
  writeFrom(writing, join.right, join.right.kind === 'join');
  writing.clause('ON', join.on, (condition) => writing.expression(condition));
  if (join.using.length > 0) writing.clause('USING', join.using, (names) => writing.names(names));
}
