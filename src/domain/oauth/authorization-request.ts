// An error in client_id or redirect_uri appears on a page, because the address for a redirect isn't trusted. Every
// other error goes back to the client after a person has signed in.
import type { OauthClientRow } from './client-repository.ts';
import { type ClientDeps, findClient } from './clients.ts';
import { OauthFault } from './oauth-fault.ts';
import { isSameRedirectUri } from './redirect-uri.ts';

export interface AuthorizationRequest {
  client: OauthClientRow;
  redirectUri: string;
  state: string | null;
  scope: string;
  resource: string;
  codeChallenge: string;
}
export type AuthorizationRequestResult =
  | { request: AuthorizationRequest }
  | { redirect: { uri: string; state: string | null }; fault: OauthFault };

export type RequestParameters = Record<string, string | string[] | undefined>;

/** Throws an OauthFault for an error that must appear on a page. */
export async function readAuthorizationRequest(
  deps: ClientDeps,
  parameters: RequestParameters,
  offeredAccess: { scope: string; resource: string },
): Promise<AuthorizationRequestResult> {
  const clientId = readSingleParameter(parameters, 'client_id');
  const redirectUri = readSingleParameter(parameters, 'redirect_uri');
  if (!clientId) throw new OauthFault('invalid_request', 'client_id is missing or occurs twice.');
  const client = await findClient(deps, clientId);
  if (!client)
    throw new OauthFault('invalid_client', 'This client is not registered here. Register it and start again.');
  if (!redirectUri) throw new OauthFault('invalid_request', 'redirect_uri is missing or occurs twice.');
  if (!isSameRedirectUri(client.metadata.redirect_uris, redirectUri))
    throw new OauthFault('invalid_request', 'This client did not register this redirect_uri.');
  const state = readSingleParameter(parameters, 'state') ?? null;
  try {
    return {
      request: {
        client,
        redirectUri,
        state,
        scope: offeredAccess.scope,
        ...readAccessRequest(parameters, offeredAccess.resource),
      },
    };
  } catch (fault) {
    if (!(fault instanceof OauthFault)) throw fault;
    return { redirect: { uri: redirectUri, state }, fault };
  }
}

function readAccessRequest(
  parameters: RequestParameters,
  offeredResource: string,
): { resource: string; codeChallenge: string } {
  const repeatedName = Object.keys(parameters).find((name) => Array.isArray(parameters[name]));
  if (repeatedName) throw new OauthFault('invalid_request', 'A parameter occurs twice.');
  if (parameters['request'] !== undefined) throw new OauthFault('request_not_supported', 'request is not supported.');
  if (parameters['request_uri'] !== undefined)
    throw new OauthFault('request_uri_not_supported', 'request_uri is not supported.');
  const type = readSingleParameter(parameters, 'response_type');
  if (!type) throw new OauthFault('invalid_request', 'response_type is missing. Use code.');
  if (type !== 'code') throw new OauthFault('unsupported_response_type', 'response_type must be code.');
  const mode = readSingleParameter(parameters, 'response_mode');
  if (mode && mode !== 'query') throw new OauthFault('invalid_request', 'response_mode must be query.');
  const codeChallenge = readSingleParameter(parameters, 'code_challenge');
  if (!codeChallenge) throw new OauthFault('invalid_request', 'code_challenge is missing. svc requires PKCE.');
  if (readSingleParameter(parameters, 'code_challenge_method') !== 'S256')
    throw new OauthFault('invalid_request', 'code_challenge_method must be S256.');
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(codeChallenge))
    throw new OauthFault('invalid_request', 'code_challenge must have 43 to 128 characters of the unreserved set.');
  const resource = matchResource(readSingleParameter(parameters, 'resource'), offeredResource);
  if (!resource) throw new OauthFault('invalid_target', `resource must be ${offeredResource}.`);
  if (readSingleParameter(parameters, 'prompt')?.split(' ').includes('none'))
    throw new OauthFault('login_required', 'svc always asks for consent. prompt=none is not supported.');
  return { resource, codeChallenge };
}

/** Returns null if the request names another resource (RFC 8707). The case of scheme and host doesn't matter. */
export function matchResource(requestedResource: string | undefined, offeredResource: string): string | null {
  if (requestedResource === undefined) return offeredResource;
  if (!URL.canParse(requestedResource) || requestedResource.includes('#')) return null;
  const [a, b] = [new URL(requestedResource), new URL(offeredResource)];
  return a.origin === b.origin && a.pathname.replace(/\/$/, '') === b.pathname && a.search === '' && !a.username
    ? offeredResource
    : null;
}

const readSingleParameter = (parameters: RequestParameters, name: string): string | undefined => {
  const value = parameters[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};
