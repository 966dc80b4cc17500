// The tables of the suites for each engine: the workshop of test/plans, and a table with edge cases of every type.
import { TABLES } from '../plans/workshop.ts';
import { caseRows } from '../support/case-rows.ts';
import { lensText } from '../support/lens-text.ts';

type Cell = string | number | null;
export interface TestTable {
  name: string;
  columns: { name: string; type: ColumnType; nullable: boolean }[];
  rows: Cell[][];
}
export type ColumnType = 'int' | 'bigint' | 'text' | 'date' | 'timestamp' | 'double' | `decimal(${number},${number})`;

const typeNamed = (typeText: string): ColumnType =>
  typeText.startsWith('varchar') ? 'text' : (typeText.replace(/ (?:primary key|not null)$/, '') as ColumnType);

const WORKSHOP: TestTable[] = Object.entries(TABLES).map(([name, { columns, rows }]) => {
  const parts = columns.split(/,\s*(?![^(]*\))/);
  const keys = new Set(
    parts.flatMap(
      (part) => /^primary key \((.*)\)$/.exec(part)?.[1]?.split(', ') ?? /^(\w+) .*primary key$/.exec(part)?.[1] ?? [],
    ),
  );
  const listed = parts.filter((part) => !part.startsWith('primary key'));
  return {
    name,
    columns: listed.map((part) => {
      const [, column = '', type = ''] = /^(\w+) (.*)$/.exec(part)!;
      return { name: column, type: typeNamed(type), nullable: !keys.has(column) && !type.endsWith(' not null') };
    }),
    rows: rows as Cell[][],
  };
});

/** Edge cases: ends of years and weeks, leap days, clock changes, nulls, empty and large values, and many languages. */
const EDGES: TestTable = {
  name: 'edges',
  columns: [
    { name: 'edge_id', type: 'int', nullable: false },
    { name: 'word', type: 'text', nullable: true },
    { name: 'day', type: 'date', nullable: true },
    { name: 'moment', type: 'timestamp', nullable: true },
    { name: 'big', type: 'bigint', nullable: true },
    { name: 'exact', type: 'decimal(38,10)', nullable: true },
    { name: 'money', type: 'decimal(12,2)', nullable: true },
    { name: 'ratio', type: 'double', nullable: true },
    { name: 'pieces', type: 'int', nullable: true },
  ],
  rows: caseRows<(string | number | null)[]>(import.meta.dirname, 'tables.jsonl'),
};
export const TEST_TABLES: readonly TestTable[] = [...WORKSHOP, EDGES];

export const valueText = (cell: Cell): string =>
  cell === null ? 'null' : typeof cell === 'number' ? String(cell) : `'${cell.replaceAll("'", "''")}'`;

/** `type` writes the type of a column, `ends` the text after the columns, and `value` a cell. */
export function statementsFor(
  say: {
    table(name: string): string;
    type(type: ColumnType, nullable: boolean): string;
    ends?(table: TestTable): string;
    value?(cell: Cell, type: ColumnType): string;
  },
  tables: readonly TestTable[] = TEST_TABLES,
): string[] {
  return tables.flatMap((table) => [
    `create table ${say.table(table.name)} (${table.columns
      .map(({ name, type, nullable }) => `${name} ${say.type(type, nullable)}`)
      .join(', ')})${say.ends?.(table) ?? ''}`,
    `insert into ${say.table(table.name)} values ${table.rows
      .map(
        (row) => `(${row.map((cell, index) => (say.value ?? valueText)(cell, table.columns[index]!.type)).join(', ')})`,
      )
      .join(', ')}`,
  ]);
}

export const postgresStatements = (): string[] =>
  statementsFor({
    table: (name) => name,
    type: (type) => (type === 'double' ? 'double precision' : type),
    value: (cell) => (cell === null ? 'null' : `'${String(cell).replaceAll("'", "''")}'`),
  });

const EDGES_LENS = (source: string): string =>
  lensText(
    `  edges: ${source} (edge_id integer key, word string auto, day date time, moment datetimetz, big integer {aggregation: sum}, exact decimal {aggregation: sum}, money decimal {aggregation: sum}, ratio float {aggregation: sum}, pieces integer {aggregation: sum}) {description: One row per edge.}\n`,
  );
/** The workshop lens and a dataset of edge cases. */
export const withEdges = (lens: string, schema: string): string =>
  lens
    .replace('relationships:\n', `${EDGES_LENS(`${schema}edges`)}relationships:\n`)
    .replace(
      'metrics:\n',
      'metrics:\n  money_per_piece: {expression: "sum(edges.money) / nullif(sum(edges.pieces), 0)"}\n',
    );
