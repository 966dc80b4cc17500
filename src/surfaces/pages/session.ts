// /auth/login is for programs, /auth/sign-in is for the page, and /auth/start and /auth/callback are for an external
// provider. Cookies count only on requests from pages of this server.
import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  loginBodySchema,
  loginReplySchema,
  logoutReplySchema,
  meReplySchema,
  redeemLinkBodySchema,
  redeemLinkReplySchema,
} from '../../contract/session.ts';
import type { Deps } from '../../deps.ts';
import type { SignInState } from '../../domain/identity/oidc-provider.ts';
import { isSuperuser } from '../../domain/identity/principal.ts';
import {
  endSession,
  readSessionState,
  type StartedSession,
  signIn,
  signInWithProvider,
  type VerifiedPerson,
} from '../../domain/users/sign-in.ts';
import { redeemSignInLink } from '../../domain/users/sign-in-link.ts';
import { isFromLoopback } from '../../platform/http/loopback.ts';
import { toRateLimitAddress } from '../../platform/http/source-address.ts';
import { createId } from '../../platform/ids.ts';
import { Problem } from '../../platform/problem.ts';
import { claimFirstUse } from '../../platform/tenancy/attempts.ts';
import { createAuthenticationHook, SESSION_COOKIE } from '../http/authenticate-request.ts';
import { enforceAddressLimit } from '../http/limit-requests.ts';
import { bearerOrSessionSecurity, createProblemResponses } from '../http/route-schema.ts';
import { refuseBodyMembers } from '../http/validate-request.ts';
import { toSafeReturnTo } from './return-to.ts';
import { type SignInPage, sendChoicePage, sendSignInPage } from './sign-in-page.ts';
import { createCookieOptions, DEMO_COOKIE, refuseForeignPage, rememberDemoVisitor } from './visitor.ts';

type SessionDeps = Pick<
  Deps,
  'config' | 'baseUrl' | 'clock' | 'tenancy' | 'authenticator' | 'limiter' | 'instance' | 'visitors'
>;

const SIGN_IN_STATE_COOKIE = 'svc_signin';
const STATE_LIFETIME_SECONDS = 600;
const CHOICE_TICKET_PURPOSE = 'account choice';
interface AccountChoiceTicket {
  person: VerifiedPerson;
  returnTo: string;
  /** The ticket works only once, because a form can stay open on a shared machine. */
  nonce: { id: string; madeAt: string };
}
interface StartedSignIn extends SignInState {
  provider: 'demo' | 'account';
  choosing: boolean;
  returnTo: string;
}
const SESSION_TAGS = ['session'];

export async function registerSession(app: FastifyInstance, deps: SessionDeps): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    refuseForeignPage(deps, request);
  });
  await app.register(async (scope) => registerSessionRoutes(scope, deps));
  await app.register(async (scope) => registerSignInRoutes(scope, deps));
  await app.register(async (scope) => registerSignInPages(scope, deps));
}

function registerSessionRoutes(scope: FastifyInstance, deps: SessionDeps): void {
  // A request needs only the cookie to end its session. Another site can't end the session, because svc refuses
  // requests from other sites, and SameSite withholds the cookie from them.
  scope.addHook('onRequest', createAuthenticationHook(deps, refuseForeignPage));
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/auth/me',
    {
      schema: {
        tags: SESSION_TAGS,
        security: bearerOrSessionSecurity,
        operationId: 'me',
        summary: 'Identity of this session or token',
        description: 'Returns the identity behind the bearer token or the cookie svc_session.',
        response: { 200: meReplySchema, ...createProblemResponses('auth', 'rate_limited') },
      },
    },
    async ({ principal }) => {
      const session = await readSessionState(deps.tenancy, principal);
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
      preValidation: refuseBodyMembers,
      schema: {
        tags: SESSION_TAGS,
        security: bearerOrSessionSecurity,
        operationId: 'logout',
        summary: 'Sign out',
        description:
          'Deletes the session on the server and clears the cookie. A request needs only the cookie. svc refuses requests from pages of other sites.',
        response: { 200: logoutReplySchema, ...createProblemResponses('auth', 'forbidden') },
      },
    },
    async ({ principal, id }, reply) => {
      if (principal.kind !== 'user')
        throw new Problem('forbidden', 'You can only sign out of a session. Revoke keys and tokens under /mgmt.');
      await endSession(deps.tenancy, principal, id);
      deps.authenticator.forgetAll();
      reply.clearCookie(SESSION_COOKIE, createCookieOptions(deps)).clearCookie(DEMO_COOKIE, createCookieOptions(deps));
      return { ok: true as const };
    },
  );
}

