import type { FastifyReply } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { AccountChoice } from '../../domain/users/sign-in.ts';
import { escapeHtml, sendPage } from './html-page.ts';

type SignInPageDeps = Pick<Deps, 'instance' | 'visitors'>;

export interface SignInPage {
  returnTo: string;
  /** The reason why signing in is necessary, or why it failed. */
  note?: string;
  hasFailed?: boolean;
  email?: string;
  organization?: string | undefined;
}

export async function sendSignInPage(
  deps: SignInPageDeps,
  reply: FastifyReply,
  page: SignInPage,
): Promise<FastifyReply> {
  const { name } = await deps.instance();
  const returnTo = escapeHtml(page.returnTo);
  const { demo, oidcProvider: signIn } = deps.visitors;
  const renderProvider = (kind: 'demo' | 'account', label: string) =>
    `<p class="row"><a class="button" href="/auth/start?provider=${kind}&amp;return_to=${encodeURIComponent(page.returnTo)}">${label}</a></p>`;
  const note = page.note
    ? `<p class="note${page.hasFailed ? ' warning' : ''}"${page.hasFailed ? ' role="alert"' : ''}>${escapeHtml(page.note)}</p>`
    : '';
  return sendPage(reply, {
    title: `Sign in to ${name}`,
    main: `<h1>Sign in to ${escapeHtml(name)}</h1>
${note}
${demo?.provider ? renderProvider('demo', 'Sign in to the demo') : ''}
${signIn ? renderProvider('account', 'Sign in with your organization') + renderOtherOrganization(page.returnTo) : ''}
${demo?.provider || signIn ? '<h2>Or use a local account</h2>' : ''}
<form method="post" action="/auth/sign-in">
<input type="hidden" name="return_to" value="${returnTo}">
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${escapeHtml(page.email ?? '')}"${page.email ? '' : ' autofocus'}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${page.email ? ' autofocus' : ''}>
<label for="organization">Organization <span class="quiet">(only if you have accounts in several)</span></label>
<input id="organization" name="organization" autocomplete="organization" maxlength="63" value="${escapeHtml(page.organization ?? '')}">
<p class="row"><button type="submit">Sign in</button></p>
</form>`,
  });
}

const renderOtherOrganization = (returnTo: string): string =>
  `<p class="quiet"><a href="/auth/start?provider=account&amp;choose=true&amp;return_to=${encodeURIComponent(returnTo)}">Sign in to another organization</a></p>`;

/** The page appears for several accounts, or for one account that the person hasn't used before. */
export function sendChoicePage(reply: FastifyReply, choices: readonly AccountChoice[], ticket: string): FastifyReply {
  const renderForm = ({ userId, organization }: AccountChoice) => `<form method="post" action="/auth/choose">
<input type="hidden" name="ticket" value="${escapeHtml(ticket)}">
<input type="hidden" name="account" value="${escapeHtml(userId)}">
<p class="row"><button type="submit">${escapeHtml(organization)}</button></p>
</form>`;
  return sendPage(reply, {
    title: 'Choose an organization',
    main: `<h1>Choose an organization</h1>
<p class="note">You have an account with your email address in each of these organizations. Choose one that you recognize.</p>
${choices.map(renderForm).join('\n')}`,
  });
}
