import { statementsFor, type TestTable } from '../tables.ts';

const TYPES: Record<string, string> = {
  bigint: 'number(38, 0)',
  int: 'number(38, 0)',
  text: 'varchar',
  timestamp: 'timestamp_ntz',
};
const typeOf = (type: string): string => TYPES[type] ?? type.replace('decimal', 'number');

export const snowflakeStatements = (tables?: readonly TestTable[]): string[] =>
  statementsFor(
    {
      table: (name) => `shop.${name}`,
      type: (type, nullable) => `${typeOf(type)}${nullable ? '' : ' not null'}`,
      value: (cell, type) =>
        cell === null
          ? 'null'
          : `cast('${String(cell).replaceAll('\\', '\\\\').replaceAll("'", "''")}' as ${typeOf(type)})`,
    },
    tables,
  );
