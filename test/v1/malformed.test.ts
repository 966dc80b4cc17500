import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { malformedRequests, operationsOf } from '../support/malformed-requests.ts';
import { longestStall } from '../support/stalls.ts';

const svc = await startTestApp();

const post = (payload: string | Buffer, headers: Record<string, string> = {}) =>
  svc.send({ method: 'POST', url: '/v1/query', payload, headers: { 'content-type': 'application/json', ...headers } });

describe('refuses', () => {
  it.each([
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0x71, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]), 400],
    ['a NUL character', '{"q":"a\\u0000"}', 400],
    ['half of a surrogate pair', '{"q":"\\ud800"}', 400],
    ['a name used twice', '{"q":"a", "q" :"b"}', 400],
    ['a name used twice, once with an escape', '{"q":"a","\\u0071":"b"}', 400],
    ['__proto__', '{"q":"a","__proto__":{}}', 400],
    ['a number beyond a double', '{"q":"a","limit":1e400}', 400],
    ['10,000 levels of nesting', '['.repeat(10_000) + ']'.repeat(10_000), 400],
    ['text that isn’t JSON', '{"q":', 400],
    ['an array for an object', '[]', 422],
    ['null for an object', 'null', 422],
    ['no body at all', '', 422],
  ])('%s', async (_what, payload, status) => {
    const reply = await post(payload);
    expect(reply.status).toBe(status);
    expect(reply.body.error).toMatchObject({
      code: status === 400 ? 'malformed' : 'invalid',
      request_id: reply.headers['x-request-id'],
    });
  });

  it('accepts the same value twice in different objects', async () => {
    const reply = await svc.post('/v1/lenses/shop/metrics', {
      metrics: ['revenue'],
      filters: [
        { field: 'orders.region', op: '=', values: ['West'] },
        { field: 'orders.segment', op: '=', values: ['Consumer'] },
      ],
    });
    expect(reply.body.data).toEqual([{ revenue: 400.5 }]);
  });

  it('a body with several faults, and names all of them and the nearest valid name', async () => {
    const reply = await svc.post('/v1/lenses/shop/query', { qq: 'x', q: 5, format: 'csv' });
    expect(reply.status).toBe(422);
    expect(reply.body.error.details.map(({ path }: { path: string }) => path).sort()).toEqual(['format', 'q', 'qq']);
    expect(reply.body.error.message).toContain('Did you mean q?');
  });

  it('F16: a body with thousands of faults in a short message, without blocking other work', async () => {
    const of = (count: number, value: unknown) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, value]));
    const receipt = { request_id: '01a202c4-d9b5-74d5-a93a-3ab20e3b608a', lens: null, served_at: '' };
    const nested = (depth: number): object =>
      depth === 0 ? { field: 'a' } : { exists: 'a', where: [nested(depth - 1)], unknown: 1 };
    const bodies: [string, object][] = [
      ['/v1/lenses/shop/metrics', { metrics: ['revenue'], filters: [nested(25)] }],
      ['/v1/lenses/shop/metrics', { metrics: ['revenue'], choices: of(40_000, 'v') }],
      ['/v1/lenses/shop/metrics', of(60_000, 1)],
      ['/v1/verify', { receipt, rows: Array(400_000).fill(1) }],
      ['/v1/verify', { receipt, rows: Array(40_000).fill({ a: [] }) }],
      ['/v1/verify', { receipt, rows: [of(60_000, 1)], text: '1 2' }],
      ['/v1/verify-receipt', { ...receipt, ...of(60_000, 'x') }],
      ['/v1/lenses/shop/certified/revenue-in-year/run', { parameters: of(60_000, 'x') }],
      ['/verify-signature', { ...receipt, ...of(60_000, 'x') }],
    ];
    for (const [path, body] of bodies) {
      const payload = JSON.stringify(body);
      const stalls: number[] = [];
      for (let turn = 0; turn < 3 && (stalls.at(-1) ?? 1) >= 1; turn++)
        stalls.push(
          await longestStall(async () => {
            const { status, text } = await svc.send({
              method: 'POST',
              url: path,
              payload,
              headers: { 'content-type': 'application/json' },
            });
            expect([413, 422]).toContain(status);
            expect(text.length, path).toBeLessThan(40_000);
          }),
        );
      expect(Math.min(...stalls), `${path} ${payload.slice(0, 100)}`).toBeLessThan(1);
    }
  });

  it('F16: an object of thousands of names with 413 and a long text of an entry with 422, each with its limit', async () => {
    const of = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 1]));
    const call = (_meta: object) => ({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'list_lenses', arguments: {}, _meta },
    });
    const headers = { host: '127.0.0.1:8080' };
    const wide = await svc.post('/v1/lenses/shop/metrics', { metrics: ['revenue'], filters: [of(2_001)] });
    expect([wide.status, wide.body.error]).toMatchObject([
      413,
      { code: 'too_large', message: expect.stringContaining('more than 2,000 keys') },
    ]);
    const meta = await svc.post('/mcp', call(of(2_001)), svc.callerKey, headers);
    expect([meta.status, meta.text]).toEqual([400, expect.stringContaining('more than 2,000 keys')]);
    expect((await svc.post('/mcp', call(of(2_000)), svc.callerKey, headers)).text).toContain('\\"ok\\":true');
    const files = Object.fromEntries(Array.from({ length: 2_001 }, (_, n) => [`lenses/l${n}/note.txt`, '']));
    expect((await svc.admin('POST', '/project/plan', { files })).status).not.toBe(413);
    const run = (region: string) =>
      svc.post('/v1/lenses/shop/certified/revenue-in-year/run', { parameters: { year: region } });
    expect((await run('x'.repeat(1_001))).text).toContain('1000 characters');
    expect((await run('x'.repeat(1_000))).text).not.toContain('1000 characters');
  });

  it('a URL that can’t be decoded, a name that is too long and a compressed body, with all headers', async () => {
    const replies = [
      [400, 'malformed', await svc.get('/v1/lenses/%ff')],
      [404, 'not_found', await svc.get(`/v1/lenses/${'a'.repeat(501)}`)],
      [415, 'unsupported_media_type', await post('{}', { 'content-encoding': 'gzip' })],
    ] as const;
    for (const [status, code, { status: actualStatus, headers, body }] of replies) {
      expect([actualStatus, body.error.code]).toEqual([status, code]);
      expect(headers).toMatchObject({ 'x-request-id': body.error.request_id, 'x-content-type-options': 'nosniff' });
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    }
  });

  it('a body of 20 MB with 413, even if its length isn’t announced', async () => {
    const address = await svc.listen();
    for (const body of [Buffer.alloc(20_000_000, 'a'), new Blob([Buffer.alloc(20_000_000, 'a')]).stream()]) {
      const reply = await fetch(`${address}/v1/query`, {
        method: 'POST',
        body,
        duplex: 'half',
        headers: { authorization: `Bearer ${svc.callerKey}`, 'content-type': 'application/json' },
      } as RequestInit);
      expect(reply.status).toBe(413);
      expect(((await reply.json()) as { error: { code: string } }).error.code).toBe('too_large');
    }
  });

  it('other media types and compressed bodies, with 415', async () => {
    expect((await post('q=1', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
    expect((await post('{}', { 'content-encoding': 'gzip' })).status).toBe(415);
  });

  it('another method with 405 and Allow, and an unknown address with 404', async () => {
    const reply = await svc.send({ method: 'DELETE', url: '/v1/lenses' });
    expect([reply.status, reply.headers['allow'], reply.body.error.code]).toEqual([
      405,
      'GET, HEAD',
      'method_not_allowed',
    ]);
    expect((await svc.get('/nothing/here')).status).toBe(404);
    expect((await svc.get('/v1/lenses/%zz')).status).toBe(400);
  });
});

describe('malformed requests made from the OpenAPI document', () => {
  it('ERR-01 never get a 5xx, and always get a request id', async () => {
    const document = (await svc.get('/docs/json', null)).body;
    const failures: string[] = [];
    for (const request of malformedRequests(operationsOf(document), 400, 7)) {
      const reply = await svc.send({ ...request, method: request.method as 'GET', token: svc.adminToken });
      if (reply.status >= 500 || !reply.headers['x-request-id'])
        failures.push(
          `${reply.status} ${request.method} ${request.url.slice(0, 80)} ${request.payload?.slice(0, 300)} -> ${reply.text.slice(0, 200)}`,
        );
    }
    expect(failures).toEqual([]);
  });
});
