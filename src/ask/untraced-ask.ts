// Runs an ask in the background on a lens such as a draft, a planned version or a lens under evaluation. The pipeline
// is the same, but there is no trace and no receipt, because callers must not repeat a number from such an ask.
import type { LiveLens } from '../domain/lenses/lens-repository.ts';
import type { WarehouseDirectory } from '../domain/ports.ts';
import type { AskDeps } from './ask-deps.ts';
import { createAsk } from './create-ask.ts';
import { type Ask, wrapAsks } from './entry-points.ts';

/** Pass `warehouses` if the lens's connection isn't stored yet. */
export type UntracedAsk = (
  liveLens: LiveLens,
  warehouses?: WarehouseDirectory,
) => Pick<Ask, 'query' | 'metrics' | 'certifiedRun'>;

export const createUntracedAsk =
  (deps: AskDeps): UntracedAsk =>
  (liveLens, warehouses = deps.warehouses) => {
    const ask = createAsk({
      ...deps,
      warehouses,
      receiptKeys: [],
      lenses: {
        find: async (_orgId, name) => (name === liveLens.name ? liveLens : null),
        list: async () => [liveLens],
      },
      traces: { write: async () => true },
      certifiedWatch: null,
      dictionaries: null,
      proposeDefinition: null,
      proposeWordPatch: null,
    });
    return wrapAsks(ask, async (_context, run) => ({ ...(await run()), receipt: null }));
  };
