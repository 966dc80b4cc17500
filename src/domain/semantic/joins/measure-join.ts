// Measures how many values of one side of a join exist on the other side. svc compares a limited number of values, but
// checks uniqueness over all rows.
import type { DialectName } from '../../../contract/warehouse.ts';
import { guardSql } from '../../../guard/guard-sql.ts';
import type { GovernedRelation, GuardScope } from '../../../guard/guarded-sql.ts';
import { formatTableName, toSqlName } from '../../../lens/model/sql-name.ts';
import { limitToFirstRows } from '../../../plan/sql/limit-to-first-rows.ts';
import { Problem } from '../../../platform/problem.ts';
import type { CatalogTable, Warehouse } from '../../ports.ts';

export interface QueryContext {
  warehouse: Pick<Warehouse, 'dialect' | 'fetch'>;
  /** The time limit of one statement. */
  timeoutMs: number;
  signal: AbortSignal;
}
export interface JoinSide {
  table: Pick<CatalogTable, 'catalog' | 'schema' | 'table'>;
  columns: readonly string[];
}
export interface UniquenessMeasurement {
  /** The number of rows without a null in these columns. */
  nonNullRows: number;
  distinctCount: number;
}
const MAX_COMPARED_VALUES = 10_000;

/** Returns the number of checked values, and how many of them exist on the other side. Null after a timeout. */
export async function measureInclusion(
  queryContext: QueryContext,
  from: JoinSide,
  to: JoinSide,
): Promise<[number, number] | null> {
  const { dialect } = queryContext.warehouse;
  const distinctSql = `select distinct ${selectKeyColumns(dialect, from)} from ${formatTableName(dialect, from.table)} where ${writeNotNullCondition(dialect, from)}`;
  const joinCondition = from.columns.map((_column, index) => `l.k${index} = r.k${index}`).join(' and ');
  const sql = `select count(*) as checked, count(r.k0) as held from (${await limitToFirstRows(dialect, distinctSql, MAX_COMPARED_VALUES)}) as l left join (select distinct ${selectKeyColumns(dialect, to)} from ${formatTableName(dialect, to.table)} where ${writeNotNullCondition(dialect, to)}) as r on ${joinCondition}`;
  return fetchTwoCounts(queryContext, sql, [from, to]);
}

export async function measureUniqueness(
  queryContext: QueryContext,
  side: JoinSide,
): Promise<UniquenessMeasurement | null> {
  const { dialect } = queryContext.warehouse;
  const list = side.columns.map((column) => toSqlName(dialect, column)).join(', ');
  const sql = `select sum(g.n) as filled, count(*) as kinds from (select count(*) as n from ${formatTableName(dialect, side.table)} where ${writeNotNullCondition(dialect, side)} group by ${list}) as g`;
  const counts = await fetchTwoCounts(queryContext, sql, [side]);
  return counts && { nonNullRows: counts[0], distinctCount: counts[1] };
}

/** Null if svc couldn't count the rows in time. */
export async function countRowsWithNulls(queryContext: QueryContext, side: JoinSide): Promise<number | null> {
  const { dialect } = queryContext.warehouse;
  const sql = `select count(*) as empty from ${formatTableName(dialect, side.table)} where not (${writeNotNullCondition(dialect, side)})`;
  const counts = await fetchTwoCounts(queryContext, sql, [side]);
  return counts === null ? null : counts[0];
}

const selectKeyColumns = (dialect: DialectName, side: JoinSide): string =>
  side.columns.map((column, index) => `${toSqlName(dialect, column)} as k${index}`).join(', ');
const writeNotNullCondition = (dialect: DialectName, side: JoinSide): string =>
  side.columns.map((column) => `${toSqlName(dialect, column)} is not null`).join(' and ');

/** The statement can read only these columns. Null if the warehouse couldn't run it in time. */
async function fetchTwoCounts(
  { warehouse, timeoutMs, signal }: QueryContext,
  sql: string,
  sides: readonly JoinSide[],
): Promise<[number, number] | null> {
  if (signal.aborted) return null;
  const { dialect } = warehouse;
  const relations = new Map<string, GovernedRelation>();
  for (const {
    table: { catalog, schema, table },
    columns,
  } of sides) {
    const source = { catalog, schema, table };
    const dataset = formatTableName(dialect, source);
    relations.set(dataset, { ...{ source, dataset, columns: [...columns] }, masked: [], policies: [], body: '' });
  }
  const extraColumns = sides.flatMap(({ columns }) => columns);
  const scope: GuardScope = {
    dialect,
    relations: [...relations.values()],
    mode: 'verify',
    maxRows: null,
    extraColumns,
  };
  try {
    const statement = await guardSql(sql, scope);
    const { rows } = await warehouse.fetch(statement, { maxRows: 1, maxBytes: 10_000, timeoutMs, signal });
    const [firstCount, secondCount] = rows[0] ?? [];
    return [Number(firstCount ?? 0), Number(secondCount ?? 0)];
  } catch (fault) {
    if (!(fault instanceof Problem) || fault.code === 'unreachable') throw fault;
    return null;
  }
}
