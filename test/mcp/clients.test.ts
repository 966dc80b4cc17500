// Two versions of the official client call the running server: the current version in both protocol revisions, and the
// previous version.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { describedLensSchema, toolFailureSchema } from '../../src/contract/mcp-tools.ts';
import { startTestApp } from '../support/app.ts';
import { untilFileEnds } from '../support/until-file-ends.ts';

const service = await startTestApp();
const url = new URL(`${await service.listen()}/mcp`);

const bearerOptions = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } });
type Call = { structuredContent?: Record<string, unknown>; content: { text: string }[]; isError?: boolean };
type Tool = { name: string; title?: string; annotations?: Record<string, unknown>; inputSchema: object };
interface Connected {
  listTools: () => Promise<{ tools: Tool[] }>;
  call: (name: string, args?: Record<string, unknown>) => Promise<Call>;
}

async function connectNew(key: string, pin?: string): Promise<Connected> {
  const options = pin ? { versionNegotiation: { mode: { pin } } } : { versionNegotiation: { mode: 'legacy' } };
  const client = new Client({ name: 'probe', version: '9.9.9' }, options as object);
  await client.connect(new StreamableHTTPClientTransport(url, bearerOptions(key)));
  return untilEnd(client);
}
async function connectOld(key: string): Promise<Connected> {
  const client = new OldClient({ name: 'old probe', version: '1.0.0' });
  await client.connect(new OldTransport(url, bearerOptions(key)));
  return untilEnd(client);
}
/** The client, which stays connected until the test file ends. */
function untilEnd(client: Client | OldClient): Connected {
  untilFileEnds(() => client.close());
  return {
    listTools: () => client.listTools() as ReturnType<Connected['listTools']>,
    call: (name, args = {}) => client.callTool({ name, arguments: args }) as Promise<Call>,
  };
}
const eras: [string, (key: string) => Promise<Connected>][] = [
  ['client 2.x, revision 2026-07-28', (key) => connectNew(key, '2026-07-28')],
  ['client 2.x, revision 2025-11-25', (key) => connectNew(key)],
  ['sdk 1.x', connectOld],
];
const REVENUE = { lens: 'shop', metrics: ['revenue'], dimensions: ['region'] };

