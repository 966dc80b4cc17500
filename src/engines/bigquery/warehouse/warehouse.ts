// Runs statements on BigQuery. Before each statement runs as a job, a dry run checks that it is a SELECT within the
// byte limit.
import { readCappedResult } from '../../../adapters/warehouse/capped-rows.ts';
import { raceWithAbort } from '../../../adapters/warehouse/deadline.ts';
import { type ProfileSyntax, profileFirstRows } from '../../../adapters/warehouse/profile-first-rows.ts';
import {
  createInternalLimits,
  type StatementLimits,
  StatementRunner,
} from '../../../adapters/warehouse/statement-runner.ts';
import { testConnection } from '../../../adapters/warehouse/test-connection.ts';
import type { FetchResult, Warehouse } from '../../../domain/ports.ts';
import { BIGQUERY_GRAMMAR } from '../dialect/grammar.ts';
import { fetchTableMetadata, fetchVisibleDatasets, readBigqueryCatalog } from './catalog.ts';
import { type BigqueryField, toCell, toDatatype } from './cells.ts';
import { toBigqueryFault } from './faults.ts';
import { BigqueryJobs, type BoundStatement, type ResultPage } from './jobs.ts';
import { bindBigquery } from './parameters.ts';
import { type BigqueryOptions, connectBigquery } from './protocol.ts';

const INTERNAL_TIMEOUT_MS = 60_000;

export async function openBigqueryWarehouse(options: BigqueryOptions): Promise<Warehouse> {
  const call = await connectBigquery(options);
  const { project } = options;
  const jobs = new BigqueryJobs(call, options);
  const runner = new StatementRunner(toBigqueryFault);

  const run = (statement: BoundStatement, limits: StatementLimits): Promise<FetchResult> =>
    runner.run(limits, (signal) =>
      readCappedResult(readPages(jobs.fetchPages(statement, limits, signal)), limits, toCell, toWarehouseColumn),
    );
  const runInternal = <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
    runner.run(createInternalLimits(INTERNAL_TIMEOUT_MS, signal), (stopSignal) => raceWithAbort(work(), stopSignal));

  return {
    dialect: 'bigquery',
    fetch: async ({ runs, parameters }, fetchOptions) =>
      run(bindBigquery(runs, parameters, fetchOptions.parameters ?? []), fetchOptions),
    describe: async ({ runs, parameters }, limits) => {
      const statement = bindBigquery(runs, parameters, limits.parameters ?? []);
      const { columns } = await runner.run(limits, () => jobs.dryRun(statement));
      return columns.map(toWarehouseColumn);
    },
    // BigQuery can't estimate rows, so `cost` is the number of bytes that the statement reads.
    estimate: async ({ runs, parameters }) => {
      const { bytes } = await runInternal(() => jobs.dryRun(bindBigquery(runs, parameters)));
      return { rows: null, cost: bytes };
    },
    catalog: ({ signal, onProgress } = {}) =>
      runInternal(
        () => readBigqueryCatalog(call, options, { ...(signal && { signal }), ...(onProgress && { onProgress }) }),
        signal,
      ),
    profile: async (table, columns, limits) => {
      if (columns.length === 0) return [];
      const { catalog, schema } = table;
      const metadata = await runInternal(
        () => fetchTableMetadata(call, catalog ?? project, schema ?? options.dataset ?? '', table.table),
        limits.signal,
      );
      // svc uses TABLESAMPLE, because a LIMIT doesn't reduce the rows that BigQuery reads.
      const share = (100 * SAMPLE_SIZE_FACTOR * limits.sampleRows) / Math.max(1, Number(metadata.numRows ?? 0));
      const isSampled = metadata.type === 'TABLE' && share < 100;
      const sample = isSampled ? ` tablesample system (${Math.max(1, Math.ceil(share))} percent)` : '';
      const fetchRows = async (sql: string) =>
        (await run({ query: sql }, createInternalLimits(INTERNAL_TIMEOUT_MS, limits.signal))).rows;
      const profiles = await profileFirstRows(PROFILE_SYNTAX, fetchRows, { ...table, sample }, columns, limits);
      return isSampled ? profiles.map((item) => ({ ...item, distinct: null, sampled: isSampled })) : profiles;
    },
    test: () =>
      testConnection(async () => {
        // The first call checks that the login can create jobs, and the second call checks that the dataset exists.
        await runInternal(() => jobs.dryRun({ query: 'select 1' }));
        const [firstDataset] = await runInternal(() => fetchVisibleDatasets(call, options));
        if (firstDataset)
          await runInternal(() => call('GET', `${firstDataset.project}/datasets/${firstDataset.dataset}`));
        return { serverVersion: 'BigQuery' };
      }),
    async close() {
      runner.close();
    },
  };
}

/** BigQuery samples whole blocks, which differ in size, so svc asks for more rows than it needs. */
const SAMPLE_SIZE_FACTOR = 1.5;

const PROFILE_SYNTAX: ProfileSyntax = {
  quote: BIGQUERY_GRAMMAR.quoteName,
  castToText: (value) => `cast(${value} as string)`,
  firstCharacters: (text, count) => `substr(${text}, 1, ${count})`,
};

const toWarehouseColumn = (field: BigqueryField) => ({
  name: field.name,
  datatype: toDatatype(field) ?? ('string' as const),
});

async function* readPages(pages: AsyncIterable<ResultPage>) {
  for await (const { schema, rows = [] } of pages)
    yield { columns: schema?.fields, rows: rows.map(({ f }) => f.map(({ v }) => v)) };
}
