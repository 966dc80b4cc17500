// The data plane. One hook authenticates every request to its routes.
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { createAuthenticationHook } from '../http/authenticate-request.ts';
import { mountOperations } from '../http/mount-operations.ts';
import { registerAnswerRoutes } from './answer-routes.ts';
import { registerAskRoutes } from './ask-routes.ts';
import { boardRoutes } from './board-routes.ts';
import { certifiedRoutes } from './certified-routes.ts';
import { registerChatRoutes } from './chat-routes.ts';
import { definitionRoutes } from './definition-routes.ts';
import { lensRoutes } from './lens-routes.ts';
import { registerReceiptRoutes } from './receipt-routes.ts';
import { reviewRoutes } from './review-routes.ts';
import { threadRoutes } from './thread-routes.ts';

type DataPlaneDeps = Pick<
  Deps,
  | 'config'
  | 'baseUrl'
  | 'clock'
  | 'tenancy'
  | 'authenticator'
  | 'lenses'
  | 'traces'
  | 'library'
  | 'runs'
  | 'exactBand'
  | 'freshness'
  | 'warehouses'
  | 'project'
  | 'signingKeys'
  | 'ask'
  | 'limiter'
>;

export async function registerV1(app: FastifyInstance, deps: DataPlaneDeps): Promise<void> {
  app.addHook('onRequest', createAuthenticationHook(deps));
  mountOperations(app, deps, lensRoutes);
  mountOperations(app, deps, definitionRoutes);
  mountOperations(app, deps, certifiedRoutes);
  registerAskRoutes(app, deps);
  registerAnswerRoutes(app, deps);
  registerReceiptRoutes(app, deps);
  mountOperations(app, deps, reviewRoutes);
  mountOperations(app, deps, threadRoutes);
  mountOperations(app, deps, boardRoutes);
  registerChatRoutes(app, deps);
}