describe.each(eras)('%s', (_era, connect) => {
  it('MCP-30 MCP-34 lists the twelve tools with title, annotations and schemas', async () => {
    const client = await connect(service.callerKey);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).join(' ')).toBe(
      'list_lenses describe_lens lookup_definition search_certified run_certified query query_metrics sql route_query ' +
        'send_for_review review_status verify_receipt',
    );
    for (const tool of tools) {
      expect(tool.name).toMatch(/^[A-Za-z0-9_.-]{1,128}$/);
      expect(JSON.stringify(tool)).not.toContain('x-mcp-header');
      expect(tool.title).toBeTruthy();
      expect(tool.annotations?.['readOnlyHint']).toBe(tool.name !== 'send_for_review');
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    }
  });

  it('MCP-31 MCP-32 lists self-contained schemas, and returns every reply in one shape', async () => {
    const client = await connect(service.callerKey);
    const { tools } = await client.listTools();
    const ajv = new Ajv2020({ strict: false });
    const takes = new Map(tools.map(({ name, inputSchema }) => [name, ajv.compile(inputSchema)]));
    const toolAnswer = await client.call('query_metrics', { ...REVENUE, receipt: 'full' });
    const receipt = toolAnswer.structuredContent!['receipt'] as Record<string, unknown>;
    const request_id = toolAnswer.structuredContent!['request_id'];
    const ticket = await client.call('send_for_review', { request_id, note: 'please look' });
    const calls: [string, Record<string, unknown>][] = [
      ['list_lenses', {}],
      ['describe_lens', { lens: 'shop' }],
      ['lookup_definition', { term: 'revenue' }],
      ['search_certified', { lens: 'shop', q: 'revenue by region' }],
      ['run_certified', { lens: 'shop', q: 'something nobody has approved' }],
      ['query', { lens: 'shop', q: 'revenue by region' }],
      ['query_metrics', REVENUE],
      ['sql', { lens: 'shop', sql: 'select 1 as one' }],
      ['route_query', { q: 'revenue by region' }],
      ['review_status', { ticket_id: ticket.structuredContent!['ticket_id'] }],
      ['verify_receipt', { receipt }],
      ['describe_lens', { lens: 'nowhere' }],
      ['query_metrics', { lens: 'shop', metrics: ['no_such_metric'] }],
      ['query', { lens: 'shop', q: 'x', wrong: true }],
      ['review_status', { ticket_id: '00000000-0000-7000-8000-000000000000' }],
      ['sql', { lens: 'shop', sql: "select pg_read_file('/etc/passwd')" }],
    ];
    const resultCounts = { ok: 0, failed: 0 };
    for (const [name, args] of [...calls]) {
      const result = await client.call(name, args);
      const body = result.structuredContent!;
      if (body['ok']) expect(takes.get(name)!(args), `${name} ${JSON.stringify(takes.get(name)!.errors)}`).toBe(true);
      else expect(toolFailureSchema.safeParse(body).error, name).toBeUndefined();
      if (name === 'describe_lens' && body['ok']) expect(describedLensSchema.safeParse(body).error).toBeUndefined();
      expect(result.isError ?? false).toBe(body['ok'] === false);
      resultCounts[body['ok'] ? 'ok' : 'failed']++;
    }
    expect(resultCounts.ok).toBeGreaterThan(8);
    expect(resultCounts.failed).toBeGreaterThanOrEqual(6);
  });

  it('reports a failure with code, reason, request id and every invalid argument', async () => {
    const client = await connect(service.callerKey);
    const failures = {
      unknownLens: await client.call('query', { lens: 'nowhere', q: 'revenue' }),
      unknownMetric: await client.call('query_metrics', { lens: 'shop', metrics: ['revenu'] }),
      guard: await client.call('sql', { lens: 'shop', sql: 'delete from orders' }),
      argument: await client.call('query', { lens: 'shop', question: 'revenue', formt: 'prose' }),
      noMatch: await client.call('run_certified', { lens: 'shop', q: 'how tall is the tower' }),
    };
    const outcome = (code: string, reason: string) => ({ structuredContent: { code, reason } });
    expect(failures).toMatchObject({
      unknownLens: outcome('not_found', 'not_found'),
      unknownMetric: outcome('not_found', 'invalid'),
      guard: outcome('forbidden', 'guard_refused'),
      argument: outcome('not_found', 'invalid'),
      noMatch: outcome('no_exact_match', 'no_exact_match'),
    });
    expect(failures.argument.structuredContent!['details']).toHaveLength(3);
    expect(failures.unknownLens.structuredContent!['request_id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

it('MCP-22 returns the same structuredContent in both protocol revisions as /v1', async () => {
  const strip = (body: Record<string, unknown>) => {
    const { ok: _, request_id: __, receipt, timings_ms: ___, ...rest } = body;
    const { result_sha256, sql_sha256 } = receipt as Record<string, unknown>;
    return { ...rest, rows: result_sha256, sql: sql_sha256 };
  };
  const plan = { metrics: ['revenue'], dimensions: ['region'] };
  const overHttp = (await service.post('/v1/lenses/shop/metrics', plan)).body;
  for (const [, connect] of eras) {
    const client = await connect(service.callerKey);
    const args = { ...REVENUE, format: 'structured', receipt: 'full' };
    const { structuredContent } = await client.call('query_metrics', args);
    expect(strip(structuredContent!)).toEqual(strip(overHttp));
  }
});

it('returns the same SQL, rows and grade for a question over /v1, both MCP revisions and chat', async () => {
  const q = 'What was revenue by region in 2016?';
  const seen = (body: Record<string, unknown>) =>
    ['sql', 'data', 'confidence', 'certification'].map((member) => body[member]);
  const overHttp = (await service.post('/v1/lenses/shop/query', { q })).body;
  expect(overHttp.status).toBe('answered');
  const messages = [{ role: 'user', content: q }];
  const chat = (await service.post('/v1/chat/completions', { model: 'svc/shop', messages })).body;
  expect(seen(chat.svc)).toEqual(seen(overHttp));
  for (const [, connect] of eras) {
    const client = await connect(service.callerKey);
    expect(seen((await client.call('query', { lens: 'shop', q })).structuredContent!)).toEqual(seen(overHttp));
  }
});

it('states grade, filters and request id in the text, and lists rows more compactly than JSON', async () => {
  const client = await connectNew(service.callerKey, '2026-07-28');
  const { content, structuredContent } = await client.call('query_metrics', { ...REVENUE, format: 'both' });
  const text = content[0]!.text;
  expect(text).toContain(`Grade: ${structuredContent!['confidence']}`);
  expect(text).toMatch(/Filters:/);
  expect(text).toContain(structuredContent!['request_id'] as string);
  const rows = structuredContent!['data'] as Record<string, unknown>[];
  expect(rows.length).toBeGreaterThan(1);
  const table = text.slice(text.indexOf('Rows ('), text.indexOf('SQL: '));
  expect(table.split('\n').slice(1, -1).join('\n').length).toBeLessThan(JSON.stringify(rows).length * 0.6);
});

it('lists no filters for the caller’s own SQL, and reports an unknown value in it', async () => {
  const client = await connectNew(service.callerKey);
  const sql = "select count(*) as n from main.orders where region = 'Atlantis'";
  const { content, structuredContent } = await client.call('sql', { lens: 'shop', sql });
  expect(content[0]!.text).not.toContain('Filters');
  const checks = structuredContent!['checks'] as { name: string; detail: string }[];
  expect(checks.find(({ name }) => name === 'values_known')!.detail).toMatch(
    /^“Atlantis” is not a value of orders.region/,
  );
});

it('MCP-15 reveals nothing about a ticket or request id to other callers and organizations', async () => {
  const otherTenant = await service.addTenant('elsewhere');
  const sibling = await service.mintCaller({ name: 'sibling', lenses: ['shop'] });
  const ownClient = await connectNew(service.callerKey);
  const { structuredContent } = await ownClient.call('query_metrics', { ...REVENUE, receipt: 'full' });
  const request_id = structuredContent!['request_id'];
  const ticket = await ownClient.call('send_for_review', { request_id });
  const ticket_id = ticket.structuredContent!['ticket_id'];
  for (const [key, code] of [
    [otherTenant.callerKey, 'not_found'],
    [sibling.key, 'forbidden'],
  ] as const) {
    const client = await connectNew(key);
    expect((await client.call('review_status', { ticket_id })).structuredContent).toMatchObject({ ok: false, code });
    expect((await client.call('send_for_review', { request_id })).structuredContent).toMatchObject({ ok: false, code });
  }
  const otherClient = await connectNew(otherTenant.callerKey);
  const verified = await otherClient.call('verify_receipt', { receipt: structuredContent!['receipt'] });
  const verification = { trace_found: false, question: null, caller: null };
  expect(verified.structuredContent).toMatchObject({ ok: true, verification });
});

it('records surface and client in the trace', async () => {
  const client = await connectNew(service.callerKey, '2026-07-28');
  const { structuredContent } = await client.call('query_metrics', REVENUE);
  const sql = 'select surface, client from svc.traces where request_id = $1';
  const [row] = await service.sql(sql, [structuredContent!['request_id']]);
  expect(row).toEqual({ surface: 'mcp', client: 'probe 9.9.9' });
});
