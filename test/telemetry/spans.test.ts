// OpenTelemetry spans, as a collector receives them over OTLP/HTTP.
import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createProjectWith } from '../demo/identity-provider.ts';
import { startTestApp, type TestApp } from '../support/app.ts';

// On a busy machine, polling can take a long time.
vi.setConfig({ testTimeout: 120_000 });

interface OtlpSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code?: number; message?: string };
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}
interface Collector {
  endpoint: string;
  spans: OtlpSpan[];
  text: string;
  asked: number;
}

const QUESTION = 'What was revenue in the West in 2016?';
const WAIT = { timeout: 30_000, interval: 50 };
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** With `answers: false`, the collector accepts requests and never replies. */
async function collect({ answers }: { answers: boolean }): Promise<Collector> {
  const collector: Collector = { endpoint: '', spans: [], text: '', asked: 0 };
  const server: Server = createServer(async (request, reply) => {
    collector.asked++;
    if (!answers) return;
    let body = '';
    for await (const part of request) body += String(part);
    expect(request.url).toBe('/v1/traces');
    collector.text += body;
    const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] };
    collector.spans.push(
      ...resourceSpans.flatMap((resourceSpan) => resourceSpan.scopeSpans.flatMap(({ spans }) => spans)),
    );
    reply.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  collector.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return collector;
}
async function serve(options: Parameters<typeof startTestApp>[0]): Promise<TestApp> {
  const app = await startTestApp(options);
  stops.push(() => app.close());
  return app;
}
const attribute = (span: OtlpSpan, name: string) => {
  const value = span.attributes.find(({ key }) => key === name)?.value;
  return value?.stringValue ?? value?.intValue;
};

describe('with a configured collector', () => {
  it('sends spans of the request, its ask and its steps in the caller’s trace, without the question’s text', async () => {
    const collector = await collect({ answers: true });
    const app = await serve({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint } });
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const { body } = await app.post('/v1/lenses/shop/query', { q: QUESTION }, undefined, { traceparent });
    expect(body.status).toBe('answered');
    const ownSpans = () => collector.spans.filter((span) => attribute(span, 'svc.request_id') === body.request_id);
    await expect.poll(() => ownSpans().map(({ name }) => name), WAIT).toContain('POST /v1/lenses/:name/query');
    await expect
      .poll(() => ownSpans().map(({ name }) => name), WAIT)
      .toEqual(expect.arrayContaining(['ask query', 'match_certified', 'plan', 'guard', 'fetch', 'compose']));
    const spanNamed = (name: string) => ownSpans().find((span) => span.name === name)!;
    const [request, ask, fetched] = [
      spanNamed('POST /v1/lenses/:name/query'),
      spanNamed('ask query'),
      spanNamed('fetch'),
    ];
    expect(new Set(ownSpans().map(({ traceId }) => traceId))).toEqual(new Set(['4bf92f3577b34da6a3ce929d0e0e4736']));
    expect(request.parentSpanId).toBe('00f067aa0ba902b7');
    expect(ask.parentSpanId).toBe(request.spanId);
    expect(fetched.parentSpanId).toBe(ask.spanId);
    for (const span of [ask, fetched]) {
      expect(attribute(span, 'svc.lens')).toBe('shop');
      expect(attribute(span, 'svc.certification')).toBe('assisted');
      expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
    }
    expect(attribute(request, 'http.response.status_code')).toBe(200);
    expect(collector.text).not.toMatch(/What was revenue|West|select /i);
  });

  it('marks a failed ask', async () => {
    const collector = await collect({ answers: true });
    const project = await createProjectWith(`telemetry: {otlp_endpoint: "${collector.endpoint}/v1/traces"}\n`);
    stops.push(() => rm(project, { recursive: true, force: true }));
    const app = await serve({ project });
    await app.post('/v1/sql', { lens: 'shop', sql: 'select cast(region as integer) as n from orders' });
    const postAsk = () => collector.spans.filter(({ name }) => name.startsWith('ask '));
    await expect.poll(() => postAsk().length, WAIT).toBe(1);
    expect(postAsk()[0]!.status).toMatchObject({ code: 2, message: 'invalid' });
    expect(collector.text).not.toMatch(/select /i);
  });
});

describe('with an unavailable collector', () => {
  it.each(['hangs', 'is not running'])('answers asks and stops as usual when the collector %s', async (failure) => {
    const collector = await collect({ answers: false });
    const endpoint = failure === 'hangs' ? collector.endpoint : 'http://127.0.0.1:1';
    const app = await startTestApp({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } });
    const ask = async () => (await app.post('/v1/lenses/shop/query', { q: QUESTION })).body.status;
    expect(await ask()).toBe('answered');
    if (failure === 'hangs') await expect.poll(() => collector.asked, WAIT).toBeGreaterThan(0);
    for (let attempt = 0; attempt < 20; attempt++) expect(await ask()).toBe('answered');
    await app.close();
  });
});

it('creates no spans without a collector', async () => {
  const app = await serve({});
  expect(app.deps.spans).toBeNull();
});
