import { expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';

const svc = await startTestApp({
  operator: {
    server: { trusted_proxy_hops: 0, allowed_origins: ['https://app.example.com'], body_limit: 1_048_576 },
  },
});

it('lets only browsers of the configured origins read answers, without credentials', async () => {
  const headersFrom = async (origin: string) => (await svc.get('/v1/lenses', undefined, { origin })).headers;
  expect((await headersFrom('https://app.example.com'))['access-control-allow-origin']).toBe('https://app.example.com');
  expect((await headersFrom('https://app.example.com'))['access-control-allow-credentials']).toBeUndefined();
  expect((await headersFrom('https://evil.example.com'))['access-control-allow-origin']).not.toBe(
    'https://evil.example.com',
  );
  const preflight = await svc.send({
    method: 'OPTIONS',
    url: '/v1/lenses',
    token: null,
    headers: {
      origin: 'https://app.example.com',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    },
  });
  expect(preflight.status).toBe(204);
});

it('answers OPTIONS that is no preflight like any other unsupported method', async () => {
  for (const headers of [{}, { origin: 'https://app.example.com' }] as Record<string, string>[])
    expect(await svc.send({ method: 'OPTIONS', url: '/v1/lenses', token: null, headers })).toMatchObject({
      ...{ status: 405, headers: { allow: 'GET, HEAD', 'x-request-id': expect.any(String) } },
      body: { error: { code: 'method_not_allowed' } },
    });
  expect((await svc.send({ method: 'OPTIONS', url: '/v1/nothing', token: null })).status).toBe(404);
  const mcp = await svc.send({ method: 'OPTIONS', url: '/mcp', token: null });
  expect([mcp.status, mcp.headers['allow']]).toEqual([405, 'POST']);
});

it('lets browsers of the same origins call /mcp, and refuses others', async () => {
  const call = (origin: string) =>
    svc.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }, svc.callerKey, {
      origin,
      host: '127.0.0.1:8080',
      'content-type': 'application/json',
    });
  const own = await call('https://app.example.com');
  expect(own.status).toBe(200);
  expect(own.headers['access-control-allow-origin']).toBe('https://app.example.com');
  expect(own.headers['access-control-expose-headers']).toMatch(/x-request-id.*www-authenticate/);
  expect(own.headers['access-control-allow-credentials']).toBeUndefined();
  const foreign = await call('https://evil.example.com');
  expect(foreign.status).toBe(403);
  expect(foreign.headers['access-control-allow-origin']).not.toBe('https://evil.example.com');
  const preflight = await svc.send({
    ...{ method: 'OPTIONS', url: '/mcp', token: null },
    headers: {
      origin: 'https://app.example.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization, mcp-protocol-version',
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers['access-control-allow-origin']).toBe('https://app.example.com');
  expect(preflight.headers['access-control-allow-methods']).toContain('POST');
  expect(preflight.headers['access-control-allow-headers']).toBe('authorization, mcp-protocol-version');
});
