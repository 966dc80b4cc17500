import { expect, it } from 'vitest';
import { createProjectWith } from '../demo/identity-provider.ts';
import { startTestApp } from '../support/app.ts';

it('MCP-33 returns rate_limited with a retry hint to a key over its limit, and serves other keys', async () => {
  const project = await createProjectWith('limits: {requests_per_minute: 5}');
  const service = await startTestApp({ project });
  const call = async (token: string) => {
    const reply = await service.post(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_lenses', arguments: {} } },
      token,
      { 'content-type': 'application/json', host: '127.0.0.1:8080' },
    );
    return JSON.parse(/data: (.*)/.exec(reply.text)?.[1] ?? reply.text).result;
  };
  let last = await call(service.callerKey);
  for (let i = 0; i < 10 && !last.isError; i++) last = await call(service.callerKey);
  expect(last).toMatchObject({
    isError: true,
    structuredContent: { ok: false, code: 'rate_limited', reason: 'rate_limited' },
  });
  expect(last.structuredContent.error).toMatch(/Retry/);
  const otherCaller = await service.mintCaller({ name: 'other', lenses: ['shop'] });
  expect((await call(otherCaller.key)).structuredContent.ok).toBe(true);
  await service.close();
});

it('RATE-01 limits other protocol requests per key, separately from tool calls', async () => {
  const project = await createProjectWith('limits: {requests_per_minute: 5}');
  const service = await startTestApp({ project });
  const send = (token: string, method: string) =>
    service.post(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method, ...(method === 'tools/call' && { params: { name: 'list_lenses' } }) },
      token,
      { 'content-type': 'application/json', host: '127.0.0.1:8080' },
    );
  let last = await send(service.callerKey, 'tools/list');
  for (let i = 0; i < 10 && last.status === 200; i++) last = await send(service.callerKey, 'tools/list');
  expect(last).toMatchObject({
    status: 429,
    body: { error: { code: 'rate_limited' } },
    headers: { 'retry-after': expect.anything(), 'ratelimit-policy': '"protocol";q=5;w=60' },
  });
  expect((await send(service.callerKey, 'tools/call')).body.result.structuredContent.ok).toBe(true);
  const otherCaller = await service.mintCaller({ name: 'other', lenses: ['shop'] });
  expect((await send(otherCaller.key, 'tools/list')).status).toBe(200);
  await service.close();
});
