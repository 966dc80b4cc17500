// Answers and conversations by link: two organizations, an admin, the asker, colleagues behind a row policy and a mask, and
// somebody without the lens, on DuckDB and PostgreSQL. What a reader gets is their own answer, or nothing of another's.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestTenant } from '../support/app.ts';
import { connectionTo, startTestPostgres } from '../support/postgres.ts';

const ENGINES = ['duckdb', 'postgres'] as const;
const TABLE = [
  'create table orders (id int primary key, region varchar(20), seller varchar(20), customer varchar(20), amount int, placed date)',
  `insert into orders values (1,'West','Ann Smith','Rosa Tate',10,'2016-02-01'), (2,'West','Bob Jones','Quinn Vale',20,'2016-03-01'),
    (3,'East','Cleo Marsh','Rosa Tate',40,'2016-04-01'), (4,'East','Dora Quill','Quinn Vale',80,'2017-05-01')`,
];
const lens = (engine: string) => `
name: ${engine}
title: ${engine}
description: Orders.
connection: ${engine}
datasets:
  orders:
    source: main.orders
    description: Orders, one a row.
    primary_key: [id]
    time_field: placed
    fields:
      id: {datatype: integer}
      region: {datatype: string, values: auto}
      seller: {datatype: string, values: auto}
      customer: {datatype: string, mask: true}
      amount: {datatype: integer}
      placed: {datatype: date}
metrics:
  revenue: {expression: sum(orders.amount), description: Money in., synonyms: [sales]}
row_policies:
  - {name: own-region, dataset: orders, filter: "orders.region = {caller.region}", groups: [field]}
`;

let svc: TestApp;
let folder: string;
let other: TestTenant;
let stop: () => Promise<void>;
const keys: Record<string, string> = {};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-shared-'));
  const instance = await DuckDBInstance.create(join(folder, 'o.duckdb'));
  const duckdb = await instance.connect();
  const postgres = await startTestPostgres();
  const url = new URL(await postgres.createDatabase());
  const owner = new pg.Client({ connectionString: url.href });
  await owner.connect();
  for (const statement of TABLE) {
    await duckdb.run(statement);
    await owner.query(statement);
  }
  await owner.end();
  duckdb.closeSync();
  instance.closeSync();
  await writeFile(join(folder, 'svc.config.yaml'), '{}\n');
  const connections = { duckdb: { kind: 'duckdb', path: 'o.duckdb' }, postgres: connectionTo(url) };
  const files = {
    'svc.config.yaml': JSON.stringify({ connections }),
    'lenses/duckdb/lens.yaml': lens('duckdb'),
    'lenses/postgres/lens.yaml': lens('postgres').replace('main.orders', 'public.orders'),
  };
  svc = await startTestApp({ project: folder, files });
  other = await svc.addTenant('elsewhere', files);
  const made = async (name: string, groups: string[] = [], lenses: string[] = [...ENGINES]) => {
    keys[name] = (await svc.mintCaller({ name, lenses, groups, attributes: { region: 'West' } })).key;
  };
  await made('asker');
  await made('peer');
  await made('field', ['field']);
  await made('bare', [], []);
  keys['admin'] = svc.adminToken;
  keys['elsewhere'] = other.callerKey;
  stop = async () => {
    await svc.close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}, 120_000);
afterAll(() => stop?.());

const asked = async (engine: string, body: object, by = 'asker', route = 'query'): Promise<string> =>
  (await svc.post(`/v1/lenses/${engine}/${route}`, body, keys[by])).body.request_id;
const open = (id: string, by: string) => svc.get(`/v1/answers/${id}`, keys[by]);
/** Everything that a reader could be told of an id: the answer, the ask that they made of it, and what verifies. */
async function allTold(id: string, by: string): Promise<string> {
  const opened = await open(id, by);
  const own = String(opened.headers['x-request-id']);
  const again = await open(own, by);
  const verified = await svc.post('/v1/verify', { receipt: { request_id: own } }, keys[by]);
  return [opened.text, again.text, verified.text].join('\n');
}

