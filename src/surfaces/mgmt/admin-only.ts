// Who may enter the control plane: admin tokens and sessions of users; a viewer reads only (CONTRACT 7 and 8).
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../platform/problem.ts';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

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
