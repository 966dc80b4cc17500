import { randomUUID } from 'node:crypto';
import { rejectOnAbort } from '../../../adapters/warehouse/deadline.ts';
import { createEngineRefusalProblem } from '../../../adapters/warehouse/faults.ts';
import type { FetchOptions } from '../../../domain/ports.ts';
import { enableRequestIds } from '../../../platform/request-storage.ts';
import type { BigqueryField } from './cells.ts';
import type { bindBigquery } from './parameters.ts';
import { type ApiCaller, type BigqueryErrorDetail, BigqueryFault, type BigqueryOptions } from './protocol.ts';

const getCurrentRequestId = enableRequestIds();

export type BoundStatement = ReturnType<typeof bindBigquery>;
interface BigqueryJob {
  jobReference?: { location?: string };
  statistics?: {
    totalBytesProcessed?: string;
    query?: { statementType?: string; totalBytesProcessed?: string; schema?: { fields?: BigqueryField[] } };
  };
}
export interface ResultPage {
  jobComplete?: boolean;
  schema?: { fields?: BigqueryField[] };
  rows?: { f: { v: unknown }[] }[];
  pageToken?: string;
  errors?: BigqueryErrorDetail[];
}

/** svc waits at most this long for a result before it polls again, because some networks cut off longer requests. */
const POLL_INTERVAL_MS = 10_000;
const ROWS_PER_PAGE = 20_000;

export class BigqueryJobs {
  readonly #call: ApiCaller;
  readonly #options: BigqueryOptions;

  constructor(call: ApiCaller, options: BigqueryOptions) {
    this.#call = call;
    this.#options = options;
  }

  /**
   * Checks a statement without running it, which is free. `bytes` is the number of bytes that the statement would read.
   */
  async dryRun(statement: BoundStatement): Promise<{ columns: BigqueryField[]; bytes: number | null }> {
    const options = this.#options;
    const { project } = options;
    const configuration = {
      dryRun: true,
      labels: createJobLabels(),
      query: createQueryConfiguration(options, statement),
    };
    const { statistics } = await this.#call<BigqueryJob>('POST', `${project}/jobs`, {
      body: { jobReference: { projectId: project, ...createLocationMember(options) }, configuration },
    });
    const query = statistics?.query;
    if (query?.statementType !== 'SELECT')
      throw createEngineRefusalProblem(`the statement is ${query?.statementType ?? 'unknown'}, not SELECT`);
    const processed = query.totalBytesProcessed ?? statistics?.totalBytesProcessed;
    const bytes = processed === undefined ? null : Number(processed);
    const maxBytesBilled = options.max_bytes_billed;
    if (maxBytesBilled !== undefined && bytes !== null && bytes > maxBytesBilled)
      throw createEngineRefusalProblem(
        'a dry run',
        `it would read ${bytes} bytes, more than the connection allows`,
        'out_of_memory',
      );
    return { columns: query.schema?.fields ?? [], bytes };
  }

  async *fetchPages(
    statement: BoundStatement,
    { timeoutMs, maxRows }: Pick<FetchOptions, 'timeoutMs' | 'maxRows'>,
    signal: AbortSignal,
  ): AsyncGenerator<ResultPage> {
    const options = this.#options;
    const { project } = options;
    const call = this.#call;
    const abort = rejectOnAbort(signal);
    const raceWithAbort = <T>(work: Promise<T>): Promise<T> => Promise.race([work, abort.promise]);
    let insertion: Promise<BigqueryJob> | undefined;
    const jobId = `svc_${randomUUID().replaceAll('-', '')}`;
    let isFinished = false;
    let query = {};
    try {
      await raceWithAbort(this.dryRun(statement));
      insertion = insertJob(call, options, jobId, {
        // svc normally cancels the job before this limit. The limit applies if the svc process has stopped.
        jobTimeoutMs: String(timeoutMs + 1_000),
        labels: createJobLabels(),
        query: createQueryConfiguration(options, statement),
      });
      insertion.catch(() => undefined);
      const { jobReference } = await raceWithAbort(insertion);
      query = { location: jobReference?.location ?? options.location };
      let pageToken: string | undefined;
      do {
        const page: ResultPage = await raceWithAbort(
          call('GET', `${project}/queries/${jobId}`, {
            query: {
              ...query,
              pageToken,
              maxResults: String(Math.min(maxRows + 1, ROWS_PER_PAGE)),
              timeoutMs: String(Math.min(POLL_INTERVAL_MS, timeoutMs)),
              'formatOptions.useInt64Timestamp': 'true',
            },
          }),
        );
        if (!page.jobComplete) continue;
        isFinished = true;
        yield page;
        pageToken = page.pageToken;
      } while (!isFinished || pageToken);
    } finally {
      abort.end();
      // svc can cancel a job only after BigQuery has received it.
      if (!isFinished && insertion)
        void insertion.then(() => call('POST', `${project}/jobs/${jobId}/cancel`, { query })).catch(() => undefined);
    }
  }
}

const createLocationMember = ({ location }: BigqueryOptions) => (location ? { location } : {});

/** Labels can contain only lowercase letters, digits, - and _. */
const createJobLabels = () => ({
  svc_request: (getCurrentRequestId() ?? 'upkeep')
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '_')
    .slice(0, 63),
});

const createQueryConfiguration = (options: BigqueryOptions, statement: BoundStatement): object => ({
  ...statement,
  useLegacySql: false,
  ...(options.dataset && { defaultDataset: { projectId: options.project, datasetId: options.dataset } }),
  ...(options.max_bytes_billed !== undefined && { maximumBytesBilled: String(options.max_bytes_billed) }),
  // Overrides the project's time zone, which decides the day that an instant belongs to.
  connectionProperties: [{ key: 'time_zone', value: 'UTC' }],
});

/**
 * Sends the job. If svc lost the response to its first request and sent the job again, BigQuery replies that the job
 * already exists.
 */
async function insertJob(
  call: ApiCaller,
  options: BigqueryOptions,
  jobId: string,
  configuration: object,
): Promise<BigqueryJob> {
  const jobReference = { projectId: options.project, jobId, ...createLocationMember(options) };
  try {
    return await call<BigqueryJob>('POST', `${options.project}/jobs`, { body: { jobReference, configuration } });
  } catch (fault) {
    if (!(fault instanceof BigqueryFault) || fault.status !== 409) throw fault;
    return { jobReference };
  }
}
