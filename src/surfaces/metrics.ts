// Requests from this machine and requests with an admin token can read the metrics. A request through a proxy doesn't
// count as local.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { Problem } from '../platform/problem.ts';
import { type AuthenticationDeps, createAuthenticationHook } from './http/authenticate-request.ts';
import { bearerSecurity, createProblemResponses } from './http/route-schema.ts';

export async function registerMetrics(
  app: FastifyInstance,
  deps: AuthenticationDeps & Pick<Deps, 'metrics' | 'readiness'>,
): Promise<void> {
  const authenticate = createAuthenticationHook(deps);
  app.get(
    '/metrics',
    {
      async onRequest(request, reply) {
        if (request.headers.authorization === undefined && isLocalRequest(request)) return;
        await authenticate(request, reply);
        if (request.principal.kind !== 'admin')
          throw new Problem('forbidden', 'Metrics need an admin token (svcadm_), or a request from this machine.');
      },
      schema: {
        tags: ['meta'],
        security: bearerSecurity,
        operationId: 'metrics',
        summary: 'Prometheus metrics of this server',
        description: 'Requests from loopback addresses need no credential. Other requests need an admin token.',
        response: {
          200: {
            description: 'Prometheus text',
            content: {
              'text/plain': {
                schema: z.string().meta({ examples: ['svc_asks_total{surface="v1",status="answered"} 42\n'] }),
              },
            },
          },
          ...createProblemResponses('malformed', 'auth', 'forbidden', 'rate_limited', 'internal'),
        },
      },
    },
    async (_request, reply) => {
      deps.metrics.setReadiness((await deps.readiness.report()).checks);
      return reply
        .header('cache-control', 'no-store')
        .type(deps.metrics.contentType)
        .serializer((text: unknown) => text as string)
        .send(await deps.metrics.exportText());
    },
  );
}

function isLocalRequest(request: FastifyRequest): boolean {
  const isProxied = request.headers['x-forwarded-for'] !== undefined || request.headers['forwarded'] !== undefined;
  const address = request.raw.socket.remoteAddress ?? '';
  return !isProxied && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}
