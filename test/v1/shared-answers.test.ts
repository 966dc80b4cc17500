// Readers with different access open answers by link, in conversations and on boards, on DuckDB and PostgreSQL: people
// of two organizations, an admin, the author, colleagues with a row policy or a mask, a viewer with a session, and a
// person without the lens. A reader gets an answer with their own access, or nothing.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startTestApp, type TestTenant } from '../support/app.ts';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { lensText } from '../support/lens-text.ts';
import { connectionTo, createDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ENGINES = ['duckdb', 'postgres'] as const;
const TABLE = [
  'create table orders (id int primary key, region varchar(20), seller varchar(20), customer varchar(20), amount int, placed date)',
  `insert into orders values (1,'West','Ann Smith','Rosa Tate',10,'2016-02-01'), (2,'West','Bob Jones','Ines Holt',20,'2016-03-01'),
    (3,'East','Cleo Marsh','Rosa Tate',40,'2016-04-01'), (4,'East','Dora Quill','Quinn Vale',80,'2017-05-01')`,
];
const lensFile = (engine: string) =>
  lensText(`
name: ${engine}
title: ${engine}
description: Orders.
connection: ${engine}
datasets:
  orders: main.orders (id integer key, region string auto, seller string auto, customer string mask, amount integer, placed date time) {description: Orders, one a row.}
metrics:
  revenue: {expression: sum(orders.amount), description: Money in., synonyms: [sales]}
row_policies:
  - {name: own-region, dataset: orders, filter: "orders.region = {caller.region}", groups: [field]}
facts:
  - {kind: key, of: orders, says: id, origin: inferred, evidence: its values differ}
`);

const certifiedText = (table: string) => `
- {id: named, question: 'What did {seller} sell?', sql: 'select sum(amount) as sold from ${table} where seller = :seller', parameters: {seller: {datatype: string}}, status: approved}
- {id: begins, question: 'What did sellers beginning with {start} sell?', sql: "select sum(amount) as sold from ${table} where seller like :start || '%'", parameters: {start: {datatype: string}}, status: approved}
- {id: since, question: 'What was sold since {day}?', sql: 'select sum(amount) as sold from ${table} where placed >= :day', parameters: {day: {datatype: date}}, status: approved}
`;
const keys: Record<string, string> = {};
const folder = await temporaryFolder();
await createDuckdbFile(join(folder, 'o.duckdb'), ...TABLE);
const url = new URL(await createDatabase(...TABLE));
await writeFile(join(folder, 'svc.config.yaml'), '{}\n');
const connections = { duckdb: { kind: 'duckdb', path: 'o.duckdb' }, postgres: connectionTo(url) };
const files = {
  'svc.config.yaml': JSON.stringify({ connections, groups: { field: {} } }),
  'lenses/duckdb/lens.yaml': lensFile('duckdb'),
  'lenses/duckdb/certified/sold.yaml': certifiedText('main.orders'),
  'lenses/postgres/lens.yaml': lensFile('postgres').replace('main.orders', 'public.orders'),
  'lenses/postgres/certified/sold.yaml': certifiedText('public.orders'),
};
const svc = await startTestApp({ project: folder, files });
const otherTenant: TestTenant = await svc.addTenant('elsewhere', files);
const mintKey = async (name: string, groups: string[] = [], lenses: string[] = [...ENGINES]) => {
  keys[name] = (await svc.mintCaller({ name, lenses, groups, attributes: { region: 'West' } })).key;
};
await mintKey('caller');
await mintKey('peer');
await mintKey('field', ['field']);
await mintKey('bare', [], []);
keys['admin'] = svc.adminToken;
keys['elsewhere'] = otherTenant.callerKey;
keys['elsewhere admin'] = otherTenant.adminToken;
const person = { email: 'vera@example.com', password: 'correct horse battery staple 42' };
await svc.admin('POST', '/users', { ...person, role: 'viewer', caller: 'field' });
keys['viewer'] = (await svc.post('/auth/login', person, null)).body.token;

const askForId = async (engine: string, body: object, by = 'caller', route = 'query'): Promise<string> =>
  (await svc.post(`/v1/lenses/${engine}/${route}`, body, keys[by])).body.request_id;
const revenueWhere = (field: string, op: string, value: string) => ({
  ...{ metrics: ['revenue'], filters: [{ field: `orders.${field}`, op, values: [value] }] },
});
const askRevenue = (rest = '', by = 'caller') => askForId('duckdb', { q: `revenue ${rest}` }, by);
const open = (id: string, by: string) => svc.get(`/v1/answers/${id}`, keys[by]);
const patch = (url: string, payload: object, by: string) =>
  svc.send({ method: 'PATCH', url, payload, token: keys[by]! });
const makeBoard = async (by: string, ...ids: string[]): Promise<string> => {
  const { id } = (await svc.post('/v1/boards', { title: 'A board' }, keys[by])).body;
  for (const request_id of ids) await svc.post(`/v1/boards/${id}/tiles`, { request_id }, keys[by]);
  return id;
};
const tileIds = async (board: string, by: string): Promise<string[]> =>
  (await svc.get(`/v1/boards/${board}`, keys[by])).body.tiles.map((tile: { id: string }) => tile.id);
const shared = new Map<string, string[]>();
/** The addresses of a shared board and conversation with this answer, and of the board's tiles. */
async function placesOf(id: string, owner: string): Promise<string[]> {
  const knownPlaces = shared.get(id);
  if (knownPlaces) return knownPlaces;
  const board = `boards/${await makeBoard(owner, id)}`;
  const thread = `threads/${(await svc.post('/v1/threads', { request_id: id }, keys[owner])).body.id}`;
  for (const place of [board, thread]) await patch(`/v1/${place}`, { shared: true }, owner);
  const tiles = await tileIds(board.slice('boards/'.length), owner);
  const places = [board, thread, ...tiles.map((tile) => `${board}/tiles/${tile}?plan=true&chart=true`)];
  shared.set(id, places);
  return places;
}
/** For readers who see no rows, svc asks no warehouse, so one engine is enough. */
const readersOn = (engine: string, ...readers: string[]): string[] =>
  engine === 'duckdb' ? [...readers, 'bare', 'elsewhere', 'elsewhere admin'] : readers;
/**
 * Returns every reply about an id: the answer by link, on a shared board and in a shared conversation, the request that
 * each reply created, and its verification.
 */
async function fetchAllReplies(id: string, by: string, owner = 'caller'): Promise<string> {
  const replyTexts: string[] = [];
  for (const path of [`answers/${id}`, ...(await placesOf(id, owner)), 'boards', 'threads']) {
    const openedReply = await svc.get(`/v1/${path}`, keys[by]);
    const own = String(openedReply.headers['x-request-id']);
    const verified = await svc.post('/v1/verify', { receipt: { request_id: own } }, keys[by]);
    replyTexts.push(openedReply.text, (await open(own, by)).text, verified.text);
  }
  return replyTexts.join('\n');
}

describe.each(ENGINES)('an answer opened by its link on %s', (engine) => {
  it('has the rows that its reader may see', async () => {
    const id = await askForId(engine, { q: 'revenue by region in 2016' });
    const rows = async (by: string) => (await open(id, by)).body.answer?.data;
    const allRows = [
      { region: 'East', revenue: 40 },
      { region: 'West', revenue: 30 },
    ];
    expect(await rows('caller')).toEqual(allRows);
    expect(await rows('peer')).toEqual(allRows);
    expect(await rows('admin')).toEqual(allRows);
    expect(await rows('field')).toEqual([{ region: 'West', revenue: 30 }]);
    const field = await open(id, 'field');
    expect(field.body).toMatchObject({ own: false, question: 'revenue by region in 2016', changed: { rows: null } });
    expect(field.text).not.toMatch(/East|Cleo/);
    expect(field.body.answer.request_id).not.toBe(id);
  });

  it('is shown if svc understands every word but doubts its interpretation', async () => {
    const q = 'regions with at least 1 seller';
    const id = await askForId(engine, { q });
    const own = (await open(id, 'caller')).body.answer;
    expect(own.checks.find(({ name }: { name: string }) => name === 'question_covered').outcome).toBe('unknown');
    const { body } = await open(id, 'field');
    expect(body).toMatchObject({ question: q, answer: { status: 'answered', confidence: 'partial' } });
    expect(body.answer.data.length).toBeLessThan(own.data.length);
  });

  it('is not shown if the question has no answer, with this reason and none of its words', async () => {
    for (const [q, status, reason] of [
      ['revenue for seller Zachary', 'clarification', /^svc needs a choice to answer this question/],
      ['zebras per crossing', 'refused', /^With your access, svc can’t answer this question/],
    ] as const) {
      const id = await askForId(engine, { q });
      expect((await open(id, 'caller')).body.answer.status).toBe(status);
      for (const by of ['peer', 'field']) {
        const reply = await open(id, by);
        expect(reply.status).toBe(403);
        if (by === 'peer') expect(reply.body.error.message).toMatch(reason);
        expect(reply.text).not.toMatch(/Zachary|zebra|crossing/);
      }
    }
  });

  it('is refused without the lens, and not found from another organization', async () => {
    const id = await askForId(engine, { q: 'revenue by region in 2016' });
    const refusedReply = await open(id, 'bare');
    expect(refusedReply.status).toBe(403);
    expect(refusedReply.text).not.toMatch(new RegExp(`${engine}|region|2016`));
    expect((await open(id, 'elsewhere')).status).toBe(404);
    for (const unknownId of ['0192f0c1-7a10-7b52-8f3e-0d5c1f2a9b77', '-'.repeat(36)])
      expect((await open(unknownId, 'caller')).status).toBe(404);
  });

  it.each([
    ['a value of hidden rows', { q: 'revenue for seller Cleo Marsh' }, 'query'],
    ['a value of a hidden region', { q: 'revenue in the East' }, 'query'],
    ['a hidden value, in a plan', revenueWhere('region', '=', 'East'), 'metrics'],
    ['a hidden name, in a plan', revenueWhere('seller', 'contains', 'Marsh'), 'metrics'],
  ])('shows a reader under the row policy nothing of %s', async (_, body, route) => {
    const id = await askForId(engine, body, 'caller', route);
    expect((await open(id, 'peer')).status).toBe(200);
    for (const by of readersOn(engine, 'field', 'viewer'))
      expect(await fetchAllReplies(id, by), by).not.toMatch(/Cleo|Marsh|Dora|Quill|East/);
  });

  it.each([
    ['in a question', { q: 'revenue by customer' }, 'query'],
    ['as a value', { q: 'revenue for customer Rosa Tate' }, 'query'],
    ['in a plan', { metrics: ['revenue'], dimensions: ['orders.customer'] }, 'metrics'],
    ['as a value of a plan', revenueWhere('customer', '=', 'Rosa Tate'), 'metrics'],
  ])('shows others nothing of a masked field that an admin asked for, %s', async (_, body, route) => {
    const id = await askForId(engine, body, 'admin', route);
    for (const by of readersOn(engine, 'peer', 'field', 'viewer'))
      expect(await fetchAllReplies(id, by, 'admin'), by).not.toMatch(/Rosa|Tate|Quinn|Vale/);
  });

  it('shows a parameter of a certified entry only if the reader’s own ask could prove it', async () => {
    const run = (id: string, parameters: object) => askForId(engine, { parameters }, 'admin', `certified/${id}/run`);
    expect(await fetchAllReplies(await run('named', { seller: 'Cleo Marsh' }), 'field')).not.toMatch(/Cleo|Marsh/);
    expect(await fetchAllReplies(await run('begins', { start: 'Cleo' }), 'field')).not.toMatch(/Cleo/);
    const own = { named: { seller: 'Ann Smith' }, since: { day: '2016-01-01' } };
    for (const [id, parameters] of Object.entries(own))
      expect((await open(await run(id, parameters), 'field')).body).toMatchObject({
        own: false,
        answer: { parameters },
      });
  });

  it('opens for the author only if it comes from the author’s SQL', async () => {
    const sql = `select sum(amount) as s from ${engine === 'duckdb' ? 'main' : 'public'}.orders where seller = 'Cleo Marsh'`;
    const { body } = await svc.post('/v1/sql', { lens: engine, sql }, keys['caller']);
    expect((await open(body.request_id, 'caller')).body.answer.data).toEqual([{ s: 40 }]);
    expect((await open(body.request_id, 'field')).status).toBe(403);
    expect(await fetchAllReplies(body.request_id, 'field')).not.toMatch(/Cleo/);
  });

  it('shows the earlier turns of its conversation to its own caller only', async () => {
    const turns = ['revenue for seller Cleo Marsh in 2016', 'and by region in 2016?'];
    const messages = turns.map((content) => ({ role: 'user', content }));
    const chat = await svc.post('/v1/chat/completions', { model: `svc/${engine}`, messages }, keys['caller']);
    const id = chat.body.svc.request_id;
    expect((await open(id, 'caller')).body.context).toEqual([turns[0]]);
    expect((await open(id, 'peer')).body.context ?? []).toEqual([]);
    expect(await fetchAllReplies(id, 'field')).not.toMatch(/Cleo|East/);
  });
});

describe('a request of a curator or admin whose account is linked to a caller', () => {
  it.each(['curator', 'admin'])('doesn’t belong to that caller: %s', async (role) => {
    const { key, id: callerId } = await svc.mintCaller({
      ...{ name: `linked ${role}`, lenses: [...ENGINES], groups: ['field'], attributes: { region: 'West' } },
    });
    const account = { email: `linked-${role}@example.com`, password: person.password };
    await svc.admin('POST', '/users', { ...account, role, caller: `linked ${role}` });
    const session = (await svc.post('/auth/login', account, null)).body.token;
    const { body: answer } = await svc.post('/v1/lenses/duckdb/query', { q: 'revenue by seller' }, session);
    const { request_id } = answer;
    expect(answer.answer).toMatch(/Cleo Marsh/);
    const note = 'Is Cleo Marsh right?';
    const { ticket_id } = (await svc.post('/v1/reviews', { request_id, note }, session)).body;
    const expectClosed = async () => {
      const replies = [
        await svc.post('/v1/verify', { text: `see ${request_id} 40` }, key),
        await svc.post('/v1/reviews', { request_id, note: 'Mine?' }, key),
        await svc.post('/v1/threads', { request_id }, key),
        await svc.get(`/v1/reviews/${ticket_id}`, key),
      ];
      expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
      replies.push(await svc.get('/v1/reviews', key), await svc.get(`/v1/answers/${request_id}`, key));
      expect(replies[4]!.body.items).toEqual([]);
      expect(replies[5]!.body).toMatchObject({ own: false, answer: { data: [{}, {}] } });
      for (const { text } of replies) expect(text).not.toMatch(/Cleo|Dora/);
    };
    await expectClosed();
    // Earlier builds stored the linked caller with such requests.
    await svc.sql('update svc.traces set caller_id = $2 where request_id = $1', [request_id, callerId]);
    await expectClosed();
    expect((await svc.get(`/v1/reviews/${ticket_id}`, session)).body.note).toBe(note);
    expect((await svc.get(`/v1/answers/${request_id}`, session)).body.own).toBe(true);
  });
});

describe('a receipt that its owner passes on', () => {
  const verifyAs = async (by: string, answer: { receipt: object; data: object[] }) => {
    const { receipt, data: rows } = answer;
    const { digest, request_id } = receipt as { digest: string; request_id: string };
    const bodies = [{ answer }, { receipt, rows }, { receipt: { request_id, digest }, rows }, { receipt, rows: [{}] }];
    const verdicts = await Promise.all(bodies.map((body) => svc.post('/v1/verify', body, keys[by])));
    return [await svc.post('/v1/verify-receipt', receipt, keys[by]), ...verdicts];
  };

  it.each(ENGINES)('confirms neither words nor rows to a caller under a row policy, on %s', async (engine) => {
    const ask = async (q: string, by: string) =>
      (await svc.post(`/v1/lenses/${engine}/query`, { q, receipt: 'full' }, keys[by])).body;
    const answer = await ask('revenue for seller Cleo Marsh', 'caller');
    expect(answer.data).toEqual([{ revenue: 40 }]);
    await svc.post('/v1/reviews', { request_id: answer.request_id }, keys['caller']);
    for (const by of ['field', 'viewer']) {
      const [receipt, ...verdicts] = await verifyAs(by, answer);
      expect(receipt!.body).toMatchObject({
        ...{ ok: true, signature: 'valid', trace_found: true, mismatches: [], caller: 'caller', lens: engine },
        ...{ question: null, context: [], served_sha256: null, rows_returned: null, ruling: null },
        withheld: expect.stringContaining('you may see all data of the served answer'),
      });
      for (const { body, text } of verdicts) {
        expect(body).toMatchObject({ ok: false, rows: 'unknown', mismatches: [] });
        expect(text).not.toMatch(/Cleo|Marsh/);
      }
    }
    // The row policy of the asking caller doesn't limit what others may see.
    for (const [other, by] of [
      [answer, 'peer'],
      [await ask('revenue by region', 'field'), 'peer'],
      [answer, 'admin'],
    ]) {
      const [receipt, verdict] = await verifyAs(by, other);
      expect(receipt!.body).toMatchObject({ ok: true, question: other.question, withheld: null });
      expect(verdict!.body).toMatchObject({ ok: true, rows: 'match', mismatches: [] });
    }
    // A viewer of the caller sees what the caller was served.
    const [receipt] = await verifyAs('viewer', await ask('revenue by region', 'field'));
    expect(receipt!.body).toMatchObject({ question: 'revenue by region', withheld: null });
  });
});

describe.each(ENGINES)('a board on %s', (engine) => {
  it('answers each tile with the rows and masks of its reader, and stores no rows', async () => {
    const plan = { metrics: ['revenue'], dimensions: ['orders.region'] };
    const board = await makeBoard(
      'caller',
      await askForId(engine, { q: 'revenue by region in 2016' }),
      await askForId(engine, plan, 'caller', 'metrics'),
    );
    await patch(`/v1/boards/${board}`, { shared: true }, 'caller');
    const tiles = await tileIds(board, 'caller');
    const rows = async (by: string) =>
      Promise.all(
        tiles.map(async (tile) => (await svc.get(`/v1/boards/${board}/tiles/${tile}`, keys[by])).body.answer.data),
      );
    const west = { region: 'West', revenue: 30 };
    const allRows = [
      [{ region: 'East', revenue: 40 }, west],
      [{ region: 'East', revenue: 120 }, west],
    ];
    for (const by of ['caller', 'peer', 'admin']) expect(await rows(by), by).toEqual(allRows);
    for (const by of ['field', 'viewer']) expect(await rows(by), by).toEqual([[west], [west]]);
    const { body } = await svc.get(`/v1/boards/${board}/tiles/${tiles[0]}`, keys['peer']);
    expect(body.answer).toMatchObject({ confidence: 'verified', certification: 'assisted' });
    expect(body.answer.receipt.request_id).toBe(body.answer.request_id);
    const [stored] = await svc.sql<{ text: string }>('select asked::text as text from svc.board_tiles where id = $1', [
      tiles[0],
    ]);
    expect(stored!.text).not.toMatch(/East|40/);
  });

  it('shows only the existence of a tile whose lens the reader may not use', async () => {
    const hidden = engine === 'duckdb' ? 'postgres' : 'duckdb';
    const half = `half-${engine}`;
    keys[half] = (await svc.mintCaller({ name: half, lenses: [engine], attributes: { region: 'West' } })).key;
    const board = await makeBoard(
      'caller',
      await askForId(engine, { q: 'revenue in 2016' }),
      await askForId(hidden, { q: 'revenue for seller Cleo Marsh' }),
    );
    const { status } = await svc.get(`/v1/boards/${board}`, keys[half]);
    expect(status).toBe(403);
    await patch(`/v1/boards/${board}`, { shared: true }, 'caller');
    const boardReply = await svc.get(`/v1/boards/${board}`, keys[half]);
    expect(boardReply.body.tiles).toMatchObject([
      { lens: engine, question: null },
      { lens: null, question: null },
    ]);
    const denied = await svc.get(`/v1/boards/${board}/tiles/${boardReply.body.tiles[1].id}`, keys[half]);
    expect(denied.status).toBe(403);
    expect(boardReply.text + denied.text).not.toMatch(new RegExp(`Cleo|seller|${hidden}`));
    const listBoardsOf = async (by: string) =>
      (await svc.get('/v1/boards?limit=200', keys[by])).body.items.some(({ id }: { id: string }) => id === board);
    expect(await listBoardsOf(half)).toBe(true);
    expect(await listBoardsOf('bare')).toBe(false);
    expect(await listBoardsOf('elsewhere admin')).toBe(false);
    const refusedBoard = await svc.get(`/v1/boards/${board}`, keys['bare']);
    expect([refusedBoard.status, refusedBoard.text.includes('A board')]).toEqual([403, false]);
  });
});

describe('a board', () => {
  it('can be named, shared, arranged and deleted by its owner only', async () => {
    const ids = [await askRevenue('in 2016'), await askRevenue('in 2017')];
    const board = await makeBoard('caller', ...ids);
    const [first, second] = await tileIds(board, 'caller');
    const url = `/v1/boards/${board}`;
    await patch(url, { shared: true, title: 'Two years' }, 'caller');
    expect((await svc.get(url, keys['caller'])).body.refresh).toBe('manual');
    expect((await patch(url, { refresh: '5s' }, 'caller')).status).toBe(422);
    expect((await patch(url, { refresh: '5m' }, 'caller')).body).toMatchObject({ title: 'Two years', refresh: '5m' });
    for (const by of ['peer', 'admin', 'viewer', 'elsewhere']) {
      const there = by === 'elsewhere' ? 404 : 403;
      expect((await patch(url, { title: 'Mine' }, by)).status).toBe(there);
      expect((await svc.send({ method: 'DELETE', url, token: keys[by]! })).status).toBe(there);
    }
    const peers = await askRevenue('', 'peer');
    expect((await svc.post(`${url}/tiles`, { request_id: peers }, keys['peer'])).status).toBe(403);
    expect((await svc.post(`${url}/tiles`, { request_id: peers }, keys['caller'])).status).toBe(403);
    const wide = { tiles: [{ id: second!, wide: true }] };
    expect((await patch(url, { tiles: [...wide.tiles, { id: ids[0]!, wide: false }] }, 'caller')).status).toBe(422);
    const arranged = [...wide.tiles, { id: first!, wide: false }];
    expect((await patch(url, { tiles: arranged }, 'caller')).body).toMatchObject({
      title: 'Two years',
      tiles: arranged,
    });
    expect((await patch(url, wide, 'caller')).body.tiles).toHaveLength(1);
    expect((await svc.send({ method: 'DELETE', url, token: keys['caller']! })).status).toBe(204);
    expect((await svc.get(url, keys['caller'])).status).toBe(404);
  });

  it('accepts no SQL and no refusal', async () => {
    const sql = { lens: 'duckdb', sql: 'select sum(amount) as s from main.orders' };
    const { body } = await svc.post('/v1/sql', sql, keys['caller']);
    const refusedId = await askForId('duckdb', { q: 'the mood of customers' });
    const board = await makeBoard('caller');
    const pin = async (request_id: string) =>
      (await svc.post(`/v1/boards/${board}/tiles`, { request_id }, keys['caller'])).status;
    expect([await pin(body.request_id), await pin(refusedId)]).toEqual([422, 422]);
  });

  it('can come from a project file, which is planned, applied, exported, changed and removed', async () => {
    const { files } = (await svc.admin('GET', '/project/export')).body;
    const path = 'boards/weekly.yaml';
    const text = (tiles: string) => `title: Weekly\ntiles:\n${tiles}`;
    const first = text(`  - {lens: duckdb, question: revenue in 2016, wide: true}
  - {lens: duckdb, plan: {metrics: [revenue], filters: [{field: orders.seller, values: [Cleo Marsh]}]}}
  - {lens: postgres, plan: {metrics: [revenue]}}\n`);
    const door = (action: 'plan' | 'apply', board?: string) =>
      svc.admin('POST', `/project/${action}`, { files: { ...files, ...(board && { [path]: board }) } });
    const boardChange = ({ body }: { body: { changes: { kind: string }[] } }) =>
      body.changes.filter(({ kind }) => kind === 'board');
    const listBoardsOf = async (by: string) =>
      (await svc.get('/v1/boards?q=weekly', keys[by])).body.items as { id: string; origin: string; own: boolean }[];
    expect(boardChange(await door('plan', first))).toMatchObject([{ action: 'create', name: 'Weekly', path }]);
    expect(await listBoardsOf('admin')).toEqual([]);
    expect((await door('apply', first)).status).toBe(200);
    expect((await svc.admin('GET', '/project/export')).body.files[path]).toBe(first);

    const [board] = await listBoardsOf('viewer');
    expect(board).toMatchObject({ origin: 'file', own: false });
    for (const by of ['bare', 'elsewhere', 'elsewhere admin']) expect(await listBoardsOf(by), by).toEqual([]);
    const tiles = await tileIds(board!.id, 'viewer');
    const tileTexts = async (by: string) =>
      Promise.all(
        tiles.map(async (tile) => {
          const { status, body } = await svc.get(`/v1/boards/${board!.id}/tiles/${tile}`, keys[by]);
          return status === 200 ? body.answer.data[0].revenue : body.error.message;
        }),
      );
    expect(await tileTexts('peer')).toEqual([70, 40, 150]);
    expect(await tileTexts('viewer')).toEqual([30, expect.stringContaining('can’t be shown to you'), 30]);
    for (const by of ['admin', 'peer'])
      expect((await patch(`/v1/boards/${board!.id}`, { title: 'Mine' }, by)).status).toBe(403);

    const second = text('  - {lens: duckdb, question: revenue in 2017}\n');
    expect(boardChange(await door('plan', `${first}# a note\n`))).toMatchObject([{ action: 'none' }]);
    expect(boardChange(await door('apply', second))).toMatchObject([{ action: 'update' }]);
    expect((await listBoardsOf('peer')).map(({ id }) => id)).toEqual([board!.id]);
    expect(await tileIds(board!.id, 'peer')).toHaveLength(1);
    expect(boardChange(await door('apply', `${second}refresh: 1h\n`))).toMatchObject([{ action: 'update' }]);
    expect(boardChange(await door('plan', `${second}refresh: 1h # a note\n`))).toMatchObject([{ action: 'none' }]);
    expect((await svc.get(`/v1/boards/${board!.id}`, keys['peer'])).body.refresh).toBe('1h');
    expect((await svc.admin('GET', '/project/export')).body.files[path]).toContain('refresh: 1h');
    const wrong = await door('apply', text('  - {lens: duckbd, question: revenue, sql: select 1}\n'));
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('boards/weekly.yaml');
    expect(boardChange(await door('apply'))).toMatchObject([{ action: 'delete', path }]);
    expect(await listBoardsOf('peer')).toEqual([]);
  });

  it('is removed with the account of its owner', async () => {
    const person = { email: 'gone@example.com', password: 'correct horse battery staple 42' };
    const createReply = await svc.admin('POST', '/users', { ...person, role: 'viewer', caller: 'peer' });
    keys['gone'] = (await svc.post('/auth/login', person, null)).body.token;
    const board = await makeBoard('gone', await askRevenue('', 'gone'));
    await patch(`/v1/boards/${board}`, { shared: true }, 'gone');
    expect((await svc.get(`/v1/boards/${board}`, keys['caller'])).status).toBe(200);
    await svc.admin('DELETE', `/users/${createReply.body.id}`);
    expect((await svc.get(`/v1/boards/${board}`, keys['caller'])).status).toBe(404);
  });
});

describe('a conversation', () => {
  const start = async (by: string, ...ids: string[]) => {
    const { body } = await svc.post('/v1/threads', { request_id: ids[0] }, keys[by]);
    for (const id of ids.slice(1)) await svc.post(`/v1/threads/${body.id}/turns`, { request_id: id }, keys[by]);
    return body.id as string;
  };

  it('can be opened, searched, renamed and deleted by its owner only', async () => {
    const id = await start('caller', await askForId('duckdb', { q: 'revenue for seller Dora Quill' }));
    const search = async (by: string, q: string) => (await svc.get(`/v1/threads?q=${q}`, keys[by])).body.items;
    expect(await search('caller', 'dora')).toMatchObject([{ id, title: 'revenue for seller Dora Quill', turns: 1 }]);
    for (const by of ['peer', 'field', 'bare', 'admin', 'elsewhere']) {
      expect(await search(by, 'dora')).toEqual([]);
      const there = by === 'elsewhere' ? 404 : 403;
      expect((await svc.get(`/v1/threads/${id}`, keys[by])).status).toBe(there);
      for (const [method, payload] of [
        ['PATCH', { title: 'Mine' }],
        ['DELETE', undefined],
      ] as const)
        expect(
          (await svc.send({ method, url: `/v1/threads/${id}`, ...(payload && { payload }), token: keys[by]! })).status,
        ).toBe(there);
      const turn = await svc.post(`/v1/threads/${id}/turns`, { request_id: await askRevenue() }, keys[by]);
      expect([403, 404]).toContain(turn.status);
    }
    expect((await svc.send({ method: 'DELETE', url: `/v1/threads/${id}`, token: keys['caller']! })).status).toBe(204);
    expect(await search('caller', 'dora')).toEqual([]);
  });

  it('cuts a long title between two characters, not within an emoji', async () => {
    const q = `${'revenue '.repeat(24)}by segs😀 in 2016`;
    const { body } = await svc.post('/v1/threads', { request_id: await askForId('duckdb', { q }) }, keys['caller']);
    expect(body.turns[0].question).toBe(q);
    expect(body.title).toBe(`${'revenue '.repeat(24)}by segs`);
  });

  it('has a title for asks without a question', async () => {
    const sql = 'select sum(amount) as s from main.orders';
    const { request_id } = (await svc.post('/v1/sql', { lens: 'duckdb', sql }, keys['caller'])).body;
    expect((await svc.post('/v1/threads', { request_id }, keys['caller'])).body.title).toBe('An SQL statement');
    const plan = { request_id: await askForId('duckdb', { metrics: ['revenue'] }, 'caller', 'metrics') };
    expect((await svc.post('/v1/threads', plan, keys['caller'])).body.title).toBe('A plan');
  });

  it('accepts asks of its owner only', async () => {
    const id = await askRevenue('', 'peer');
    for (const [by, status] of [
      ['caller', 403],
      ['elsewhere', 404],
    ] as const) {
      expect((await svc.post('/v1/threads', { request_id: id }, keys[by])).status).toBe(status);
      expect((await svc.post('/v1/verify', { text: `Revenue was 5 (${id}).` }, keys[by])).status).toBe(status);
    }
    const own = { request_id: await askRevenue() };
    const thread = (await svc.post('/v1/threads', own, keys['caller'])).body.id;
    expect((await svc.post(`/v1/threads/${thread}/turns`, { request_id: id }, keys['caller'])).status).toBe(403);
  });

  it('once shared, shows others its requests but not its words, and nothing from lenses that they may not use', async () => {
    const [first, second] = [
      await askForId('duckdb', { q: 'revenue for seller Cleo Marsh' }),
      await askForId('postgres', { q: 'revenue by region' }),
    ];
    const id = await start('caller', first, second);
    await patch(`/v1/threads/${id}`, { shared: true }, 'caller');
    const peerReply = await svc.get(`/v1/threads/${id}`, keys['peer']);
    expect(peerReply.body).toMatchObject({ own: false, title: null, withheld: 0 });
    expect(peerReply.body.turns.map((turn: { request_id: string }) => turn.request_id)).toEqual([first, second]);
    expect(peerReply.text).not.toMatch(/Cleo/);
    const refusedReply = await svc.get(`/v1/threads/${id}`, keys['bare']);
    expect(refusedReply.body).toMatchObject({ turns: [], withheld: 2 });
    expect((await svc.get(`/v1/threads/${id}`, keys['elsewhere'])).status).toBe(404);
    const ownReply = await svc.get(`/v1/threads/${id}`, keys['caller']);
    expect(ownReply.body.turns.map((turn: { question: string }) => turn.question)).toEqual([
      'revenue for seller Cleo Marsh',
      'revenue by region',
    ]);
  });

  it('is listed page by page, last used first', async () => {
    const threadIds: string[] = [];
    for (const year of [2015, 2016, 2017]) threadIds.push(await start('peer', await askRevenue(`in ${year}`, 'peer')));
    const seenIds: string[] = [];
    let cursor = '';
    do {
      const { body } = await svc.get(`/v1/threads?limit=1${cursor && `&cursor=${cursor}`}`, keys['peer']);
      seenIds.push(...body.items.map((item: { id: string }) => item.id));
      cursor = body.next_cursor ?? '';
    } while (cursor);
    expect(seenIds).toEqual(threadIds.reverse());
  });
});
