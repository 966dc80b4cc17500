// Unknown paths get 404. Paths that exist for another method get 405 and Allow.
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import findMyWay from 'find-my-way';
import { Problem } from '../../platform/problem.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if the route exists only to refuse its methods, so that Allow doesn't list them. */
    refusesMethod?: true;
  }
}

type RouteFinder = {
  on(method: HTTPMethods, path: string, handler: () => void): void;
  find(method: string, path: string): unknown;
};
const HTTP_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Call this before registering the first route. */
export function createUnknownRouteHandler(
  app: FastifyInstance,
): (request: FastifyRequest, reply: FastifyReply) => never {
  const router = findMyWay() as unknown as RouteFinder;
  app.addHook('onRoute', (route) => {
    if (route.config?.refusesMethod) return;
    for (const method of [route.method].flat()) {
      try {
        router.on(method as HTTPMethods, route.url, () => {});
      } catch {
        // Two routes can have the same method and path with different constraints.
      }
    }
  });
  return (request, reply) => {
    const path = request.url.split('?')[0]!;
    const allowedMethods = HTTP_METHODS.filter((method) => router.find(method, path) !== null);
    if (allowedMethods.length === 0)
      throw new Problem('not_found', 'This URL does not exist. GET /docs lists all routes.');
    reply.header('allow', allowedMethods.join(', '));
    throw new Problem('method_not_allowed', `Use ${allowedMethods.join(' or ')} for this URL.`);
  };
}
