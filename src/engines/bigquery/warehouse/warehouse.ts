// BigQuery as a warehouse (SECURITY L4). A dry run first checks that each statement is a SELECT within the
// limit on bytes. The statement then runs as a separate job with limits on rows, bytes and time, and svc
// cancels the job when it stops waiting.
import { randomUUID } from 'node:crypto';
import { readCapped } from '../../../adapters/warehouse/capped-rows.ts';
import { aborted, startDeadline } from '../../../adapters/warehouse/deadline.ts';
import { cancelledByClient, refusedByEngine, unreachable } from '../../../adapters/warehouse/faults.ts';
import { type ProfileWords, profileFirstRows } from '../../../adapters/warehouse/profile-first-rows.ts';
import type { Cell, Fetched, FetchOptions, Warehouse } from '../../../domain/ports.ts';
import { connectionTestMessage } from '../../../domain/statement-fault.ts';
import { currentRequestId } from '../../../platform/http/current-request.ts';
import { BIGQUERY_GRAMMAR } from '../dialect/grammar.ts';
import { readBigqueryCatalog, tableMetadata, visibleDatasets } from './catalog.ts';
import { cellOf, datatypeOf, type Field } from './cells.ts';
import { bigqueryFault } from './faults.ts';
import { bindBigquery } from './parameters.ts';
import { BigqueryFault, type BigqueryOptions, type Call, connectBigquery, type Refusal } from './protocol.ts';

type Limits = Pick<FetchOptions, 'timeoutMs' | 'signal' | 'maxRows' | 'maxBytes' | 'beforeLarge'>;
type Bound = ReturnType<typeof bindBigquery>;
interface Job {
  jobReference?: { location?: string };
  statistics?: {
    totalBytesProcessed?: string;
    query?: { statementType?: string; totalBytesProcessed?: string; schema?: { fields?: Field[] } };
  };
}
interface ResultPage {
  jobComplete?: boolean;
  schema?: { fields?: Field[] };
  rows?: { f: { v: unknown }[] }[];
  pageToken?: string;
  errors?: Refusal[];
}

const INTERNAL = { timeoutMs: 60_000 };
const NO_CAPS = { maxRows: 1_000_000, maxBytes: 268_435_456 };
/** Networks cut requests that hang for longer, so svc polls again after this time. */
const POLL_MS = 10_000;
const PAGE_ROWS = 20_000;

