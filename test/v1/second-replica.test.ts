import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { SHOP, startTestApp } from '../support/app.ts';

const SOON = { timeout: 10_000, interval: 50 }; // The promise is one second, but a loaded machine is slower
const svc = await startTestApp();
const second: FastifyInstance = await svc.replica();
const files = await loadProjectFolder(SHOP);

const REVENUE = { metrics: ['revenue'], dimensions: [] };
const postTo = (app: FastifyInstance, key: string, path = 'metrics', body: object = REVENUE) =>
  app.inject({
    method: 'POST',
    url: `/v1/lenses/shop/${path}`,
    payload: body,
    headers: { authorization: `Bearer ${key}` },
  });
const countTraces = async (requestId: string): Promise<number> => {
  const rows = await svc.sql<{ n: number }>('select count(*)::int as n from svc.traces where request_id = $1', [
    requestId,
  ]);
  return rows[0]!.n;
};
const apply = async (changedFiles: Record<string, string>) => {
  const reply = await svc.admin('POST', '/project/apply', { files: { ...files, ...changedFiles } });
  expect(reply.status, reply.text).toBe(200);
};
const lensWith = (from: string, to: string): Record<string, string> => {
  const path = 'lenses/shop/lens.yaml';
  expect(files[path]).toContain(from);
  return { [path]: files[path]!.replace(from, to) };
};

describe('the next ask on another replica after a change', () => {
  it('uses the new lens version, and leaves one trace', async () => {
    const before = (await postTo(second, svc.callerKey)).json();
    expect(before.status).toBe('answered');
    await apply(lensWith('expression: sum(orders.sales)', 'expression: sum(orders.sales) * 2'));
    const after = (await postTo(second, svc.callerKey)).json();
    expect(after.lens_version).toBe(before.lens_version + 1);
    expect(Number(after.data[0].revenue)).toBeCloseTo(2 * Number(before.data[0].revenue), 4);
    expect(after.receipt.lens_version).toBe(after.lens_version);
    expect(await countTraces(after.request_id)).toBe(1);
    await apply({});
  });

  it('accepts new names, and refuses removed names', async () => {
    const old = { metrics: ['customers'], dimensions: [] };
    expect((await postTo(second, svc.callerKey, 'metrics', old)).statusCode).toBe(200);
    await apply(lensWith('  customers: {', '  buyers: {'));
    expect((await postTo(second, svc.callerKey, 'metrics', { ...old, metrics: ['buyers'] })).statusCode).toBe(200);
    expect((await postTo(second, svc.callerKey, 'metrics', old)).statusCode).toBe(422);
    await apply({});
    expect((await postTo(second, svc.callerKey, 'metrics', old)).statusCode).toBe(200);
  });

  it('runs a newly approved entry, and no removed entry', async () => {
    const run = (id: string) => postTo(second, svc.callerKey, `certified/${id}/run`, {});
    expect((await run('revenue-by-region')).statusCode).toBe(200);
    expect((await run('lines')).statusCode).toBe(404);
    const path = 'lenses/shop/certified/core.yaml';
    const added = `${files[path]}
- id: lines
  question: How many lines are there?
  sql: select count(*) as lines from main.orders
  approved_by: ops@example.com
  approved_at: 2026-01-31
`;
    await apply({ [path]: added });
    expect((await run('lines')).statusCode).toBe(200);
    await apply({});
    expect((await run('lines')).statusCode).toBe(404);
  });

  it('doesn’t find a lens that was removed', async () => {
    expect((await postTo(second, svc.callerKey)).statusCode).toBe(200);
    const without = Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith('lenses/shop/')));
    without['svc.config.yaml'] = files['svc.config.yaml']!.replace(
      'field: {lenses: [shop]}',
      'field: {lenses: [stock]}',
    );
    const reply = await svc.admin('POST', '/project/apply', { files: without });
    expect(reply.status, reply.text).toBe(200);
    expect((await postTo(second, svc.callerKey)).statusCode).toBe(404);
    await apply({});
    expect((await postTo(second, svc.callerKey)).statusCode).toBe(200);
  });
});

describe('within a second, another replica with a warm cache', () => {
  it('doesn’t find a lens whose grant was removed', async () => {
    const { id, key } = await svc.mintCaller({ name: 'mover', lenses: ['shop'] });
    expect((await postTo(second, key)).statusCode).toBe(200);
    const put = { method: 'PUT' as const, url: `/mgmt/callers/${id}/grants`, payload: { lenses: [] } };
    expect((await svc.send({ ...put, token: svc.adminToken })).status).toBe(200);
    expect((await postTo(svc.app, key)).statusCode).toBe(404);
    await expect.poll(async () => (await postTo(second, key)).statusCode, SOON).toBe(404);
  });
});
