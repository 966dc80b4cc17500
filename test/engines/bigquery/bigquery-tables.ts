import { TEST_TABLES, type TestTable } from '../tables.ts';

/** A table for the server: a schema, and a statement without tables that returns the rows. */
export interface ServedTable {
  name: string;
  columns: { name: string; type: string; mode: 'REQUIRED' | 'NULLABLE' }[];
  count: number;
  rows: string;
}

const TYPES: Record<string, string> = {
  int: 'INT64',
  bigint: 'INT64',
  text: 'STRING',
  date: 'DATE',
  timestamp: 'DATETIME',
  timestamptz: 'TIMESTAMP',
  double: 'FLOAT64',
};
/** NUMERIC keeps nine decimal places. */
const typeOf = (type: string): string =>
  TYPES[type] ?? (Number(/,(\d+)\)$/.exec(type)?.[1]) > 9 ? 'BIGNUMERIC' : 'NUMERIC');

export function serve({
  name,
  columns,
  rows,
}: Omit<TestTable, 'columns'> & { columns: readonly Column[] }): ServedTable {
  const told = columns.map((column) => ({
    name: column.name,
    type: typeOf(column.type),
    mode: column.nullable ? ('NULLABLE' as const) : ('REQUIRED' as const),
  }));
  const cell = (value: TestTable['rows'][number][number], type: string): string =>
    value === null
      ? `CAST(NULL AS ${type})`
      : `CAST('${String(value).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}${type === 'TIMESTAMP' ? '+00' : ''}' AS ${type})`;
  const lines = rows.map(
    (row) => `SELECT ${row.map((value, at) => `${cell(value, told[at]!.type)} AS ${told[at]!.name}`).join(', ')}`,
  );
  return { name, columns: told, count: rows.length, rows: lines.join(' UNION ALL ') };
}
type Column = { name: string; type: string; nullable: boolean };

/** Adds time zones to the timestamps, as the lens of the edge cases declares them. */
const withZones = (table: TestTable): Omit<TestTable, 'columns'> & { columns: readonly Column[] } => ({
  ...table,
  columns: table.columns.map((column) =>
    table.name === 'edges' && column.type === 'timestamp' ? { ...column, type: 'timestamptz' as const } : column,
  ),
});

export const BIGQUERY_TABLES: readonly ServedTable[] = [
  ...TEST_TABLES.map((table) => serve(withZones(table))),
  serve({ name: 'secrets', columns: [{ name: 'secret', type: 'int', nullable: false }], rows: [[1]] }),
];
