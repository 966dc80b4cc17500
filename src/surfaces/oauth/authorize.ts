// Only POST /oauth/authorize/complete returns a code. Its form contains the sealed request, which is valid once and
// only for the person who saw the page.
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { Principal } from '../../domain/identity/principal.ts';
import {
  type AuthorizationRequest,
  type RequestParameters,
  readAuthorizationRequest,
} from '../../domain/oauth/authorization-request.ts';
import { getClientName } from '../../domain/oauth/clients.ts';
import { isClientBlocked } from '../../domain/oauth/manage-grants.ts';
import { OauthFault } from '../../domain/oauth/oauth-fault.ts';
import { issueCode } from '../../domain/oauth/tokens.ts';
import { toRateLimitAddress } from '../../platform/http/source-address.ts';
import { Problem } from '../../platform/problem.ts';
import { countAttempt } from '../../platform/tenancy/attempts.ts';
import { getResourceUrl, MCP_SCOPE } from '../mcp/mcp-access.ts';
import { removeHiddenCharacters } from '../mcp/remove-hidden-characters.ts';
import { toSafeReturnTo } from '../pages/return-to.ts';
import { sendSignInPage } from '../pages/sign-in-page.ts';
import { findVisitor, refuseForeignPage } from '../pages/visitor.ts';
import { sendConsentPage, sendOauthErrorPage } from './consent-page.ts';

type AuthorizeDeps = Pick<Deps, 'config' | 'baseUrl' | 'tenancy' | 'authenticator' | 'instance' | 'visitors'>;

const TICKET_PURPOSE = 'consent';
const TICKET_LIFETIME_SECONDS = 600;
const CLIENT_DOCUMENT_LIMIT = { limit: 120, windowSeconds: 3_600 };

interface ConsentTicket extends Omit<AuthorizationRequest, 'client'> {
  clientId: string;
  clientName: string;
  person: string;
  nonce: string;
}

export function registerAuthorizeRoutes(app: FastifyInstance, deps: AuthorizeDeps): void {
  const schema = { hide: true };
  app.get('/oauth/authorize', { schema }, (request, reply) =>
    sendFaultsAsPage(reply, () => sendConsentForm(deps, request, reply)),
  );
  app.post('/oauth/authorize/complete', { schema }, (request, reply) =>
    sendFaultsAsPage(reply, () => completeConsent(deps, request, reply)),
  );
}

async function sendConsentForm(deps: AuthorizeDeps, http: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const beforeFetch = () =>
    countAttempt(
      deps.tenancy,
      [{ kind: 'client document', source: toRateLimitAddress(http.ip), ...CLIENT_DOCUMENT_LIMIT }],
      'Too many requests for client metadata from your network. Try again later.',
    );
  const readResult = await readAuthorizationRequest(
    { ...selectClientDeps(deps), beforeFetch },
    http.query as RequestParameters,
    {
      scope: MCP_SCOPE,
      resource: getResourceUrl(deps),
    },
  );
  const person = await findVisitor(deps, http);
  if (!('request' in readResult)) {
    const { code, message } = readResult.fault;
    // Anyone can register a client. Without a session, the client's redirect URI would be an open redirect.
    if (!person) throw readResult.fault;
    return redirectBack(deps, reply, readResult.redirect, { error: code, error_description: message });
  }
  const { request } = readResult;
  if (!person) {
    const note = `${removeHiddenCharacters(getClientName(request.client)).slice(0, 100)} requests access. Sign in to decide.`;
    return sendSignInPage(deps, reply, { returnTo: toSafeReturnTo(http.url, deps.baseUrl()), note });
  }
  await refuseIneligiblePerson(deps, person, request.client.id);
  const { client, ...rest } = request;
  const ticket: ConsentTicket = {
    ...rest,
    clientId: client.id,
    clientName: removeHiddenCharacters(getClientName(client)),
    person: createPersonKey(person),
    nonce: randomUUID(),
  };
  const sealedTicket = await deps.visitors.sealedState.seal(TICKET_PURPOSE, { ...ticket }, TICKET_LIFETIME_SECONDS);
  return sendConsentPage(deps, reply, { request, person, ticket: sealedTicket });
}

