// Collects column statistics from samples, a few tables at a time. Keeps the stored statistics of other tables.
import { createUnknownNameMessage } from '../../platform/closest-names.ts';
import { Problem } from '../../platform/problem.ts';
import { mapInParallel } from '../../platform/schedule/in-parallel.ts';
import type { CatalogTable, ColumnProfile } from '../ports.ts';
import { findSnapshot, mergeSnapshot, type StoredSnapshot } from '../profiling/snapshot-repository.ts';
import type { ConnectionRow } from './connection-repository.ts';
import { type ConnectionDeps, getConnection, openConnection, toCatalogSubject } from './connections.ts';

const MAX_LISTED_VALUES = 20;

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
  const catalogTables = await warehouse.catalog({ ...(options.signal && { signal: options.signal }) });
  const tables = selectTables(catalogTables, options.tables);
  const faults: { table: string; message: string }[] = [];
  let doneCount = 0;
  const profiles = await mapInParallel(tables, 2, async ({ catalog, schema, table, columns }) => {
    options.signal?.throwIfAborted();
    const profile = await warehouse
      .profile(
        { catalog, schema, table },
        columns.map(({ name }) => name),
        {
          maxValues: MAX_LISTED_VALUES,
          sampleRows: options.sampleRows,
          ...(options.signal && { signal: options.signal }),
        },
      )
      .catch((fault: unknown) => {
        if (!(fault instanceof Problem) || fault.code !== 'upstream' || options.signal?.aborted) throw fault;
        faults.push({ table: writeTableName({ schema, table }), message: fault.message });
        return [];
      });
    report({ done: ++doneCount, total: tables.length });
    return profile.map((column) => ({ ...column, schema }));
  });
  const columnProfiles = profiles.flat();
  const profiledTables = new Set(tables.map(writeTableName));
  const existingTables = new Set(catalogTables.map(writeTableName));
  await mergeSnapshot<StoredProfile[]>(deps, orgId, toCatalogSubject(row), 'profile', (previousProfiles, now) => {
    const keptProfiles = (previousProfiles ?? []).filter(
      (item) => existingTables.has(writeTableName(item)) && !profiledTables.has(writeTableName(item)),
    );
    const storedProfiles = columnProfiles.map((item): StoredProfile => ({ ...item, takenAt: now.toISOString() }));
    return [...keptProfiles, ...storedProfiles].sort((a, b) =>
      writeTableName(a) < writeTableName(b) ? -1 : writeTableName(a) > writeTableName(b) ? 1 : 0,
    );
  });
  return { tables: tables.length - faults.length, columns: columnProfiles.length, faults };
}
const writeTableName = ({ schema, table }: { schema: string | null; table: string }): string =>
  schema === null ? table : `${schema}.${table}`;

function selectTables(catalogTables: CatalogTable[], requestedNames: string[] | null): CatalogTable[] {
  if (requestedNames === null) return catalogTables;
  const isNamed = (name: string) => (table: CatalogTable) => name === table.table || name === writeTableName(table);
  const tableNames = catalogTables.map(writeTableName);
  const unknownNames = requestedNames.filter((name) => !catalogTables.some(isNamed(name)));
  if (unknownNames.length > 0)
    throw new Problem(
      'invalid',
      unknownNames.map((name) => createUnknownNameMessage('table', name, tableNames)).join(' '),
      {
        param: 'tables',
      },
    );
  return catalogTables.filter((item) => requestedNames.some((name) => isNamed(name)(item)));
}

export async function readProfile(
  deps: ConnectionDeps,
  orgId: string,
  idOrName: string,
): Promise<{ row: ConnectionRow; snapshot: StoredSnapshot<StoredProfile[]> | null }> {
  const row = await getConnection(deps, orgId, idOrName);
  return { row, snapshot: await findSnapshot<StoredProfile[]>(deps, orgId, toCatalogSubject(row), 'profile') };
}
