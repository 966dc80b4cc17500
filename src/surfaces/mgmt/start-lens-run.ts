// Long work about one lens in service: 202 with the run to follow at GET /mgmt/runs/{run_id}.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { getServedLens } from '../../domain/lenses/get-served-lens.ts';
import type { ServedLens } from '../../domain/lenses/lens-repository.ts';
import type { NewRun, RunContext } from '../../domain/runs/runs.ts';
import { runOnce } from '../http/run-once.ts';
import { actorOf } from './route-parts.ts';

export const startLensRun = (
  deps: Deps,
  request: FastifyRequest<{ Params: { name: string } }>,
  reply: FastifyReply,
  run: Pick<NewRun, 'kind' | 'timeoutMs'>,
  work: (served: ServedLens, context: RunContext) => Promise<unknown>,
): Promise<{ run_id: string }> =>
  runOnce(deps, request, reply, async () => {
    const actor = actorOf(request);
    const served = await getServedLens(deps.lenses, actor.orgId, request.params.name);
    const asked = { ...run, about: { kind: 'lens', id: served.name } };
    return { status: 202, body: { run_id: await deps.runs.start(actor, asked, (context) => work(served, context)) } };
  });
