// A throwaway BigQuery: GoogleSQL's own analyzer and reference implementation behind its REST interface (server.py).
import { fileURLToPath } from 'node:url';
import { ENGINES_FOLDER } from '../engines-folder.ts';
import { startServer } from '../start-server.ts';
import type { ServedTable } from './bigquery-tables.ts';
import { ENVIRONMENT_PYTHON } from './install-bigquery.ts';

const SERVER = fileURLToPath(new URL('./server.py', import.meta.url));
export const PROJECT = 'test-project';
export const DATASET = 'shop';

/** What was asked of the service. */
export interface Heard {
  method: string;
  path: string;
  authorization: string | null;
  /** Of a job. */
  configuration?: {
    dryRun?: boolean;
    jobTimeoutMs?: string;
    labels?: Record<string, string>;
    query: { query: string; maximumBytesBilled?: string; connectionProperties?: object[] };
  };
}
export interface TestBigquery {
  port: number;
  /** Since it was last asked. */
  heard(): Promise<Heard[]>;
  /** Jobs that are not done. */
  running(): Promise<number>;
}

export async function startBigquery(tables: readonly ServedTable[]): Promise<TestBigquery> {
  const command = [ENVIRONMENT_PYTHON, SERVER, PROJECT, DATASET, ENGINES_FOLDER] as const;
  const { port } = await startServer(command, { input: JSON.stringify(tables) });
  const told = async <T>(what: string): Promise<T> =>
    (await (await fetch(`http://127.0.0.1:${port}/${what}`)).json()) as T;
  return {
    port,
    heard: () => told('heard'),
    running: () => told('running'),
  };
}