describe.each(ENGINES)('an answer by its link on %s', (engine) => {
  it('is the reader’s own: all rows for who sees all, those of the policy for who does not', async () => {
    const id = await asked(engine, { q: 'revenue by region in 2016' });
    const rows = async (by: string) => (await open(id, by)).body.answer?.data;
    const whole = [
      { region: 'East', revenue: 40 },
      { region: 'West', revenue: 30 },
    ];
    expect(await rows('asker')).toEqual(whole);
    expect(await rows('peer')).toEqual(whole);
    expect(await rows('admin')).toEqual(whole);
    expect(await rows('field')).toEqual([{ region: 'West', revenue: 30 }]);
    const field = await open(id, 'field');
    expect(field.body).toMatchObject({ own: false, question: 'revenue by region in 2016', changed: { rows: null } });
    expect(field.text).not.toMatch(/East|Cleo/);
    expect(field.body.answer.request_id).not.toBe(id);
  });

  it('is refused without the lens, and is not there for another organization', async () => {
    const id = await asked(engine, { q: 'revenue by region in 2016' });
    const bare = await open(id, 'bare');
    expect(bare.status).toBe(403);
    expect(bare.text).not.toMatch(new RegExp(`${engine}|region|2016`));
    expect((await open(id, 'elsewhere')).status).toBe(404);
    expect((await open('0192f0c1-7a10-7b52-8f3e-0d5c1f2a9b77', 'asker')).status).toBe(404);
  });

  it.each([
    ['a value of hidden rows', { q: 'revenue for seller Cleo Marsh' }, 'query'],
    ['a value of a hidden region', { q: 'revenue in the East' }, 'query'],
    [
      'a hidden value, in a plan',
      { metrics: ['revenue'], filters: [{ field: 'orders.region', op: '=', values: ['East'] }] },
      'metrics',
    ],
    [
      'a hidden name, in a plan',
      { metrics: ['revenue'], filters: [{ field: 'orders.seller', op: 'contains', values: ['Marsh'] }] },
      'metrics',
    ],
  ])('tells a reader behind the policy nothing of %s', async (_, body, route) => {
    const id = await asked(engine, body, 'asker', route);
    expect((await open(id, 'peer')).status).toBe(200);
    expect(await allTold(id, 'field')).not.toMatch(/Cleo|Marsh|Dora|Quill|East/);
  });

  it.each([
    ['in a question', { q: 'revenue by customer' }, 'query'],
    ['as a value', { q: 'revenue for customer Rosa Tate' }, 'query'],
    ['in a plan', { metrics: ['revenue'], dimensions: ['orders.customer'] }, 'metrics'],
    [
      'as a value of a plan',
      { metrics: ['revenue'], filters: [{ field: 'orders.customer', op: '=', values: ['Rosa Tate'] }] },
      'metrics',
    ],
  ])('tells others nothing of a masked field that an admin asked of, %s', async (_, body, route) => {
    const id = await asked(engine, body, 'admin', route);
    for (const by of ['peer', 'field']) expect(await allTold(id, by)).not.toMatch(/Rosa|Tate|Quinn|Vale/);
  });

  it('opens SQL for whoever wrote it only', async () => {
    const sql = `select sum(amount) as s from ${engine === 'duckdb' ? 'main' : 'public'}.orders where seller = 'Cleo Marsh'`;
    const { body } = await svc.post('/v1/sql', { lens: engine, sql }, keys['asker']);
    expect((await open(body.request_id, 'asker')).body.answer.data).toEqual([{ s: 40 }]);
    expect((await open(body.request_id, 'field')).status).toBe(403);
    expect(await allTold(body.request_id, 'field')).not.toMatch(/Cleo/);
  });

  it('keeps what a conversation came from to itself, and follows on for its own asker', async () => {
    const chat = await svc.post(
      '/v1/chat/completions',
      {
        model: `svc/${engine}`,
        messages: [
          { role: 'user', content: 'revenue for seller Cleo Marsh in 2016' },
          { role: 'user', content: 'and by region in 2016?' },
        ],
      },
      keys['asker'],
    );
    const id = chat.body.svc.request_id;
    expect((await open(id, 'asker')).body.context).toEqual(['revenue for seller Cleo Marsh in 2016']);
    expect((await open(id, 'peer')).body.context ?? []).toEqual([]);
    expect(await allTold(id, 'field')).not.toMatch(/Cleo|East/);
  });
});