function registerSignInRoutes(scope: FastifyInstance, deps: SessionDeps): void {
  scope.withTypeProvider<ZodTypeProvider>().post(
    '/auth/login',
    {
      schema: {
        tags: SESSION_TAGS,
        security: [],
        operationId: 'login',
        summary: 'Sign in with a local account',
        description:
          'Returns the session token in the body and as the cookie svc_session. svc limits the attempts for each account and each address.',
        body: loginBodySchema,
        response: {
          200: loginReplySchema,
          ...createProblemResponses('malformed', 'auth', 'invalid', 'rate_limited', 'unreachable'),
        },
      },
    },
    async (request, reply) => {
      const client = { address: toRateLimitAddress(request.ip), requestId: request.id };
      const startedSession = await signIn(deps.tenancy, { ...request.body, ...client });
      setSessionCookie(deps, reply, startedSession);
      return {
        token: startedSession.token,
        expires_at: startedSession.expiresAt.toISOString(),
        user: startedSession.user,
      };
    },
  );
  scope.withTypeProvider<ZodTypeProvider>().post(
    '/auth/enter',
    {
      onRequest: (request, reply) => enforceAddressLimit(deps, request, reply, 'public'),
      schema: {
        tags: SESSION_TAGS,
        security: [],
        operationId: 'enter',
        summary: 'Use a sign-in link',
        description:
          'Signs in with the token of the link that svc printed when it started. Works only on the machine that runs svc. Sets the cookie svc_session.',
        body: redeemLinkBodySchema,
        response: {
          200: redeemLinkReplySchema,
          ...createProblemResponses('malformed', 'auth', 'forbidden', 'invalid', 'rate_limited'),
        },
      },
    },
    async (request, reply) => {
      if (!isFromLoopback(request))
        throw new Problem(
          'forbidden',
          'A sign-in link works only on the machine that runs svc. Sign in with an account.',
        );
      const startedSession = await redeemSignInLink(deps.tenancy, request.body.token, request.id);
      setSessionCookie(deps, reply, startedSession);
      return { expires_at: startedSession.expiresAt.toISOString(), user: startedSession.user };
    },
  );
}

async function registerSignInPages(scope: FastifyInstance, deps: SessionDeps): Promise<void> {
  await scope.register(formbody);
  scope.addHook('onRequest', (request, reply) => enforceAddressLimit(deps, request, reply, 'public'));
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const toReturnTo = (target: unknown) => toSafeReturnTo(target, deps.baseUrl());
  const hiddenSchema = { hide: true };

  app.get(
    '/auth/sign-in',
    { schema: { ...hiddenSchema, querystring: z.object({ return_to: z.unknown().optional() }) } },
    async (request, reply) => sendSignInPage(deps, reply, { returnTo: toReturnTo(request.query.return_to) }),
  );
  app.post(
    '/auth/sign-in',
    { schema: { ...hiddenSchema, body: loginBodySchema.extend({ return_to: z.unknown().optional() }) } },
    async (request, reply) => {
      const { return_to, ...credentials } = request.body;
      try {
        const client = { address: toRateLimitAddress(request.ip), requestId: request.id };
        setSessionCookie(deps, reply, await signIn(deps.tenancy, { ...credentials, ...client }));
        return reply.redirect(toReturnTo(return_to), 303);
      } catch (error) {
        if (error instanceof Problem) request.log.info({ code: error.code }, 'sign-in refused');
        const { email, organization } = credentials;
        return sendFailurePage(deps, reply, error, { returnTo: toReturnTo(return_to), email, organization });
      }
    },
  );
  app.get(
    '/auth/start',
    {
      schema: {
        ...hiddenSchema,
        querystring: z.object({
          provider: z.enum(['demo', 'account']),
          choose: z.literal('true').optional(),
          return_to: z.unknown().optional(),
        }),
      },
    },
    async (request, reply) => {
      const { provider, choose, return_to } = request.query;
      const returnTo = toReturnTo(return_to);
      try {
        const { url, signInState } = await requireProvider(deps, provider).startSignIn(
          `${deps.baseUrl()}/auth/callback`,
        );
        const state = { ...signInState, provider, choosing: choose === 'true', returnTo };
        const sealedState = await deps.visitors.sealedState.seal(SIGN_IN_STATE_COOKIE, state, STATE_LIFETIME_SECONDS);
        return reply
          .setCookie(SIGN_IN_STATE_COOKIE, sealedState, {
            ...createCookieOptions(deps),
            maxAge: STATE_LIFETIME_SECONDS,
          })
          .redirect(url, 303);
      } catch (fault) {
        if (!request.headers.accept?.includes('text/html')) throw fault;
        return sendFailurePage(deps, reply, fault, { returnTo });
      }
    },
  );
  app.post(
    '/auth/choose',
    { schema: { ...hiddenSchema, body: z.object({ ticket: z.string().max(16_384), account: z.string().max(100) }) } },
    async (request, reply) => {
      const openedTicket = await deps.visitors.sealedState.open(CHOICE_TICKET_PURPOSE, request.body.ticket);
      const { person, returnTo, nonce } = (openedTicket ?? {}) as unknown as AccountChoiceTicket;
      if (!nonce || !(await claimFirstUse(deps.tenancy, CHOICE_TICKET_PURPOSE, nonce)))
        throw new Problem('invalid', 'This form has expired. Sign in again.');
      const signInResult = await signInWithProvider(deps.tenancy, person, {
        mayChoose: true,
        chosen: request.body.account,
        requestId: request.id,
      });
      if ('session' in signInResult) setSessionCookie(deps, reply, signInResult.session);
      return reply.redirect(returnTo, 303);
    },
  );
  app.get('/auth/callback', { schema: hiddenSchema }, (request, reply) => finishSignIn(deps, request, reply));
}

