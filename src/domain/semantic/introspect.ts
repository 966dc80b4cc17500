// From a connection to a drafted lens: catalog, a bounded look at the values of likely categories, then the draft.

import { snake } from '../../lens/name-words.ts';
import { inParallel } from '../../platform/in-parallel.ts';
import { Problem } from '../../platform/problem.ts';
import { type ConnectionDeps, openConnection } from '../connections/connections.ts';
import type { CatalogTable, ColumnProfile, Warehouse } from '../ports.ts';
import { stoppable } from '../stoppable.ts';
import { draftLens } from './draft-lens.ts';
import { withFoundKeys } from './find-keys.ts';

export interface Introspection {
  connection: string;
  lens: string;
  files: Record<string, string>;
  tables: number;
  /** Columns that the draft leaves out, and why. */
  leftOut: string[];
  /** Fields about persons that it shows. */
  personal: string[];
  sampleQuestions: string[];
}
const SYSTEM = /^(pg_|information_schema$|svc$)/;
const MAX_TABLES = 500;
const PROFILE_BUDGET_MS = 20_000; // names alone decide about what is left
const SAMPLE = { maxValues: 200, sampleRows: 10_000 };

export async function introspect(
  deps: ConnectionDeps,
  orgId: string,
  asked: { connection: string; lens?: string | undefined; tables?: string[] | undefined; profile: boolean },
  report: (progress: { step: string; done: number; total: number }) => void = () => undefined,
  cancelled?: AbortSignal,
): Promise<Introspection> {
  const { row, warehouse: opened } = await openConnection(deps, orgId, asked.connection);
  const warehouse = stoppable(opened, cancelled);
  report({ step: 'catalog', done: 0, total: 1 });
  const all = (await warehouse.catalog()).filter(({ schema }) => !SYSTEM.test(schema ?? ''));
  const named = all
    .filter(
      ({ schema, table }) => !asked.tables || asked.tables.some((one) => one === table || one === `${schema}.${table}`),
    )
    .slice(0, MAX_TABLES);
  if (named.length === 0)
    throw new Problem(
      'invalid',
      all.length === 0
        ? 'The connection has no table that its user may read.'
        : `None of these tables exist. The connection has ${all
            .slice(0, 12)
            .map(({ table }) => table)
            .join(', ')}.`,
    );
  const late = AbortSignal.timeout(PROFILE_BUDGET_MS);
  const signal = cancelled ? AbortSignal.any([late, cancelled]) : late;
  const tables = asked.profile ? await withFoundKeys(warehouse, named, signal) : named;
  cancelled?.throwIfAborted();
  const profiles = asked.profile ? await lookAtValues(warehouse, tables, signal, report) : [];
  cancelled?.throwIfAborted();
  const lens = asked.lens ?? (snake(row.name).replace(/^_+/, '') || 'draft');
  const draft = draftLens({ name: lens, connection: row.name, dialect: warehouse.dialect, tables, profiles });
  return {
    connection: row.name,
    lens,
    files: { [`lenses/${lens}/lens.yaml`]: draft.text },
    tables: tables.length,
    leftOut: draft.leftOut,
    personal: draft.personal,
    sampleQuestions: draft.sampleQuestions,
  };
}

async function lookAtValues(
  warehouse: Warehouse,
  tables: CatalogTable[],
  signal: AbortSignal,
  report: (progress: { step: string; done: number; total: number }) => void,
): Promise<ColumnProfile[]> {
  let done = 0;
  const found = await inParallel(tables, 3, async ({ schema, table, columns }) => {
    const texts = columns.filter(({ datatype }) => datatype === 'string').map(({ name }) => name);
    const profile =
      signal.aborted || texts.length === 0
        ? []
        : await warehouse.profile({ schema, table }, texts, { ...SAMPLE, signal }).catch(() => []);
    report({ step: 'values', done: ++done, total: tables.length });
    return profile;
  });
  return found.flat();
}
