// A throwaway BigQuery: GoogleSQL's own analyzer and reference implementation behind its REST interface (server.py).
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { untilFileEnds } from '../../support/until-file-ends.ts';
import { ENGINES_FOLDER } from '../engines-folder.ts';
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
  const child = spawn(ENVIRONMENT_PYTHON, [SERVER, PROJECT, DATASET, ENGINES_FOLDER], {
    stdio: ['pipe', 'pipe', process.env['BIGQUERY_FAULTS'] ? 'inherit' : 'pipe'],
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  untilFileEnds(() => {
    child.kill('SIGTERM');
    return ended;
  });
  child.stdin!.end(JSON.stringify(tables));
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout!.once('data', (line: Buffer) => resolve(Number(line)));
    child.once('exit', () => reject(new Error(`The server did not start: ${said.slice(-2_000)}`)));
  });
  const told = async <T>(what: string): Promise<T> =>
    (await (await fetch(`http://127.0.0.1:${port}/${what}`)).json()) as T;
  return {
    port,
    heard: () => told('heard'),
    running: () => told('running'),
  };
}