async function finishSignIn(deps: SessionDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const signInState = await deps.visitors.sealedState.open(SIGN_IN_STATE_COOKIE, request.cookies[SIGN_IN_STATE_COOKIE]);
  reply.clearCookie(SIGN_IN_STATE_COOKIE, createCookieOptions(deps));
  const sendRetryPage = (note: string, returnTo = '/') =>
    sendSignInPage(deps, reply.code(401), { returnTo, note, hasFailed: true });
  if (!signInState) return sendRetryPage('This sign-in started in another browser or took too long. Start again.');
  const { provider, returnTo, choosing: mayChoose, ...state } = signInState as unknown as StartedSignIn;
  try {
    const identity = await requireProvider(deps, provider).finishSignIn(new URL(request.url, deps.baseUrl()), state);
    if (provider === 'demo') {
      if (identity.emailVerified === false)
        return sendRetryPage('The provider has not verified this email address. Verify it there first.', returnTo);
      await rememberDemoVisitor(deps, reply, identity);
    } else {
      const { issuer, subject } = identity;
      const person = { issuer, subject, email: identity.emailVerified === true ? identity.email : null };
      const result = await signInWithProvider(deps.tenancy, person, { mayChoose, requestId: request.id });
      if ('choices' in result) {
        const nonce = { id: createId(), madeAt: deps.clock.now().toISOString() };
        const choice: AccountChoiceTicket = { person, returnTo, nonce };
        const ticket = await deps.visitors.sealedState.seal(
          CHOICE_TICKET_PURPOSE,
          { ...choice },
          STATE_LIFETIME_SECONDS,
        );
        return sendChoicePage(reply, result.choices, ticket);
      }
      setSessionCookie(deps, reply, result.session);
    }
    return reply.redirect(returnTo, 303);
  } catch (error) {
    if (error instanceof Problem)
      request.log.info({ code: error.code, detail: (error.cause as Error | undefined)?.message }, 'sign-in refused');
    return sendFailurePage(deps, reply, error, { returnTo });
  }
}

function sendFailurePage(
  deps: SessionDeps,
  reply: FastifyReply,
  fault: unknown,
  page: Omit<SignInPage, 'note' | 'failed'>,
): Promise<FastifyReply> {
  if (!(fault instanceof Problem)) throw fault;
  return sendSignInPage(deps, reply.code(fault.status), { ...page, note: fault.message, hasFailed: true });
}

function requireProvider(deps: SessionDeps, kind: 'demo' | 'account') {
  const provider = kind === 'demo' ? deps.visitors.demo?.provider : deps.visitors.oidcProvider;
  if (!provider) throw new Problem('not_found', 'No sign-in provider is configured here.');
  return provider;
}

function setSessionCookie(deps: SessionDeps, reply: FastifyReply, { token, expiresAt }: StartedSession): void {
  reply.setCookie(SESSION_COOKIE, token, { ...createCookieOptions(deps), expires: expiresAt });
}
