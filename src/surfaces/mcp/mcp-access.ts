// svc checks Origin and Host against DNS rebinding, then the bearer token, before it reads a body.

import type { FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Deps } from '../../deps.ts';
import type { Principal } from '../../domain/identity/principal.ts';
import { Problem } from '../../platform/problem.ts';
import type { AuthenticationDeps } from '../http/authenticate-request.ts';
import { enforceAddressLimit } from '../http/limit-requests.ts';

export const MCP_SCOPE = 'svc:ask';
/** The resource that OAuth tokens are for (RFC 8707). */
export const getResourceUrl = (deps: Pick<Deps, 'baseUrl'>): string => `${deps.baseUrl()}/mcp`;
const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

export function refuseForeignOrigin(deps: AuthenticationDeps, request: FastifyRequest): void {
  const { origin, host } = request.headers;
  const base = new URL(deps.baseUrl());
  if (isLoopbackHost(deps.config.host) && host !== undefined && !isKnownHost(host, base)) {
    throw new Problem(
      'forbidden',
      'svc does not serve this Host. Use the address from /SKILL.md or from your operator.',
    );
  }
  if (origin === undefined || deps.config.operator.server?.allowed_origins.includes(origin)) return;
  if (!isOwnOrigin(origin, base)) {
    throw new Problem('forbidden', 'This Origin is not allowed. The operator can add it to server.allowed_origins.');
  }
}

export async function authenticateCaller(
  deps: AuthenticationDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Principal> {
  reply.header('cache-control', 'no-store');
  const token = /^bearer +([\x21-\x7e]+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) {
    setChallengeHeader(deps, reply);
    throw new Problem('auth', 'Send a caller key or an OAuth access token as Authorization: Bearer <token>.');
  }
  const principal = await deps.authenticator.authenticate(token).catch(async (error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'auth') throw error;
    await enforceAddressLimit(deps, request, reply, 'failed_auth');
    setChallengeHeader(deps, reply, 'invalid_token');
    throw error;
  });
  if (principal.kind !== 'caller') {
    // An OAuth challenge would make a client request consent repeatedly.
    throw new Problem(
      'forbidden',
      'Admin tokens and dashboard sessions do not work at /mcp. Use a caller key (svc_…): create one with POST /mgmt/callers/{id}/keys or `svc key create`.',
    );
  }
  if (principal.credentialKind === 'demo') {
    setChallengeHeader(deps, reply, 'invalid_token');
    throw new Problem(
      'auth',
      '/mcp does not accept a token of the identity provider. Sign in through OAuth, or use a demo key.',
    );
  }
  return principal;
}

function setChallengeHeader(deps: AuthenticationDeps, reply: FastifyReply, error?: string): void {
  const metadata = `${deps.baseUrl()}/.well-known/oauth-protected-resource/mcp`;
  const errorPart = error ? `, error="${error}", error_description="The token is unknown, expired or revoked"` : '';
  reply.header('www-authenticate', `Bearer resource_metadata="${metadata}", scope="${MCP_SCOPE}"${errorPart}`);
}

const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');

const isKnownHost = (host: string, baseUrl: URL): boolean =>
  URL.canParse(`http://${host}`) &&
  (LOOPBACK_HOSTS.has(new URL(`http://${host}`).hostname) || host.toLowerCase() === baseUrl.host);

function isOwnOrigin(origin: string, base: URL): boolean {
  if (origin === base.origin) return true;
  const originUrl = URL.canParse(origin) ? new URL(origin) : null;
  return (
    originUrl !== null &&
    LOOPBACK_HOSTS.has(originUrl.hostname) &&
    LOOPBACK_HOSTS.has(base.hostname) &&
    originUrl.port === base.port
  );
}
