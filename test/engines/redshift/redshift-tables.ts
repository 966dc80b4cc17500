import { statementsFor, type TestTable, valueText } from '../tables.ts';

const TYPES: Record<string, string> = { double: 'double precision', text: 'varchar(300)', timestamp: 'timestamptz' };

export const redshiftStatements = (tables?: readonly TestTable[]): string[] => [
  'create schema shop',
  ...statementsFor(
    {
      table: (name) => `shop.${name}`,
      type: (type) => TYPES[type] ?? type,
      value: (cell, type) => (type === 'timestamp' && cell !== null ? `'${cell}+00'` : valueText(cell)),
    },
    tables,
  ),
];
