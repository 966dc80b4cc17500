// Who may enter the control plane: admin tokens and sessions of users; a viewer reads only (CONTRACT 7 and 8), and one who
// asks as a caller no further than that caller's lenses.
// A visitor of the demo is known here only to be told that this is no place for visitors.
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { isConfined, mayUseLens } from '../../domain/identity/principal.ts';
import { Problem } from '../../platform/problem.ts';
import { presentedToken, sessionIn } from '../http/authenticate-request.ts';
import { visitorOf } from '../pages/visitor.ts';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

export const refuseVisitors =
  (deps: Deps) =>
  async (request: FastifyRequest): Promise<void> => {
    if (request.headers.authorization !== undefined || sessionIn(request)) return;
    if (await visitorOf(deps, request))
      throw new Problem('forbidden', 'A demo session can only ask questions. Administration needs an admin token.');
  };

export async function adminOnly(request: FastifyRequest): Promise<void> {
  const { kind, role } = request.principal;
  if (kind === 'caller')
    throw new Problem(
      'forbidden',
      'This credential can only ask questions. Administration needs an admin token (svcadm_) or a signed-in user.',
    );
  if (kind === 'user' && role !== 'admin' && !READS.has(request.method))
    throw new Problem('forbidden', 'A viewer can’t change anything here. Ask an admin.');
  if (isConfined(request.principal)) confine(request);
}

/** For what is sent over minutes: the same credential, looked up again. */
export async function stillAdmin(deps: Deps, request: FastifyRequest): Promise<void> {
  request.principal = await deps.authenticator.authenticate(presentedToken(deps, request));
  await adminOnly(request);
}

/** What others asked and were answered, under whatever row policy, and the texts of every lens. */
const OF_ALL = new RegExp(
  `^/mgmt/(${[
    'observe/.*|gap-map|reviews(/:id)?|audit|runs/:run_id|project/(export|edits|deployments/:id)',
    'standards/check|surface/preview|connections/:id/.*|semantic/.*',
    'lenses/:name/(profile.*|evals.*|distill.*|drafts.*|patches.*|grants|context|facts)',
  ].join('|')})$`,
);

function confine({ principal, params, routeOptions }: FastifyRequest): void {
  const route = routeOptions.url ?? '';
  if (OF_ALL.test(route))
    throw new Problem(
      'forbidden',
      'This shows asks of others, or every lens. A viewer with a caller sees only the lenses of that caller. Your own answers and tickets are under /v1.',
    );
  const { name } = params as { name?: string };
  if (route.startsWith('/mgmt/lenses/:name') && !mayUseLens(principal, name!))
    throw new Problem('not_found', `There is no lens “${name}” that you may use. GET /v1/lenses lists them.`, {
      param: 'name',
    });
}
