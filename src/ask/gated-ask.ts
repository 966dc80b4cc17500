// Asks in flight: so many for each key and tenant, in turn between them. One gate for every surface.
import { FairGate } from '../platform/schedule/fair-gate.ts';
import { elsewhere, type LoopShare } from '../platform/schedule/loop-share.ts';
import type { Ask, AskContext } from './entrances.ts';

const WAIT_MS = 2_000; // contract: limits
const OVERALL_FACTOR = 4;
const TENANT_FACTOR = 3; // however many keys a tenant has, others find places

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
