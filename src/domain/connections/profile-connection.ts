// Column statistics of a connection's tables, sampled, a few tables at once.
import { inParallel } from '../../platform/in-parallel.ts';
import type { ColumnProfile } from '../ports.ts';
import { findSnapshot, type Snapshot, saveSnapshot } from '../snapshots/snapshot-repository.ts';
import type { ConnectionRow } from './connection-repository.ts';
import { type ConnectionDeps, catalogSubject, getConnection, openConnection } from './connections.ts';

const MAX_VALUES = 20;

export async function profileConnection(
  deps: ConnectionDeps,
  orgId: string,
  idOrName: string,
  options: { tables: string[] | null; sampleRows: number; signal?: AbortSignal },
  report: (progress: { done: number; total: number }) => void = () => undefined,
): Promise<{ tables: number; columns: number }> {
  const { row, warehouse } = await openConnection(deps, orgId, idOrName);
  const named = (schema: string | null, table: string) =>
    options.tables === null || options.tables.some((one) => one === table || one === `${schema}.${table}`);
  const tables = (await warehouse.catalog()).filter(({ schema, table }) => named(schema, table));
  let done = 0;
  const profiles = await inParallel(tables, 2, async ({ schema, table, columns }) => {
    options.signal?.throwIfAborted();
    const profile = await warehouse.profile(
      { schema, table },
      columns.map(({ name }) => name),
      { maxValues: MAX_VALUES, sampleRows: options.sampleRows, ...(options.signal && { signal: options.signal }) },
    );
    report({ done: ++done, total: tables.length });
    return profile;
  });
  const { body } = await saveSnapshot(deps, orgId, catalogSubject(row), 'profile', profiles.flat());
  return { tables: tables.length, columns: body.length };
}

export async function readProfile(
  deps: ConnectionDeps,
  orgId: string,
  idOrName: string,
): Promise<{ row: ConnectionRow; taken: Snapshot<ColumnProfile[]> | null }> {
  const row = await getConnection(deps, orgId, idOrName);
  return { row, taken: await findSnapshot<ColumnProfile[]>(deps, orgId, catalogSubject(row), 'profile') };
}
