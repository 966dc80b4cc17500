// Limits the asks in flight per key and tenant, and serves waiting ones in turn. All surfaces share one gate.
import { FairGate } from '../platform/schedule/fair-gate.ts';
import { elsewhere, type LoopShare } from '../platform/schedule/loop-share.ts';
import type { Ask, AskContext } from './entrances.ts';

const WAIT_MS = 2_000; // contract: limits
const OVERALL_FACTOR = 4;
const TENANT_FACTOR = 3; // leaves places for other tenants, however many keys one tenant has

export function gatedAsk(ask: Ask, asksInFlight: number, share: LoopShare): Ask {
  const gate = new FairGate({
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
