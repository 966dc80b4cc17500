// From a Snowflake and no lens to a first verified answer: the commands of the README through the real CLI; and what is kept of
// the secrets of its connection.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { killLeftovers, type OwnProcess, startSvc } from '../../support/own-process.ts';
import { ENGINES_FOLDER } from '../engines-folder.ts';
import { KEYS, READER, startSnowflake, type TestSnowflake, TOKEN } from './start-snowflake.ts';

const SVC = fileURLToPath(new URL('../../../src/svc.cjs', import.meta.url));
const MINUTES = 300_000;
let snowflake: TestSnowflake;
let folder: string;
let project: string;
let server: OwnProcess;

beforeAll(async () => {
  snowflake = await startSnowflake(
    'create table shop.customers (customer_id int, name varchar, country varchar)',
    'create table shop.orders (order_id int, customer_id int, placed_on date, amount number(12, 2))',
    "insert into shop.customers values (1, 'Ann', 'France'), (2, 'Bob', 'France'), (3, 'Cem', 'Turkey')",
    `insert into shop.orders values ${Array.from({ length: 30 }, (_, at) => `(${at + 1}, ${1 + ((at + 1) % 3)}, '2024-01-${String(at + 2).padStart(2, '0')}', ${(at + 1) * 1.25})`).join(', ')}`,
  );
  // In the engines' folder, so that the client is found as the project's own.
  folder = await mkdtemp(join(ENGINES_FOLDER, 'newcomer-'));
  project = join(folder, 'project');
  await mkdir(project);
  server = await startSvc(join(folder, 'home'), { SVC_PROJECT: project });
}, MINUTES);
afterAll(async () => {
  await server?.end('SIGTERM');
  killLeftovers();
  await snowflake?.stop();
  await rm(folder, { recursive: true, force: true });
}, MINUTES);

async function svc(...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [SVC, ...args], {
    cwd: project,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], SVC_HOME: join(folder, 'home') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (data: Buffer) => {
    out += data.toString();
  });
  child.stderr.on('data', (data: Buffer) => {
    err += data.toString();
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`svc ${args.join(' ')} ended with ${code}:\n${out}${err}`);
  return out;
}

test(
  '15.4: introspect with --publish, the question it ends with, and one of their own',
  async () => {
    const login = `${READER.user}:${encodeURIComponent(READER.password)}`;
    const url = `snowflake://${login}@127.0.0.1:${snowflake.port}/WORKSHOP/SHOP`;
    const output = await svc('introspect', url, '--publish', '--as', 'shop', '--lens', 'sales');
    expect(output).toContain('Lens "sales" over 2 tables is in service');
    const [, lens = '', question = ''] = /svc ask (\S+) "(.+)"/.exec(output)!;
    expect(await svc('ask', lens, question)).toContain('Confidence: verified');
    expect(await svc('ask', 'sales', 'total amount of orders by customer country')).toMatch(
      /France: 387\.50?; Turkey: 193\.75[\s\S]*Confidence: verified/,
    );
  },
  MINUTES,
);

test(
  '15.4: keys, passphrases and tokens of a connection are never shown',
  async () => {
    const headers = { authorization: `Bearer ${server.adminToken}`, 'content-type': 'application/json' };
    const config = {
      kind: 'snowflake',
      account: 'local',
      host: '127.0.0.1',
      port: snowflake.port,
      ssl: false,
      database: 'WORKSHOP',
      user: READER.user,
      private_key: KEYS.privateKey,
      private_key_passphrase: 'a passphrase',
      token: TOKEN,
    };
    const made = await fetch(`${server.baseUrl}/mgmt/connections`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: 'kept', ...config }),
    });
    const told = (await made.text()) + (await (await fetch(`${server.baseUrl}/mgmt/connections`, { headers })).text());
    expect(made.status).toBe(201);
    expect(told).toContain('"kept"');
    for (const secret of [KEYS.privateKey.split('\n')[1]!, 'a passphrase', TOKEN]) expect(told).not.toContain(secret);
  },
  MINUTES,
);
