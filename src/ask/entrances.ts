// The entry points of an ask: who asks, through which surface, and which asks they can make. Implemented by
// pipeline.ts.
import type { CertifiedRunBody, Envelope, Format, MetricsBody, QueryBody, SqlBody } from '../contract/ask.ts';
import type { Principal } from '../domain/identity/principal.ts';
import type { ModelUsage } from '../domain/ports.ts';

export interface AskContext {
  principal: Principal;
  /** UUID; the envelope's request_id and the response's x-request-id. */
  requestId: string;
  surface: 'v1' | 'mcp' | 'chat' | 'cli' | 'mgmt';
  /** Client name and version, if the client sent them. */
  client: string | null;
  /** Aborted when the client goes away: cancels the warehouse query. */
  signal: AbortSignal;
  /** Called for each call to a language model that the ask made (chat only). */
  onModelCall?: (call: ModelUsage) => void;
  /** Earlier user turns, oldest first (chat only). */
  context?: string[];
  /** Another person asked this first: removes their wording wherever this caller can't have written it. */
  ofAnother?: boolean;
}

/** Every function returns an envelope, also for clarifications, refusals and `failed`. Its trace is already durable.
 *  They throw a Problem only if there was no ask: unknown lens (not_found), invalid names (invalid), guard_refused on
 *  /v1/sql, forbidden, and unreachable if the trace can't be written. */
export interface Ask {
  query(context: AskContext, lens: string, body: QueryBody): Promise<Envelope>;
  metrics(context: AskContext, lens: string, body: MetricsBody): Promise<Envelope>;
  routed(context: AskContext, body: QueryBody): Promise<Envelope>;
  certifiedRun(context: AskContext, lens: string, certId: string, body: CertifiedRunBody): Promise<Envelope>;
  /** run_certified with a bare question: Problem no_exact_match with near misses in details unless one matches exactly. */
  certifiedByQuestion(context: AskContext, lens: string, question: string, body: CertifiedRunBody): Promise<Envelope>;
  sql(context: AskContext, body: SqlBody): Promise<Envelope>;
}

/** The same asks with something around each. */
export function aroundAsks(
  ask: Ask,
  around: (context: AskContext, run: () => Promise<Envelope>) => Promise<Envelope>,
): Ask {
  return {
    query: (context, ...rest) => around(context, () => ask.query(context, ...rest)),
    metrics: (context, ...rest) => around(context, () => ask.metrics(context, ...rest)),
    routed: (context, ...rest) => around(context, () => ask.routed(context, ...rest)),
    certifiedRun: (context, ...rest) => around(context, () => ask.certifiedRun(context, ...rest)),
    certifiedByQuestion: (context, ...rest) => around(context, () => ask.certifiedByQuestion(context, ...rest)),
    sql: (context, ...rest) => around(context, () => ask.sql(context, ...rest)),
  };
}

/** HTTP status of an envelope: 200 unless `failed`. */
export function httpStatusOf(envelope: Envelope): number {
  if (envelope.status !== 'failed') return 200;
  switch (envelope.error?.code) {
    case 'unreachable':
      return 503;
    case 'timeout':
      return 504;
    default:
      return 502;
  }
}

export const formatOf = (format: Format | 'data' | undefined, otherwise: Format = 'both'): Format =>
  format === 'data' ? 'structured' : (format ?? otherwise);
