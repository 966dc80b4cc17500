// Writes a neutral tree as DuckDB SQL that has only one reading.
import { Unwritable } from '../../../dialects/dialect.ts';
import type {
  Expression,
  FromItem,
  Grouping,
  GroupKey,
  Item,
  Join,
  Query,
  SortKey,
  With,
} from '../../../dialects/tree.ts';
import { writeExpression } from './write-expression.ts';
import { namesText, nameText, type Writing } from './write-names.ts';

const writing: Writing = {
  query: (query) => writeQuery(query),
  expression: (expression) => writeExpression(writing, expression),
  sortKeys,
};

export const writeDuckdb = writing.query;
export const writeDuckdbExpression = writing.expression;

const { expression } = writing;
const list = (expressions: readonly Expression[]): string => expressions.map(expression).join(', ');
const clause = (word: string, value: Expression | null): string =>
  value === null ? '' : ` ${word} ${expression(value)}`;

function writeQuery(query: Query): string {
  const order = query.orderBy.length > 0 ? ` ORDER BY ${sortKeys(query.orderBy)}` : '';
  return `${withClauseText(query.with)}${body(query)}${order}${clause('LIMIT', query.limit)}${clause('OFFSET', query.offset)}`;
}

function body(query: Query): string {
  switch (query.kind) {
    case 'values':
      return `VALUES ${query.rows.map((row) => `(${list(row)})`).join(', ')}`;
    case 'set': {
      const word = `${query.operator.toUpperCase()}${query.all ? ' ALL' : ''}${query.byName ? ' BY NAME' : ''}`;
      return `${writeSetPart(query.left)} ${word} ${writeSetPart(query.right)}`;
    }
    case 'select': {
      const { distinct, items, from, groupBy, windows } = query;
      if (windows.length > 0 || items.length === 0 || from.length > 1)
        throw new Unwritable('a SELECT of another dialect');
      const on = distinct && distinct.on.length > 0 ? ` ON (${list(distinct.on)})` : '';
      const head = `SELECT ${distinct ? `DISTINCT${on} ` : ''}${items.map(itemText).join(', ')}`;
      const where = `${from.map((item) => ` FROM ${fromText(item)}`).join('')}${clause('WHERE', query.where)}`;
      const grouped = groupBy ? ` GROUP BY ${groupText(groupBy)}` : '';
      return `${head}${where}${grouped}${clause('HAVING', query.having)}${clause('QUALIFY', query.qualify)}`;
    }
  }
}

/** A plain SELECT is the only part of a set operation that needs no parentheses. */
function writeSetPart(query: Query): string {
  const isPlainSelect =
    query.kind === 'select' && !query.with && query.orderBy.length === 0 && !query.limit && !query.offset;
  return isPlainSelect ? writeQuery(query) : `(${writeQuery(query)})`;
}

function withClauseText(clauses: With | null): string {
  if (clauses === null) return '';
  const entries = clauses.entries.map(({ name, columns, materialized, query }) => {
    const how = materialized === null ? '' : materialized ? 'MATERIALIZED ' : 'NOT MATERIALIZED ';
    return `${nameText(name)}${namesText(columns)} AS ${how}(${writeQuery(query)})`;
  });
  return `WITH ${clauses.recursive ? 'RECURSIVE ' : ''}${entries.join(', ')} `;
}

const itemText = ({ value, alias }: Item): string =>
  `${expression(value)}${alias === null ? '' : ` AS ${nameText(alias)}`}`;

function sortKeys(keys: readonly SortKey[]): string {
  return keys
    .map(({ value, direction, nulls }) =>
      [sortValue(value), direction?.toUpperCase(), nulls && `NULLS ${nulls.toUpperCase()}`].filter(Boolean).join(' '),
    )
    .join(', ');
}

const sortValue = (value: Expression): string =>
  expression(value.kind === 'star' && !value.columns ? { ...value, columns: { of: null } } : value);

function groupText({ all, distinct, keys }: Grouping): string {
  if (distinct) throw new Unwritable('GROUP BY DISTINCT');
  return all ? 'ALL' : keys.map(groupKey).join(', ');
}

function groupKey(key: GroupKey): string {
  if (key.kind !== 'grouping_set') return expression(key);
  const keys = key.keys.map(groupKey).join(', ');
  if (key.how === 'empty') return '()';
  return `${key.how === 'sets' ? 'GROUPING SETS' : key.how.toUpperCase()} (${keys})`;
}

function fromText(item: FromItem): string {
  if (item.kind === 'join') return joinText(item);
  const { alias, columns } = item;
  if (alias === null && columns.length > 0) throw new Unwritable('names of columns without an alias');
  const aliasText = alias === null ? '' : ` AS ${nameText(alias)}${namesText(columns)}`;
  switch (item.kind) {
    case 'table': {
      const path = [item.catalog, item.schema, item.name].filter((part) => part !== null);
      return `${path.map(nameText).join('.')}${aliasText}`;
    }
    case 'derived':
      return `(${writeQuery(item.query)})${aliasText}`;
    case 'table_call': {
      if (item.calls.length !== 1) throw new Unwritable('functions side by side');
      return `${expression(item.calls[0]!)}${item.ordinality ? ' WITH ORDINALITY' : ''}${aliasText}`;
    }
  }
}

function joinText({ how, natural, left, right, using, usingAlias, on, alias, columns }: Join): string {
  if (alias !== null || columns.length > 0 || usingAlias !== null) throw new Unwritable('a join with a name');
  const word = how === 'inner' ? '' : `${how.replace('_', ' ').toUpperCase()} `;
  const inner = right.kind === 'join' ? `(${joinText(right)})` : fromText(right);
  const condition = on === null ? '' : ` ON ${expression(on)}`;
  const shared = using.length > 0 ? ` USING${namesText(using)}` : '';
  return `${fromText(left)} ${natural ? 'NATURAL ' : ''}${word}JOIN ${inner}${condition}${shared}`;
}
