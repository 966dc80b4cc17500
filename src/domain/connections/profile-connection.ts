// Collects column statistics of a connection's tables from samples, a few tables at a time. Keeps the statistics of
// other tables.
import { unknownName } from '../../lens/files/project-problem.ts';
import { Problem } from '../../platform/problem.ts';
import { inParallel } from '../../platform/schedule/in-parallel.ts';
import type { CatalogTable, ColumnProfile } from '../ports.ts';
import { findSnapshot, mergeSnapshot, type Snapshot } from '../profiling/snapshot-repository.ts';
import type { ConnectionRow } from './connection-repository.ts';
import { type ConnectionDeps, catalogSubject, getConnection, openConnection } from './connections.ts';

const MAX_VALUES = 20;

/** A column with the schema of its table and the time of its profile. */
export interface StoredProfile extends ColumnProfile {
  schema: string | null;
  takenAt: string;
}

export async function profileConnection(
  deps: ConnectionDeps,
  orgId: string,
  idOrName: string,
  options: { tables: string[] | null; sampleRows: number; signal?: AbortSignal },
  report: (progress: { done: number; total: number }) => void = () => undefined,
): Promise<{ tables: number; columns: number; faults: { table: string; message: string }[] }> {
  const { row, warehouse } = await openConnection(deps, orgId, idOrName);
  const all = await warehouse.catalog({ ...(options.signal && { signal: options.signal }) });
  const tables = pickTables(all, options.tables);
  const faults: { table: string; message: string }[] = [];
  let done = 0;
  const profiles = await inParallel(tables, 2, async ({ catalog, schema, table, columns }) => {
    options.signal?.throwIfAborted();
    const profile = await warehouse
      .profile(
        { catalog, schema, table },
        columns.map(({ name }) => name),
        { maxValues: MAX_VALUES, sampleRows: options.sampleRows, ...(options.signal && { signal: options.signal }) },
      )
      .catch((fault: unknown) => {
        if (!(fault instanceof Problem) || fault.code !== 'upstream' || options.signal?.aborted) throw fault;
        faults.push({ table: tableName({ schema, table }), message: fault.message });
        return [];
      });
    report({ done: ++done, total: tables.length });
    return profile.map((column) => ({ ...column, schema }));
  });
  const profiled = profiles.flat();
  const profiledTables = new Set(tables.map(tableName));
  const there = new Set(all.map(tableName));
  await mergeSnapshot<StoredProfile[]>(deps, orgId, catalogSubject(row), 'profile', (before, now) => {
    // Old profiles don't have the schema of a column.
    const unchanged = (before ?? []).filter(
      (item) => 'schema' in item && there.has(tableName(item)) && !profiledTables.has(tableName(item)),
    );
    const found = profiled.map((item): StoredProfile => ({ ...item, takenAt: now.toISOString() }));
    return [...unchanged, ...found].sort((a, b) =>
      tableName(a) < tableName(b) ? -1 : tableName(a) > tableName(b) ? 1 : 0,
    );
  });
  return { tables: tables.length - faults.length, columns: profiled.length, faults };
}
const tableName = ({ schema, table }: { schema: string | null; table: string }): string =>
  schema === null ? table : `${schema}.${table}`;

function pickTables(all: CatalogTable[], requestedNames: string[] | null): CatalogTable[] {
  if (requestedNames === null) return all;
  const is = (name: string) => (one: CatalogTable) => name === one.table || name === tableName(one);
  const tableNames = all.map(tableName);
  const unknown = requestedNames.filter((name) => !all.some(is(name)));
  if (unknown.length > 0)
    throw new Problem('invalid', unknown.map((name) => unknownName('table', name, tableNames)).join(' '), {
      param: 'tables',
    });
  return all.filter((item) => requestedNames.some((name) => is(name)(item)));
}

export async function readProfile(
  deps: ConnectionDeps,
  orgId: string,
  idOrName: string,
): Promise<{ row: ConnectionRow; taken: Snapshot<StoredProfile[]> | null }> {
  const row = await getConnection(deps, orgId, idOrName);
  return { row, taken: await findSnapshot<StoredProfile[]>(deps, orgId, catalogSubject(row), 'profile') };
}
