// A coordinator with two workers, one of which is lost during a query.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startTestApp } from '../../support/app.ts';
import { lensText } from '../../support/lens-text.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ENGINES_FOLDER } from '../engines-folder.ts';
import { READER, startTrino } from './start-trino.ts';
import { behind, createManagersDatabase, TPCH } from './trino-tables.ts';

const LENS = lensText(`name: nations
title: Nations
description: Orders of nations.
connection: lake
timezone: UTC
datasets:
  endless: sf100.lineitem (orderkey integer key, linenumber integer key, quantity decimal {aggregation: sum}, returnflag string) {description: One row per line of very many orders.}
  nation: tiny.nation (nationkey integer key, name string) {description: One row per nation.}
  managers: postgresql.public.managers (nationkey integer key, manager string) {description: Who manages a nation, kept in another database.}
relationships:
  - {from: nation.nationkey, to: managers.nationkey}
`);
/** This query runs for minutes. */
const LONG = { measures: [{ fn: 'sum', field: 'endless.quantity' }], dimensions: ['endless.returnflag'] };
/** This query joins two catalogs. */
const SHORT = { measures: [{ fn: 'count', rows: 'nation' }], dimensions: ['managers.manager'] };
const MANAGED = [
  { manager: 'manager 0', n: 9 },
  { manager: 'manager 1', n: 8 },
  { manager: 'manager 2', n: 8 },
];
const trino = await startTrino({
  catalogs: {
    tpch: { ...TPCH, 'tpch.double-type-mapping': 'DECIMAL' },
    postgresql: behind(await createManagersDatabase()),
  },
  rules: false,
  workers: 2,
});
const folder = await temporaryFolder(ENGINES_FOLDER);
await writeFile(join(folder, 'svc.config.yaml'), 'limits: {warehouse_timeout_ms: 120000}\n');
const lake = {
  kind: 'trino',
  host: '127.0.0.1',
  port: trino.port,
  catalog: 'tpch',
  catalogs: ['postgresql.public'],
  ...READER,
};
const svc = await startTestApp({
  project: folder,
  files: {
    'svc.config.yaml': JSON.stringify({ connections: { lake }, limits: { warehouse_timeout_ms: 120_000 } }),
    'lenses/nations/lens.yaml': LENS,
  },
});
const ask = (plan: object) => svc.post('/v1/lenses/nations/metrics', plan);
const listWorkingNodes = async (): Promise<unknown[]> =>
  (
    await trino.owner(
      `select distinct t.node_id from system.runtime.tasks t join system.runtime.queries q on q.query_id = t.query_id
       where q."user" = 'reader' and t.state = 'RUNNING' order by 1`,
    )
  ).flat();
const rowsOf = (body: { data: Record<string, unknown>[] }) =>
  body.data.map((row) => Object.values(row)).sort((a, b) => (String(a) < String(b) ? -1 : 1));

it('fails the ask when a worker stops during the query, and answers the next one', {
  timeout: 300_000,
}, async () => {
  const before = await ask(SHORT);
  expect(before.status).toBe(200);
  expect(rowsOf(before.body)).toEqual(MANAGED.map((row) => Object.values(row)));

  const pendingReply = ask(LONG);
  await expect.poll(listWorkingNodes, { timeout: 60_000 }).toEqual(['worker1', 'worker2']);
  await trino.workers[0]!.kill();
  const { status, body } = await pendingReply;
  expect([503, 504]).toContain(status);
  expect(body).toMatchObject({ status: 'failed', data: null, receipt: null, certification: 'none' });
  expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|worker\d|http:/);

  const after = await ask(SHORT);
  expect({ status: after.status, said: after.body.error?.message }).toEqual({ status: 200, said: undefined });
  expect(rowsOf(after.body)).toEqual(MANAGED.map((row) => Object.values(row)));
  // The remaining worker no longer works on the failed query.
  await expect.poll(listWorkingNodes, { timeout: 10_000 }).toEqual([]);
});

it('fails the ask when no worker runs', { timeout: 300_000 }, async () => {
  await trino.workers[1]!.kill();
  const { status, body } = await ask(SHORT);
  expect([503, 504]).toContain(status);
  expect(body).toMatchObject({ status: 'failed', data: null });
});