async function completeConsent(deps: AuthorizeDeps, http: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  refuseForeignPage(deps, http);
  const { ticket: sealedTicket, decision } = (http.body ?? {}) as { ticket?: unknown; decision?: unknown };
  const openedTicket =
    typeof sealedTicket === 'string' ? await deps.visitors.sealedState.open(TICKET_PURPOSE, sealedTicket) : null;
  if (!openedTicket) throw new Problem('invalid', 'This consent form has expired. Start again from the client.');
  const ticket = openedTicket as unknown as ConsentTicket;
  const person = await findVisitor(deps, http);
  if (!person || createPersonKey(person) !== ticket.person)
    throw new Problem('forbidden', 'This consent form belongs to another person. Start again from the client.');
  await refuseIneligiblePerson(deps, person, ticket.clientId);
  const redirect = { uri: ticket.redirectUri, state: ticket.state };
  if (decision !== 'allow')
    return redirectBack(deps, reply, redirect, {
      error: 'access_denied',
      error_description: 'The user denied access.',
    });
  const actor = { orgId: person.orgId, name: person.name, requestId: http.id };
  const code = await issueCode(deps, actor, {
    clientId: ticket.clientId,
    clientName: ticket.clientName,
    callerId: person.callerId!,
    userId: person.userId,
    scope: ticket.scope,
    resource: ticket.resource,
    redirectUri: ticket.redirectUri,
    codeChallenge: ticket.codeChallenge,
    ticket: ticket.nonce,
  });
  if (!code) throw new Problem('conflict', 'This consent form was already submitted. Start again from the client.');
  return redirectBack(deps, reply, redirect, { code });
}

/** The parameter `iss` identifies this server to the client (RFC 9207). */
function redirectBack(
  deps: Pick<Deps, 'baseUrl'>,
  reply: FastifyReply,
  target: { uri: string; state: string | null },
  parameters: Record<string, string>,
): FastifyReply {
  const url = new URL(target.uri);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  if (target.state !== null) url.searchParams.set('state', target.state);
  url.searchParams.set('iss', deps.baseUrl());
  return reply.header('referrer-policy', 'no-referrer').redirect(url.href, 303);
}

async function refuseIneligiblePerson(deps: Pick<Deps, 'tenancy'>, person: Principal, clientId: string): Promise<void> {
  if (person.kind !== 'user' && person.credentialKind !== 'demo')
    throw new Problem('forbidden', 'Only a signed-in person can give consent, not a key or token.');
  if (!person.callerId)
    throw new Problem(
      'forbidden',
      `${person.name} is not linked to a caller, so a client can't ask on your behalf. Ask an admin to link a caller.`,
    );
  if (await isClientBlocked(deps.tenancy, person.orgId, clientId))
    throw new Problem('forbidden', 'An admin blocked this client. You can’t allow it again.');
}

const createPersonKey = (person: Principal): string =>
  `${person.orgId} ${person.userId ?? person.callerId} ${person.credentialId ?? ''}`;

export const selectClientDeps = (deps: Pick<Deps, 'tenancy' | 'config'>) => ({
  tenancy: deps.tenancy,
  documentRules: { allowed: deps.config.documentAddresses },
});

/** An unverified redirect address must receive nothing, so errors appear on a page. */
async function sendFaultsAsPage(reply: FastifyReply, work: () => Promise<FastifyReply>): Promise<FastifyReply> {
  try {
    return await work();
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof OauthFault) return sendOauthErrorPage(reply, { status: 400, message, isUnverified: true });
    if (error instanceof Problem && error.status < 500)
      return sendOauthErrorPage(reply, { status: error.status, message, isUnverified: false });
    throw error;
  }
}
