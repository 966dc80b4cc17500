// Labels of these metrics never name a lens, caller or question, because the number of label values must stay small.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Envelope } from '../../contract/ask.ts';
import { createWorkerMetricsReader } from './worker-metrics.ts';

export interface Metrics {
  countAsk(surface: string, envelope: Envelope): void;
  countRefusedAsk(surface: string, code: string): void;
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  setReadiness(checks: Record<string, { status: string }>): void;
  exportText(): Promise<string>;
  contentType: string;
}

const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function createMetrics(stuckStatements: () => number): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: 'svc_' });
  const measureDuration = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Histogram({ name, help, labelNames, buckets: DURATION_BUCKETS, registers });
  const askCounter = new Counter({
    name: 'svc_asks_total',
    help: 'Completed asks, by surface, status, confidence and certification',
    registers,
    labelNames: ['surface', 'status', 'confidence', 'certification'] as const,
  });
  const refusedCounter = new Counter({
    name: 'svc_asks_rejected_total',
    help: 'Asks that ended with an error',
    labelNames: ['surface', 'code'] as const,
    registers,
  });
  const askDuration = measureDuration('svc_ask_duration_seconds', 'Time from the start of an ask to its envelope', [
    'surface',
  ]);
  const warehouseDuration = measureDuration('svc_warehouse_duration_seconds', 'Time to fetch rows', ['surface']);
  const httpLabels = ['method', 'route', 'status'] as const;
  const httpDuration = measureDuration('svc_http_request_duration_seconds', 'HTTP requests, by route', httpLabels);
  const readinessGauge = new Gauge({
    name: 'svc_ready',
    help: '1 if this check of /ready passes, otherwise 0',
    labelNames: ['check'] as const,
    aggregator: 'min',
    registers,
  });
  new Gauge({
    name: 'svc_warehouse_stuck_statements',
    help: 'Canceled statements that are still running in warehouses',
    registers,
    collect() {
      this.set(stuckStatements());
    },
  });
  return {
    countAsk(surface, { status, confidence, certification, timings_ms }) {
      askCounter.inc({ surface, status, confidence, certification });
      askDuration.observe({ surface }, timings_ms.total / 1000);
      if (timings_ms.warehouse > 0) warehouseDuration.observe({ surface }, timings_ms.warehouse / 1000);
    },
    countRefusedAsk: (surface, code) => refusedCounter.inc({ surface, code }),
    observeRequest: (method, route, status, seconds) =>
      httpDuration.observe({ method, route, status: String(status) }, seconds),
    setReadiness(checks) {
      for (const [name, { status }] of Object.entries(checks))
        readinessGauge.set({ check: name }, status === 'ok' || status === 'off' ? 1 : 0);
    },
    exportText: createWorkerMetricsReader(registry) ?? (() => registry.metrics()),
    contentType: registry.contentType,
  };
}
