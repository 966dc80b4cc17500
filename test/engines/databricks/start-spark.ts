// Spark with the SQL dialect that it shares with Databricks: `pyspark` in its own folder, with Java 17 or later.
import { spawn, spawnSync } from 'node:child_process';
import net from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { untilFileEnds } from '../../support/until-file-ends.ts';
import { ENGINES_FOLDER, isThere } from '../engines-folder.ts';
import { javaSince } from '../trino/java.ts';

const PYSPARK = 'pyspark==4.3.0';
const PLACE = 'spark-venv';
const PYTHON = join(ENGINES_FOLDER, PLACE, 'bin', 'python');

/** Returns the reason why Spark isn't available, or null. */
export async function installSpark(): Promise<string | null> {
  if (!javaSince(17)) return 'Spark needs Java 17 or later';
  if (isThere(join(PLACE, 'bin', 'spark-submit'))) return null;
  const made = spawnSync('python3', ['-m', 'venv', join(ENGINES_FOLDER, PLACE)], { stdio: 'inherit' }).status === 0;
  if (!made) return 'Python 3 with venv is not there';
  const got = spawnSync(PYTHON, ['-m', 'pip', 'install', '-q', PYSPARK], { stdio: 'inherit' }).status === 0;
  return got ? null : `${PYSPARK} could not be installed`;
}

export interface TestSpark {
  port: number;
  run(sql: string): Promise<void>;
}

export async function startSpark(): Promise<TestSpark> {
  const folder = await temporaryFolder(ENGINES_FOLDER);
  const script = fileURLToPath(new URL('spark.py', import.meta.url));
  const child = spawn(PYTHON, [script, folder], { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
  untilFileEnds(() => child.kill());
  const port = await new Promise<number>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (data) => {
      text += data;
      const [, foundPort] = /"port": (\d+)/.exec(text) ?? [];
      if (foundPort) resolve(Number(foundPort));
    });
    child.on('exit', () => reject(new Error('Spark did not start')));
  });
  return {
    port,
    run: (sql) =>
      new Promise((resolve, reject) => {
        const socket = net.connect(port, '127.0.0.1');
        let text = '';
        socket.on('data', (data) => {
          text += data;
        });
        socket.on('error', reject);
        socket.on('close', () => {
          const { error } = JSON.parse(text) as { error?: string };
          if (error) reject(new Error(`${sql}\n${error}`));
          else resolve();
        });
        socket.write(`${JSON.stringify({ sql })}\n`);
      }),
  };
}
