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
