import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';

const service = await startTestApp();
const base = await service.listen();

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'edge', version: '1' },
};
const legacyMessage = (method: string, params: Record<string, unknown> = {}) => ({
  ...{ jsonrpc: '2.0', id: 7, method, params },
});
const modernMessage = (method: string, params: Record<string, unknown> = {}) =>
  legacyMessage(method, { ...params, _meta: META });
const modernHeaders = (method: string, name?: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(name ? { 'mcp-name': name } : {}),
});

const depthOf = (value: unknown): number =>
  value !== null && typeof value === 'object' ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

async function post(
  body: unknown,
  headers: Record<string, string> = {},
  token: string | null = service.callerKey,
  path = '/mcp',
) {
  const reply = await fetch(base + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await reply.text();
  const json = text.startsWith('{') ? text : /data: (.*)/.exec(text)?.[1];
  return { status: reply.status, headers: reply.headers, body: json ? JSON.parse(json) : null, text };
}

/** Sends a message of the current revision. Its header `mcp-name` contains the `name` of `params`. */
const call = (method: string, params: Record<string, unknown> = {}, token?: string) =>
  post(modernMessage(method, params), modernHeaders(method, params['name'] as string | undefined), token);
const listTools = (headers: Record<string, string> = {}, token?: string | null) =>
  post(legacyMessage('tools/list'), headers, token);
const refused = (status: number, code: number) => ({ status, body: { error: { code } } });

describe('access to /mcp', () => {
  it('AUTH-01 challenges a request without a bearer token before it parses the body', async () => {
    for (const body of [legacyMessage('tools/list'), 'not json at all', '']) {
      const reply = await post(body, {}, null);
      expect(reply.status).toBe(401);
      expect(reply.headers.get('www-authenticate')).toBe(
        `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource/mcp", scope="svc:ask"`,
      );
    }
    expect((await fetch(`${base}/mcp`)).status).toBe(401);
  });

  it('AUTH-01 refuses a bad key at connect with invalid_token', async () => {
    const reply = await post(legacyMessage('initialize'), {}, `${service.callerKey.slice(0, -4)}xxxx`);
    expect(reply.status).toBe(401);
    expect(reply.headers.get('www-authenticate')).toMatch(/error="invalid_token"/);
  });

  it('AUTH-04 never accepts a token in the query string', async () => {
    const path = `/mcp?access_token=${service.callerKey}&key=${service.callerKey}`;
    expect((await post(legacyMessage('tools/list'), {}, null, path)).status).toBe(401);
  });

  it('AUTH-05 refuses an admin token with 403, names the fix, and starts no OAuth', async () => {
    const reply = await listTools({}, service.adminToken);
    expect(reply.status).toBe(403);
    expect(reply.headers.get('www-authenticate')).toBeNull();
    expect(reply.body.error.message).toMatch(/caller key/);
  });

  it('MCP-01 answers GET and DELETE with 405 and Allow: POST', async () => {
    for (const method of ['GET', 'DELETE']) {
      const reply = await fetch(`${base}/mcp`, { method, headers: { authorization: `Bearer ${service.callerKey}` } });
      expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  it('MCP-02 refuses a foreign Origin or Host, and accepts its own Origin or none', async () => {
    expect((await listTools({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await listTools({ origin: base })).status).toBe(200);
    expect((await listTools()).status).toBe(200);
    const status = await new Promise<number>((resolve, reject) => {
      const headers = { host: 'evil.example', authorization: `Bearer ${service.callerKey}` };
      httpRequest(`${base}/mcp`, { method: 'POST', headers }, (reply) => resolve(reply.resume().statusCode!))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(403);
  });
});

describe('revision 2026-07-28', () => {
  it('MCP-08 MCP-09 MCP-10 describes itself in server/discover, privately and with a time to live', async () => {
    const { body } = await call('server/discover');
    expect(body.result.supportedVersions[0]).toBe('2026-07-28');
    expect(body.result.supportedVersions).toEqual(expect.arrayContaining(['2025-11-25', '2025-06-18', '2025-03-26']));
    expect(Object.keys(body.result.capabilities).sort()).toEqual(['completions', 'prompts', 'tools']);
    expect(body.result).toMatchObject({
      resultType: 'complete',
      cacheScope: 'private',
      ttlMs: expect.any(Number),
      instructions: expect.any(String),
    });
  });

  it('MCP-16 sends no notification, fetches no schema URL, and lists schemas of bounded depth', async () => {
    let visits = 0;
    const otherServer = createServer((_request, reply) => {
      visits++;
      reply.end('{}');
    }).listen(0, '127.0.0.1');
    await once(otherServer, 'listening');
    const url = `http://127.0.0.1:${(otherServer.address() as AddressInfo).port}/schema.json`;
    for (const given of [
      { lens: 'shop', metrics: ['revenue'] },
      { $ref: url, $schema: url, metrics: [{ $ref: url }] },
    ]) {
      const reply = await call('tools/call', { name: 'query_metrics', arguments: given });
      expect(reply.text).not.toContain('notifications/');
    }
    const { tools } = (await call('tools/list')).body.result;
    for (const { name, inputSchema: schema } of tools) {
      const text = JSON.stringify(schema);
      for (const [, led] of text.matchAll(/"\$ref":"([^"]*)"/g)) expect(led, name).toMatch(/^#\/\$defs\//);
      expect(depthOf(schema), name).toBeLessThan(40);
    }
    expect(visits).toBe(0);
    otherServer.close();
  });

  it('MCP-10 MCP-11 lists tools per key, privately, and identically each time', async () => {
    const list = async (token: string) => (await call('tools/list', {}, token)).body.result;
    const poor = await service.mintCaller({ name: 'poor', lenses: ['stock'] });
    const [ownTools, otherTools] = [await list(service.callerKey), await list(poor.key)];
    expect(await list(service.callerKey)).toEqual(ownTools);
    expect(ownTools).toMatchObject({ cacheScope: 'private', ttlMs: expect.any(Number) });
    expect(JSON.stringify(ownTools)).toContain('One of: shop, stock');
    expect(JSON.stringify(otherTools)).toContain('One of: stock"');
  });

  it('MCP-03 MCP-04 refuses headers that are missing or disagree with the body', async () => {
    const message = modernMessage('tools/call', { name: 'list_lenses', arguments: {} });
    const unnamed = await post(message, modernHeaders('tools/call'));
    expect(unnamed).toMatchObject({ status: 400, body: { id: 7, error: { code: -32020 } } });
    expect(await post(message, modernHeaders('tools/call', 'query'))).toMatchObject(refused(400, -32020));
    const encoded = modernHeaders('tools/call', '=?base64?bGlzdF9sZW5zZXM=?=');
    expect(await post(message, encoded)).toMatchObject({ status: 200 });
  });

  it('MCP-05 requires the protocol version and the capabilities of the client, but not its name', async () => {
    for (const missingMember of ['protocolVersion', 'clientCapabilities']) {
      const { [`io.modelcontextprotocol/${missingMember}`]: _, ...rest } = META as Record<string, unknown>;
      const message = legacyMessage('tools/list', { _meta: rest });
      expect(await post(message, modernHeaders('tools/list')), missingMember).toMatchObject(refused(400, -32602));
    }
    const { 'io.modelcontextprotocol/clientInfo': _, ...nameless } = META as Record<string, unknown>;
    const message = legacyMessage('tools/list', { _meta: nameless });
    expect(await post(message, modernHeaders('tools/list'))).toMatchObject({ status: 200 });
  });

  it('MCP-06 MCP-07 returns a separate error for an unknown version, method and tool', async () => {
    const meta = { ...META, 'io.modelcontextprotocol/protocolVersion': '2999-01-01' };
    const headers = { ...modernHeaders('tools/list'), 'mcp-protocol-version': '2999-01-01' };
    expect(await post(legacyMessage('tools/list', { _meta: meta }), headers)).toMatchObject(refused(400, -32022));
    expect(await call('no/such')).toMatchObject(refused(404, -32601));
    expect((await call('tools/call', { name: 'nope', arguments: {} })).body.error.code).toBe(-32602);
  });

  it('serves the prompt getting_started, which lists the steps in order', async () => {
    const { body } = await call('prompts/get', { name: 'getting_started' });
    const text: string = body.result.messages[0].content.text;
    const places = ['Describe', 'Define', 'Ask', 'Verify', 'Review'].map((word) => text.indexOf(word));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
  });
});

describe('completion/complete', () => {
  const complete = async (name: string, value: string, context: object = {}): Promise<string[]> => {
    const params = { ref: { type: 'ref/prompt', name: 'ask' }, argument: { name, value }, ...context };
    return (await call('completion/complete', params)).body.result.completion.values;
  };
  it('completes the granted lenses, and questions to them', async () => {
    expect(await complete('lens', 'sh')).toEqual(['shop']);
    expect(await complete('lens', 'x')).toEqual([]);
    const context = { arguments: { lens: 'shop' } };
    const questions = await complete('question', 'Revenue where region is W', { context });
    expect(questions[0]).toBe('Revenue where region is West');
    expect(await complete('question', 'Rev', { context: { arguments: { lens: 'absent' } } })).toEqual([]);
    expect(await complete('question', 'Rev')).toEqual([]);
  });
  it('G14 completes no text of more than 1,000 characters', async () => {
    const context = { arguments: { lens: 'shop' } };
    expect((await complete('question', 'Revenue '.padStart(1_000), { context })).length).toBeGreaterThan(0);
    expect(await complete('question', 'Revenue '.padStart(1_001), { context })).toEqual([]);
  });
  it('serves the prompt ask, which names the tool to call', async () => {
    const params = { name: 'ask', arguments: { lens: 'shop', question: 'Revenue per region' } };
    const { body } = await call('prompts/get', params);
    expect(body.result.messages[0].content.text).toContain('Call query with lens "shop"');
    for (const args of [{}, { lens: 'shop' }, { lens: 'shop', question: '' }]) {
      const { body: refusal } = await call('prompts/get', { name: 'ask', arguments: args });
      expect(refusal.error).toMatchObject({ code: -32602, message: 'Give the arguments lens and question.' });
    }
  });
});

it('HDR-01 forbids caches to store any reply, in both protocol revisions', async () => {
  for (const reply of [await listTools(), await call('tools/list'), await call('no/such'), await post('{')])
    expect(reply.headers.get('cache-control')).toMatch(/no-store/);
});

describe('messages and protocol versions', () => {
  it('MCP-12 refuses batches, responses, non-JSON and other media types, and accepts notifications', async () => {
    expect((await post([legacyMessage('tools/list')])).status).toBe(400);
    expect((await post({ jsonrpc: '2.0', id: 1, result: {} })).status).toBe(400);
    expect(await post('{"jsonrpc":')).toMatchObject(refused(400, -32700));
    expect((await listTools({ 'content-type': 'text/plain' })).status).toBe(415);
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect(await post(notification)).toMatchObject({ status: 202, text: '' });
  });

  it('MCP-14 creates no session, and ignores a session id that the client sends', async () => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const reply = await post(legacyMessage('initialize', params), { 'mcp-session-id': 'abc' });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('mcp-session-id')).toBeNull();
    expect(reply.body.result.protocolVersion).toBe('2025-11-25');
  });

  it('MCP-20 answers a revision before 2026-07-28 in one JSON body, with protocol errors in band', async () => {
    const listReply = await listTools({ 'mcp-protocol-version': '2025-06-18' });
    expect(listReply).toMatchObject({ status: 200, body: { id: 7, result: { tools: expect.any(Array) } } });
    expect(listReply.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await post(legacyMessage('ping'))).toMatchObject({ status: 200, body: { id: 7, result: {} } });
    const unknown = { id: 7, error: { code: -32601 } };
    expect(await post(legacyMessage('no/such'))).toMatchObject({ status: 200, body: unknown });
    const malformed = { id: 7, error: { code: -32600 } };
    const ping = { jsonrpc: '2.0', id: 7, method: 'ping', params: 'none' };
    expect(await post(ping)).toMatchObject({ status: 400, body: malformed });
  });

  it('MCP-21 refuses an unsupported protocol version', async () => {
    expect((await listTools({ 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
  });
});

describe('invalid parameters', () => {
  it.each([
    ['initialize', undefined],
    ['initialize', {}],
    ['prompts/get', undefined],
    ['prompts/get', { name: 5 }],
    ['tools/list', { cursor: 5 }],
    ['tools/call', undefined],
    ['tools/call', { name: 'list_lenses', arguments: [] }],
  ])('of %s are refused with -32602: %j', async (method, params) => {
    const { status, body } = await post({ jsonrpc: '2.0', id: 3, method, ...(params && { params }) });
    expect([status, body.id, body.error.code]).toEqual([200, 3, -32602]);
    expect(body.error.message).toMatch(/^Invalid params: params/);
    expect(body.error.message).not.toMatch(/[{}\n]/);
  });

  it('are refused in the same way in revision 2026-07-28', async () => {
    const invalid = { code: -32602, message: expect.stringMatching(/^Invalid params: params/) };
    const { body } = await post(modernMessage('prompts/get'), modernHeaders('prompts/get', 'getting_started'));
    expect(body.error).toMatchObject(invalid);
    const listReply = await call('tools/call', { name: 'list_lenses', arguments: [] });
    expect(listReply.body.error).toMatchObject(invalid);
  });
});
