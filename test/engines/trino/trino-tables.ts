import { createDatabase } from '../../support/postgres.ts';
import { statementsFor, type TestTable } from '../tables.ts';

const TYPES: Record<string, string> = {
  int: 'integer',
  text: 'varchar',
  timestamp: 'timestamp(6) with time zone',
};
const typeOf = (type: string): string => TYPES[type] ?? type;
const quoteText = (value: string): string => `'${value.replaceAll("'", "''")}'`;

export const MEMORY = { 'connector.name': 'memory' };
export const TPCH = { 'connector.name': 'tpch' };

/** A catalog over a PostgreSQL database. */
export function behind(url: string): Record<string, string> {
  const { hostname, port, pathname, username, password } = new URL(url);
  return {
    'connector.name': 'postgresql',
    'connection-url': `jdbc:postgresql://${hostname}:${port}${pathname}`,
    'connection-user': decodeURIComponent(username),
    'connection-password': decodeURIComponent(password),
  };
}

/**
 * The manager of each TPC-H nation. Trino doesn't create this table, because Trino may retry a statement that has
 * already created it.
 */
export const createManagersDatabase = (): Promise<string> =>
  createDatabase(
    "create table managers as select n::bigint as nationkey, 'manager ' || n % 3 as manager from generate_series(0, 24) n",
  );

export const trinoStatements = (tables?: readonly TestTable[]): string[] => [
  'create schema memory.shop',
  ...statementsFor(
    {
      table: (name) => `memory.shop.${name}`,
      type: typeOf,
      value: (cell, type) => {
        const cellText = `${cell}${type === 'timestamp' ? ' UTC' : ''}`;
        return cell === null ? 'null' : `cast(${quoteText(cellText)} as ${typeOf(type)})`;
      },
    },
    tables,
  ),
];
