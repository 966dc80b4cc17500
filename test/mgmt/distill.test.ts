import { describe, expect, it } from 'vitest';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { SHOP, startTestApp } from '../support/app.ts';

const admin = (method: 'GET' | 'POST', path: string, payload?: object) =>
  app.send({ method, url: `/mgmt/lenses/shop${path}`, token: app.adminToken, ...(payload && { payload }) });
async function runToEnd(path: string, body: object = {}) {
  const { status, body: startBody } = await admin('POST', path, body);
  expect(status).toBe(202);
  const run = await app.runEnds(startBody.run_id);
  expect(run).toMatchObject({ state: 'succeeded', error: null });
  return run.result;
}
const app = await startTestApp();

describe('distilling', () => {
  it('proposes recurring questions, merges their wordings, and leaves out relative periods', async () => {
    for (const q of [
      'What was profit by segment in 2016?',
      'Profit by segment in 2016',
      'What was profit last month?',
      'What was profit last month?',
      'What was profit in 2017?',
    ])
      await app.post('/v1/lenses/shop/query', { q });
    expect(await runToEnd('/distill')).toMatchObject({ candidates: 1 });
    const { items } = (await admin('GET', '/distill/candidates?status=open')).body;
    expect(items).toMatchObject([{ evidence: { asks: 2 }, status: 'open' }]);
    expect([items[0].question, ...items[0].variants].sort()).toEqual([
      'Profit by segment in 2016',
      'What was profit by segment in 2016?',
    ]);
    const accepted = await admin('POST', `/distill/candidates/${items[0].id}/accept`, {});
    expect(accepted.body).toMatchObject({ status: 'accepted', entry: { status: 'approved', approved_by: 'test' } });
    const askEnvelope = (await app.post('/v1/lenses/shop/query', { q: 'What was profit by segment in 2016?' })).body;
    expect(askEnvelope).toMatchObject({ certification: 'certified', certified_id: accepted.body.cert_id });
    expect((await admin('POST', `/distill/candidates/${items[0].id}/dismiss`, {})).status).toBe(409);
    expect(await runToEnd('/distill')).toMatchObject({ candidates: 0 });
  });

  it('proposes corrected SQL after a reviewer accepts the correction', async () => {
    const { request_id } = (await app.post('/v1/lenses/shop/query', { q: 'What was revenue by segment?' })).body;
    const sql = 'select segment, sum(sales) as revenue from orders group by segment';
    const { ticket_id } = (await app.post('/v1/reviews', { request_id, correction: { sql } })).body;
    await app.admin('POST', `/reviews/${ticket_id}/rule`, { ruling: 'accepted' });
    await runToEnd('/distill');
    const { items } = (await admin('GET', '/distill/candidates?status=open')).body;
    expect(items).toMatchObject([{ question: 'What was revenue by segment?', sql, evidence: { corrected: true } }]);
    expect((await admin('POST', `/distill/candidates/${items[0].id}/dismiss`, {})).body.status).toBe('dismissed');
  });
});

describe('profiling', () => {
  it('profiles columns without masked values, and names the changes since the previous profile', async () => {
    expect((await admin('GET', '/profile')).body).toMatchObject({ taken_at: null, items: [] });
    await runToEnd('/profile');
    const { items } = (await admin('GET', '/profile')).body;
    const findField = (field: string) => items.find((item: { field: string }) => item.field === field);
    expect(findField('region').values.length).toBeGreaterThan(1);
    expect(findField('customer_name')).toMatchObject({ masked: true, values: null, min: null, max: null });
    expect((await admin('GET', '/profile-drift')).body).toMatchObject({ from: null, items: [] });
    await runToEnd('/profile');
    expect((await admin('GET', '/profile-drift')).body).toMatchObject({ from: expect.any(String), items: [] });
    const files = await loadProjectFolder(SHOP);
    const config = files['svc.config.yaml']!.replace('customer_name from source', "$& where region <> 'West'");
    await app.admin('POST', '/project/apply', { files: { ...files, 'svc.config.yaml': config } });
    await runToEnd('/profile');
    expect((await admin('GET', '/profile-drift')).body.items).toContainEqual(
      expect.objectContaining({ field: 'region', code: 'values', severity: 'warning', before: ['West'], after: [] }),
    );
  });
});
