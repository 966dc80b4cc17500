// Counts asks in the metrics by interface.
import type { Metrics } from '../domain/observe/metrics.ts';
import { Problem } from '../platform/problem.ts';
import { type Ask, wrapAsks } from './entrances.ts';

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
