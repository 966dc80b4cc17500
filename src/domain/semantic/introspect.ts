// Drafts a lens from a connection: reads the catalog, samples values within limits, and writes the draft.

import { toSnakeCase } from '../../lens/model/name-words.ts';
import { Problem } from '../../platform/problem.ts';
import { mapInParallel } from '../../platform/schedule/in-parallel.ts';
import { runInTurns } from '../../platform/schedule/in-turns.ts';
import { withAbortSignal } from '../abortable.ts';
import { type ConnectionDeps, openConnection } from '../connections/connections.ts';
import type { CatalogTable, ColumnProfile, Warehouse } from '../ports.ts';
import type { QueryContext } from '../profiling/weigh-join.ts';
import { findCodeMeanings } from './code-tables/find-code-meanings.ts';
import { readSchemaInSteps, type SchemaWords } from './columns/schema-words.ts';
import type { DraftFinding } from './draft/draft-finding.ts';
import { draftInWorker } from './draft/draft-in-worker.ts';
import type { DraftOptions, LensDraft } from './draft/draft-lens.ts';
import { addFoundKeys } from './joins/find-keys.ts';
import { proveJoins } from './joins/prove-joins.ts';
import { findUnmatchedReferences } from './joins/unmatched-references.ts';

export interface Introspection {
  connection: string;
  lens: string;
  files: Record<string, string>;
  tables: number;
  /** Omitted columns, each with the reason. */
  leftOut: string[];
  /** Visible fields with personal data. */
  personal: string[];
  sampleQuestions: string[];
  joins: LensDraft['joins'];
  findings: DraftFinding[];
}
const SYSTEM_SCHEMA = /^(pg_|information_schema$|svc$)/;
const MAX_TABLES = 500;
const PROFILE_BUDGET_MS = 20_000; // after this time, svc decides by names alone
const PROOF_BUDGET_MS = 30_000; // after this time, svc runs no more queries to prove joins and keys
const STATEMENT_TIMEOUT_MS = 5_000;
const SAMPLED_DATATYPES = new Set(['string', 'integer', 'date', 'datetime', 'datetimetz']);
const SAMPLE_LIMITS = { maxValues: 200, sampleRows: 10_000 };

interface IntrospectRequest {
  connection: string;
  lens?: string | undefined;
  tables?: string[] | undefined;
  profile: boolean;
}
type ReportProgress = (progress: { step: string; done: number; total: number }) => void;

export async function introspect(
  deps: ConnectionDeps,
  orgId: string,
  request: IntrospectRequest,
  report: ReportProgress = () => undefined,
  signal?: AbortSignal,
): Promise<Introspection> {
  const { row, warehouse } = await openConnection(deps, orgId, request.connection);
  return draftFromWarehouse(warehouse, orgId, { ...request, connection: row.name }, report, signal);
}

