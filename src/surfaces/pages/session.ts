// Sessions of local accounts: /auth/login for programs, /auth/sign-in for the page, and sign-in through an external
// provider (/auth/start, /auth/callback). Cookies count only on requests from pages of this server (SECURITY LOGIN,
// SESS, CSRF).
import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { enterBody, enterReply, loginBody, loginReply, logoutReply, meReply } from '../../contract/session.ts';
import type { Deps } from '../../deps.ts';
import type { SignInState } from '../../domain/identity/oidc-provider.ts';
import { isSuperuser } from '../../domain/identity/principal.ts';
import {
  endSession,
  type ProvenPerson,
  type StartedSession,
  sessionOf,
  signIn,
  signInByProvider,
} from '../../domain/users/sign-in.ts';
import { redeemSignInLink } from '../../domain/users/sign-in-link.ts';
import { fromLoopback } from '../../platform/http/loopback.ts';
import { sourceOf } from '../../platform/http/source-address.ts';
import { newId } from '../../platform/ids.ts';
import { Problem } from '../../platform/problem.ts';
import { claimFirstUse } from '../../platform/tenancy/attempts.ts';
import { authenticateRequest, SESSION_COOKIE } from '../http/authenticate-request.ts';
import { limitAddress } from '../http/limit-requests.ts';
import { bearerOrSession, problems } from '../http/route-schema.ts';
import { safeReturnTo } from './return-to.ts';
import { sendChoicePage, sendSignInPage } from './sign-in-page.ts';
import { cookieOptions, DEMO_COOKIE, refuseForeignPage, rememberDemoVisitor } from './visitor.ts';

type SessionDeps = Pick<
  Deps,
  'config' | 'baseUrl' | 'clock' | 'tenancy' | 'authenticator' | 'limiter' | 'instance' | 'visitors'
>;

const STATE_COOKIE = 'svc_signin';
const STATE_SECONDS = 600;
const CHOICE_TICKET = 'account choice';
interface Choice {
  person: ProvenPerson;
  returnTo: string;
  /** Works once, so that a form left open on a shared machine can't sign in again. */
  once: { id: string; madeAt: string };
}
const tags = ['session'];

export async function sessionSurface(app: FastifyInstance, deps: SessionDeps): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    refuseForeignPage(deps, request);
  });
  await app.register(async (scope) => knownSession(scope, deps));
  await app.register(async (scope) => startingSession(scope, deps));
  await app.register(async (scope) => signInPages(scope, deps));
}

function knownSession(scope: FastifyInstance, deps: SessionDeps): void {
  // The cookie alone can end its session. svc refuses requests from other sites, and SameSite withholds the cookie from
  // them.
  scope.addHook('onRequest', authenticateRequest(deps, refuseForeignPage));
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/auth/me',
    {
      schema: {
        tags,
        security: bearerOrSession,
        operationId: 'me',
        summary: 'Identity of this session or token',
        description: 'The identity of the bearer token or the cookie svc_session.',
        response: { 200: meReply, ...problems('auth', 'rate_limited') },
      },
    },
    async ({ principal }) => {
      const session = await sessionOf(deps.tenancy, principal);
      return {
        user: session.user,
        kind: principal.kind,
        name: principal.name,
        organization: { id: principal.orgId, name: principal.orgName },
        lenses: isSuperuser(principal) ? null : principal.lenses,
        expires_at: session.expiresAt?.toISOString() ?? null,
      };
    },
  );
  app.post(
    '/auth/logout',
    {
      schema: {
        tags,
        security: bearerOrSession,
        operationId: 'logout',
        summary: 'Sign out',
        description:
          'Deletes the session on the server and clears the cookie. The cookie is enough; requests from pages of other sites are refused.',
        response: { 200: logoutReply, ...problems('auth', 'forbidden') },
      },
    },
    async ({ principal }, reply) => {
      if (principal.kind !== 'user')
        throw new Problem('forbidden', 'You can only sign out of a session. Revoke keys and tokens under /mgmt.');
      await endSession(deps.tenancy, principal);
      deps.authenticator.forgetAll();
      reply.clearCookie(SESSION_COOKIE, cookieOptions(deps)).clearCookie(DEMO_COOKIE, cookieOptions(deps));
      return { ok: true as const };
    },
  );
}

function startingSession(scope: FastifyInstance, deps: SessionDeps): void {
  scope.withTypeProvider<ZodTypeProvider>().post(
    '/auth/login',
    {
      schema: {
        tags,
        security: [],
        operationId: 'login',
        summary: 'Sign in with a local account',
        description:
          'Returns the session token in the body and as the cookie svc_session. Attempts are limited for each account and each address.',
        body: loginBody,
        response: { 200: loginReply, ...problems('malformed', 'auth', 'invalid', 'rate_limited', 'unreachable') },
      },
    },
    async (request, reply) => {
      const started = await signIn(deps.tenancy, { ...request.body, address: sourceOf(request.ip) });
      rememberSession(deps, reply, started);
      return { token: started.token, expires_at: started.expiresAt.toISOString(), user: started.user };
    },
  );
  scope.withTypeProvider<ZodTypeProvider>().post(
    '/auth/enter',
    {
      onRequest: (request, reply) => limitAddress(deps, request, reply, 'public'),
      schema: {
        tags,
        security: [],
        operationId: 'enter',
        summary: 'Use a sign-in link',
        description:
          'Sign in with the link that svc printed at its start. Works only from this machine. Sets the cookie svc_session.',
        body: enterBody,
        response: { 200: enterReply, ...problems('malformed', 'auth', 'forbidden', 'invalid', 'rate_limited') },
      },
    },
    async (request, reply) => {
      if (!fromLoopback(request))
        throw new Problem(
          'forbidden',
          'A sign-in link works only on the machine that runs svc. Sign in with an account.',
        );
      const started = await redeemSignInLink(deps.tenancy, request.body.token);
      rememberSession(deps, reply, started);
      return { expires_at: started.expiresAt.toISOString(), user: started.user };
    },
  );
}

