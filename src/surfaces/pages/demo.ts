// Without SVC_DEMO_ORG_ID, the routes of the demo respond with 404.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { listGrantedLenses } from '../../ask/read/resolve-lens.ts';
import { type DemoKey, demoKeySchema } from '../../contract/demo.ts';
import type { Deps } from '../../deps.ts';
import type { Principal } from '../../domain/identity/principal.ts';
import { toRateLimitAddress } from '../../platform/http/source-address.ts';
import { Problem } from '../../platform/problem.ts';
import { enforceAddressLimit } from '../http/limit-requests.ts';
import { bearerSecurity, createProblemResponses } from '../http/route-schema.ts';
import { refuseBodyMembers } from '../http/validate-request.ts';
import { createConnectSnippets, createOtherSnippets, writeAgentInstruction } from './connect-snippets.ts';
import { DEMO_SCRIPT, sendDemoPage } from './demo-page.ts';
import { findVisitor, refuseForeignPage } from './visitor.ts';

type DemoDeps = Pick<Deps, 'config' | 'baseUrl' | 'authenticator' | 'lenses' | 'limiter' | 'instance' | 'visitors'>;

export async function registerDemo(scope: FastifyInstance, deps: DemoDeps): Promise<void> {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.addHook('onRequest', async (request, reply) => {
    if (!deps.visitors.demo)
      throw new Problem('not_found', 'This server has no public demo: SVC_DEMO_ORG_ID is not set.');
    await enforceAddressLimit(deps, request, reply, 'public');
  });
  const hiddenRoute = { schema: { hide: true } };
  app.get('/demo', hiddenRoute, async (request, reply) =>
    sendDemoPage(deps, reply, await findDemoVisitor(deps, request), request.url),
  );
  app.get('/demo.js', hiddenRoute, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'public, max-age=300').send(DEMO_SCRIPT),
  );
  app.post(
    '/auth/demo-key',
    {
      preValidation: refuseBodyMembers,
      schema: {
        tags: ['demo'],
        security: bearerSecurity,
        operationId: 'mintDemoKey',
        summary: 'Create a key for the public demo',
        description:
          'Send a token of the identity provider as a bearer token. Each person has one active key; a new key revokes the old one.',
        response: {
          200: demoKeySchema,
          ...createProblemResponses('auth', 'forbidden', 'not_found', 'rate_limited', 'unreachable'),
        },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      refuseForeignPage(deps, request);
      const visitor = await findDemoVisitor(deps, request);
      if (!visitor)
        throw new Problem(
          'auth',
          'Sign in at the identity provider and send its token as Authorization: Bearer <token>.',
        );
      const { key, expiresInDays } = await deps.visitors.demo!.mintKey(
        visitor,
        toRateLimitAddress(request.ip),
        deps.authenticator,
      );
      return createKeyReply(deps, visitor, key, expiresInDays);
    },
  );
}

/** An Authorization header counts only if it contains a token of the provider. Other keys can't create a demo key. */
async function findDemoVisitor(deps: DemoDeps, request: FastifyRequest): Promise<Principal | null> {
  const visitor = await findVisitor(deps, request);
  if (visitor?.credentialKind === 'demo') return visitor;
  if (request.headers.authorization !== undefined)
    throw new Problem(
      'auth',
      'The token in the Authorization header is not from the identity provider. Sign in at the identity provider and send its token.',
    );
  return null;
}

async function createKeyReply(
  deps: DemoDeps,
  visitor: Principal,
  key: string,
  expiresInDays: number,
): Promise<DemoKey> {
  const endpoint = { baseUrl: deps.baseUrl(), instance: (await deps.instance()).name };
  const lenses = await listGrantedLenses(deps.lenses, visitor);
  const samples = lenses.flatMap(({ name, lens }) =>
    lens.sampleQuestions.map((question) => ({ lens: name, question })),
  );
  const configuredQuestions = (deps.config.operator.demo?.example_conversation ?? []).map(({ question }) => question);
  const examples = [...new Set([...configuredQuestions, ...samples.map(({ question }) => question)])].slice(0, 8);
  const firstSample = samples[0] ?? (lenses[0] && examples[0] ? { lens: lenses[0].name, question: examples[0] } : null);
  return {
    caller: visitor.name,
    key,
    expires_in_days: expiresInDays,
    lenses: lenses.map(({ name }) => name),
    examples,
    base_url: endpoint.baseUrl,
    agent_line: writeAgentInstruction(endpoint, key),
    connect: createConnectSnippets(endpoint, key),
    other: createOtherSnippets(endpoint, key, firstSample),
  };
}
