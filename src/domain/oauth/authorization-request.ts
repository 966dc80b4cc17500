// Reads a client's request at /oauth/authorize. A fault in the client or redirect_uri is shown on a page, never redirected
// (AS-04). Every other fault goes back to the client after a person has signed in.
import type { Client } from './client-repository.ts';
import { type ClientDeps, findClient } from './clients.ts';
import { OauthFault } from './oauth-fault.ts';
import { redirectMatches } from './redirect-uri.ts';

export interface AuthorizationRequest {
  client: Client;
  redirectUri: string;
  state: string | null;
  scope: string;
  resource: string;
  codeChallenge: string;
}
export type ReadRequest =
  | { request: AuthorizationRequest }
  | { redirect: { uri: string; state: string | null }; fault: OauthFault };

export type Parameters = Record<string, string | string[] | undefined>;

/** Throws an OauthFault for a fault that must be shown on a page. */
export async function readAuthorizationRequest(
  deps: ClientDeps,
  given: Parameters,
  offered: { scope: string; resource: string },
): Promise<ReadRequest> {
  const clientId = singleParameter(given, 'client_id');
  const redirectUri = singleParameter(given, 'redirect_uri');
  if (!clientId) throw new OauthFault('invalid_request', 'client_id is missing or occurs twice.');
  const client = await findClient(deps, clientId);
  if (!client)
    throw new OauthFault('invalid_client', 'This client is not registered here. Register it and start again.');
  if (!redirectUri) throw new OauthFault('invalid_request', 'redirect_uri is missing or occurs twice.');
  if (!redirectMatches(client.metadata.redirect_uris, redirectUri))
    throw new OauthFault('invalid_request', 'This client did not register this redirect_uri.');
  const state = singleParameter(given, 'state') ?? null;
  try {
    return {
      request: { client, redirectUri, state, scope: offered.scope, ...readAccessRequest(given, offered.resource) },
    };
  } catch (fault) {
    if (!(fault instanceof OauthFault)) throw fault;
    return { redirect: { uri: redirectUri, state }, fault };
  }
}

function readAccessRequest(given: Parameters, offered: string): { resource: string; codeChallenge: string } {
  const repeated = Object.keys(given).find((name) => Array.isArray(given[name]));
  if (repeated) throw new OauthFault('invalid_request', 'A parameter occurs twice.');
  if (given['request'] !== undefined) throw new OauthFault('request_not_supported', 'request is not supported.');
  if (given['request_uri'] !== undefined)
    throw new OauthFault('request_uri_not_supported', 'request_uri is not supported.');
  const type = singleParameter(given, 'response_type');
  if (!type) throw new OauthFault('invalid_request', 'response_type is missing; use code.');
  if (type !== 'code') throw new OauthFault('unsupported_response_type', 'response_type must be code.');
  const mode = singleParameter(given, 'response_mode');
  if (mode && mode !== 'query') throw new OauthFault('invalid_request', 'response_mode must be query.');
  const codeChallenge = singleParameter(given, 'code_challenge');
  if (!codeChallenge) throw new OauthFault('invalid_request', 'code_challenge is missing: PKCE is required.');
  if (singleParameter(given, 'code_challenge_method') !== 'S256')
    throw new OauthFault('invalid_request', 'code_challenge_method must be S256.');
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(codeChallenge))
    throw new OauthFault('invalid_request', 'code_challenge must have 43 to 128 characters of the unreserved set.');
  const resource = sameResource(singleParameter(given, 'resource'), offered);
  if (!resource) throw new OauthFault('invalid_target', `Access can be granted only to ${offered}.`);
  if (singleParameter(given, 'prompt')?.split(' ').includes('none'))
    throw new OauthFault('login_required', 'svc always asks for consent. prompt=none is not supported.');
  return { resource, codeChallenge };
}

/** Returns the offered resource if `given` is the same URL or missing, otherwise null (RFC 8707). The case of scheme and host
 *  doesn't matter. */
export function sameResource(given: string | undefined, offered: string): string | null {
  if (given === undefined) return offered;
  if (!URL.canParse(given) || given.includes('#')) return null;
  const [a, b] = [new URL(given), new URL(offered)];
  return a.origin === b.origin && a.pathname.replace(/\/$/, '') === b.pathname && a.search === '' && !a.username
    ? offered
    : null;
}

const singleParameter = (given: Parameters, name: string): string | undefined => {
  const value = given[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};
