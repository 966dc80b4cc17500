// The BigQuery warehouse. A dry run checks that each statement is a SELECT within the byte limit. Each statement then
// runs as its own job with limits on rows, bytes and time, which svc cancels if it stops waiting.
import { readCapped } from '../../../adapters/warehouse/capped-rows.ts';
import { rejectOnAbort, startDeadline } from '../../../adapters/warehouse/deadline.ts';
import { cancelledByClient, refusedByEngine, unreachable } from '../../../adapters/warehouse/faults.ts';
import { type ProfileWords, profileFirstRows } from '../../../adapters/warehouse/profile-first-rows.ts';
import { testConnection } from '../../../adapters/warehouse/test-connection.ts';
import type { Cell, Fetched, FetchOptions, Warehouse } from '../../../domain/ports.ts';
import { BIGQUERY_GRAMMAR } from '../dialect/grammar.ts';
import { readBigqueryCatalog, tableMetadata, visibleDatasets } from './catalog.ts';
import { cellOf, datatypeOf, type Field } from './cells.ts';
import { bigqueryFault } from './faults.ts';
import { BigqueryJobs, type Bound, type Limits, type ResultPage } from './jobs.ts';
import { bindBigquery } from './parameters.ts';
import { type BigqueryOptions, connectBigquery } from './protocol.ts';

const INTERNAL_LIMITS = { timeoutMs: 60_000 };
const INTERNAL_CAPS = { maxRows: 1_000_000, maxBytes: 268_435_456 };
export async function openBigqueryWarehouse(options: BigqueryOptions): Promise<Warehouse> {
  const call = await connectBigquery(options);
  const { project } = options;
  const jobs = new BigqueryJobs(call, options);
  let closed = false;

  async function bounded<T>(limits: Limits, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (closed) throw unreachable('the warehouse is closed');
    if (limits.signal?.aborted) throw cancelledByClient();
    const abort = new AbortController();
    const deadline = startDeadline(limits, () => abort.abort());
    try {
      const found = await work(abort.signal);
      const stop = deadline.stopped();
      if (stop) throw stop;
      return found;
    } catch (error) {
      throw deadline.stopped() ?? bigqueryFault(error, limits.timeoutMs);
    } finally {
      deadline.end();
    }
  }
  const run = (bound: Bound, limits: Limits): Promise<Fetched> =>
    bounded(limits, (signal) => readRows(jobs.pages(bound, limits, signal), limits));
  const internalLimits = (signal?: AbortSignal): Limits => ({
    ...INTERNAL_LIMITS,
    ...INTERNAL_CAPS,
    ...(signal && { signal }),
  });
  const upkeep = <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
    bounded(internalLimits(signal), async (hungUp) => {
      const abort = rejectOnAbort(hungUp);
      return Promise.race([work(), abort.promise]).finally(abort.end);
    });

  return {
    dialect: 'bigquery',
    fetch: async ({ runs, parameters }, fetching) =>
      run(bindBigquery(runs, parameters, fetching.parameters ?? []), fetching),
    describe: async ({ runs, parameters }, limits) => {
      const bound = bindBigquery(runs, parameters, limits.parameters ?? []);
      const { columns } = await bounded({ ...limits, ...INTERNAL_CAPS }, () => jobs.tried(bound));
      return columns.map(columnOf);
    },
    // `cost` is the number of bytes to read. BigQuery can't estimate rows.
    estimate: async ({ runs, parameters }) => {
      const { bytes } = await upkeep(() => jobs.tried(bindBigquery(runs, parameters)));
      return { rows: null, cost: bytes };
    },
    catalog: ({ signal, onProgress } = {}) =>
      upkeep(
        () => readBigqueryCatalog(call, options, { ...(signal && { signal }), ...(onProgress && { onProgress }) }),
        signal,
      ),
    profile: async (table, columns, limits) => {
      if (columns.length === 0) return [];
      const { catalog, schema } = table;
      const metadata = await upkeep(
        () => tableMetadata(call, catalog ?? project, schema ?? options.dataset ?? '', table.table),
        limits.signal,
      );
      // A LIMIT doesn't reduce the rows that BigQuery reads, so svc samples.
      const share = (100 * SAMPLE_MARGIN * limits.sampleRows) / Math.max(1, Number(metadata.numRows ?? 0));
      const sampled = metadata.type === 'TABLE' && share < 100;
      const sample = sampled ? ` tablesample system (${Math.max(1, Math.ceil(share))} percent)` : '';
      const rowsOf = async (sql: string) => (await run({ query: sql }, internalLimits(limits.signal))).rows;
      const found = await profileFirstRows(PROFILED, rowsOf, { ...table, sample }, columns, limits);
      return sampled ? found.map((item) => ({ ...item, distinct: null, sampled })) : found;
    },
    test: () =>
      testConnection(async () => {
        // The first call checks that the login can create jobs, and the second that the dataset exists.
        await upkeep(() => jobs.tried({ query: 'select 1' }));
        const [first] = await upkeep(() => visibleDatasets(call, options));
        if (first) await upkeep(() => call('GET', `${first.project}/datasets/${first.dataset}`));
        return { serverVersion: 'BigQuery' };
      }),
    async close() {
      closed = true;
    },
  };
}

/** Samples more rows than necessary, because BigQuery samples blocks of different sizes. */
const SAMPLE_MARGIN = 1.5;

const PROFILED: ProfileWords = {
  quote: BIGQUERY_GRAMMAR.quoteName,
  distinct: (column) => `count(distinct ${column})`,
  text: (value) => `cast(${value} as string)`,
  first: (text, signs) => `substr(${text}, 1, ${signs})`,
};

const columnOf = (field: Field) => ({ name: field.name, datatype: datatypeOf(field) ?? ('string' as const) });

async function readRows(
  pages: AsyncIterable<ResultPage>,
  caps: Pick<FetchOptions, 'maxRows' | 'maxBytes' | 'beforeLarge'>,
): Promise<Fetched> {
  let fields: Field[] = [];
  async function* batches(): AsyncGenerator<Cell[][]> {
    for await (const { schema, rows = [] } of pages) {
      if (fields.length === 0) fields = schema?.fields ?? [];
      yield rows.map(({ f }) => {
        if (f.length !== fields.length) throw refusedByEngine('a row of another length');
        return f.map(({ v }, index) => cellOf(v, fields[index]!));
      });
    }
  }
  const read = await readCapped(batches(), caps);
  if (fields.length === 0) throw refusedByEngine('the statement returns no rows');
  return { columns: fields.map(columnOf), ...read };
}
