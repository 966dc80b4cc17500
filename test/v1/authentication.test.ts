import { describe, expect, it } from 'vitest';
import { makePerson, signIn } from '../oauth/oauth-flow.ts';
import { startTestApp } from '../support/app.ts';

const svc = await startTestApp();
await makePerson(svc, 'ann@example.com');
const session = await signIn(svc, 'ann@example.com');

describe('answers', () => {
  it('a caller key with its own lenses, and an admin token with all lenses', async () => {
    expect((await svc.get('/v1/lenses')).status).toBe(200);
    const { key } = await svc.mintCaller({ name: 'nobody' });
    expect((await svc.get('/v1/lenses', key)).body.items).toEqual([]);
    expect((await svc.get('/v1/lenses', svc.adminToken)).body.items).toHaveLength(2);
  });

  it('a read request with a session cookie', async () => {
    const { body } = await svc.get('/v1/lenses', null, { cookie: session });
    expect(body.items).toHaveLength(2);
  });
});

describe('refuses', () => {
  it('a missing credential, another scheme, and every bad key with 401 and the same message', async () => {
    expect((await svc.get('/v1/lenses', null)).status).toBe(401);
    expect((await svc.get('/v1/lenses', null, { authorization: 'Basic eDp5' })).status).toBe(401);
    const expired = await svc.mintCaller({ name: 'late', lenses: ['shop'], expiresAt: new Date(Date.now() - 1000) });
    const wrong = [`${svc.callerKey.slice(0, -4)}xxxx`, expired.key, 'svc_x', 'a.b.c'];
    const replies = await Promise.all(wrong.map((token) => svc.get('/v1/lenses', token)));
    for (const reply of replies) {
      expect(reply.status).toBe(401);
      expect(reply.headers['www-authenticate']).toMatch(/^Bearer/);
      expect({ ...reply.body.error, request_id: '' }).toEqual({ ...replies[0]!.body.error, request_id: '' });
    }
  });

  it('a bad authorization header, without falling back to the cookie', async () => {
    const reply = await svc.get('/v1/lenses', 'svc_bad', { cookie: session });
    expect(reply.status).toBe(401);
  });

  it('a change with a session cookie from another site', async () => {
    const post = (headers: Record<string, string>) =>
      svc.post('/v1/query', { q: 'revenue' }, null, { cookie: session, ...headers });
    expect((await post({})).status).toBe(403);
    expect((await post({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await post({ 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect((await post({ origin: 'http://127.0.0.1:8080' })).status).toBe(200);
  });

  it('SESS-01 a key or an admin token used as a session cookie', async () => {
    for (const token of [svc.callerKey, svc.adminToken])
      for (const [method, url] of [
        ['GET', '/v1/lenses'],
        ['GET', '/auth/me'],
        ['GET', '/mgmt/whoami'],
        ['POST', '/v1/query'],
      ] as const) {
        const headers = { cookie: `svc_session=${token}`, 'sec-fetch-site': 'same-origin' };
        const payload = method === 'POST' ? { q: 'revenue' } : undefined;
        const reply = await svc.send({ method, url, token: null, headers, payload });
        expect([url, reply.status]).toEqual([url, 401]);
      }
  });
});

describe('every response', () => {
  it.each(['/', '/health', '/ready', '/docs/json', '/v1/lenses', '/nothing', '/schemas/lens.json'])(
    'carries a request id and the security headers: %s',
    async (path) => {
      const { headers } = await svc.get(path, undefined, { 'x-request-id': 'mine' });
      expect(headers['x-request-id']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      if (path.startsWith('/v1')) expect(headers['cache-control']).toBe('no-store');
    },
  );
});
