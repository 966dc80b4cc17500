import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { svcSays } from '../support/own-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MINUTE = 120_000;
const service = await startTestApp();
const base = await service.listen();

const ask = (...args: string[]) => svcSays(['ask', ...args], { SVC_BASE_URL: base, SVC_TOKEN: service.callerKey });

it(
  'resolves clarifications with --choice, and prints the command for the next choice',
  async () => {
    const envelope = await ask('shop', 'What was margin in the Nort region?');
    const proposed = [...envelope.said.matchAll(/--choice "([^"]+)"/g)].map(([, choice]) => choice!);
    expect(proposed, envelope.said).toHaveLength(1);
    const again = await ask('--choice', ...proposed, 'shop', 'What was margin in the Nort region?');
    const both = [...again.said.matchAll(/--choice "([^"]+)"/g)].map(([, choice]) => choice!);
    expect(both, again.said).toHaveLength(2);
    const resolvedAnswer = await ask(
      'shop',
      'What was margin in the Nort region?',
      '--choice',
      both[0]!,
      '--choice',
      both[1]!,
    );
    expect(resolvedAnswer.said).toMatch(/Confidence: verified/);
    const otherAnswer = await ask('shop', 'What is our margin?', '--choice', 'margin=ratio');
    expect(otherAnswer.said).toMatch(/Profit divided by sales|profit_ratio|Profit ratio/i);
    expect(otherAnswer.said).toContain('Confidence: verified');
    const wrong = await ask('shop', 'What is our margin?', '--choice', 'margin=foo');
    expect(wrong.said).toContain('Ask again with: --choice "margin=profit"\n');
    expect(await ask('shop', 'What is our margin?', '--choice', 'ratio')).toMatchObject({
      code: 2,
      said: expect.stringContaining('term=option'),
    });
    expect([envelope.code, again.code, resolvedAnswer.code]).toEqual([3, 3, 0]);
  },
  MINUTE,
);

it('resolves a clarification with choices on every other surface', async () => {
  const q = 'What is our margin?';
  const choices = { margin: 'ratio' };
  const callTool = async (name: string, args: object) => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };
    const { text } = await service.post('/mcp', call, service.callerKey, headers);
    return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result.structuredContent;
  };
  const surfaces = {
    query: async (more: object) => (await service.post('/v1/lenses/shop/query', { q, ...more })).body,
    routed: async (more: object) => (await service.post('/v1/query', { q, ...more })).body,
    chat: async (extraMembers: object) => {
      const messages = [{ role: 'user', content: q }];
      return (await service.post('/v1/chat/completions', { model: 'svc/auto', messages, ...extraMembers })).body.svc;
    },
    'MCP query': (more: object) => callTool('query', { lens: 'shop', q, ...more }),
    'MCP route_query': (more: object) => callTool('route_query', { q, ...more }),
  };
  for (const [surface, ask] of Object.entries(surfaces)) {
    expect(await ask({}), surface).toMatchObject({ status: 'clarification', clarification: { term: 'margin' } });
    const resolvedAnswer = await ask({ choices });
    expect(resolvedAnswer, surface).toMatchObject({ status: 'answered', confidence: 'verified' });
    expect(Object.keys(resolvedAnswer.data[0]), surface).toEqual(['profit_ratio']);
    const byLabel = await ask({ choices: { margin: 'Profit divided by sales' } });
    expect(byLabel.data, surface).toEqual(resolvedAnswer.data);
    const invalidChoice = await ask({ choices: { margin: 'nope' } });
    expect(invalidChoice.clarification.message, surface).toMatch(/^"nope" is not one of the options for "margin"\./);
  }
});

it(
  'writes the chart of an answer with --chart, and reports an answer without a chart',
  async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'out.svg');
    const chartCommand = await ask('--chart', file, 'shop', 'What was revenue by region?');
    expect(chartCommand, chartCommand.said).toMatchObject({ code: 0 });
    const svg = await readFile(file, 'utf8');
    expect(svg).toMatch(/^<svg/);
    expect(svg).toContain('revenue');
    const none = await ask('--chart', join(folder, 'none.svg'), 'shop', 'List the orders');
    expect(none, none.said).toMatchObject({ code: 1, said: expect.stringContaining('no chart') });
  },
  MINUTE,
);

it('returns chart and plan only on request, on every surface, and keeps them out of the trace', async () => {
  const q = 'What was revenue by region in 2016?';
  const plain = (await service.post('/v1/lenses/shop/query', { q })).body;
  expect(Object.keys(plain)).not.toEqual(expect.arrayContaining(['chart']));
  const also = { chart: true, plan: true };
  const messages = [{ role: 'user', content: q }];
  const doors = [
    (await service.post('/v1/lenses/shop/query', { q, ...also })).body,
    (await service.post('/v1/query', { q, ...also })).body,
    (await service.post('/v1/chat/completions', { model: 'svc/shop', messages, ...also })).body.svc,
  ];
  for (const envelope of doors) {
    expect(envelope).toMatchObject({
      status: 'answered',
      chart: { kind: 'bar', vega_lite: { data: { name: 'rows' } } },
    });
    const planReply = (await service.post('/v1/lenses/shop/metrics', { ...envelope.plan, chart: true })).body;
    expect(planReply).toMatchObject({ status: 'answered', data: envelope.data, chart: { kind: 'bar' } });
    const kept = await service.admin('GET', `/observe/requests/${envelope.request_id}`);
    expect(kept.body.envelope).not.toHaveProperty('chart');
    expect(kept.body.envelope.plan).toBe('compiled');
  }
  const sql = 'select region, sum(sales) as revenue from main.orders group by region';
  expect((await service.post('/v1/sql', { lens: 'shop', sql, chart: true })).body.chart).toMatchObject({ kind: 'bar' });
});

it('returns a requested chart as null if there are no rows', async () => {
  for (const body of [
    { q: 'What was the margin?' },
    { q: 'revenue by region', dry_run: true },
    { q: 'zebra crossings' },
  ])
    expect((await service.post('/v1/lenses/shop/query', { ...body, chart: true })).body).toHaveProperty('chart', null);
});
