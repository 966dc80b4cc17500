// Admin tokens and user sessions have access. A curator can make the changes whose operations allow curators. A viewer
// can only read. A viewer with a linked caller can use only operations for `any viewer`, and only that caller's lenses.
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { canUseLens, isAdmin, isCurator, isLinkedViewer } from '../../domain/identity/principal.ts';
import { Problem } from '../../platform/problem.ts';
import { readPresentedToken, readSessionToken } from '../http/authenticate-request.ts';
import { findVisitor } from '../pages/visitor.ts';

type VisitorDeps = Pick<Deps, 'baseUrl' | 'authenticator' | 'visitors'>;

const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

export const createVisitorRefusalHook =
  (deps: VisitorDeps) =>
  async (request: FastifyRequest): Promise<void> => {
    if (request.headers.authorization !== undefined || readSessionToken(request)) return;
    if (await findVisitor(deps, request))
      throw new Problem('forbidden', 'A demo session can only ask questions. Administration needs an admin token.');
  };

export async function requireAccess(request: FastifyRequest): Promise<void> {
  const { principal, method } = request;
  if (principal.kind === 'caller')
    throw new Problem(
      'forbidden',
      'This credential can only ask questions. Administration needs an admin token (svcadm_) or a signed-in user.',
    );
  if (!isAdmin(principal) && !READ_METHODS.has(method)) {
    if (!isCurator(principal)) throw new Problem('forbidden', 'A viewer can’t change anything here. Ask an admin.');
    if (request.routeOptions.config.access !== 'curator')
      throw new Problem('forbidden', 'A curator can only change what lenses mean. Ask an admin to make this change.');
  }
  if (isLinkedViewer(principal)) requireLensAccess(request);
}

/** Checks the request's credential again, for responses that take minutes. */
export async function recheckAccess(
  deps: Pick<Deps, 'authenticator' | 'baseUrl'>,
  request: FastifyRequest,
): Promise<void> {
  request.principal = await deps.authenticator.authenticate(readPresentedToken(deps, request));
  await requireAccess(request);
}

/**
 * Limits a viewer with a linked caller to operations for `any viewer`. The other operations show what other people
 * asked, or the content of every lens.
 */
function requireLensAccess({ principal, params, routeOptions }: FastifyRequest): void {
  if (routeOptions.url !== undefined && routeOptions.config.access !== 'any viewer')
    throw new Problem(
      'forbidden',
      'A viewer with a linked caller can’t read this, because it covers more than the lenses of that caller. Your own answers and tickets are under /v1.',
    );
  const { name } = params as { name?: string };
  if (name !== undefined && !canUseLens(principal, name))
    throw new Problem('not_found', `There is no lens “${name}” that you may use. GET /v1/lenses lists your lenses.`, {
      param: 'name',
    });
}
