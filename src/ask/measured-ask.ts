// Counts the asks of all surfaces.
import type { Metrics } from '../domain/observe/metrics.ts';
import { Problem } from '../platform/problem.ts';
import { type Ask, aroundAsks } from './entrances.ts';

export const measuredAsk = (ask: Ask, metrics: Metrics): Ask =>
  aroundAsks(ask, async ({ surface }, run) => {
    try {
      const envelope = await run();
      metrics.ask(surface, envelope);
      return envelope;
    } catch (fault) {
      metrics.refusedAsk(surface, fault instanceof Problem ? fault.code : 'internal');
      throw fault;
    }
  });
