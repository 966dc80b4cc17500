// Declares the entry points of an ask and the request data that each entry point needs. create-ask.ts implements the
// entry points.
import type { CertifiedRunBody, Envelope, MetricsBody, QueryBody, SqlBody } from '../contract/ask.ts';
import type { Principal } from '../domain/identity/principal.ts';
import type { Metrics } from '../domain/observe/metrics.ts';
import type { ModelUsage } from '../domain/ports.ts';
import { createId } from '../platform/ids.ts';
import { Problem } from '../platform/problem.ts';
import type { Scheduler } from '../platform/schedule/scheduler.ts';

export interface AskContext {
  principal: Principal;
  /** A UUID: the envelope's request_id and the response's x-request-id. */
  requestId: string;
  /**
   * `view`: svc computes a stored answer or a tile again for display. The usage statistics don't count this as an ask.
   */
  surface: 'v1' | 'mcp' | 'chat' | 'cli' | 'view' | 'mgmt';
  /** Null if the client didn't send its name and version. */
  client: string | null;
  /** Aborts when the client disconnects, which cancels the warehouse query. */
  signal: AbortSignal;
  /** Called for each language model call of the ask (chat only). */
  onModelCall?: (call: ModelUsage) => void;
  /** Earlier user turns, oldest first (chat only). */
  context?: string[];
  /**
   * True if another person asked this question first. svc then hides that person's wording, unless this caller can see
   * every name and value in it (shared-answer.ts).
   */
  belongsToOther?: boolean;
}

/** The context of an ask that svc starts itself, such as an eval. */
export const createBackgroundContext = (principal: Principal, signal: AbortSignal): AskContext => ({
  principal,
  requestId: createId(),
  surface: 'mgmt',
  client: null,
  signal,
});

/**
 * Each function returns an envelope after the trace is durable, even for clarifications, refusals and the status
 * `failed`. A function throws a Problem only if no ask took place: unknown lens (not_found), invalid names (invalid),
 * guard_refused on /v1/sql, forbidden, and unreachable if the trace can't be written.
 */
export interface Ask {
  query(context: AskContext, lens: string, body: QueryBody): Promise<Envelope>;
  metrics(context: AskContext, lens: string, body: MetricsBody): Promise<Envelope>;
  queryWithRouting(context: AskContext, body: QueryBody): Promise<Envelope>;
  certifiedRun(context: AskContext, lens: string, certId: string, body: CertifiedRunBody): Promise<Envelope>;
  /**
   * Implements run_certified for a question without a cert_id. If no entry matches exactly, throws no_exact_match with
   * the nearest entries in the error's details.
   */
  runCertifiedByQuestion(
    context: AskContext,
    lens: string,
    question: string,
    body: CertifiedRunBody,
  ): Promise<Envelope>;
  sql(context: AskContext, body: SqlBody): Promise<Envelope>;
}

export function wrapAsks(
  ask: Ask,
  wrap: (context: AskContext, run: () => Promise<Envelope>) => Promise<Envelope>,
): Ask {
  return {
    query: (context, ...rest) => wrap(context, () => ask.query(context, ...rest)),
    metrics: (context, ...rest) => wrap(context, () => ask.metrics(context, ...rest)),
    queryWithRouting: (context, ...rest) => wrap(context, () => ask.queryWithRouting(context, ...rest)),
    certifiedRun: (context, ...rest) => wrap(context, () => ask.certifiedRun(context, ...rest)),
    runCertifiedByQuestion: (context, ...rest) => wrap(context, () => ask.runCertifiedByQuestion(context, ...rest)),
    sql: (context, ...rest) => wrap(context, () => ask.sql(context, ...rest)),
  };
}

/** Makes asks wait for their caller's turn. All surfaces share one scheduler. */
export const createScheduledAsk = (ask: Ask, scheduler: Pick<Scheduler, 'schedule'>): Ask =>
  wrapAsks(ask, ({ principal }, run) =>
    scheduler.schedule({ tenant: principal.orgId, caller: principal.credentialId ?? principal.name }, run),
  );

/** Counts asks in the metrics by interface. */
export const createMeasuredAsk = (ask: Ask, metrics: Metrics): Ask =>
  wrapAsks(ask, async ({ surface }, run) => {
    try {
      const envelope = await run();
      metrics.countAsk(surface, envelope);
      return envelope;
    } catch (fault) {
      metrics.countRefusedAsk(surface, fault instanceof Problem ? fault.code : 'internal');
      throw fault;
    }
  });

export function chooseHttpStatus(envelope: Envelope): number {
  if (envelope.status !== 'failed') return 200;
  const { code } = envelope.error!;
  return code === 'unreachable' ? 503 : code === 'timeout' ? 504 : 502;
}
