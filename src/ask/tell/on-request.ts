// What an envelope carries only for whoever asks for it. Added behind the trace, which keeps the answer and not its looks.
import type { Envelope } from '../../contract/ask.ts';
import type { FetchedRows } from '../outcome.ts';
import { chooseChart } from './chart/choose-chart.ts';
import { metricsBodyOf } from './metrics-body.ts';

export interface OnRequest {
  chart?: boolean | undefined;
  as_metrics?: boolean | undefined;
}

export function onRequest(
  { chart, as_metrics }: OnRequest = {},
  fetched: FetchedRows,
  { data, truncated }: Pick<Envelope, 'data' | 'truncated'>,
): Pick<Envelope, 'chart' | 'metrics_body'> {
  const { plan } = fetched;
  return {
    ...(chart ? { chart: chooseChart(fetched, { rows: data ?? [], truncated }) } : {}),
    ...(as_metrics ? { metrics_body: plan.plan === 'compiled' ? metricsBodyOf(plan.intent) : null } : {}),
  };
}
