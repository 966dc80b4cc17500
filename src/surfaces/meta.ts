// The routes that need no credential.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { projectJsonSchemas } from '../contract/files/project-files.ts';
import { planJsonSchema } from '../contract/plan.ts';
import { healthSchema, readinessSchema } from '../contract/readiness.ts';
import { presentedReceiptSchema, receiptVerificationSchema } from '../contract/receipt.ts';
import type { Deps } from '../deps.ts';
import { Problem } from '../platform/problem.ts';
import { readSessionToken } from './http/authenticate-request.ts';
import { enforceAddressLimit } from './http/limit-requests.ts';
import { createProblemResponses } from './http/route-schema.ts';
import { sendFrontPage } from './pages/front-page.ts';
import { PAGE_STYLE } from './pages/html-page.ts';

type MetaDeps = Pick<Deps, 'config' | 'baseUrl' | 'signingKeys' | 'limiter' | 'readiness' | 'readyInfo' | 'instance'>;

const publicSchemas: Record<string, Record<string, unknown>> = { ...projectJsonSchemas, plan: planJsonSchema };
const schemaFiles = Object.keys(publicSchemas).map((kind) => `${kind}.json`);

export async function registerMeta(scope: FastifyInstance, deps: MetaDeps): Promise<void> {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const common = { tags: ['meta'], security: [] };

  app.get(
    '/health',
    {
      schema: {
        ...common,
        operationId: 'health',
        summary: 'Liveness',
        description: 'Returns 200 while the process is running. Checks no dependencies; see /ready.',
        response: { 200: healthSchema, ...createProblemResponses('malformed') },
      },
    },
    async () => ({ status: 'ok' as const }),
  );

  app.get(
    '/ready',
    {
      schema: {
        ...common,
        operationId: 'ready',
        summary: 'Readiness',
        description:
          'Five checks determine the status. The status is correct within 5 seconds of a change and recovers without a restart. `trace_writes` reports the last trace write, or a test write that is rolled back. `embeddings` and `certified_matching` report their last use and a probe.',
        response: {
          200: readinessSchema,
          503: readinessSchema.describe('At least one check fails'),
          ...createProblemResponses('malformed'),
        },
      },
    },
    async (_request, reply) => {
      const [{ isReady, checks }, info] = await Promise.all([deps.readiness.report(), deps.readyInfo()]);
      reply.code(isReady ? 200 : 503).header('cache-control', 'no-store');
      const status = isReady ? ('ready' as const) : ('not_ready' as const);
      return { status, checks: checks as z.infer<typeof readinessSchema>['checks'], info };
    },
  );

  app.get(
    '/schemas/:file',
    {
      onRequest: (request, reply) => enforceAddressLimit(deps, request, reply, 'public'),
      schema: {
        ...common,
        operationId: 'getFileSchema',
        summary: 'JSON Schema of a project file or of a plan',
        description:
          'For editors: config, lens, certified, evals, definitions, entities and board. `plan` is the body of /v1/lenses/{name}/metrics.',
        params: z.object({ file: z.string().max(100).describe(schemaFiles.join(', ')) }),
        response: {
          200: z.record(z.string(), z.unknown()).describe('A JSON Schema'),
          ...createProblemResponses('malformed', 'not_found', 'rate_limited'),
        },
      },
    },
    async ({ params }) => {
      if (!schemaFiles.includes(params.file))
        throw new Problem('not_found', `There is no such schema. Available: ${schemaFiles.join(', ')}.`);
      return publicSchemas[params.file.replace('.json', '')]!;
    },
  );

  app.post(
    '/verify-signature',
    {
      onRequest: (request, reply) => enforceAddressLimit(deps, request, reply, 'public'),
      schema: {
        ...common,
        operationId: 'verifySignature',
        summary: 'Check the signature of a receipt',
        description: 'Needs no credential. To compare the receipt with the log too, use POST /v1/verify-receipt.',
        body: presentedReceiptSchema,
        response: {
          200: receiptVerificationSchema.pick({ signature: true }),
          ...createProblemResponses('malformed', 'invalid', 'rate_limited'),
        },
      },
    },
    async ({ body }) => ({ signature: await deps.signingKeys.checkReceipt(body) }),
  );
  app.get('/verify', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/app/verify', 303));

  app.get(
    '/',
    { schema: { hide: true }, onRequest: (request, reply) => enforceAddressLimit(deps, request, reply, 'public') },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      if (readSessionToken(request)) return reply.redirect('/app', 303);
      return sendFrontPage(reply, deps.baseUrl(), await deps.instance());
    },
  );
  app.get('/style.css', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=3600').send(PAGE_STYLE),
  );
}
