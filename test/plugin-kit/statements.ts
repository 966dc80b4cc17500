// SQL with the same meaning in every dialect. The SQL reads no tables, so the checks don't have to create any.
import type { Datatype, DialectName } from '../../src/contract/warehouse.ts';
import { createTypedNull } from '../../src/dialects/compiling.ts';
import { findDialect } from '../../src/dialects/dialects.ts';
import type { CatalogTable } from '../../src/domain/ports.ts';
import type { GuardedSql } from '../../src/guard/guarded-sql.ts';
import { quoteIdentifier } from '../../src/guard/literals.ts';

/** Marks SQL as guarded without a check, because an adapter must be safe even without the guard. */
export const unguardedSql = (dialect: DialectName, runs: string, parameters: string[] = []): GuardedSql =>
  ({ dialect, sql: runs, runs, parameters }) as unknown as GuardedSql;

const DIGITS = `(${[...'0123456789'].map((digit) => `select ${digit} as d`).join(' union all ')})`;
const DIGIT_POSITIONS = [...'abcdefghijkl'];

/** Returns SQL for 10 to the power of `power` rows. The column `n` counts from 0, and `columns` follow it. */
export function manyRows(power: number, columns = ''): string {
  const usedPositions = DIGIT_POSITIONS.slice(0, power);
  const n = usedPositions.map((alias, index) => `${alias}.d * ${10 ** index}`).join(' + ');
  return `select ${n} as n${columns} from ${usedPositions.map((alias) => `${DIGITS} ${alias}`).join(' cross join ')}`;
}

/** SQL that runs for hours, and that no optimizer can shorten. */
export const ENDLESS_STATEMENT = `select max(${DIGIT_POSITIONS.map((alias) => `${alias}.d`).join(' + ')}) as n from ${DIGIT_POSITIONS.map((alias) => `${DIGITS} ${alias}`).join(' cross join ')}`;

export const castTo = (dialect: DialectName, datatype: Datatype, expression: string): string =>
  nullOf(dialect, datatype).replace('NULL', expression);

export const nullOf = (dialect: DialectName, datatype: Datatype): string =>
  findDialect(dialect).writeExpression(createTypedNull(findDialect(dialect), datatype));

export const tableName = (dialect: DialectName, { catalog, schema, table }: CatalogTable): string =>
  [catalog, schema, table]
    .filter((part) => part !== null)
    .map((part) => quoteIdentifier(dialect, part))
    .join('.');
