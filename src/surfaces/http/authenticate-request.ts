// The Authorization header wins over the cookie, even if it is invalid. With a cookie, only same-origin requests can
// change anything.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { Principal } from '../../domain/identity/principal.ts';
import { Problem } from '../../platform/problem.ts';
import { enforceAddressLimit, enforceKeyLimit } from './limit-requests.ts';

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal;
  }
}

export const SESSION_COOKIE = 'svc_session';
/** Returns only session tokens: a key that a page or a proxy puts into the cookie isn't a credential. */
export const readSessionToken = ({ cookies }: FastifyRequest): string | null => {
  const cookie = cookies[SESSION_COOKIE];
  return cookie?.startsWith('svcsess_') ? cookie : null;
};
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const NO_CREDENTIAL_MESSAGE = 'Send a credential as Authorization: Bearer <token>.';

export type AuthenticationDeps = Pick<Deps, 'authenticator' | 'baseUrl' | 'config' | 'limiter'>;
type ForeignPageCheck = (deps: Pick<Deps, 'baseUrl'>, request: FastifyRequest) => void;

export function createAuthenticationHook(deps: AuthenticationDeps, refusePage: ForeignPageCheck = refuseCrossSite) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.header('cache-control', 'no-store');
    request.principal = await identifyPrincipal(deps, request, reply, refusePage);
    await enforceAddressLimit(deps, request, reply);
    await enforceKeyLimit(deps, request.principal, reply);
  };
}

async function identifyPrincipal(
  deps: AuthenticationDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  refusePage: ForeignPageCheck,
): Promise<Principal> {
  try {
    return await deps.authenticator.authenticate(readPresentedToken(deps, request, refusePage));
  } catch (error) {
    if (error instanceof Problem && error.code === 'auth')
      await enforceAddressLimit(deps, request, reply, 'failed_auth');
    throw error;
  }
}

/** Returns undefined without the header. Throws `auth` for a malformed header. */
export function readBearer({ headers: { authorization } }: FastifyRequest): string | undefined {
  const token = /^bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1];
  if (authorization !== undefined && !token) throw new Problem('auth', NO_CREDENTIAL_MESSAGE);
  return token;
}

export function readPresentedToken(
  deps: Pick<Deps, 'baseUrl'>,
  request: FastifyRequest,
  refusePage: ForeignPageCheck = refuseCrossSite,
): string {
  const bearer = readBearer(request);
  if (bearer) return bearer;
  const cookie = readSessionToken(request);
  if (!cookie) throw new Problem('auth', NO_CREDENTIAL_MESSAGE);
  if (!SAFE_METHODS.has(request.method)) refusePage(deps, request);
  return cookie;
}

/** A page of another site could make a browser send a request with a cookie. */
export function refuseCrossSite(deps: Pick<Deps, 'baseUrl'>, request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const isSameOrigin = origin === undefined ? site === 'same-origin' : origin === new URL(deps.baseUrl()).origin;
  if (!isSameOrigin)
    throw new Problem('forbidden', 'Requests with a session cookie can change data only from pages of this server.');
}