describe('a conversation', () => {
  const start = async (by: string, ...ids: string[]) => {
    const { body } = await svc.post('/v1/threads', { request_id: ids[0] }, keys[by]);
    for (const id of ids.slice(1)) await svc.post(`/v1/threads/${body.id}/turns`, { request_id: id }, keys[by]);
    return body.id as string;
  };

  it('is its owner’s: listed, searched, renamed and deleted by nobody else', async () => {
    const id = await start('asker', await asked('duckdb', { q: 'revenue for seller Cleo Marsh' }));
    const search = async (by: string, q: string) => (await svc.get(`/v1/threads?q=${q}`, keys[by])).body.items;
    expect(await search('asker', 'cleo')).toMatchObject([{ id, title: 'revenue for seller Cleo Marsh', turns: 1 }]);
    for (const by of ['peer', 'field', 'bare', 'admin', 'elsewhere']) {
      expect(await search(by, 'cleo')).toEqual([]);
      const there = by === 'elsewhere' ? 404 : 403;
      expect((await svc.get(`/v1/threads/${id}`, keys[by])).status).toBe(there);
      for (const [method, payload] of [
        ['PATCH', { title: 'Mine' }],
        ['DELETE', undefined],
      ] as const)
        expect(
          (await svc.send({ method, url: `/v1/threads/${id}`, ...(payload && { payload }), token: keys[by]! })).status,
        ).toBe(there);
      const turn = await svc.post(
        `/v1/threads/${id}/turns`,
        { request_id: await asked('duckdb', { q: 'revenue' }) },
        keys[by],
      );
      expect([403, 404]).toContain(turn.status);
    }
    expect((await svc.send({ method: 'DELETE', url: `/v1/threads/${id}`, token: keys['asker']! })).status).toBe(204);
    expect(await search('asker', 'cleo')).toEqual([]);
  });

  it('takes asks of its own owner only', async () => {
    const id = await asked('duckdb', { q: 'revenue' }, 'peer');
    expect((await svc.post('/v1/threads', { request_id: id }, keys['asker'])).status).toBe(404);
    expect((await svc.post('/v1/threads', { request_id: id }, keys['elsewhere'])).status).toBe(404);
  });

  it('once shared, tells others its requests and no words, and nothing of lenses that they may not use', async () => {
    const [first, second] = [
      await asked('duckdb', { q: 'revenue for seller Cleo Marsh' }),
      await asked('postgres', { q: 'revenue by region' }),
    ];
    const id = await start('asker', first, second);
    await svc.send({ method: 'PATCH', url: `/v1/threads/${id}`, payload: { shared: true }, token: keys['asker']! });
    const peer = await svc.get(`/v1/threads/${id}`, keys['peer']);
    expect(peer.body).toMatchObject({ own: false, title: null, withheld: 0 });
    expect(peer.body.turns.map((turn: { request_id: string }) => turn.request_id)).toEqual([first, second]);
    expect(peer.text).not.toMatch(/Cleo/);
    const bare = await svc.get(`/v1/threads/${id}`, keys['bare']);
    expect(bare.body).toMatchObject({ turns: [], withheld: 2 });
    expect((await svc.get(`/v1/threads/${id}`, keys['elsewhere'])).status).toBe(404);
    const own = await svc.get(`/v1/threads/${id}`, keys['asker']);
    expect(own.body.turns.map((turn: { question: string }) => turn.question)).toEqual([
      'revenue for seller Cleo Marsh',
      'revenue by region',
    ]);
  });

  it('is listed page after page, last used first', async () => {
    const made: string[] = [];
    for (const year of [2015, 2016, 2017])
      made.push(await start('peer', await asked('duckdb', { q: `revenue in ${year}` }, 'peer')));
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await svc.get(`/v1/threads?limit=1${cursor && `&cursor=${cursor}`}`, keys['peer']);
      seen.push(...body.items.map((item: { id: string }) => item.id));
      cursor = body.next_cursor ?? '';
    } while (cursor);
    expect(seen).toEqual(made.reverse());
  });
});
