// Information that the client provides about itself appears as plain text, without the client's logo or links.
import type { FastifyReply } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { Principal } from '../../domain/identity/principal.ts';
import type { AuthorizationRequest } from '../../domain/oauth/authorization-request.ts';
import { getClientName } from '../../domain/oauth/clients.ts';
import { isLoopbackUrl } from '../../domain/oauth/redirect-uri.ts';
import { removeHiddenCharacters } from '../mcp/remove-hidden-characters.ts';
import { escapeHtml, sendPage } from '../pages/html-page.ts';
import { GRANTS_PATH } from './grants-page.ts';

export async function sendConsentPage(
  deps: Pick<Deps, 'instance'>,
  reply: FastifyReply,
  { request, person, ticket }: { request: AuthorizationRequest; person: Principal; ticket: string },
): Promise<FastifyReply> {
  const { client } = request;
  const redirect = new URL(request.redirectUri);
  const name = escapeHtml(removeHiddenCharacters(getClientName(client)).slice(0, 100));
  const instance = escapeHtml((await deps.instance(person.orgId)).name);
  const lenses = person.lenses.map((lens) => `<code>${escapeHtml(lens)}</code>`).join(', ') || 'none yet';
  const warnings = [
    ...(isLoopbackUrl(redirect)
      ? ['You are giving access to a program on your own computer. Continue only if you just started it.']
      : []),
    ...(client.kind === 'registered' ? ['This client registered itself. No one has verified its name.'] : []),
  ];
  const renderForm = (
    decision: 'allow' | 'deny',
    button: string,
  ) => `<form method="post" action="/oauth/authorize/complete">
<input type="hidden" name="ticket" value="${ticket}">
<input type="hidden" name="decision" value="${decision}">
${button}
</form>`;
  return sendPage(reply, {
    title: `Allow ${removeHiddenCharacters(getClientName(client)).slice(0, 100)}?`,
    formAction: redirect.origin,
    main: `<h1>Allow ${name}?</h1>
<p class="tagline">It wants to ask ${instance} on your behalf.</p>
<dl>
<div><dt>You are</dt><dd>${escapeHtml(person.name)}</dd></div>
<div><dt>Client</dt><dd>${client.kind === 'document' ? `<code>${escapeHtml(new URL(client.id).host)}</code>` : `${name} <span class="quiet">(${escapeHtml(client.id)})</span>`}</dd></div>
<div><dt>Sends you to</dt><dd><code>${escapeHtml(redirect.host)}</code></dd></div>
<div><dt>It may</dt><dd>ask the questions that you may ask, read the answers, and report answers for review. It can’t change anything else.</dd></div>
<div><dt>Lenses</dt><dd>${lenses}</dd></div>
<div><dt>For</dt><dd>at most 90 days. The client renews the access every hour. You can end the access at <a href="${GRANTS_PATH}">${GRANTS_PATH}</a>, and so can an admin</dd></div>
</dl>
${warnings.map((warning) => `<p class="note warning">${warning}</p>`).join('\n')}
<div class="row">
${renderForm('allow', '<button type="submit">Allow</button>')}
${renderForm('deny', '<button type="submit" class="plain">Cancel</button>')}
</div>`,
  });
}

/** `isUnverified`: svc can't verify the address that the client gave for the response. */
export function sendOauthErrorPage(
  reply: FastifyReply,
  { status, message, isUnverified }: { status: number; message: string; isUnverified: boolean },
): FastifyReply {
  const reason = isUnverified ? ", because it can't verify the origin of this request" : '';
  return sendPage(reply.code(status), {
    title: 'This request can’t continue',
    main: `<h1>This request can't continue</h1>
<p class="note warning" role="alert">${escapeHtml(removeHiddenCharacters(message))}</p>
<p class="quiet">svc did not send you back to the client${reason}. Close this page and start again from the client.</p>`,
  });
}
