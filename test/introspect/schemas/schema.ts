// A schema for introspection: tables with rows, and the expected content of a good draft.
import type { DialectName } from '../../../src/contract/warehouse.ts';

type Type = 'int' | 'text' | 'dec' | 'date' | 'ts' | 'bool';
type Value = string | number | boolean | null;
export interface Table {
  /** Names and types: "id int, name text". */
  columns: string;
  /** The primary key that the database declares, if any. */
  key?: string[];
  foreign?: Record<string, string>;
  rows: Value[][];
}
export interface Schema {
  name: string;
  tables: Record<string, Table>;
  expected: {
    /** Every join of the draft, by source columns: "visits.vet -> vets.id", or "t.a,b -> u.a,b" for several columns. */
    joins: string[];
    /** Columns that the draft lists as undecided, with a pattern for the reason. Null if the draft must not list it. */
    undecided: Record<string, RegExp | null>;
    keys: Record<string, string[]>;
    /** Null if the table has several dates and no time field. The draft then names the dates. */
    dates: Record<string, string | null>;
    adds: Record<string, 'sum' | 'average' | 'latest' | 'none'>;
    persons: string[];
    /** Columns whose values the draft lists. */
    codes: string[];
    /** The name of a column in words. */
    words: Record<string, string>;
  };
}

const TYPES: Record<DialectName, Record<Type, string>> = {
  postgres: { int: 'bigint', text: 'text', dec: 'numeric(14, 3)', date: 'date', ts: 'timestamp', bool: 'boolean' },
  duckdb: { int: 'bigint', text: 'varchar', dec: 'decimal(14, 3)', date: 'date', ts: 'timestamp', bool: 'boolean' },
  mysql: {
    int: 'bigint',
    text: 'varchar(120)',
    dec: 'decimal(14, 3)',
    date: 'date',
    ts: 'datetime',
    bool: 'tinyint(1)',
  },
};
/** The statements that create the schema, in the dialect of an engine. */
export function statements({ tables }: Schema, dialect: DialectName): string[] {
  const quote = (name: string): string => (dialect === 'mysql' ? `\`${name}\`` : `"${name}"`);
  const list = (names: string[]): string => names.map(quote).join(', ');
  return Object.entries(tables).flatMap(([name, { columns, key, foreign = {}, rows }]) => [
    `create table ${quote(name)} (${[
      ...columns.split(', ').map((column) => {
        const [name, type] = column.split(' ') as [string, Type];
        return `${quote(name)} ${TYPES[dialect]![type]}`;
      }),
      ...(key ? [`primary key (${list(key)})`] : []),
      ...Object.entries(foreign).map(([column, to]) => {
        const [table, target] = to.split('.');
        return `foreign key (${quote(column)}) references ${quote(table!)} (${quote(target!)})`;
      }),
    ].join(', ')})`,
    `insert into ${quote(name)} values ${rows.map((row) => `(${row.map(valueText).join(', ')})`).join(', ')}`,
  ]);
}
const valueText = (value: Value): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : value === null ? 'null' : String(value);

export const times = <T>(count: number, row: (nth: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => row(i + 1));
export const pickNth = <T>(list: readonly T[], nth: number): T => list[nth % list.length]!;
/** A day `nth` days after January 1, 2023. */
export const day = (nth: number): string => new Date(Date.UTC(2023, 0, 1 + nth)).toISOString().slice(0, 10);
export const moment = (nth: number): string => `${day(nth)} ${String(nth % 24).padStart(2, '0')}:15:00`;
