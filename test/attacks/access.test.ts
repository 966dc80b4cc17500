// Ended access and requests from pages of other sites neither show nor change anything.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { completeFlow, makePerson, PASSWORD, signIn } from '../oauth/oauth-flow.ts';
import { type Reply, startTestApp } from '../support/app.ts';
import { toolCall } from '../support/tool-call.ts';

const svc = await startTestApp();
const { admin } = svc;

const ROWS = { metrics: ['revenue'], dimensions: ['region'] };

interface Leaver {
  id: string;
  key: string;
  keyId: string;
  requestId: string;
  board: string;
  tile: string;
  thread: string;
  ticket: string;
  // biome-ignore lint/suspicious/noExplicitAny: as the server answered
  answer: any;
}
let callerCount = 0;
/** Creates a caller who has asked a question, and who owns a board, a conversation, a ticket and a receipt. */
async function leaver(of: { groups?: string[]; attributes?: Record<string, string> } = {}): Promise<Leaver> {
  const { id, key, keyId } = await svc.mintCaller({ name: `leaver ${callerCount++}`, lenses: ['shop'], ...of });
  const answer = (await svc.post('/v1/lenses/shop/metrics', ROWS, key)).body;
  const request_id = answer.request_id;
  const board = (await svc.post('/v1/boards', { title: 'Mine' }, key)).body.id;
  const pinned = (await svc.post(`/v1/boards/${board}/tiles`, { request_id }, key)).body;
  const thread = (await svc.post('/v1/threads', { request_id }, key)).body.id;
  for (const [place, change] of [
    [`boards/${board}`, { shared: true, refresh: '5m' }],
    [`threads/${thread}`, { shared: true }],
  ] as const)
    await svc.send({ method: 'PATCH', url: `/v1/${place}`, token: key, payload: change });
  const ticket = (await svc.post('/v1/reviews', { request_id, note: 'Is it so?' }, key)).body.ticket_id;
  return { id, key, keyId, requestId: request_id, board, tile: pinned.tiles[0].id, thread, ticket, answer };
}

const say = (stream: boolean) => ({
  model: 'svc/shop',
  stream,
  messages: [{ role: 'user', content: 'revenue by region' }],
});
/** Returns every request that a caller may send, including requests for the caller's own objects. */
const requestsOf = ({ requestId, board, tile, thread, ticket, answer }: Leaver): [string, object?][] => [
  ['/v1/lenses'],
  ['/v1/lenses/shop'],
  ['/v1/lenses/shop/complete?q=Revenue%20where%20region%20is%20'],
  ['/v1/lenses/shop/phrases'],
  ['/v1/lenses/shop/values?field=region'],
  ['/v1/lenses/shop/certified'],
  ['/v1/definitions'],
  ['/v1/models'],
  ['/v1/models/svc%2Fshop'],
  ['/v1/boards'],
  [`/v1/boards/${board}/tiles/${tile}`],
  [`/v1/answers/${requestId}`],
  [`/v1/threads/${thread}`],
  [`/v1/reviews/${ticket}`],
  ['/v1/query', { q: 'revenue by region' }],
  ['/v1/lenses/shop/query', { q: 'revenue by region' }],
  ['/v1/lenses/shop/metrics', ROWS],
  ['/v1/lenses/shop/certified/revenue-by-region/run', {}],
  ['/v1/sql', { lens: 'shop', sql: 'select region, sum(sales) as s from orders group by region' }],
  ['/v1/chat/completions', say(false)],
  ['/v1/chat/completions', say(true)],
  ['/v1/verify', { receipt: answer.receipt, rows: answer.data, text: 'West' }],
  ['/v1/verify-receipt', answer.receipt],
  ['/mcp', toolCall('query', { lens: 'shop', q: 'revenue by region' })],
  ['/mcp', toolCall('sql', { lens: 'shop', sql: 'select region from orders' })],
  ['/mcp', toolCall('list_lenses', {})],
  ['/mcp', toolCall('describe_lens', { lens: 'shop' })],
  ['/mcp', { jsonrpc: '2.0', id: 1, method: 'resources/list', params: {} }],
  [
    '/mcp',
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'completion/complete',
      params: { ref: { type: 'ref/prompt', name: 'ask' }, argument: { name: 'question', value: 'rev' } },
    },
  ],
];
const open = ([path, body]: [string, object?], key: string): Promise<Reply> =>
  body ? svc.post(path, body, key) : svc.get(path, key);

