// RLS-14, generated from the OpenAPI document: an id of another tenant in a path gets the same reply as a random id.
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { SHOP, startTestApp, type TestTenant } from '../support/app.ts';

const svc = await startTestApp();
const otherTenant: TestTenant = await svc.addTenant('stranger', await stockOnly());
const envelope = await svc.post('/v1/lenses/shop/query', { q: 'What was revenue in 2016?' });
const ticket = await svc.post('/v1/reviews', { request_id: envelope.body.request_id });
const ids: string[] = [envelope.body.request_id, ticket.body.ticket_id, ...(await idsOf(svc.orgId))];
const names: string[] = ['shop', 'only-here', 'revenue-by-region'];
await svc.mintCaller({ name: 'only-here', lenses: ['shop'] });

/** A project that shares no names with the other tenant's. */
async function stockOnly(): Promise<Record<string, string>> {
  const files = await loadProjectFolder(SHOP);
  const renameAll = (text: string) =>
    text
      .replace('lenses: [shop]', 'lenses: [stock]')
      .replace('  shop:', '  depot:')
      .replace('connection: shop', 'connection: depot');
  return Object.fromEntries(
    Object.entries(files)
      .filter(([path]) => !path.startsWith('lenses/shop/'))
      .map(([path, text]) => [path, renameAll(text)]),
  );
}

/** An id from each table that has rows of this tenant. */
async function idsOf(orgId: string): Promise<string[]> {
  const columns = await svc.sql<{ table_name: string; column_name: string }>(
    `select c.table_name, c.column_name from information_schema.columns c
     where c.table_schema = 'svc' and c.data_type = 'uuid' and c.column_name <> 'org_id'
       and exists (select from information_schema.columns o where o.table_schema = 'svc' and o.table_name = c.table_name and o.column_name = 'org_id')`,
  );
  const foundIds = [];
  for (const { table_name, column_name } of columns)
    foundIds.push(
      ...(await svc.sql<{ id: string }>(
        `select ${column_name} as id from svc.${table_name} where org_id = $1 and ${column_name} is not null limit 1`,
        [orgId],
      )),
    );
  return [...new Set(foundIds.map(({ id }) => id))];
}

it('gives another tenant’s id and a random id the same response on every route with an id', {
  timeout: 120_000,
}, async () => {
  const document = (await svc.get('/docs/json', null)).body;
  const differences: string[] = [];
  let compared = 0;
  for (const [path, methods] of Object.entries<
    Record<
      string,
      {
        requestBody?: {
          content: Record<string, { schema?: { examples?: object[] }; examples?: Record<string, { value: object }> }>;
        };
      }
    >
  >(document.paths)) {
    if (!path.includes('{') || !/^\/(v1|mgmt)\//.test(path)) continue;
    const token = path.startsWith('/mgmt') ? otherTenant.adminToken : otherTenant.callerKey;
    for (const [method, operation] of Object.entries(methods)) {
      const media = operation.requestBody?.content['application/json'];
      const example = media?.schema?.examples?.[0] ?? Object.values(media?.examples ?? {})[0]?.value ?? {};
      const answer = async (id: string) => {
        const reply = await svc.send({
          method: method.toUpperCase() as 'GET',
          url: path.replace(/\{[^}]+\}/g, id),
          token,
          ...(method === 'get' || method === 'delete' ? {} : { payload: example }),
        });
        return `${reply.status} ${reply.text.replaceAll(reply.headers['x-request-id'] as string, 'REQUEST').replaceAll(id, 'ID')}`;
      };
      const unknownId = await answer(randomUUID());
      for (const id of [...ids, ...names]) {
        compared++;
        // An unknown name that is as similar to the tenant's own names, so that svc suggests the same ones.
        const random = ids.includes(id) ? unknownId : await answer(id.replace(/.$/, 'z'));
        const theirs = await answer(id);
        if (theirs !== random)
          differences.push(`${method} ${path} ${id}: ${theirs.slice(0, 200)} <> ${random.slice(0, 200)}`);
      }
    }
  }
  expect(compared).toBeGreaterThan(50);
  expect(differences).toEqual([]);
});

it('RLS-16 shares no cached work between two tenants with the same lens names and questions', async () => {
  const files = await loadProjectFolder(SHOP);
  const path = 'lenses/shop/lens.yaml';
  const changedFile = files[path]!.replace('expression: sum(orders.sales)', 'expression: sum(orders.profit)');
  expect(changedFile).not.toBe(files[path]);
  const twinTenant = await svc.addTenant('twin', { ...files, [path]: changedFile });
  const asks = {
    query: { q: 'What was revenue in the West in 2016?' },
    metrics: { metrics: ['revenue'], dimensions: ['region'] },
  };
  for (const [entrance, body] of Object.entries(asks)) {
    const ask = async (tenant: TestTenant) => {
      const reply = await svc.post(`/v1/lenses/shop/${entrance}`, body, tenant.callerKey);
      expect(reply.body.status, reply.text).toBe('answered');
      return { sql: reply.body.sql, data: reply.body.data };
    };
    const first = await ask(svc);
    expect(first.sql).toContain('sales');
    const twinAnswer = await ask(twinTenant);
    expect(twinAnswer.sql).toContain('profit');
    expect(twinAnswer.data).not.toEqual(first.data);
    const turns = await Promise.all(Array.from({ length: 10 }, (_, turn) => ask(turn % 2 ? twinTenant : svc)));
    for (const [turn, answer] of turns.entries()) expect(answer).toEqual(turn % 2 ? twinAnswer : first);
  }
});
