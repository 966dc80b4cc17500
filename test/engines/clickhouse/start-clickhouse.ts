// A temporary ClickHouse. The owner fills it, and then it restarts with a login that can read one database.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { Certificate } from '../certificate.ts';
import { ENGINES_FOLDER } from '../engines-folder.ts';
import { startServer } from '../start-server.ts';

const SERVER = fileURLToPath(new URL('./server.mjs', import.meta.url));
export const DATABASE = 'shop';
export const READER = { user: 'reader', password: 'reads only' };

/** The grants that docs/engines/clickhouse.md recommends. */
const USERS = `<clickhouse>
  <profiles><default/></profiles><quotas><default/></quotas>
  <users><default><password/><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>
    <grants><query>GRANT SELECT ON ${DATABASE}.*</query></grants>
  </default></users>
</clickhouse>`;

export interface TestClickhouse {
  port: number;
  /** The statements that reached the engine since the previous call. */
  log(): Promise<string[]>;
  /** The comments of these statements. */
  tags(): Promise<string[]>;
}

/** With a certificate, the server uses TLS on `localhost`. */
export async function startTestClickhouse(
  statements: readonly string[],
  certificate?: Certificate,
): Promise<TestClickhouse> {
  const homeFolder = await temporaryFolder();
  const users = join(homeFolder, 'users.xml');
  await writeFile(users, USERS);
  await mkdir(join(homeFolder, 'data'));
  const owner = await start(join(homeFolder, 'data'));
  for (const sql of [`create database ${DATABASE}`, ...statements]) await send(owner.port, sql);
  await owner.stop();
  const server = await start(join(homeFolder, 'data'), users, certificate);
  const askServer = async (path: string) =>
    (await (await fetch(`http://127.0.0.1:${server.port}/${path}`)).json()) as string[];
  return {
    port: server.port,
    log: () => askServer('log'),
    tags: () => askServer('tags'),
  };
}

const start = (data: string, users?: string, certificate?: Certificate) => {
  const given = [users, certificate && certificate.key + certificate.cert].filter((item) => item !== undefined);
  return startServer([process.execPath, SERVER, ENGINES_FOLDER, data, ...given]);
};

async function send(port: number, sql: string): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${READER.user}:${READER.password}`).toString('base64')}`;
  const url = `http://127.0.0.1:${port}/?database=default`;
  const reply = await fetch(url, { method: 'POST', headers: { authorization }, body: sql });
  if (!reply.ok) throw new Error(`${sql}\n${await reply.text()}`);
}
