import { statementsFor, type TestTable } from '../tables.ts';
import { DATABASE } from './start-clickhouse.ts';

const TYPES: Record<string, string> = {
  int: 'Int32',
  bigint: 'Int64',
  text: 'String',
  date: 'Date32',
  timestamp: "DateTime64(6, 'UTC')",
  double: 'Float64',
};

export const clickhouseStatements = (tables?: readonly TestTable[]): string[] =>
  statementsFor(
    {
      table: (name) => `${DATABASE}.${name}`,
      type: (type, nullable) => (nullable ? `Nullable(${TYPES[type] ?? type})` : (TYPES[type] ?? type)),
      ends: ({ columns }) =>
        ` engine = MergeTree order by (${columns.filter(({ nullable }) => !nullable).map(({ name }) => name)})`,
      value: (cell) => (cell === null ? 'null' : `'${String(cell).replaceAll('\\', '\\\\').replaceAll("'", "''")}'`),
    },
    tables,
  );
