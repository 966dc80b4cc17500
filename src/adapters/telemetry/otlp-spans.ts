// Sends spans to an OpenTelemetry collector. Each request has a span. The request's ask has a child span, which
// contains a span for each step of the ask. Spans never contain questions, values or SQL.
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace as traces } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import { LRUCache } from 'lru-cache';
import type { Spans } from '../../domain/observe/spans.ts';
import type { Trace } from '../../domain/observe/trace-repository.ts';
import { withTimeout } from '../../platform/with-timeout.ts';

const MAX_SPAN_CONTEXTS = 5_000;
const SHUTDOWN_TIMEOUT_MS = 2_000;
const EXPORT_TIMEOUT_MS = 10_000;
const WARNING_INTERVAL_MS = 300_000;
const HEALTH_CHECK_PATHS = new Set(['/health', '/ready', '/metrics']);
const OK_STATUSES = new Set(['answered', 'clarification', 'refused', 'uncovered']);
const HEADER_GETTER = {
  get: (carrier: Record<string, string | string[] | undefined>, key: string) => carrier[key],
  keys: (carrier: Record<string, unknown>) => Object.keys(carrier),
};

export interface OtlpSpanOptions {
  /** The collector's address, with or without /v1/traces. */
  endpoint: string;
  serviceName: string;
  version: string;
  warn(message: string): void;
  sendEveryMs?: number;
}

export function createOtlpSpans(options: OtlpSpanOptions): Spans {
  const url = options.endpoint.replace(/\/+$/, '').replace(/(\/v1\/traces)?$/, '/v1/traces');
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': options.serviceName, 'service.version': options.version }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: withExportWarnings(new OTLPTraceExporter({ url, timeoutMillis: EXPORT_TIMEOUT_MS }), options.warn),
        scheduledDelayMillis: options.sendEveryMs ?? 2_000,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('svc');
  const propagator = new W3CTraceContextPropagator();
  const openSpans = new Map<string, Span>();
  // svc keeps contexts after their requests have ended, because it reports an ask after the request if the client has
  // disconnected.
  const contexts = new LRUCache<string, Context>({ max: MAX_SPAN_CONTEXTS });

  return {
    openRequest({ id, method, headers }) {
      const parentContext = propagator.extract(ROOT_CONTEXT, headers, HEADER_GETTER);
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER }, parentContext);
      openSpans.set(id, span);
      contexts.set(id, traces.setSpan(parentContext, span));
    },
    closeRequest({ id, method, route, status }) {
      const span = openSpans.get(id);
      openSpans.delete(id);
      if (!span || HEALTH_CHECK_PATHS.has(route ?? '')) return;
      span.updateName(route ? `${method} ${route}` : method);
      span.setAttributes({
        'svc.request_id': id,
        'http.request.method': method,
        'http.response.status_code': status,
        ...(route && { 'http.route': route }),
      });
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
    recordAsk(trace) {
      const sharedAttributes = createSpanAttributes(trace);
      const total = trace.envelope.timings_ms.total;
      const startedAt = Date.parse(trace.steps[0]?.started_at ?? '') || Date.now() - total;
      const parentContext = contexts.get(trace.requestId) ?? ROOT_CONTEXT;
      const askSpan = tracer.startSpan(
        `ask ${trace.route}`,
        {
          startTime: startedAt,
          attributes: {
            ...sharedAttributes,
            ...createAskResultAttributes(trace),
          },
        },
        parentContext,
      );
      if (!OK_STATUSES.has(trace.outcome)) askSpan.setStatus({ code: SpanStatusCode.ERROR, message: trace.outcome });
      const askContext = traces.setSpan(parentContext, askSpan);
      for (const { name, started_at, ms } of trace.steps) {
        const startTime = Date.parse(started_at);
        tracer.startSpan(name, { startTime, attributes: sharedAttributes }, askContext).end(startTime + ms);
      }
      askSpan.end(startedAt + total);
    },
    close: () =>
      withTimeout(
        SHUTDOWN_TIMEOUT_MS,
        provider.shutdown().catch(() => undefined),
        () => undefined,
      ),
  };
}

const removeUndefinedMembers = <T extends object>(attributes: T) =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null)) as Record<
    string,
    string | number
  >;

const createSpanAttributes = ({ requestId, envelope }: Trace) =>
  removeUndefinedMembers({
    'svc.request_id': requestId,
    'svc.lens': envelope.lens,
    'svc.lens_version': envelope.lens_version,
    'svc.certification': envelope.certification,
  });

const createAskResultAttributes = ({ surface, outcome, envelope, modelCalls }: Trace) =>
  removeUndefinedMembers({
    'svc.surface': surface,
    'svc.outcome': outcome,
    'svc.confidence': envelope.confidence,
    'svc.plan': envelope.plan,
    'svc.certified_id': envelope.certified_id,
    'svc.row_count': envelope.row_count,
    'svc.model_calls': modelCalls.length,
    'gen_ai.usage.input_tokens': modelCalls.reduce((sum, { tokensIn }) => sum + tokensIn, 0),
    'gen_ai.usage.output_tokens': modelCalls.reduce((sum, { tokensOut }) => sum + tokensOut, 0),
  });

/** Logs at most one warning every five minutes if the collector doesn't accept spans. */
function withExportWarnings(exporter: OTLPTraceExporter, warn: (message: string) => void): SpanExporter {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error && performance.now() - warnedAt > WARNING_INTERVAL_MS) {
          warnedAt = performance.now();
          warn(`The telemetry collector did not accept spans: ${result.error.message}`);
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  };
}
