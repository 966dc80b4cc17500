// MCP-13: closing the connection cancels the warehouse query behind it.
import { expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';

const service = await startTestApp();
const base = await service.listen();

const ENDLESS = `select count(*) as n from ${Array.from({ length: 14 }, (_, i) => `orders t${i}`).join(', ')} where t0.sales + t13.sales < 0`;

it.each(['2025-11-25', '2026-07-28'])(
  'MCP-13 cancels the query when a client of revision %s disconnects',
  async (revision) => {
    const modern = revision === '2026-07-28';
    const meta = modern
      ? {
          _meta: {
            'io.modelcontextprotocol/protocolVersion': revision,
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        }
      : {};
    const gone = new AbortController();
    const pendingCall = fetch(`${base}/mcp`, {
      method: 'POST',
      signal: gone.signal,
      headers: {
        authorization: `Bearer ${service.callerKey}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': revision,
        ...(modern ? { 'mcp-method': 'tools/call', 'mcp-name': 'sql' } : {}),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'sql', arguments: { lens: 'shop', sql: ENDLESS }, ...meta },
      }),
    }).then((reply) => reply.text());
    pendingCall.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const running = await service.sql<{ n: number }>('select count(*)::int as n from svc.traces');
    gone.abort();
    const leftAt = Date.now();
    const [{ n: before }] = running as [{ n: number }];
    let outcome: string | undefined;
    while (!outcome && Date.now() - leftAt < 20_000) {
      const rows = await service.sql<{ outcome: string }>('select outcome from svc.traces order by at desc');
      if (rows.length > before) outcome = rows[0]!.outcome;
      else await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(outcome).toBe('cancelled');
    expect(Date.now() - leftAt).toBeLessThan(15_000);
  },
);
