import type { ProfileSyntax } from '../../../adapters/warehouse/profile-first-rows.ts';
import { columnOf, textOf } from '../../../dialects/make-nodes.ts';
import type { Cell } from '../../../domain/ports.ts';
import { quoteIdentifier } from '../../../guard/literals.ts';
import { sqlserverDialect } from '../dialect/dialect.ts';
import { findDatatypeByName } from './cells.ts';

const quoteName = (name: string): string => quoteIdentifier('sqlserver', name);
const { compiling, writeExpression } = sqlserverDialect;

export async function loadProfileSyntax(
  query: (sql: string) => Promise<Cell[][]>,
  { schema, table }: { schema: string | null; table: string },
): Promise<ProfileSyntax> {
  const name = [schema, table].flatMap((part) => (part === null ? [] : quoteName(part))).join('.');
  const types = await query(
    `select c.name, coalesce(b.name, t.name) from sys.columns c join sys.types t on t.user_type_id = c.user_type_id
       left join sys.types b on b.user_type_id = c.system_type_id and b.system_type_id = c.system_type_id
     where c.object_id = object_id(${writeExpression(textOf(name))})`,
  );
  const typeOf = new Map(types.map(([column, type]) => [String(column), String(type)]));
  return {
    quote: quoteName,
    comparableColumn: (column) => {
      switch (findDatatypeByName(typeOf.get(column) ?? '', null)) {
        case 'string':
          return writeExpression(compiling.exactText!(columnOf(column)));
        case 'boolean':
          // svc casts bits, because MIN doesn't accept them.
          return `cast(${quoteName(column)} as tinyint)`;
        case 'datetime':
          return `cast(${quoteName(column)} as datetime2)`;
        default:
          return quoteName(column);
      }
    },
    countDistinct: (column) => `count_big(distinct ${column})`,
    castToText: (value) => `cast(${value} as nvarchar(max))`,
    limitRows: (select, rows) => select.replace(/^select /, `select top (${rows}) `),
  };
}