describe('a credential that is no longer valid', () => {
  it.each<[string, (of: Leaver) => Promise<unknown>]>([
    ['revoked', ({ id, keyId }) => admin('DELETE', `/callers/${id}/keys/${keyId}`)],
    [
      'rotated without an overlap',
      ({ id, keyId }) => admin('POST', `/callers/${id}/keys/${keyId}/rotate`, { overlap_seconds: 0 }),
    ],
    ['of a disabled caller', ({ id }) => admin('PATCH', `/callers/${id}`, { disabled: true })],
    ['of a deleted caller', ({ id }) => admin('DELETE', `/callers/${id}`)],
    [
      'expired',
      async ({ keyId }) => {
        await svc.sql('update svc.credentials set expires_at = now() where id = $1', [keyId]);
        await sleep(900);
      },
    ],
  ])('gets 401 and no data on every route: %s', async (_, end) => {
    const lostCaller = await leaver();
    await end(lostCaller);
    for (const request of requestsOf(lostCaller)) {
      const { status, text } = await open(request, lostCaller.key);
      expect([request[0], status]).toEqual([request[0], 401]);
      expect(text).not.toMatch(/West|revenue/);
    }
  });

  it('ends an export that is still running', async () => {
    const base = await svc.listen();
    const { id, token } = (await admin('POST', '/tokens', { label: 'for an export' })).body;
    await svc.sql(
      `insert into svc.traces (org_id, request_id, caller, surface, route, question, status, outcome, confidence, certification,
         total_ms, warehouse_ms, envelope, detail)
       select $1, gen_random_uuid(), 'somebody', 'v1', 'query', repeat('long ', 2000), 'answered', 'answered', 'verified', 'none',
         1, 1, '{}', '{}' from generate_series(1, 4000)`,
      [svc.orgId],
    );
    const reply = await fetch(`${base}/mgmt/observe/export?format=ndjson`, {
      headers: { authorization: `Bearer ${token}` },
    });
    let [bytes, after] = [0, 0];
    let revoked = false;
    try {
      for await (const chunk of reply.body as unknown as AsyncIterable<Uint8Array>) {
        bytes += chunk.length;
        if (revoked) after += chunk.length;
        if (!revoked && bytes > 100_000) {
          await admin('DELETE', `/tokens/${id}`);
          revoked = true;
          await sleep(1_500);
        }
      }
    } catch {
      // The server closes the connection before the end.
    }
    expect(revoked).toBe(true);
    // The client receives at most one page of the log and the buffered data of the connection.
    expect(after).toBeLessThan(10_000_000);
  });

  it('closes its caller’s boards and conversations to others, and to a new caller of the same name', async () => {
    const lostCaller = await leaver();
    const { key: peerKey } = await svc.mintCaller({ name: 'peer', lenses: ['shop'] });
    for (const place of [`boards/${lostCaller.board}`, `threads/${lostCaller.thread}`])
      expect((await svc.get(`/v1/${place}`, peerKey)).status).toBe(200);
    const { name } = (await admin('GET', `/callers/${lostCaller.id}`)).body;
    await admin('DELETE', `/callers/${lostCaller.id}`);
    for (const place of [`boards/${lostCaller.board}`, `threads/${lostCaller.thread}`])
      expect((await svc.get(`/v1/${place}`, peerKey)).status, place).toBe(404);
    const namesake = await svc.mintCaller({ name, lenses: ['shop'] });
    expect((await svc.get(`/v1/answers/${lostCaller.requestId}`, namesake.key)).body.own).toBe(false);
    for (const list of ['boards', 'threads', 'reviews'])
      expect((await svc.get(`/v1/${list}`, namesake.key)).text, list).not.toMatch(/"own":true|ticket_id/);
    expect((await svc.get(`/v1/reviews/${lostCaller.ticket}`, namesake.key)).status).toBe(403);
  });
});

