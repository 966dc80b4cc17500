// Limits the asks in flight per key and tenant, and serves waiting ones in turn. All surfaces share one gate.
import { FairQueue } from '../platform/schedule/fair-queue.ts';
import { elsewhere, type FairScheduler } from '../platform/schedule/fair-scheduler.ts';
import type { Ask, AskContext } from './entrances.ts';

const WAIT_MS = 2_000; // contract: limits
const OVERALL_FACTOR = 4;
const TENANT_FACTOR = 3; // leaves places for other tenants, however many keys one tenant has

export function gatedAsk(ask: Ask, asksInFlight: number, share: FairScheduler): Ask {
  const gate = new FairQueue({
    perKey: asksInFlight,
    perTenant: asksInFlight * TENANT_FACTOR,
    overall: asksInFlight * OVERALL_FACTOR,
    waitMs: WAIT_MS,
  });
  const pass = <T>({ principal }: AskContext, work: () => Promise<T>): Promise<T> =>
    elsewhere(() =>
      gate.pass(
        principal.credentialId ?? `${principal.orgId}/${principal.name}`,
        () => share.work(principal.orgId, work),
        principal.orgId,
      ),
    );
  return {
    query: (context, ...rest) => pass(context, () => ask.query(context, ...rest)),
    metrics: (context, ...rest) => pass(context, () => ask.metrics(context, ...rest)),
    routed: (context, ...rest) => pass(context, () => ask.routed(context, ...rest)),
    certifiedRun: (context, ...rest) => pass(context, () => ask.certifiedRun(context, ...rest)),
    certifiedByQuestion: (context, ...rest) => pass(context, () => ask.certifiedByQuestion(context, ...rest)),
    sql: (context, ...rest) => pass(context, () => ask.sql(context, ...rest)),
  };
}
