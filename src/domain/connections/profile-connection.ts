// Column statistics of a connection's tables, sampled, a few tables at once.
import { unknownName } from '../../lens/project-problem.ts';
import { inParallel } from '../../platform/in-parallel.ts';
import { Problem } from '../../platform/problem.ts';
import type { CatalogTable, ColumnProfile } from '../ports.ts';
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
  const tables = pick(await warehouse.catalog(), options.tables);
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

function pick(all: CatalogTable[], wanted: string[] | null): CatalogTable[] {
  if (wanted === null) return all;
  const is = (name: string) => (one: CatalogTable) => name === one.table || name === `${one.schema}.${one.table}`;
  const known = all.map(({ schema, table }) => (schema === null ? table : `${schema}.${table}`));
  const unknown = wanted.filter((name) => !all.some(is(name)));
  if (unknown.length > 0)
    throw new Problem('invalid', unknown.map((name) => unknownName('table', name, known)).join(' '), {
      param: 'tables',
    });
  return all.filter((one) => wanted.some((name) => is(name)(one)));
}

export async function readProfile(
  deps: ConnectionDeps,
  orgId: string,
  idOrName: string,
): Promise<{ row: ConnectionRow; taken: Snapshot<ColumnProfile[]> | null }> {
  const row = await getConnection(deps, orgId, idOrName);
  return { row, taken: await findSnapshot<ColumnProfile[]>(deps, orgId, catalogSubject(row), 'profile') };
}
