// The consent page promises that a person can end the access of each client on this page.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OauthGrant } from '../../contract/oauth.ts';
import type { Deps } from '../../deps.ts';
import { recordAuditSeparately } from '../../domain/audit/audit-log.ts';
import type { Principal } from '../../domain/identity/principal.ts';
import { listGrantsOfOwner, revokeGrantOfOwner } from '../../domain/oauth/manage-grants.ts';
import { Problem } from '../../platform/problem.ts';
import { removeHiddenCharacters } from '../mcp/remove-hidden-characters.ts';
import { escapeHtml, sendPage } from '../pages/html-page.ts';
import { sendSignInPage } from '../pages/sign-in-page.ts';
import { findVisitor, refuseForeignPage } from '../pages/visitor.ts';

type GrantsPageDeps = Pick<Deps, 'baseUrl' | 'tenancy' | 'authenticator' | 'instance' | 'visitors'>;

export const GRANTS_PATH = '/oauth/grants';
const hiddenSchema = { hide: true };

export function registerGrantsPage(app: FastifyInstance, deps: GrantsPageDeps): void {
  app.get(GRANTS_PATH, { schema: hiddenSchema }, async (request, reply) => {
    const person = await findPerson(deps, request);
    if (!person)
      return sendSignInPage(deps, reply, {
        returnTo: GRANTS_PATH,
        note: 'Sign in to see the clients that can ask on your behalf.',
      });
    return sendGrantsPage(deps, reply, person);
  });
  app.post(`${GRANTS_PATH}/end`, { schema: hiddenSchema }, async (request, reply) => {
    refuseForeignPage(deps, request);
    const person = await findPerson(deps, request);
    if (!person) return sendSignInPage(deps, reply.code(401), { returnTo: GRANTS_PATH });
    const { grant } = (request.body ?? {}) as { grant?: unknown };
    const isRevoked = typeof grant === 'string' && (await revokeGrantOfOwner(deps, person, grant));
    if (isRevoked)
      await recordAuditSeparately(
        deps,
        { orgId: person.orgId, name: person.name, requestId: request.id },
        { action: 'oauth_grant.end', objectId: grant },
      );
    return reply.redirect(GRANTS_PATH, 303);
  });
}

async function findPerson(deps: GrantsPageDeps, request: FastifyRequest): Promise<Principal | null> {
  const person = await findVisitor(deps, request);
  if (person && person.kind !== 'user' && person.credentialKind !== 'demo')
    throw new Problem('forbidden', 'Only a signed-in person has grants. A key or a token has none.');
  return person;
}

async function sendGrantsPage(deps: GrantsPageDeps, reply: FastifyReply, person: Principal): Promise<FastifyReply> {
  const grants = await listGrantsOfOwner(deps, person);
  const emptyText = '<p class="note">No client can ask on your behalf.</p>';
  return sendPage(reply, {
    title: 'Clients that can ask on your behalf',
    main: `<h1>Clients that can ask on your behalf</h1>
<p class="tagline">You are ${escapeHtml(person.name)}. Revoking access takes effect immediately. The client can request it again.</p>
${grants.length > 0 ? grants.map(renderGrant).join('\n') : emptyText}`,
  });
}

const toDay = (time: string): string => time.slice(0, 10);
const renderGrant = (
  grant: OauthGrant,
): string => `<h2>${escapeHtml(removeHiddenCharacters(grant.client_name).slice(0, 100))}</h2>
<dl>
<div><dt>Asks as</dt><dd>${escapeHtml(grant.caller)}</dd></div>
<div><dt>Allowed on</dt><dd>${toDay(grant.created_at)}, expires by ${toDay(grant.expires_at)}</dd></div>
<div><dt>Last used</dt><dd>${grant.last_used_at ? toDay(grant.last_used_at) : 'never'}</dd></div>
</dl>
<form method="post" action="${GRANTS_PATH}/end">
<input type="hidden" name="grant" value="${escapeHtml(grant.id)}">
<button type="submit" class="plain">Revoke access</button>
</form>`;
