// The fakesnow emulator, filled by its owner, with a login that can authenticate in three ways.
import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ENGINES_FOLDER } from '../engines-folder.ts';
import { startServer } from '../start-server.ts';
import { PYTHON } from './install-snowflake.ts';

const SERVER = fileURLToPath(new URL('./server.py', import.meta.url));
export const READER = { user: 'reader', password: 'reads only' };
export const TOKEN = 'an access token of OAuth';
export const KEYS = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

export interface Reached {
  sql: string;
  parameters: Record<string, unknown>;
}
export interface TestSnowflake {
  port: number;
  owner(sql: string): Promise<unknown[][]>;
  /** The statements that reached the emulator since the previous call. */
  log(): Promise<Reached[]>;
  running(): Promise<number>;
  /** Ends every session. */
  forget(): Promise<void>;
}

export async function startSnowflake(...statements: string[]): Promise<TestSnowflake> {
  const homeFolder = await temporaryFolder();
  const publicKey = join(homeFolder, 'key.pub');
  await writeFile(publicKey, KEYS.publicKey);
  const command = [join(ENGINES_FOLDER, PYTHON), SERVER, READER.user, READER.password, TOKEN, publicKey] as const;
  const { port } = await startServer(command, { signal: 'SIGKILL' });
  const urlOf = (path: string): string => `http://127.0.0.1:${port}/${path}`;
  const runAsOwner = async (sql: string): Promise<unknown[][]> => {
    const reply = await fetch(urlOf('owner'), { method: 'POST', body: sql });
    if (!reply.ok) throw new Error(`${sql}\n${await reply.text()}`);
    return (await reply.json()) as unknown[][];
  };
  for (let times = 0; times < 100; times++) {
    if (
      await fetch(urlOf('running')).then(
        () => true,
        () => false,
      )
    )
      break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  for (const sql of statements) await runAsOwner(sql);
  return {
    port,
    owner: runAsOwner,
    log: async () => (await (await fetch(urlOf('log'))).json()) as Reached[],
    running: async () => (await (await fetch(urlOf('running'))).json()) as number,
    async forget() {
      await fetch(urlOf('forget'), { method: 'POST' });
    },
  };
}
