import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { OidcIdentity } from '../../domain/identity/oidc-provider.ts';
import type { Principal } from '../../domain/identity/principal.ts';
import { Problem } from '../../platform/problem.ts';
import { readBearer, readSessionToken } from '../http/authenticate-request.ts';

type VisitorDeps = Pick<Deps, 'baseUrl' | 'authenticator' | 'visitors'>;

export const DEMO_COOKIE = 'svc_demo';
const DEMO_SESSION_SECONDS = 12 * 3_600;

/** Returns null for visitors who aren't signed in. The Authorization header wins, even if it is invalid. */
export async function findVisitor(deps: VisitorDeps, request: FastifyRequest): Promise<Principal | null> {
  const bearer = readBearer(request);
  if (bearer) return deps.authenticator.authenticate(bearer);
  const session = readSessionToken(request);
  const localPrincipal = session
    ? await deps.authenticator.authenticate(session).catch(ignoreAuthenticationProblem)
    : null;
  if (localPrincipal) return localPrincipal;
  const identity = await deps.visitors.sealedState.open(DEMO_COOKIE, request.cookies[DEMO_COOKIE]);
  return identity && deps.visitors.demo ? deps.visitors.demo.findPrincipal(identity as unknown as OidcIdentity) : null;
}

function ignoreAuthenticationProblem(error: unknown): null {
  if (error instanceof Problem && error.code === 'auth') return null;
  throw error;
}

export async function rememberDemoVisitor(
  deps: VisitorDeps,
  reply: FastifyReply,
  identity: OidcIdentity,
): Promise<void> {
  const sealedIdentity = await deps.visitors.sealedState.seal(DEMO_COOKIE, { ...identity }, DEMO_SESSION_SECONDS);
  reply.setCookie(DEMO_COOKIE, sealedIdentity, { ...createCookieOptions(deps), maxAge: DEMO_SESSION_SECONDS });
}

export const createCookieOptions = (deps: Pick<Deps, 'baseUrl'>) => ({
  path: '/',
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: deps.baseUrl().startsWith('https:'),
});

/** With cookies, only pages of this server can send requests. Bearer tokens are exempt. */
export function refuseForeignPage(deps: Pick<Deps, 'baseUrl'>, request: FastifyRequest): void {
  if (request.headers.authorization !== undefined || request.method === 'GET' || request.method === 'HEAD') return;
  const { origin, 'sec-fetch-site': site } = request.headers;
  const isOwnPage =
    site !== undefined
      ? site === 'same-origin' || site === 'none'
      : origin === undefined || origin === new URL(deps.baseUrl()).origin;
  if (!isOwnPage)
    throw new Problem(
      'forbidden',
      'svc accepts this request only from pages of this server. Open its address and try again.',
    );
}
