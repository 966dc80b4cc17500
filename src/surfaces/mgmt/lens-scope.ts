import type { Deps } from '../../deps.ts';
import { getLiveLens } from '../../domain/lenses/get-live-lens.ts';
import type { NewRun, RunContext } from '../../domain/runs/runs.ts';
import type { OperationCall, ResultOf } from '../http/operation.ts';

export interface LensScope {
  liveLens: ResultOf<typeof getLiveLens>;
}
export const loadLensScope = async ({
  deps,
  orgId,
  params,
}: OperationCall<Pick<Deps, 'lenses'>, { name: string }>): Promise<LensScope> => ({
  liveLens: await getLiveLens(deps.lenses, orgId, params.name),
});

export const withWarehouse = async ({
  deps,
  orgId,
  liveLens,
}: OperationCall<Pick<Deps, 'warehouses'>> & LensScope) => ({
  liveLens,
  warehouse: await deps.warehouses.get(orgId, liveLens.lens.connection),
});

/** The client follows the run at GET /mgmt/runs/{run_id}. */
export const startRun = async (
  { deps, actor }: Pick<OperationCall<Pick<Deps, 'runs'>>, 'deps' | 'actor'>,
  run: NewRun,
  work: (context: RunContext) => Promise<unknown>,
): Promise<{ run_id: string }> => ({ run_id: await deps.runs.start(actor, run, work) });

export const startLensRun = (
  call: OperationCall<Pick<Deps, 'runs'>> & LensScope,
  run: Pick<NewRun, 'kind' | 'timeoutMs'>,
  work: (context: RunContext) => Promise<unknown>,
): Promise<{ run_id: string }> => startRun(call, { ...run, about: { kind: 'lens', id: call.liveLens.name } }, work);
