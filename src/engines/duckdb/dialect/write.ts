import { UnwritableError } from '../../../dialects/dialect.ts';
import type {
  Expression,
  FromItem,
  Grouping,
  GroupKey,
  Join,
  Query,
  SelectItem,
  SortKey,
  WithClause,
} from '../../../dialects/tree.ts';
import { writeExpression } from './write-expression.ts';
import { type QueryWriter, quoteNames, writeName } from './write-names.ts';

const writer: QueryWriter = {
  writeQuery: (query) => writeQuery(query),
  writeExpression: (expression) => writeExpression(writer, expression),
  writeSortKeys,
};

export const writeDuckdb = writer.writeQuery;
export const writeDuckdbExpression = writer.writeExpression;

const { writeExpression: expression } = writer;
const writeExpressionList = (expressions: readonly Expression[]): string => expressions.map(expression).join(', ');
const writeOptionalClause = (word: string, value: Expression | null): string =>
  value === null ? '' : ` ${word} ${expression(value)}`;

function writeQuery(query: Query): string {
  const orderText = query.orderBy.length > 0 ? ` ORDER BY ${writeSortKeys(query.orderBy)}` : '';
  return `${writeWithClause(query.with)}${writeQueryBody(query)}${orderText}${writeOptionalClause('LIMIT', query.limit)}${writeOptionalClause('OFFSET', query.offset)}`;
}

function writeQueryBody(query: Query): string {
  switch (query.kind) {
    case 'values':
      return `VALUES ${query.rows.map((row) => `(${writeExpressionList(row)})`).join(', ')}`;
    case 'set': {
      const word = `${query.operator.toUpperCase()}${query.all ? ' ALL' : ''}${query.byName ? ' BY NAME' : ''}`;
      return `${writeSetOperand(query.left)} ${word} ${writeSetOperand(query.right)}`;
    }
    case 'select': {
      const { distinct, items, from, groupBy, windows } = query;
      if (windows.length > 0 || items.length === 0 || from.length > 1)
        throw new UnwritableError('a SELECT with named windows, without outputs or with several items in FROM');
      const onText = distinct && distinct.on.length > 0 ? ` ON (${writeExpressionList(distinct.on)})` : '';
      const selectText = `SELECT ${distinct ? `DISTINCT${onText} ` : ''}${items.map(writeItem).join(', ')}`;
      const whereText = `${from.map((item) => ` FROM ${writeFromItem(item)}`).join('')}${writeOptionalClause('WHERE', query.where)}`;
      const groupByText = groupBy ? ` GROUP BY ${writeGroups(groupBy)}` : '';
      return `${selectText}${whereText}${groupByText}${writeOptionalClause('HAVING', query.having)}${writeOptionalClause('QUALIFY', query.qualify)}`;
    }
  }
}

/** In a set operation, only a plain SELECT needs no parentheses. */
function writeSetOperand(query: Query): string {
  const isPlainSelect =
    query.kind === 'select' && !query.with && query.orderBy.length === 0 && !query.limit && !query.offset;
  return isPlainSelect ? writeQuery(query) : `(${writeQuery(query)})`;
}

function writeWithClause(clauses: WithClause | null): string {
  if (clauses === null) return '';
  const entries = clauses.entries.map(({ name, columns, materialized, query }) => {
    const materializedText = materialized === null ? '' : materialized ? 'MATERIALIZED ' : 'NOT MATERIALIZED ';
    return `${writeName(name)}${quoteNames(columns)} AS ${materializedText}(${writeQuery(query)})`;
  });
  return `WITH ${clauses.recursive ? 'RECURSIVE ' : ''}${entries.join(', ')} `;
}

const writeItem = ({ value, alias }: SelectItem): string =>
  `${expression(value)}${alias === null ? '' : ` AS ${writeName(alias)}`}`;

function writeSortKeys(keys: readonly SortKey[]): string {
  return keys
    .map(({ value, direction, nulls }) =>
      [writeSortValue(value), direction?.toUpperCase(), nulls && `NULLS ${nulls.toUpperCase()}`]
        .filter(Boolean)
        .join(' '),
    )
    .join(', ');
}

const writeSortValue = (value: Expression): string =>
  expression(value.kind === 'star' && !value.columns ? { ...value, columns: { of: null } } : value);

function writeGroups({ all, distinct, keys }: Grouping): string {
  if (distinct) throw new UnwritableError('GROUP BY DISTINCT');
  return all ? 'ALL' : keys.map(writeGroupKey).join(', ');
}

function writeGroupKey(key: GroupKey): string {
  if (key.kind !== 'grouping_set') return expression(key);
  const keys = key.keys.map(writeGroupKey).join(', ');
  if (key.how === 'empty') return '()';
  return `${key.how === 'sets' ? 'GROUPING SETS' : key.how.toUpperCase()} (${keys})`;
}

function writeFromItem(item: FromItem): string {
  if (item.kind === 'join') return writeJoin(item);
  const { alias, columns } = item;
  if (alias === null && columns.length > 0) throw new UnwritableError('column names without an alias');
  const aliasText = alias === null ? '' : ` AS ${writeName(alias)}${quoteNames(columns)}`;
  switch (item.kind) {
    case 'table': {
      const path = [item.catalog, item.schema, item.name].filter((part) => part !== null);
      return `${path.map(writeName).join('.')}${aliasText}`;
    }
    case 'derived':
      return `(${writeQuery(item.query)})${aliasText}`;
    case 'table_call': {
      if (item.calls.length !== 1) throw new UnwritableError('several functions in ROWS FROM');
      return `${expression(item.calls[0]!)}${item.ordinality ? ' WITH ORDINALITY' : ''}${aliasText}`;
    }
  }
}

function writeJoin({ how, natural, left, right, using, usingAlias, on, alias, columns }: Join): string {
  if (alias !== null || columns.length > 0 || usingAlias !== null) throw new UnwritableError('a join with an alias');
  const word = how === 'inner' ? '' : `${how.replace('_', ' ').toUpperCase()} `;
  const rightText = right.kind === 'join' ? `(${writeJoin(right)})` : writeFromItem(right);
  const condition = on === null ? '' : ` ON ${expression(on)}`;
  const usingText = using.length > 0 ? ` USING${quoteNames(using)}` : '';
  return `${writeFromItem(left)} ${natural ? 'NATURAL ' : ''}${word}JOIN ${rightText}${condition}${usingText}`;
}
