// Counts all asks, of every surface.
import type { Envelope } from '../contract/ask.ts';
import type { Metrics } from '../domain/observe/metrics.ts';
import { Problem } from '../platform/problem.ts';
import type { Ask, AskContext } from './entrances.ts';

export function measuredAsk(ask: Ask, metrics: Metrics): Ask {
  const counted = async (context: AskContext, work: Promise<Envelope>): Promise<Envelope> => {
    try {
      const envelope = await work;
      metrics.ask(context.surface, envelope);
      return envelope;
    } catch (fault) {
      metrics.refusedAsk(context.surface, fault instanceof Problem ? fault.code : 'internal');
      throw fault;
    }
  };
  return {
    query: (context, ...rest) => counted(context, ask.query(context, ...rest)),
    metrics: (context, ...rest) => counted(context, ask.metrics(context, ...rest)),
    routed: (context, ...rest) => counted(context, ask.routed(context, ...rest)),
    certifiedRun: (context, ...rest) => counted(context, ask.certifiedRun(context, ...rest)),
    certifiedByQuestion: (context, ...rest) => counted(context, ask.certifiedByQuestion(context, ...rest)),
    sql: (context, ...rest) => counted(context, ask.sql(context, ...rest)),
  };
}
