// A temporary BigQuery: GoogleSQL's analyzer and reference implementation behind the REST interface (server.py).
import { fileURLToPath } from 'node:url';
import { ENGINES_FOLDER } from '../engines-folder.ts';
import { startServer } from '../start-server.ts';
import type { ServedTable } from './bigquery-tables.ts';
import { ENVIRONMENT_PYTHON } from './install-bigquery.ts';

const SERVER = fileURLToPath(new URL('./server.py', import.meta.url));
export const PROJECT = 'test-project';
export const DATASET = 'shop';

/** A request to the service. */
export interface Heard {
  method: string;
  path: string;
  authorization: string | null;
  /** The configuration of a job. */
  configuration?: {
    dryRun?: boolean;
    jobTimeoutMs?: string;
    labels?: Record<string, string>;
    query: { query: string; maximumBytesBilled?: string; connectionProperties?: object[] };
  };
}
export interface TestBigquery {
  port: number;
  /** Requests since the previous call. */
  heard(): Promise<Heard[]>;
  /** The number of unfinished jobs. */
  running(): Promise<number>;
}

export async function startBigquery(tables: readonly ServedTable[]): Promise<TestBigquery> {
  const command = [ENVIRONMENT_PYTHON, SERVER, PROJECT, DATASET, ENGINES_FOLDER] as const;
  const { port } = await startServer(command, { input: JSON.stringify(tables) });
  const askServer = async <T>(path: string): Promise<T> =>
    (await (await fetch(`http://127.0.0.1:${port}/${path}`)).json()) as T;
  return {
    port,
    heard: () => askServer('heard'),
    running: () => askServer('running'),
  };
}
