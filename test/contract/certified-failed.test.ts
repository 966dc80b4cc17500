import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { lensText } from '../support/lens-text.ts';
import { connect, connectionTo, createDatabase } from '../support/postgres.ts';

const LENS = lensText(`name: sales
connection: wh
datasets:
  sales: public.sales (id integer key, amount integer)
metrics: {total: {expression: sum(sales.amount), description: Total.}}
`);
const CERTIFIED = `- {id: total, question: What is the total?, sql: select sum(amount) as total from public.sales, approved_by: a@b.c, approved_at: 2026-01-31}
- {id: biggest, question: "How big is the champion of number {n}?", sql: select max(amount) as biggest from public.sales where id = :n, parameters: {n: {datatype: integer}}, approved_by: a@b.c, approved_at: 2026-01-31}
- {id: coded, question: "How many sales have the code {code}?", sql: "select count(*) as found from public.sales where id = cast(:code as integer)", parameters: {code: {datatype: string}}, approved_by: a@b.c, approved_at: 2026-01-31}
`;
const runInWarehouse = async (sql: string): Promise<void> => {
  const client = await connect(database);
  await client.query(sql).finally(() => client.end());
};
const database = await createDatabase();
await runInWarehouse('create table sales(id int primary key, amount int); insert into sales values (1, 5), (2, 6)');
const url = new URL(database);
const svc = await startTestApp({
  files: {
    'svc.config.yaml': JSON.stringify({ connections: { wh: connectionTo(url) } }),
    'lenses/sales/lens.yaml': LENS,
    'lenses/sales/certified/total.yaml': CERTIFIED,
  },
});

const run = () => svc.post('/v1/lenses/sales/certified/total/run', {});
const check = () => svc.admin('POST', '/lenses/sales/certified/total/check', {});

