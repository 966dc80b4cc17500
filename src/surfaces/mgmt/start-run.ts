// Starts long-running work. Responds with 202 and a run, which the client follows at GET /mgmt/runs/{run_id}.
import type { Deps } from '../../deps.ts';
import { getServedLens } from '../../domain/lenses/get-served-lens.ts';
import type { NewRun, RunContext } from '../../domain/runs/runs.ts';
import type { Call, ResultOf } from '../http/operation.ts';

export const startRun = async (
  { deps, actor }: Pick<Call<Pick<Deps, 'runs'>>, 'deps' | 'actor'>,
  run: NewRun,
  work: (context: RunContext) => Promise<unknown>,
): Promise<{ run_id: string }> => ({ run_id: await deps.runs.start(actor, run, work) });

export async function startLensRun(
  call: Call<Pick<Deps, 'lenses' | 'runs'>, { name: string }>,
  run: Pick<NewRun, 'kind' | 'timeoutMs'>,
  work: (servedLens: ResultOf<typeof getServedLens>, context: RunContext) => Promise<unknown>,
): Promise<{ run_id: string }> {
  const liveLens = await getServedLens(call.deps.lenses, call.orgId, call.params.name);
  return startRun(call, { ...run, about: { kind: 'lens', id: liveLens.name } }, (context) => work(liveLens, context));
}
