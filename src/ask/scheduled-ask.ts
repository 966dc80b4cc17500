// Asks wait for their caller's turn. All surfaces share one scheduler.
import type { Scheduler } from '../platform/schedule/scheduler.ts';
import type { Ask, AskContext } from './entrances.ts';

export function scheduledAsk(ask: Ask, scheduler: Pick<Scheduler, 'schedule'>): Ask {
  const inTurn = <T>({ principal }: AskContext, work: () => Promise<T>): Promise<T> =>
    scheduler.schedule({ tenant: principal.orgId, caller: principal.credentialId ?? principal.name }, work);
  return {
    query: (context, ...rest) => inTurn(context, () => ask.query(context, ...rest)),
    metrics: (context, ...rest) => inTurn(context, () => ask.metrics(context, ...rest)),
    routed: (context, ...rest) => inTurn(context, () => ask.routed(context, ...rest)),
    certifiedRun: (context, ...rest) => inTurn(context, () => ask.certifiedRun(context, ...rest)),
    certifiedByQuestion: (context, ...rest) => inTurn(context, () => ask.certifiedByQuestion(context, ...rest)),
    sql: (context, ...rest) => inTurn(context, () => ask.sql(context, ...rest)),
  };
}