describe('approved SQL that no longer runs', () => {
  it('refuses a value that the SQL can’t use, and names the parameter', async () => {
    const runCoded = (code: string) => svc.post('/v1/lenses/sales/certified/coded/run', { parameters: { code } });
    const { status, body } = await runCoded('abc');
    expect([status, body.error.details[0].path]).toEqual([422, 'parameters.code']);
    expect(await runCoded('2')).toMatchObject({ status: 200, body: { confidence: 'verified', data: [{ found: 1 }] } });
  });

  it('fails each run with 502 and certified_failed, and is restored by the next successful check', async () => {
    const { body: certifiedAnswer } = await run();
    expect(certifiedAnswer).toMatchObject({ status: 'answered', certification: 'certified', data: [{ total: 11 }] });
    const board = (await svc.post('/v1/boards', { title: 'Totals' })).body.id;
    await svc.send({ method: 'PATCH', url: `/v1/boards/${board}`, payload: { shared: true }, token: svc.callerKey });
    const [tile] = (await svc.post(`/v1/boards/${board}/tiles`, { request_id: certifiedAnswer.request_id })).body.tiles;
    const { key: colleague } = await svc.mintCaller({ name: 'colleague', lenses: ['sales'] });
    const q = 'total where id is 2';
    const uncertified = (await svc.post('/v1/lenses/sales/query', { q })).body;
    expect(uncertified).toMatchObject({ status: 'answered', plan: 'compiled' });
    await runInWarehouse('alter table sales rename column amount to gone');
    for (const attempt of ['first', 'second', 'third']) {
      const { status, body } = await run();
      expect([attempt, status]).toEqual([attempt, 502]);
      const storedEntry = await svc.admin('GET', '/lenses/sales/certified/total');
      expect([attempt, storedEntry.body.status]).toEqual([attempt, 'suspended']);
      expect(body).toMatchObject({
        status: 'failed',
        certification: 'certified_failed',
        confidence: 'unverified',
        sql: null,
        data: null,
        receipt: null,
      });
    }
    const link = `/v1/answers/${uncertified.request_id}`;
    expect((await svc.get(link)).body.answer).toMatchObject({ status: 'failed', question: q });
    expect((await svc.get(link, colleague)).body).toMatchObject({ question: null, answer: { status: 'failed' } });
    for (const reader of [svc.callerKey, colleague]) {
      const { status, body } = await svc.get(`/v1/boards/${board}/tiles/${tile.id}`, reader);
      expect([status, body.answer.status, body.answer.certification]).toEqual([200, 'failed', 'certified_failed']);
    }
    expect((await check()).body).toMatchObject({ ok: false, restored: false, status: 'suspended' });
    await runInWarehouse('alter table sales rename column gone to amount');
    expect((await check()).body).toMatchObject({ ok: true, restored: true, status: 'approved' });
    expect((await run()).body).toMatchObject({ status: 'answered', certification: 'certified', data: [{ total: 11 }] });
    const { items } = (await svc.admin('GET', '/audit?action=certified.restore')).body;
    expect(items).toMatchObject([{ actor: 'svc', object_id: 'sales/total', after: { status: 'approved' } }]);
  });

  const failing = { status: 'failed', certification: 'certified_failed', plan: 'certified', data: null, receipt: null };
  const callTool = async (name: string, args: object) => ({
    body: (await svc.callTool(name, { lens: 'sales', ...args })).structuredContent,
  });
  /** The error as clients of the chat protocol read it. */
  const problem = ({ error: { code, message } }: { error: { code: string; message: string } }) => ({
    ...{ code, message, type: 'upstream_error', param: null, details: [] },
  });
  const Q = 'How big is the champion of number 2?';
  const postChat = async () => {
    const { body } = await svc.post('/v1/chat/completions', {
      model: 'svc/sales',
      messages: [{ role: 'user', content: Q }],
    });
    return { body: body.svc ?? body };
  };
  const surfaces: Record<string, () => Promise<{ body: object }>> = {
    'run by id': () => svc.post('/v1/lenses/sales/certified/biggest/run', { parameters: { n: 2 } }),
    query: () => svc.post('/v1/lenses/sales/query', { q: Q }),
    'routed ask': () => svc.post('/v1/query', { q: Q }),
    chat: postChat,
    'MCP run_certified by id': () => callTool('run_certified', { cert_id: 'biggest', parameters: { n: 2 } }),
    'MCP run_certified by question': () => callTool('run_certified', { q: Q }),
    'MCP query': () => callTool('query', { q: Q }),
  };

  it('is reported as suspended on every surface, and runs again after the table is repaired', async () => {
    const whole = { status: 'answered', certification: 'certified', certified_id: 'biggest', data: [{ biggest: 6 }] };
    for (const [surface, ask] of Object.entries(surfaces))
      expect([surface, (await ask()).body]).toEqual([surface, expect.objectContaining(whole)]);
    await runInWarehouse('alter table sales rename column amount to gone');
    for (const turn of ['first', 'second'])
      for (const [surface, ask] of Object.entries(surfaces)) {
        const { body } = await ask();
        const bodyText = JSON.stringify(body);
        expect([turn, surface, bodyText]).toEqual([
          turn,
          surface,
          expect.stringMatching(/certified entry biggest no longer runs/),
        ]);
        expect(bodyText).toMatch(/suspended certified entry biggest at \d{4}-\d\d-\d\dT/);
        if (!surface.startsWith('MCP')) expect(body).toMatchObject({ ...failing, certified_id: 'biggest' });
      }
    const http = await svc.post('/v1/lenses/sales/query', { q: Q });
    expect(http.status).toBe(502);
    const chatReply = await svc.post('/v1/chat/completions', {
      model: 'svc/sales',
      messages: [{ role: 'user', content: Q }],
    });
    expect([chatReply.status, chatReply.body.error]).toEqual([
      502,
      { ...problem(http.body), request_id: chatReply.body.svc?.request_id },
    ]);
    expect(chatReply.body.svc).toMatchObject(failing);
    await runInWarehouse('alter table sales rename column gone to amount');
    for (const [surface, ask] of Object.entries(surfaces))
      expect([surface, (await ask()).body]).toEqual([surface, expect.objectContaining(whole)]);
    const storedEntry = await svc.admin('GET', '/lenses/sales/certified/biggest');
    expect(storedEntry.body).toMatchObject({ status: 'approved', status_reason: null });
  });

  it('stays suspended when it runs again but returns another data type', async () => {
    await runInWarehouse('alter table sales rename column amount to gone');
    expect((await run()).status).toBe(502);
    await runInWarehouse('alter table sales add column amount numeric(10,2) default 3');
    const secondRun = await run();
    expect([secondRun.status, secondRun.body]).toEqual([502, expect.objectContaining(failing)]);
    expect((await check()).body).toMatchObject({ ok: true, restored: false, status: 'suspended' });
    expect((await run()).status).toBe(502);
  });
});