async function signInPages(scope: FastifyInstance, deps: SessionDeps): Promise<void> {
  await scope.register(formbody);
  scope.addHook('onRequest', (request, reply) => limitAddress(deps, request, reply, 'public'));
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const back = (target: unknown) => safeReturnTo(target, deps.baseUrl());
  const hidden = { hide: true };

  app.get(
    '/auth/sign-in',
    { schema: { ...hidden, querystring: z.object({ return_to: z.unknown().optional() }) } },
    async (request, reply) => sendSignInPage(deps, reply, { returnTo: back(request.query.return_to) }),
  );
  app.post(
    '/auth/sign-in',
    { schema: { ...hidden, body: loginBody.extend({ return_to: z.unknown().optional() }) } },
    async (request, reply) => {
      const { return_to, ...given } = request.body;
      try {
        rememberSession(deps, reply, await signIn(deps.tenancy, { ...given, address: sourceOf(request.ip) }));
        return reply.redirect(back(return_to), 303);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        return sendSignInPage(deps, reply.code(error.status), {
          returnTo: back(return_to),
          note: error.message,
          failed: true,
          email: given.email,
          organization: given.organization,
        });
      }
    },
  );
  app.get(
    '/auth/start',
    {
      schema: {
        ...hidden,
        querystring: z.object({
          provider: z.enum(['demo', 'account']),
          choose: z.literal('true').optional(),
          return_to: z.unknown().optional(),
        }),
      },
    },
    async (request, reply) => {
      const { provider, choose } = request.query;
      const { url, kept } = await providerOf(deps, provider).start(`${deps.baseUrl()}/auth/callback`);
      const state = { ...kept, provider, choosing: choose === 'true', returnTo: back(request.query.return_to) };
      const sealed = await deps.visitors.state.seal(STATE_COOKIE, state, STATE_SECONDS);
      return reply
        .setCookie(STATE_COOKIE, sealed, { ...cookieOptions(deps), maxAge: STATE_SECONDS })
        .redirect(url, 303);
    },
  );
  app.post(
    '/auth/choose',
    { schema: { ...hidden, body: z.object({ ticket: z.string().max(16_384), account: z.string().max(100) }) } },
    async (request, reply) => {
      const opened = await deps.visitors.state.open(CHOICE_TICKET, request.body.ticket);
      const { person, returnTo, once } = (opened ?? {}) as unknown as Choice;
      if (!once || !(await claimFirstUse(deps.tenancy, CHOICE_TICKET, once)))
        throw new Problem('invalid', 'This form has expired. Sign in again.');
      const chosen = await signInByProvider(deps.tenancy, person, { choosing: true, chosen: request.body.account });
      if ('session' in chosen) rememberSession(deps, reply, chosen.session);
      return reply.redirect(returnTo, 303);
    },
  );
  app.get('/auth/callback', { schema: hidden }, (request, reply) => finishSignIn(deps, request, reply));
}

async function finishSignIn(deps: SessionDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const signInState = await deps.visitors.state.open(STATE_COOKIE, request.cookies[STATE_COOKIE]);
  reply.clearCookie(STATE_COOKIE, cookieOptions(deps));
  const retryPage = (note: string, returnTo = '/') =>
    sendSignInPage(deps, reply.code(401), { returnTo, note, failed: true });
  if (!signInState) return retryPage('This sign-in started in another browser or took too long. Start again.');
  const { provider, returnTo, choosing, ...state } = signInState as unknown as SignInState & {
    provider: 'demo' | 'account';
    choosing: boolean;
    returnTo: string;
  };
  try {
    const identity = await providerOf(deps, provider).finish(new URL(request.url, deps.baseUrl()), state);
    if (provider === 'demo') {
      if (identity.emailVerified === false)
        return retryPage('The provider has not verified this email address. Verify it there first.', returnTo);
      await rememberDemoVisitor(deps, reply, identity);
    } else {
      const { issuer, subject } = identity;
      const person = { issuer, subject, email: identity.emailVerified === true ? identity.email : null };
      const result = await signInByProvider(deps.tenancy, person, { choosing });
      if ('choices' in result) {
        const once = { id: newId(), madeAt: deps.clock.now().toISOString() };
        const choice: Choice = { person, returnTo, once };
        const ticket = await deps.visitors.state.seal(CHOICE_TICKET, { ...choice }, STATE_SECONDS);
        return sendChoicePage(reply, result.choices, ticket);
      }
      rememberSession(deps, reply, result.session);
    }
    return reply.redirect(returnTo, 303);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    request.log.info({ code: error.code, detail: (error.cause as Error | undefined)?.message }, 'sign-in refused');
    return sendSignInPage(deps, reply.code(error.status), { returnTo, note: error.message, failed: true });
  }
}

function providerOf(deps: SessionDeps, kind: 'demo' | 'account') {
  const provider = kind === 'demo' ? deps.visitors.demo?.provider : deps.visitors.signIn;
  if (!provider) throw new Problem('not_found', 'No sign-in provider is configured here.');
  return provider;
}

function rememberSession(deps: SessionDeps, reply: FastifyReply, { token, expiresAt }: StartedSession): void {
  reply.setCookie(SESSION_COOKIE, token, { ...cookieOptions(deps), expires: expiresAt });
}
