// Builds the HTTP service: headers and hooks for every response, then the routes. The order of registration matters.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import helmet from 'helmet';
import type { Deps } from './deps.ts';
import { withinRequest } from './platform/http/current-request.ts';
import { docsSurface } from './surfaces/docs.ts';
import { chargeEventLoop } from './surfaces/http/charge-event-loop.ts';
import { limitUnread } from './surfaces/http/limit-unread.ts';
import { jsonBody } from './surfaces/http/parse-json.ts';
import {
  refuseCompressedBody,
  replyToFault,
  replyToMalformedHttp,
  replyWithProblem,
} from './surfaces/http/reply-with-problem.ts';
import { trackRoutes } from './surfaces/http/unknown-route.ts';
import { validateRequest } from './surfaces/http/validate-request.ts';
import { mcpSurface } from './surfaces/mcp/index.ts';
import { metaSurface } from './surfaces/meta.ts';
import { metricsSurface } from './surfaces/metrics.ts';
import { mgmtSurface } from './surfaces/mgmt/index.ts';
import { oauthSurface } from './surfaces/oauth/index.ts';
import { appSurface, guideSurface } from './surfaces/pages/app-files.ts';
import { demoSurface } from './surfaces/pages/demo.ts';
import { sessionSurface } from './surfaces/pages/session.ts';
import { skillSurface } from './surfaces/pages/skill.ts';
import { v1Surface } from './surfaces/v1/index.ts';

export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const { server } = deps.config.operator;
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
    http: { headersTimeout: 15_000 },
    forceCloseConnections: 'idle',
    frameworkErrors: replyWithProblem,
    clientErrorHandler: replyToMalformedHttp,
  });
  app.setValidatorCompiler(validateRequest);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(replyToFault);
  app.setNotFoundHandler(trackRoutes(app));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, jsonBody(deps));
  app.decorateRequest('principal');
  app.decorateRequest('piece');
  app.addHook('onRequest', (request, _reply, next) => withinRequest(request.id, next));
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    reply.raw.once('close', () => {
      request.piece?.end();
      request.release?.();
    });
    deps.spans?.opened({ id: request.id, method: request.method, headers: request.headers });
    refuseCompressedBody(request);
  });

  limitUnread(app, deps);
  // Charges the event loop time of a request to its organization. Hooks registered above this line aren't charged.
  app.addHook('preValidation', (request, _reply, next) => {
    if (!request.principal) return next();
    const charged = chargeEventLoop(deps, request);
    if (charged instanceof Promise) charged.then((piece) => piece.within(next), next);
    else charged.within(next);
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? null;
    deps.spans?.closed({ id: request.id, method: request.method, route, status: reply.statusCode });
    deps.metrics.request(request.method, route ?? 'unknown', reply.statusCode, reply.elapsedTime / 1000);
  });

  const securityHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        scriptSrc: ["'self'"],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    hsts: deps.baseUrl().startsWith('https:') ? { maxAge: 31_536_000 } : false,
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
  });
  // Built once, because fifteen functions per request would set the same headers.
  const constant: Record<string, string> = {};
  const collector = {
    setHeader: (name: string, value: string) => (constant[name] = value),
    removeHeader: () => undefined,
  };
  securityHeaders({} as IncomingMessage, collector as unknown as ServerResponse, (fault) => {
    if (fault) throw fault;
  });
  app.addHook('onRequest', (_request, reply, next) => {
    reply.headers(constant);
    next();
  });
  // Allows other origins only if the operator lists them, and never with a cookie.
  const origin = server?.allowed_origins ?? [];
  if (origin.length > 0) {
    const exposedHeaders = ['x-request-id', 'retry-after', 'ratelimit', 'ratelimit-policy', 'www-authenticate'];
    await app.register(cors, {
      origin,
      credentials: false,
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exposedHeaders,
      maxAge: 600,
    });
  }
  await app.register(cookie);
  await docsSurface(app, deps);
  await app.register(async (scope) => metaSurface(scope, deps));
  await app.register(async (scope) => appSurface(scope, deps));
  await app.register(async (scope) => guideSurface(scope, deps));
  await app.register(async (scope) => skillSurface(scope, deps));
  await app.register(async (scope) => sessionSurface(scope, deps));
  await app.register(async (scope) => oauthSurface(scope, deps));
  await app.register(async (scope) => mcpSurface(scope, deps));
  await app.register(async (scope) => demoSurface(scope, deps));
  await app.register(async (scope) => metricsSurface(scope, deps));
  await app.register(async (scope) => v1Surface(scope, deps), { prefix: '/v1' });
  await app.register(async (scope) => mgmtSurface(scope, deps), { prefix: '/mgmt' });
  return app;
}
