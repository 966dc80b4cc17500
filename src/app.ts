// The order of registration matters: the headers and hooks apply to the routes after them.
import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import type { Deps } from './deps.ts';
import { runWithinRequest } from './platform/request-storage.ts';
import { registerDocs } from './surfaces/docs.ts';
import { limitUnreadResponses } from './surfaces/http/limit-unread.ts';
import { createJsonParser } from './surfaces/http/parse-json.ts';
import {
  refuseCompressedBody,
  replyToFault,
  replyToMalformedHttp,
  replyWithProblem,
  requireHost,
} from './surfaces/http/reply-with-problem.ts';
import { buildSecurityHeaders } from './surfaces/http/security-headers.ts';
import { startEventLoopWork } from './surfaces/http/start-event-loop-work.ts';
import { createUnknownRouteHandler } from './surfaces/http/unknown-route.ts';
import { validateRequest } from './surfaces/http/validate-request.ts';
import { registerMcp } from './surfaces/mcp/index.ts';
import { registerMeta } from './surfaces/meta.ts';
import { registerMetrics } from './surfaces/metrics.ts';
import { registerMgmt } from './surfaces/mgmt/index.ts';
import { registerOauth } from './surfaces/oauth/index.ts';
import { registerAppFiles } from './surfaces/pages/app-files.ts';
import { registerDemo } from './surfaces/pages/demo.ts';
import { registerSession } from './surfaces/pages/session.ts';
import { registerSkill } from './surfaces/pages/skill.ts';
import { registerV1 } from './surfaces/v1/index.ts';

export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const { server } = deps.config.operator;
  const securityHeaders = buildSecurityHeaders({ isHttps: deps.baseUrl().startsWith('https:') });
  const app: FastifyInstance = Fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: (_address: string, hop: number) => hop < (server?.trusted_proxy_hops ?? 0),
    bodyLimit: server?.body_limit ?? 1_048_576,
    routerOptions: { maxParamLength: 500 },
    requestTimeout: 60_000,
    keepAliveTimeout: 72_000,
    connectionTimeout: 0,
    // Node.js refuses requests without Host with an empty response. svc refuses them with a problem.
    http: { headersTimeout: 15_000, requireHostHeader: false },
    forceCloseConnections: 'idle',
    return503OnClosing: false, // svc also answers the last request on each open connection
    // Hooks don't run for these errors.
    frameworkErrors: (error, request, reply) =>
      replyWithProblem(error, request, reply.headers({ 'x-request-id': request.id, ...securityHeaders })),
    clientErrorHandler: (error, socket) => replyToMalformedHttp(error, socket, securityHeaders),
  });
  app.setValidatorCompiler(validateRequest);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(replyToFault);
  const refuseUnknownRoute = createUnknownRouteHandler(app);
  app.setNotFoundHandler(refuseUnknownRoute);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, createJsonParser(deps));
  app.decorateRequest('principal');
  app.decorateRequest('eventLoopWork');
  app.addHook('onRequest', (request, _reply, next) => runWithinRequest(request.id, next));
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).headers(securityHeaders);
    reply.raw.once('close', () => {
      request.eventLoopWork?.end();
      request.releaseMemory?.();
    });
    deps.spans?.openRequest({ id: request.id, method: request.method, headers: request.headers });
    requireHost(request);
    refuseCompressedBody(request);
  });

  limitUnreadResponses(app, deps);
  // Charges the event loop time of a request to its organization, except the time of hooks registered earlier.
  app.addHook('preValidation', (request, _reply, next) => {
    if (!request.principal) return next();
    const eventLoopWork = startEventLoopWork(deps, request);
    if (eventLoopWork instanceof Promise) eventLoopWork.then((task) => task.runWithin(next), next);
    else eventLoopWork.runWithin(next);
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? null;
    deps.spans?.closeRequest({ id: request.id, method: request.method, route, status: reply.statusCode });
    deps.metrics.observeRequest(request.method, route ?? 'unknown', reply.statusCode, reply.elapsedTime / 1000);
  });

  // Allows requests from another origin only if the operator lists that origin, and never accepts cookies in them.
  const allowedOrigins = server?.allowed_origins ?? [];
  if (allowedOrigins.length > 0) {
    app.addHook('onRequest', async (request, reply) => {
      const { origin, 'access-control-request-method': method } = request.headers;
      if (request.method === 'OPTIONS' && !(origin && method)) refuseUnknownRoute(request, reply);
    });
    const exposedHeaders = ['x-request-id', 'retry-after', 'ratelimit', 'ratelimit-policy', 'www-authenticate'];
    await app.register(cors, {
      origin: allowedOrigins,
      credentials: false,
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exposedHeaders,
      maxAge: 600,
    });
  }
  await app.register(cookie);
  await registerDocs(app, deps);
  const scopes = [registerMeta, registerAppFiles, registerSkill, registerSession, registerOauth, registerMcp];
  for (const register of [...scopes, registerDemo, registerMetrics])
    await app.register((scope: FastifyInstance) => register(scope, deps));
  await app.register(async (scope) => registerV1(scope, deps), { prefix: '/v1' });
  await app.register(async (scope) => registerMgmt(scope, deps), { prefix: '/mgmt' });
  return app;
}
