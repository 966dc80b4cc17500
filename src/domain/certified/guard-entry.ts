// If nothing in the tables of approved SQL is hidden from the caller, the SQL runs unchanged. Otherwise, svc gives the
// SQL only the columns that it reads, so that it still runs after another column is dropped.

import { keepApprovedSqlIfSafe } from '../../guard/guard-in-process.ts';
import { guardSql, guardWithCache } from '../../guard/guard-sql.ts';
import type { GovernedRelation, GuardedSql } from '../../guard/guarded-sql.ts';
import { ALL_COLUMNS } from '../../guard/rules/written-names.ts';
import { type Caller, type CertifiedParameter, type Lens, SVC_CALLER } from '../../lens/model/lens.ts';
import { formatTableName } from '../../lens/model/sql-name.ts';
import { createGovernedRelations } from '../../lens/policies/governed-relations.ts';
import { Problem } from '../../platform/problem.ts';
import { StaleWhileRevalidate } from '../../platform/stale-while-revalidate.ts';
import type { Warehouse, WarehouseColumn } from '../ports.ts';

export interface ApprovedSql {
  sql: string;
  parameters: Record<string, CertifiedParameter>;
}
const CHECK_TIMEOUT_MS = 15_000;
const CATALOG_TIMEOUT_MS = 2_000;
const COLUMN_CACHE_MS = 1_000;
const columnCaches = new WeakMap<Warehouse, StaleWhileRevalidate<string, readonly string[]>>();

/** Returns the statement that svc sends to the warehouse for this caller. */
export async function guardEntry(
  lens: Lens,
  caller: Caller,
  entry: ApprovedSql,
  maxRows: number,
  warehouse: Warehouse,
): Promise<GuardedSql> {
  const guardedSql = await guardWithCache(entry.sql, {
    ...createGuardScope(lens, entry, maxRows),
    relations: await createGovernedRelations(lens, caller),
  });
  // If the SQL selects every column of a relation, the names in the SQL don't show which columns it reads.
  const selectsEveryColumn = guardedSql.approvedSql?.ambiguousTables.some(({ names }) => names.includes(ALL_COLUMNS));
  const guardReadColumnsOnly = async () =>
    selectsEveryColumn
      ? guardedSql
      : guardWithCache(entry.sql, {
          ...createGuardScope(lens, entry, maxRows),
          relations: await createGovernedRelations(lens, caller, new Set(guardedSql.report.columns)),
        });
  return keepApprovedSqlIfSafe(
    guardedSql,
    (relation) => readTableColumns(lens, relation, warehouse),
    guardReadColumnsOnly,
  );
}

export const getGuardReport = async (lens: Lens, caller: Caller, entry: ApprovedSql) =>
  (
    await guardWithCache(entry.sql, {
      ...createGuardScope(lens, entry, 1),
      relations: await createGovernedRelations(lens, caller),
    })
  ).report;

const createGuardScope = (lens: Lens, entry: ApprovedSql, maxRows: number) =>
  ({
    dialect: lens.dialect,
    mode: 'govern',
    maxRows,
    parameters: Object.keys(entry.parameters),
    shown: 'approved',
  }) as const;

/** Includes columns that the lens doesn't have. Null if svc can't read the columns. */
async function readTableColumns(
  lens: Lens,
  relation: GovernedRelation,
  warehouse: Warehouse,
): Promise<readonly string[] | null> {
  const columnCache =
    columnCaches.get(warehouse) ??
    new StaleWhileRevalidate<string, readonly string[]>({ maxAgeMs: COLUMN_CACHE_MS, max: 1_000 });
  columnCaches.set(warehouse, columnCache);
  const table = formatTableName(lens.dialect, relation.source);
  const readColumns = async () => {
    const scope = { dialect: lens.dialect, relations: [relation], mode: 'verify' as const, maxRows: null };
    const statement = await guardSql(`select * from ${table} where 1 = 0`, scope);
    return (await warehouse.describe(statement, { timeoutMs: CATALOG_TIMEOUT_MS })).map(({ name }) => name);
  };
  return columnCache.get(table, readColumns).catch(() => null);
}

/** Throws if the warehouse is unreachable. `fault` is a message for the author of the SQL. */
export async function describeEntry(
  lens: Lens,
  entry: ApprovedSql,
  warehouse: Warehouse,
  timeoutMs = CHECK_TIMEOUT_MS,
): Promise<{ columns: WarehouseColumn[] } | { fault: string }> {
  try {
    const statement = await guardEntry(lens, SVC_CALLER, entry, 1, warehouse);
    const parameters = statement.parameters.map((name) => ({
      name,
      datatype: entry.parameters[name]!.datatype,
      value: null,
    }));
    return { columns: await warehouse.describe(statement, { timeoutMs, parameters }) };
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'unreachable' || error.code === 'timeout') throw error;
    const reasons = error.details.map(({ message }) => message).filter((message) => !error.message.includes(message));
    const detail = error.code === 'upstream' ? (error.detail ?? '') : '';
    return { fault: [error.message, ...reasons, detail].filter(Boolean).join(' ') };
  }
}

/** Null if the SQL runs. */
export async function findCertifiedFault(lens: Lens, entry: ApprovedSql, warehouse: Warehouse): Promise<string | null> {
  const described = await describeEntry(lens, entry, warehouse);
  return 'fault' in described ? described.fault : null;
}
