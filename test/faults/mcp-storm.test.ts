// F24: two hundred MCP clients of both protocol versions at the same time. Some disconnect or send invalid headers.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, vi } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { History } from '../support/history.ts';
import { checkInvariants } from '../support/invariants.ts';

const CLIENTS = 200;
const PLACES = 32;
const ASK = { name: 'query_metrics', arguments: { lens: 'shop', metrics: ['revenue'] } };
const svc = await startTestApp({
  operator: {
    limits: {
      requests_per_minute: 100_000,
      asks_in_flight: PLACES,
      warehouse_timeout_ms: 30_000,
      max_result_bytes: 16_777_216,
    },
  },
});
const base = await svc.listen();

/** The number of open sockets of the server. */
const countConnections = () =>
  new Promise<number>((resolve, reject) =>
    svc.app.server.getConnections((error, open) => (error ? reject(error) : resolve(open))),
  );
/** Passes once every slot is free: as many simultaneous asks as there are slots get an answer. */
async function calm(): Promise<void> {
  const ask = () => svc.post('/v1/lenses/shop/metrics', { metrics: ['revenue'] });
  // A finishing request may keep its slot for a moment, longer on a busy machine.
  await vi.waitFor(
    async () => {
      const history = new History();
      const replies = await Promise.all(Array.from({ length: PLACES }, ask));
      for (const reply of replies) history.add(svc.orgId, svc.callerKey, reply);
      expect(history.statuses()).toEqual({ 200: PLACES });
      await checkInvariants(svc, history);
    },
    { timeout: 60_000, interval: 500 },
  );
}

async function post(body: string, headers: Record<string, string>, signal?: AbortSignal) {
  const reply = await fetch(`${base}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${svc.callerKey}`,
      ...headers,
    },
    body,
    signal,
  });
  const text = await reply.text();
  const json = text.startsWith('{') ? text : /data: (.*)/.exec(text)?.[1];
  return { status: reply.status, body: json ? JSON.parse(json) : null };
}
const call = (id: unknown, name = ASK.name, args: object = ASK.arguments) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });

describe('F24: many MCP requests at once', () => {
  it('from 200 clients of both protocol versions get an answer or a rate limit error of the protocol', {
    timeout: 120_000,
  }, async () => {
    const outcomes = await Promise.all(
      Array.from({ length: CLIENTS }, async (_, turn) => {
        const mode = turn % 2 ? { pin: '2026-07-28' } : 'legacy';
        const client = new Client({ name: `storm-${turn}`, version: '1' }, { versionNegotiation: { mode } } as object);
        const requestInit = { headers: { authorization: `Bearer ${svc.callerKey}` } };
        await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { requestInit }));
        const result = (await client.callTool(ASK)) as {
          structuredContent?: Record<string, unknown>;
          isError?: boolean;
        };
        await client.close();
        return result;
      }),
    );
    let servedCount = 0;
    for (const { structuredContent, isError } of outcomes) {
      if (isError) expect(structuredContent).toMatchObject({ ok: false, code: 'rate_limited' });
      else {
        expect(structuredContent).toMatchObject({ ok: true, status: 'answered' });
        servedCount++;
      }
    }
    expect(servedCount).toBeGreaterThanOrEqual(PLACES);
    await calm();
  });

  it('from clients that disconnect leave no ask running and no slot or connection in use', {
    timeout: 120_000,
  }, async () => {
    const before = await countConnections();
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, turn) => {
        const leave = new AbortController();
        setTimeout(() => leave.abort(), (turn * 7) % 200);
        await post(call(turn), {}, leave.signal).catch(() => undefined);
      }),
    );
    await calm();
    await vi.waitFor(async () => expect(await countConnections()).toBeLessThanOrEqual(before + 60), {
      timeout: 15_000,
      interval: 200,
    });
  });

  it('with invalid headers and messages never get a 5xx, and every error has a JSON-RPC code', {
    timeout: 120_000,
  }, async () => {
    const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': ASK.name };
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'storm', version: '1' },
    };
    const modernCall = (overrides: object = {}) =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...ASK, _meta }, ...overrides });
    const noise = [
      '',
      '0',
      '9999-99-99',
      'x'.repeat(2_000),
      '2026-07-28, 2025-11-25',
      '\u00ff\u00fe',
      '../../etc',
      '-1',
    ];
    const attempts: [string, Record<string, string>][] = [
      ...noise.map((value): [string, Record<string, string>] => [call(1), { 'mcp-protocol-version': value }]),
      ...noise.map((value): [string, Record<string, string>] => [modernCall(), { ...modern, 'mcp-method': value }]),
      ...noise.map((value): [string, Record<string, string>] => [modernCall(), { ...modern, 'mcp-name': value }]),
      ...noise.map((value): [string, Record<string, string>] => [call(1), { 'mcp-session-id': value }]),
      ...noise.map((value): [string, Record<string, string>] => [
        call(1),
        { 'last-event-id': value, accept: value || '*/*' },
      ]),
      ...['{', '[]', '"x"', 'null', '{"jsonrpc":"1.0"}', modernCall({ method: 7 }), modernCall({ params: 'x' })].map(
        (body): [string, Record<string, string>] => [body, modern],
      ),
    ];
    for (const [body, headers] of attempts) {
      const about = `${JSON.stringify(headers).slice(0, 160)} ${body.slice(0, 60)}`;
      const reply = await post(body, headers);
      expect(reply.status, about).toBeLessThan(500);
      if (reply.status === 200) {
        expect(reply.body.result ?? reply.body.error, about).toBeTruthy();
        continue;
      }
      const { error } = reply.body;
      expect(typeof error.code === 'number' ? error.code : -32_600, about).toBeLessThanOrEqual(-32_000);
      expect(error.message, about).toBeTruthy();
    }
    await calm();
  });
});