describe('a lens whose grant was revoked', () => {
  it.each<[string, (of: Leaver) => Promise<unknown>]>([
    ['from the caller', ({ id }) => admin('PUT', `/callers/${id}/grants`, { lenses: [] })],
    ['for another lens', ({ id }) => admin('PUT', `/callers/${id}/grants`, { lenses: ['stock'] })],
  ])('shows none of its data on any route, including stored answers: %s', async (_, end) => {
    const gone = await leaver();
    await end(gone);
    for (const request of requestsOf(gone)) {
      const { text } = await open(request, gone.key);
      // The response may repeat the caller's own words, but contains no data and no names of the lens.
      expect(text, request.join(' ')).not.toMatch(/West|Central|"data":\[\{"r|order_date|row_id/);
    }
  });

  it('applies the caller’s new row policy and attribute to stored answers at once', async () => {
    const caller = await leaver();
    const seen = async () => [
      (await svc.get(`/v1/answers/${caller.requestId}`, caller.key)).text,
      (await svc.get(`/v1/boards/${caller.board}/tiles/${caller.tile}`, caller.key)).text,
      (await svc.post('/v1/lenses/shop/metrics', ROWS, caller.key)).text,
      (await svc.post('/mcp', toolCall('query', { lens: 'shop', q: 'revenue by region' }), caller.key)).text,
      (await svc.get('/v1/lenses/shop/values?field=region', caller.key)).text,
    ];
    for (const text of await seen()) expect(text).toMatch(/East/);
    await admin('PATCH', `/callers/${caller.id}`, { groups: ['field'], attributes: { region: 'West' } });
    for (const text of await seen()) expect(text).not.toMatch(/East|Central|South/);
    await admin('PATCH', `/callers/${caller.id}`, { attributes: { region: 'South' } });
    for (const text of await seen()) expect(text).not.toMatch(/East|Central|West/);
  });

  it('shows a stored answer and confirms its numbers only while the caller may see all of its data', async () => {
    const { id, key } = await svc.mintCaller({ name: 'reader', lenses: ['shop'] });
    const ask = async () => (await svc.post('/v1/lenses/shop/query', { q: 'revenue by region' }, key)).body;
    const everything = await ask();
    const repeat = (answer: typeof everything) =>
      svc.post('/v1/verify', { text: `${answer.answer} (${answer.request_id})` }, key);
    const expectShown = async (answer: typeof everything) => {
      const { body } = await repeat(answer);
      expect(body.logged.answer).toBe(answer.answer);
      expect(body.numbers.map(({ value }: { value: unknown }) => value)).not.toContain(null);
      expect((await svc.post('/v1/verify', { answer }, key)).body).toMatchObject({
        ...{ ok: true, receipt: { ok: true, withheld: null } },
      });
    };
    const expectWithheld = async (answer: typeof everything) => {
      const { body, text } = await repeat(answer);
      expect(body.logged).toEqual({ request_id: answer.request_id, question: 'revenue by region', answer: null });
      expect(body.numbers.every(({ value }: { value: unknown }) => value === null)).toBe(true);
      expect(body.not_proven).toContainEqual(expect.stringContaining('the logged answer: svc can’t confirm'));
      expect(text).not.toMatch(/East|West|South/);
      // svc must neither confirm hidden rows, nor accept an edited sentence because svc no longer compares it.
      for (const given of [answer, { ...answer, answer: 'Edited.' }])
        expect((await svc.post('/v1/verify', { answer: given }, key)).body).toMatchObject({
          ...{ ok: false, rows: 'unknown', not_proven: [expect.stringContaining('data not compared: svc can’t')] },
          receipt: { ok: true, served_sha256: null, withheld: expect.stringContaining('you may see all data') },
        });
    };
    const change = (more: object) => admin('PATCH', `/callers/${id}`, more);
    await expectShown(everything);
    await change({ groups: ['field'], attributes: { region: 'West' } });
    await expectWithheld(everything);
    const west = await ask();
    await expectShown(west);
    await change({ attributes: { region: 'South' } });
    await expectWithheld(everything);
    await expectWithheld(west);
    // Traces of earlier builds don't state what limited the caller's view.
    await svc.sql(`update svc.traces set detail = detail - 'restrictions' where request_id = $1`, [west.request_id]);
    await change({ attributes: { region: 'West' } });
    await expectWithheld(west);
    await change({ groups: [] });
    await expectShown(everything);
    await expectShown(west);
  });

  it('closes stored answers and reports when the caller loses the lens', async () => {
    const { id, key, requestId: request_id, ticket, answer } = await leaver();
    const replies = () =>
      Promise.all([
        svc.post('/v1/verify', { text: `It was 5 (${request_id})` }, key),
        svc.post('/v1/reviews', { request_id }, key),
        svc.post('/v1/threads', { request_id }, key),
        svc.get(`/v1/reviews/${ticket}`, key),
        svc.get(`/v1/answers/${request_id}`, key),
      ]);
    expect((await replies()).map(({ status }) => status)).toEqual([200, 201, 201, 200, 200]);
    expect((await svc.get('/v1/reviews', key)).body.items).toHaveLength(2);
    await admin('PUT', `/callers/${id}/grants`, { lenses: [] });
    expect((await replies()).map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect((await svc.get('/v1/reviews', key)).body.items).toEqual([]);
    expect((await svc.post('/v1/verify-receipt', answer.receipt, key)).body).toMatchObject({ trace_found: false });
  });

  it('closes the boards and conversations of a revoked admin token to others', async () => {
    const made = (await admin('POST', '/tokens', { label: 'short' })).body;
    const { request_id } = (await svc.post('/v1/lenses/shop/metrics', ROWS, made.token)).body;
    const board = (await svc.post('/v1/boards', { title: 'Of a token' }, made.token)).body.id;
    expect((await svc.post(`/v1/boards/${board}/tiles`, { request_id }, made.token)).status).toBe(201);
    const thread = (await svc.post('/v1/threads', { request_id }, made.token)).body.id;
    for (const place of [`boards/${board}`, `threads/${thread}`]) {
      const shared = { method: 'PATCH' as const, url: `/v1/${place}`, token: made.token, payload: { shared: true } };
      expect((await svc.send(shared)).status).toBe(200);
      expect((await svc.get(`/v1/${place}`, svc.callerKey)).status, place).toBe(200);
    }
    expect((await admin('DELETE', `/tokens/${made.id}`)).status).toBe(200);
    for (const place of [`boards/${board}`, `threads/${thread}`])
      expect((await svc.get(`/v1/${place}`, svc.callerKey)).status, place).toBe(404);
  });

  it('is closed to OAuth tokens and sessions too, and a demoted admin can no longer manage', async () => {
    const rep = await svc.mintCaller({ name: 'rep', lenses: ['shop'] });
    const { id: user } = await makePerson(svc, 'rep@example.com', 'rep');
    const cookie = await signIn(svc, 'rep@example.com');
    const { tokens } = await completeFlow(svc, cookie);
    const ask = toolCall('query', { lens: 'shop', q: 'revenue by region' });
    expect((await svc.post('/mcp', ask, tokens.access_token)).text).toMatch(/West/);
    await admin('PUT', `/callers/${rep.id}/grants`, { lenses: [] });
    expect((await svc.post('/mcp', ask, tokens.access_token)).text).not.toMatch(/West/);
    expect((await svc.get('/v1/lenses', null, { cookie })).body.items).toEqual([]);
    await admin('PATCH', `/users/${user}`, { role: 'admin' });
    const session = (await svc.post('/auth/login', { email: 'rep@example.com', password: PASSWORD }, null)).body.token;
    expect((await svc.post('/mgmt/tokens', { label: 'x' }, session)).status).toBe(201);
    await admin('PATCH', `/users/${user}`, { role: 'viewer' });
    expect([401, 403]).toContain((await svc.post('/mgmt/tokens', { label: 'y' }, session)).status);
    expect([401, 403]).toContain((await svc.get('/mgmt/observe/requests', session)).status);
    await admin('DELETE', `/users/${user}`);
    expect((await svc.get('/v1/lenses', session)).status).toBe(401);
    expect((await svc.post('/mcp', ask, tokens.access_token)).status).toBe(401);
  });
});

it('shows a person no reply to another person’s request with the same Idempotency-Key', async () => {
  const tokens: string[] = [];
  for (const email of ['one@example.com', 'two@example.com']) {
    const { id } = await makePerson(svc, email);
    await admin('PATCH', `/users/${id}`, { role: 'admin' });
    const session = (await svc.post('/auth/login', { email, password: PASSWORD }, null)).body.token;
    tokens.push((await svc.post('/mgmt/tokens', { label: 'x' }, session, { 'idempotency-key': 'same' })).body.token);
  }
  expect(tokens[0]).toMatch(/^svcadm_/);
  expect(tokens[1]).not.toBe(tokens[0]);
});

describe('a page of another site', () => {
  const FOREIGN: Record<string, string>[] = [
    {},
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: '' },
    { origin: 'http://127.0.0.1:8081' },
    { origin: 'https://127.0.0.1:8080' },
    { origin: 'http://localhost:8080' },
    { origin: 'http://127.0.0.1:8080.evil.example' },
    { origin: 'http://127.0.0.1:8080/' },
    { origin: 'http://127.0.0.1:8080, https://evil.example' },
    { origin: 'https://evil.example', host: 'evil.example' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'Same-Origin' },
    { referer: 'http://127.0.0.1:8080/app' },
  ];
  const TYPES = [
    'application/json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ];

  it('changes nothing with the session of an admin, on any route that writes', async () => {
    await makePerson(svc, 'boss@example.com');
    const { items } = (await admin('GET', '/users')).body;
    await admin('PATCH', `/users/${items.find(({ email }: { email: string }) => email === 'boss@example.com').id}`, {
      role: 'admin',
    });
    const cookie = await signIn(svc, 'boss@example.com');
    expect((await svc.get('/mgmt/callers', null, { cookie })).status).toBe(200);
    const document = (await svc.get('/docs/json', null)).body;
    const allowedRoutes: string[] = [];
    let tried = 0;
    for (const [path, methods] of Object.entries<object>(document.paths))
      for (const method of Object.keys(methods).filter((key) => key !== 'get')) {
        // These routes don't accept a session token. test/session tests that only the cookie ends a session.
        if (/^\/(verify-signature|auth\/)/.test(path)) continue;
        for (const [n, headers] of FOREIGN.entries()) {
          tried++;
          const { status, body } = await svc.send({
            method: method.toUpperCase() as 'POST',
            url: path.replace(/\{[^}]+\}/g, 'x'),
            token: null,
            headers: { cookie, 'content-type': TYPES[n % TYPES.length]!, ...headers },
            payload: '{}',
          });
          if (status !== 403 || body?.error?.code !== 'forbidden')
            allowedRoutes.push(`${status} ${method} ${path} ${JSON.stringify(headers)}`);
        }
      }
    expect(tried).toBeGreaterThan(1_000);
    expect(allowedRoutes).toEqual([]);
    for (const override of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
      const { id } = (await admin('GET', '/callers')).body.items[0];
      const headers = { cookie, [override]: 'DELETE' };
      expect((await svc.get(`/mgmt/callers/${id}`, null, headers)).body.id, override).toBe(id);
      expect((await admin('GET', `/callers/${id}`)).status).toBe(200);
    }
  }, 120_000);

  it('reads nothing, signs no one in, and gets no consent', async () => {
    const cookie = await signIn(svc, 'boss@example.com');
    for (const path of ['/v1/lenses', '/mgmt/callers', '/auth/me', '/mgmt/observe/export']) {
      const { headers } = await svc.get(path, null, { cookie, origin: 'https://evil.example' });
      expect([path, headers['access-control-allow-origin'], headers['access-control-allow-credentials']]).toEqual([
        path,
        undefined,
        undefined,
      ]);
    }
    expect(
      (await svc.post('/mcp', toolCall('list_lenses', {}), null, { cookie, 'sec-fetch-site': 'same-origin' })).status,
    ).toBe(401);
    for (const headers of FOREIGN.slice(1, 9)) {
      const login = { email: 'boss@example.com', password: PASSWORD };
      expect((await svc.post('/auth/login', login, null, headers)).status, JSON.stringify(headers)).toBe(403);
      for (const path of ['/auth/sign-in', '/oauth/authorize/complete', '/oauth/grants'])
        expect([403, 404, 405], path).toContain(
          (
            await svc.send({
              method: 'POST',
              url: path,
              token: null,
              headers: { cookie, 'content-type': 'application/x-www-form-urlencoded', ...headers },
              payload: 'email=boss%40example.com&decision=allow',
            })
          ).status,
        );
    }
  });
});

describe('boards and conversations', () => {
  const createBoard = (body: object, key?: string) => svc.post('/v1/boards', body, key);

  it('are limited to 200 boards for each owner, even with simultaneous requests', async () => {
    const { key } = await svc.mintCaller({ name: 'collector', lenses: ['shop'] });
    const { id: caller_id } = (await admin('GET', '/callers/collector')).body;
    await svc.sql(
      `insert into svc.boards (org_id, id, owner, title) select $1, gen_random_uuid(), $2, 'One of many' from generate_series(1, 195)`,
      [svc.orgId, caller_id],
    );
    const replies = await Promise.all(Array.from({ length: 20 }, () => createBoard({ title: 't'.repeat(200) }, key)));
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(5).fill(201), ...Array(15).fill(409)]);
    expect((await createBoard({ title: 'Mine' }, svc.callerKey)).status).toBe(201);
  });

  it('are limited to 1,000 conversations for each owner, and a new one replaces the least recently used', async () => {
    const { key, id: owner } = await svc.mintCaller({ name: 'talker', lenses: ['shop'] });
    const { request_id } = (await svc.post('/v1/lenses/shop/metrics', ROWS, key)).body;
    await svc.sql(
      `insert into svc.threads (org_id, id, owner, title, updated_at)
       select $1, gen_random_uuid(), $2, 'Number ' || n, now() - n * interval '1 minute' from generate_series(1, 1000) n`,
      [svc.orgId, owner],
    );
    expect((await svc.post('/v1/threads', { request_id }, key)).status).toBe(201);
    expect((await svc.post('/v1/threads', { request_id }, svc.callerKey)).status).toBe(403);
    const [{ count }] = (await svc.sql(
      'select count(*)::int as count from svc.threads where org_id = $1 and owner = $2',
      [svc.orgId, owner],
    )) as [{ count: number }];
    expect(count).toBe(1000);
    const countThreads = async (title: string) => (await svc.get(`/v1/threads?q=${title}`, key)).body.items.length;
    expect(await countThreads('Number%201000')).toBe(0);
    expect(await countThreads('Number%20999')).toBe(1);
  });

  it('never have more than 40 tiles on a board, even with simultaneous requests, and no tile of another board', async () => {
    const { key } = await svc.mintCaller({ name: 'racer', lenses: ['shop'] });
    const request_id = (await svc.post('/v1/lenses/shop/metrics', { metrics: ['revenue'] }, key)).body.request_id;
    const [firstBoard, secondBoard] = [
      (await createBoard({ title: 'One' }, key)).body.id,
      (await createBoard({ title: 'Two' }, key)).body.id,
    ];
    await Promise.all(
      Array.from({ length: 60 }, () => svc.post(`/v1/boards/${firstBoard}/tiles`, { request_id }, key)),
    );
    const { tiles } = (await svc.get(`/v1/boards/${firstBoard}`, key)).body;
    expect(tiles).toHaveLength(40);
    for (const tile of [tiles[0].id, '..', '%2e%2e', "'", 'x'.repeat(101), tiles[0].id.toUpperCase()])
      expect([404, 422]).toContain((await svc.get(`/v1/boards/${secondBoard}/tiles/${tile}`, key)).status);
    const otherTenant = await svc.addTenant('stranger');
    expect((await svc.get(`/v1/boards/${firstBoard}/tiles/${tiles[0].id}`, otherTenant.adminToken)).status).toBe(404);
    const otherRequestId = (await svc.post('/v1/lenses/shop/metrics', { metrics: ['revenue'] }, otherTenant.callerKey))
      .body.request_id;
    expect((await svc.post(`/v1/boards/${secondBoard}/tiles`, { request_id: otherRequestId }, key)).status).toBe(404);
    expect((await svc.post('/v1/threads', { request_id: otherRequestId }, key)).status).toBe(404);
  });

  it('become unreadable to others at once when their owner ends the sharing', async () => {
    const owner = await leaver();
    const { key: peerKey } = await svc.mintCaller({ name: 'peer', lenses: ['shop'] });
    const places = [`boards/${owner.board}`, `boards/${owner.board}/tiles/${owner.tile}`, `threads/${owner.thread}`];
    for (const place of places) expect((await svc.get(`/v1/${place}`, peerKey)).status, place).toBe(200);
    for (const place of [`boards/${owner.board}`, `threads/${owner.thread}`])
      await svc.send({ method: 'PATCH', url: `/v1/${place}`, token: owner.key, payload: { shared: false } });
    for (const place of places) expect((await svc.get(`/v1/${place}`, peerKey)).status, place).toBe(403);
  });
});
