import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PLUGIN = `
const rows = [['North', '3'], ['South', '4']];
const warehouse = {
  dialect: 'postgres',
  async fetch() { return { columns: [{ name: 'region', datatype: 'string' }, { name: 'row_count', datatype: 'integer' }], rows, more: false, bytesCut: false }; },
  async describe() { return [{ name: 'region', datatype: 'string' }, { name: 'row_count', datatype: 'integer' }]; },
  async estimate() { return { rows: 2, cost: null }; },
  async catalog() { return [{ catalog: null, schema: 'public', table: 'sales', kind: 'table', comment: null, primaryKey: [], uniqueKeys: [], foreignKeys: [], rowEstimate: 2,
    columns: [{ name: 'region', datatype: 'string', nativeType: 'text', nullable: true, comment: null }] }]; },
  async profile() { return []; },
  async test() { return { ok: true, latencyMs: 0, serverVersion: 'memory', readOnly: true }; },
  async close() {},
};
export default { warehouses: [{ kind: 'plugin:memory', dialect: 'postgres', open: async () => warehouse }] };
`;
const project = await temporaryFolder();
const install = async (name: string, source: string) => {
  const folder = join(project, 'node_modules', name);
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name, version: '1.0.0', type: 'module', exports: './index.js' }),
  );
  await writeFile(join(folder, 'index.js'), source);
};
await install('svc-memory', PLUGIN);
await install('svc-broken', 'export default { warehouses: [{ kind: "mysterious" }] }');
await writeFile(
  join(project, 'svc.config.yaml'),
  'plugins: [svc-memory, svc-broken, svc-absent]\nconnections: {mem: {kind: "plugin:memory"}}\n',
);
await mkdir(join(project, 'lenses/sales'), { recursive: true });
await writeFile(
  join(project, 'lenses/sales/lens.yaml'),
  `name: sales\ntitle: Sales\ndescription: Sales in memory.\nconnection: mem\ndatasets:\n  sales:\n    source: public.sales\n    description: Sales.\n    fields: {region: {datatype: string}}\nmetrics:\n  row_count: {expression: "count(sales.region)", description: Sales.}\n`,
);
const svc = await startTestApp({ project });

it('answers from the warehouse of a plugin, under the same guard', async () => {
  const { body } = await svc.post('/v1/lenses/sales/metrics', { metrics: ['row_count'], dimensions: ['region'] });
  expect(body).toMatchObject({
    status: 'answered',
    data: [
      { region: 'North', row_count: 3 },
      { region: 'South', row_count: 4 },
    ],
  });
  const refusal = await svc.post('/v1/sql', { lens: 'sales', sql: 'select pg_sleep(1)' });
  expect(refusal.status).toBe(422);
});

it('reports in /ready the loaded plugins, and why the others failed to load', async () => {
  const { body, status } = await svc.get('/ready', null);
  expect(status).toBe(200);
  expect(body.info.plugins[0]).toBe('svc-memory: ok');
  expect(body.info.plugins[1]).toMatch(/^svc-broken: not loaded, .*plugin:/);
  expect(body.info.plugins[2]).toMatch(/^svc-absent: not loaded, /);
});
