// From a BigQuery dataset and no lens to a first verified answer: the three commands of the README, over the emulator.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { killLeftovers, type OwnProcess, startSvc } from '../../support/own-process.ts';
import { ENGINES_FOLDER } from '../engines-folder.ts';
import { serve } from './bigquery-tables.ts';
import { DATASET, PROJECT, startBigquery, type TestBigquery } from './start-bigquery.ts';

const SVC = fileURLToPath(new URL('../../../src/svc.cjs', import.meta.url));
let folder: string;
let bigquery: TestBigquery;
let server: OwnProcess;
beforeAll(async () => {
  // In the engines' folder, where the client is found as a project's own.
  folder = await mkdtemp(join(ENGINES_FOLDER, 'newcomer-'));
  await mkdir(join(folder, 'project'));
  const column = (name: string, type: string, nullable = true) => ({ name, type, nullable });
  bigquery = await startBigquery([
    serve({
      name: 'customers',
      columns: [column('customer_id', 'int', false), column('name', 'text'), column('country', 'text')],
      rows: [
        [1, 'Ann', 'France'],
        [2, 'Bob', 'France'],
        [3, 'Cem', 'Turkey'],
      ],
    }),
    serve({
      name: 'orders',
      columns: [
        column('order_id', 'int', false),
        column('customer_id', 'int'),
        column('placed_on', 'date'),
        column('amount', 'decimal(12,2)'),
      ],
      rows: Array.from({ length: 30 }, (_, at) => [
        at + 1,
        1 + ((at + 1) % 3),
        `2024-01-${String(at + 2).padStart(2, '0')}`,
        (at + 1) * 1.25,
      ]),
    }),
  ]);
  server = await startSvc(join(folder, 'home'), { SVC_PROJECT: join(folder, 'project') });
}, 300_000);
afterAll(async () => {
  await server?.end('SIGTERM');
  killLeftovers();
  await bigquery?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function svc(...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [SVC, ...args], {
    cwd: join(folder, 'project'),
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], SVC_HOME: join(folder, 'home') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let told = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (told += data.toString()));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`svc ${args.join(' ')} ended with ${code}:\n${told}`);
  return told;
}

it('15.4: svc introspect bigquery://project/dataset, then a verified answer', { timeout: 300_000 }, async () => {
  const url = `bigquery://${PROJECT}/${DATASET}?emulator=127.0.0.1:${bigquery.port}`;
  const output = await svc('introspect', url, '--publish');
  expect(output).toContain(`Lens "${DATASET}" over 2 tables is in service, granted to quickstart.`);
  const [, lens = '', question = ''] = /svc ask (\S+) "(.+)"/.exec(output)!;
  expect(await svc('ask', lens, question)).toContain('Confidence: verified');
  expect(await svc('ask', DATASET, 'How many customers are there by country?')).toMatch(
    /France: 2; Turkey: 1[\s\S]*Confidence: verified/,
  );
  expect(await svc('ask', DATASET, 'total amount of orders by customer country')).toMatch(
    /France: 387\.50?; Turkey: 193\.75[\s\S]*Confidence: verified/,
  );
});