export async function openBigqueryWarehouse(options: BigqueryOptions): Promise<Warehouse> {
  const call = await connectBigquery(options);
  const { project } = options;
  let closed = false;

  /** A free dry run: the columns and the number of bytes that the statement would read. */
  async function tried(bound: Bound): Promise<{ columns: Field[]; bytes: number | null }> {
    const configuration = { dryRun: true, labels: labels(), query: queryFor(options, bound) };
    const { statistics } = await call<Job>('POST', `${project}/jobs`, {
      body: { jobReference: { projectId: project, ...locationMember(options) }, configuration },
    });
    const query = statistics?.query;
    if (query?.statementType !== 'SELECT')
      throw refusedByEngine(`the statement is ${query?.statementType ?? 'unknown'}, not SELECT`);
    const processed = query.totalBytesProcessed ?? statistics?.totalBytesProcessed;
    const bytes = processed === undefined ? null : Number(processed);
    const most = options.max_bytes_billed;
    if (most !== undefined && bytes !== null && bytes > most)
      throw refusedByEngine(
        'a dry run',
        `it would read ${bytes} bytes, more than the connection allows`,
        'out_of_memory',
      );
    return { columns: query.schema?.fields ?? [], bytes };
  }

  async function* pages(bound: Bound, { timeoutMs, maxRows }: Limits, signal: AbortSignal): AsyncGenerator<ResultPage> {
    const gone = aborted(signal);
    const until = <T>(work: Promise<T>): Promise<T> => Promise.race([work, gone.promise]);
    let inserted: Promise<Job> | undefined;
    const jobId = `svc_${randomUUID().replaceAll('-', '')}`;
    let over = false;
    let query = {};
    try {
      await until(tried(bound));
      inserted = insert(call, options, jobId, {
        // svc's own timeout ends the job first. This one applies if svc is gone.
        jobTimeoutMs: String(timeoutMs + 1_000),
        labels: labels(),
        query: queryFor(options, bound),
      });
      inserted.catch(() => undefined);
      const { jobReference } = await until(inserted);
      query = { location: jobReference?.location ?? options.location };
      let pageToken: string | undefined;
      do {
        const page: ResultPage = await until(
          call('GET', `${project}/queries/${jobId}`, {
            query: {
              ...query,
              pageToken,
              maxResults: String(Math.min(maxRows + 1, PAGE_ROWS)),
              timeoutMs: String(Math.min(POLL_MS, timeoutMs)),
              'formatOptions.useInt64Timestamp': 'true',
            },
          }),
        );
        if (!page.jobComplete) continue;
        over = true;
        yield page;
        pageToken = page.pageToken;
      } while (!over || pageToken);
    } finally {
      gone.end();
      // The job may not have arrived yet, and can't be canceled before it has.
      if (!over && inserted)
        void inserted.then(() => call('POST', `${project}/jobs/${jobId}/cancel`, { query })).catch(() => undefined);
    }
  }

  async function bounded<T>(limits: Limits, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (closed) throw unreachable('the warehouse is closed');
    if (limits.signal?.aborted) throw cancelledByClient();
    const hangUp = new AbortController();
    const deadline = startDeadline(limits, () => hangUp.abort());
    try {
      const found = await work(hangUp.signal);
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
    bounded(limits, (signal) => readRows(pages(bound, limits, signal), limits));
  const within = (signal?: AbortSignal): Limits => ({ ...INTERNAL, ...NO_CAPS, ...(signal && { signal }) });
  const upkeep = <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
    bounded(within(signal), async (hungUp) => {
      const gone = aborted(hungUp);
      return Promise.race([work(), gone.promise]).finally(gone.end);
    });

  return {
    dialect: 'bigquery',
    fetch: async ({ runs, parameters }, fetching) =>
      run(bindBigquery(runs, parameters, fetching.parameters ?? []), fetching),
    describe: async ({ runs, parameters }, limits) => {
      const bound = bindBigquery(runs, parameters, limits.parameters ?? []);
      const { columns } = await bounded({ ...limits, ...NO_CAPS }, () => tried(bound));
      return columns.map(columnOf);
    },
    // The number of rows is unknown in advance; `cost` is the number of bytes to read.
    estimate: async ({ runs, parameters }) => {
      const { bytes } = await upkeep(() => tried(bindBigquery(runs, parameters)));
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
      const told = await upkeep(
        () => tableMetadata(call, catalog ?? project, schema ?? options.dataset ?? '', table.table),
        limits.signal,
      );
      // A LIMIT doesn't reduce the rows that BigQuery reads.
      const share = (100 * SAMPLE_MARGIN * limits.sampleRows) / Math.max(1, Number(told.numRows ?? 0));
      const sampled = told.type === 'TABLE' && share < 100;
      const sample = sampled ? ` tablesample system (${Math.max(1, Math.ceil(share))} percent)` : '';
      const rowsOf = async (sql: string) => (await run({ query: sql }, within(limits.signal))).rows;
      const found = await profileFirstRows(PROFILED, rowsOf, { ...table, sample }, columns, limits);
      return sampled ? found.map((one) => ({ ...one, distinct: null, sampled })) : found;
    },
    async test() {
      const started = performance.now();
      const latency = () => Math.round((performance.now() - started) * 10) / 10;
      try {
        // The first call proves that jobs can be created, the second that the dataset exists.
        await upkeep(() => tried({ query: 'select 1' }));
        const [first] = await upkeep(() => visibleDatasets(call, options));
        if (first) await upkeep(() => call('GET', `${first.project}/datasets/${first.dataset}`));
        return { ok: true, latencyMs: latency(), serverVersion: 'BigQuery', readOnly: true };
      } catch (error) {
        const told = connectionTestMessage(error as Error);
        return { ok: false, latencyMs: latency(), serverVersion: null, readOnly: true, error: told };
      }
    },
    async close() {
      closed = true;
    },
  };
}

/** The sample is larger than needed, because blocks differ in size. */
const SAMPLE_MARGIN = 1.5;

const PROFILED: ProfileWords = {
  quote: BIGQUERY_GRAMMAR.quoteName,
  distinct: (column) => `count(distinct ${column})`,
  text: (value) => `cast(${value} as string)`,
  first: (text, signs) => `substr(${text}, 1, ${signs})`,
};

const locationMember = ({ location }: BigqueryOptions) => (location ? { location } : {});

/** Labels allow only lowercase letters, digits, - and _. */
const labels = () => ({
  svc_request: (currentRequestId() ?? 'upkeep')
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '_')
    .slice(0, 63),
});

const queryFor = (options: BigqueryOptions, bound: Bound): object => ({
  ...bound,
  useLegacySql: false,
  ...(options.dataset && { defaultDataset: { projectId: options.project, datasetId: options.dataset } }),
  ...(options.max_bytes_billed !== undefined && { maximumBytesBilled: String(options.max_bytes_billed) }),
  // Overrides the project's time zone for timestamps without a zone and days of instants.
  connectionProperties: [{ key: 'time_zone', value: 'UTC' }],
});

/** If a job was sent twice because the first response got lost, it already exists. */
async function insert(call: Call, options: BigqueryOptions, jobId: string, configuration: object): Promise<Job> {
  const jobReference = { projectId: options.project, jobId, ...locationMember(options) };
  try {
    return await call<Job>('POST', `${options.project}/jobs`, { body: { jobReference, configuration } });
  } catch (fault) {
    if (!(fault instanceof BigqueryFault) || fault.status !== 409) throw fault;
    return { jobReference };
  }
}

const columnOf = (field: Field) => ({ name: field.name, datatype: datatypeOf(field) ?? ('string' as const) });

async function readRows(
  pages: AsyncIterable<ResultPage>,
  caps: Pick<FetchOptions, 'maxRows' | 'maxBytes' | 'beforeLarge'>,
): Promise<Fetched> {
  let known: Field[] = [];
  async function* batches(): AsyncGenerator<Cell[][]> {
    for await (const { schema, rows = [] } of pages) {
      if (known.length === 0) known = schema?.fields ?? [];
      yield rows.map(({ f }) => {
        if (f.length !== known.length) throw refusedByEngine('a row of another length');
        return f.map(({ v }, index) => cellOf(v, known[index]!));
      });
    }
  }
  const read = await readCapped(batches(), caps);
  if (known.length === 0) throw refusedByEngine('the statement returns no rows');
  return { columns: known.map(columnOf), ...read };
}
