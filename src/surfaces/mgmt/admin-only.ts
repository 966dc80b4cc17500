// Who may enter the control plane: admin tokens and sessions of users; a viewer reads only (CONTRACT 7 and 8).
// A visitor of the demo is known here only to be told that this is no place for visitors.
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { Problem } from '../../platform/problem.ts';
import { sessionIn } from '../authenticate-request.ts';
import { visitorOf } from '../visitor.ts';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

export const refuseVisitors =
  (deps: Deps) =>
  async (request: FastifyRequest): Promise<void> => {
    if (request.headers.authorization !== undefined || sessionIn(request)) return;
    if (await visitorOf(deps, request))
      throw new Problem('forbidden', 'A session of the demo asks questions; the control plane needs an admin token.');
  };

export async function adminOnly(request: FastifyRequest): Promise<void> {
  const { kind, role } = request.principal;
  if (kind === 'caller')
    throw new Problem(
      'forbidden',
      'This credential asks questions; the control plane needs an admin token (svcadm_) or a signed-in user.',
    );
  if (kind === 'user' && role !== 'admin' && !READS.has(request.method))
    throw new Problem('forbidden', 'A viewer may look at everything here and change nothing. Ask an admin.');
}