export async function draftFromWarehouse(
  openedWarehouse: Warehouse,
  orgId: string,
  request: IntrospectRequest,
  report: ReportProgress = () => undefined,
  signal?: AbortSignal,
): Promise<Introspection> {
  const warehouse = withAbortSignal(openedWarehouse, signal);
  report({ step: 'catalog', done: 0, total: 1 });
  const allTables = (await warehouse.catalog()).filter(({ schema }) => !SYSTEM_SCHEMA.test(schema ?? ''));
  const selectedTables = allTables
    .filter(
      ({ schema, table }) =>
        !request.tables || request.tables.some((item) => item === table || item === `${schema}.${table}`),
    )
    .slice(0, MAX_TABLES);
  if (selectedTables.length === 0)
    throw new Problem(
      'invalid',
      allTables.length === 0
        ? 'The connection shows no tables. Check the database and schema names, and that its login has SELECT on the tables.'
        : `None of these tables exist. The connection has ${allTables
            .slice(0, 12)
            .map(({ table }) => table)
            .join(', ')}.`,
    );
  const words = await runInTurns(readSchemaInSteps(selectedTables));
  const createTimeoutSignal = (ms: number): AbortSignal => {
    const timeoutSignal = AbortSignal.timeout(ms);
    return signal ? AbortSignal.any([timeoutSignal, signal]) : timeoutSignal;
  };
  const profiles = request.profile
    ? await profileTables(warehouse, selectedTables, createTimeoutSignal(PROFILE_BUDGET_MS), report)
    : [];
  signal?.throwIfAborted();
  const provenStructure = request.profile
    ? await proveKeysAndJoins(
        warehouse,
        { namedTables: selectedTables, words, profiles },
        createTimeoutSignal(PROOF_BUDGET_MS),
        report,
      )
    : null;
  signal?.throwIfAborted();
  const lens = request.lens ?? (toSnakeCase(request.connection).replace(/^_+/, '') || 'draft');
  const { text, ...draft } = await draftInWorker(orgId, {
    ...{
      name: lens,
      connection: request.connection,
      dialect: warehouse.dialect,
      tables: selectedTables,
      words,
      profiles,
      ...provenStructure,
    },
  });
  return {
    ...{
      connection: request.connection,
      lens,
      files: { [`lenses/${lens}/lens.yaml`]: text },
      tables: selectedTables.length,
    },
    ...draft,
  };
}

/**
 * Finds keys first, because a join refers to a key. If a table declares no key, the draft uses the key that svc found.
 */
async function proveKeysAndJoins(
  warehouse: Warehouse,
  { namedTables, words, profiles }: { namedTables: CatalogTable[]; words: SchemaWords; profiles: ColumnProfile[] },
  signal: AbortSignal,
  report: ReportProgress,
): Promise<Pick<DraftOptions, 'tables' | 'words' | 'proven' | 'foundKeys' | 'codeMeanings'>> {
  const queryContext: QueryContext = { warehouse, mode: 'verify', timeoutMs: STATEMENT_TIMEOUT_MS, signal };
  const profilesByColumn = new Map(profiles.map((profile) => [`${profile.table}.${profile.column}`, profile]));
  const profileOf = ({ table }: CatalogTable, column: string) => profilesByColumn.get(`${table}.${column}`);
  const { tables, foundKeys } = await addFoundKeys(queryContext, namedTables, words, profileOf);
  const keyedByTable = new Map(namedTables.map((table, index) => [table, tables[index]!]));
  const tableWords: SchemaWords = new Map(
    [...words].map(([table, wordsOfTable]) => [keyedByTable.get(table)!, wordsOfTable]),
  );
  const provenJoins = await proveJoins(tables, tableWords, queryContext, profileOf, (done, total) =>
    report({ step: 'joins', done, total }),
  );
  const codeMeanings = await findCodeMeanings({ tables, words: tableWords, profileOf, ...provenJoins }, queryContext);
  const hints = await findUnmatchedReferences({ tables, words: tableWords, ...provenJoins, queryContext });
  return {
    ...{ tables, words: tableWords, proven: { ...provenJoins, undecided: [...provenJoins.undecided, ...hints] } },
    foundKeys: foundKeys.map((item) => ({ ...item, table: keyedByTable.get(item.table)! })),
    codeMeanings,
  };
}

async function profileTables(
  warehouse: Warehouse,
  tables: CatalogTable[],
  signal: AbortSignal,
  report: ReportProgress,
): Promise<ColumnProfile[]> {
  let doneCount = 0;
  const tableProfiles = await mapInParallel(tables, 3, async ({ catalog, schema, table, columns }) => {
    const sampledColumns = columns
      .filter(({ datatype }) => datatype !== null && SAMPLED_DATATYPES.has(datatype))
      .map(({ name }) => name);
    const profile =
      signal.aborted || sampledColumns.length === 0
        ? []
        : await warehouse
            .profile({ catalog, schema, table }, sampledColumns, { ...SAMPLE_LIMITS, signal })
            .catch(() => []);
    report({ step: 'values', done: ++doneCount, total: tables.length });
    return profile;
  });
  return tableProfiles.flat();
}
