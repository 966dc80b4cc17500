import { toSnakeCase } from '../../lens/model/name-words.ts';
import { Problem } from '../../platform/problem.ts';
import { mapInParallel } from '../../platform/schedule/in-parallel.ts';
import { runInTurns } from '../../platform/schedule/in-turns.ts';
import type { Actor } from '../audit/audit-log.ts';
import { type ConnectionDeps, getConnection } from '../connections/connections.ts';
import { createLens } from '../lenses/lenses.ts';
import type { CatalogTable, Warehouse } from '../ports.ts';
import type { RunContext, Runs } from '../runs/runs.ts';
import { type NamedTable, readSchemaInSteps } from './columns/schema-words.ts';
import { draftInWorker } from './draft/draft-in-worker.ts';
import type { LensDraft } from './draft/draft-lens.ts';
import { addFoundKeys } from './joins/find-keys.ts';
import { type ProvenJoins, proveJoins } from './joins/prove-joins.ts';

interface DraftResult extends Omit<LensDraft, 'text'> {
  connection: string;
  lens: string;
  files: Record<string, string>;
  tables: number;
}
const SYSTEM_SCHEMA_PATTERN = /^(pg_|information_schema$|svc$)/;
const MAX_DRAFTED_TABLES = 500;
const PROFILE_BUDGET_MS = 20_000; // after this time, svc decides by names alone
const PROOF_BUDGET_MS = 30_000; // after this time, svc runs no more queries to prove joins and keys
const STATEMENT_TIMEOUT_MS = 5_000;
const SAMPLED_DATATYPES = new Set(['string', 'integer', 'date', 'datetime', 'datetimetz']);
const SAMPLE_LIMITS = { maxValues: 200, sampleRows: 10_000 };

interface DraftRequest {
  connection: string;
  /** The default is the name of the connection. */
  name?: string | undefined;
  tables?: string[] | undefined;
  profile: boolean;
}
type ProgressReporter = RunContext['report'];

/** `save` also stores the result as the first draft of a lens. */
export async function startDraft(
  deps: ConnectionDeps & Parameters<typeof createLens>[0] & { runs: Runs },
  actor: Actor,
  { save, ...request }: DraftRequest & { save: boolean },
): Promise<string> {
  const { name: connection } = await getConnection(deps, actor.orgId, request.connection);
  const run = { kind: 'semantic.introspect', about: { kind: 'connection', id: request.connection } };
  return deps.runs.start(actor, run, async ({ report, signal }) => {
    const warehouse = await deps.warehouses.get(actor.orgId, connection);
    const draft = await draftFromWarehouse(warehouse, actor.orgId, { ...request, connection }, report, signal);
    const text = draft.files[`lenses/${draft.lens}/lens.yaml`]!;
    const savedLens = save ? await createLens(deps, actor, { name: draft.lens, files: { 'lens.yaml': text } }) : null;
    return { ...draft, draft_id: savedLens?.id ?? null };
  });
}

export async function draftFromWarehouse(
  warehouse: Warehouse,
  orgId: string,
  request: DraftRequest,
  report: ProgressReporter = () => undefined,
  signal: AbortSignal = new AbortController().signal,
): Promise<DraftResult> {
  report({ step: 'catalog', done: 0, total: 1 });
  const selectedTables = selectTables(await warehouse.catalog({ signal }), request.tables);
  const tables = await runInTurns(readSchemaInSteps(selectedTables));
  const limitTime = (ms: number): AbortSignal => AbortSignal.any([AbortSignal.timeout(ms), signal]);
  if (request.profile) await addProfiles(warehouse, tables, limitTime(PROFILE_BUDGET_MS), report);
  signal.throwIfAborted();
  const proven = request.profile
    ? await proveKeysAndJoins(warehouse, tables, limitTime(PROOF_BUDGET_MS), report)
    : undefined;
  signal.throwIfAborted();
  const { connection } = request;
  const lens = request.name ?? (toSnakeCase(connection).replace(/^_+/, '') || 'draft');
  const { dialect } = warehouse;
  const { text, ...draft } = await draftInWorker(orgId, { name: lens, connection, dialect, tables, proven });
  return { connection, lens, files: { [`lenses/${lens}/lens.yaml`]: text }, tables: tables.length, ...draft };
}

function selectTables(catalog: readonly CatalogTable[], names: string[] | undefined): CatalogTable[] {
  const allTables = catalog.filter(({ schema }) => !SYSTEM_SCHEMA_PATTERN.test(schema ?? ''));
  const selectedTables = allTables
    .filter(({ schema, table }) => !names || names.some((item) => item === table || item === `${schema}.${table}`))
    .slice(0, MAX_DRAFTED_TABLES);
  if (selectedTables.length > 0) return selectedTables;
  const firstNames = allTables.slice(0, 12).map(({ table }) => table);
  throw new Problem(
    'invalid',
    allTables.length === 0
      ? 'The connection shows no tables. Check the database and schema names, and that its login has SELECT on the tables.'
      : `None of these tables exist. The connection has ${firstNames.join(', ')}.`,
  );
}

/** Finds keys first, because a join refers to a key. */
async function proveKeysAndJoins(
  warehouse: Warehouse,
  tables: NamedTable[],
  signal: AbortSignal,
  report: ProgressReporter,
): Promise<ProvenJoins> {
  const queryContext = { warehouse, timeoutMs: STATEMENT_TIMEOUT_MS, signal };
  await addFoundKeys(queryContext, tables);
  return proveJoins(tables, queryContext, (done, total) => report({ step: 'joins', done, total }));
}

export async function addProfiles(
  warehouse: Warehouse,
  tables: NamedTable[],
  signal: AbortSignal,
  report: ProgressReporter,
): Promise<void> {
  let doneCount = 0;
  await mapInParallel(tables, 3, async ({ catalog, schema, table, columns }) => {
    const sampledColumns = columns
      .filter(({ datatype }) => datatype !== null && SAMPLED_DATATYPES.has(datatype))
      .map(({ name }) => name);
    const profiles =
      signal.aborted || sampledColumns.length === 0
        ? []
        : await warehouse
            .profile({ catalog, schema, table }, sampledColumns, { ...SAMPLE_LIMITS, signal })
            .catch(() => []);
    const profileOf = new Map(profiles.map((profile) => [profile.column, profile]));
    for (const column of columns) column.profile = profileOf.get(column.name);
    report({ step: 'values', done: ++doneCount, total: tables.length });
  });
}
