// The data plane. One hook authenticates every request to its routes.
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { authenticateRequest } from '../http/authenticate-request.ts';
import { mountOperations } from '../http/mount-operations.ts';
import { answerRoutes } from './answer-routes.ts';
import { askRoutes } from './ask-routes.ts';
import { boardRoutes } from './board-routes.ts';
import { certifiedRoutes } from './certified-routes.ts';
import { chatRoutes } from './chat-routes.ts';
import { definitionRoutes } from './definition-routes.ts';
import { lensRoutes } from './lens-routes.ts';
import { receiptRoutes } from './receipt-routes.ts';
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

export async function v1Surface(app: FastifyInstance, deps: DataPlaneDeps): Promise<void> {
  app.addHook('onRequest', authenticateRequest(deps));
  mountOperations(app, deps, lensRoutes);
  mountOperations(app, deps, definitionRoutes);
  mountOperations(app, deps, certifiedRoutes);
  askRoutes(app, deps);
  answerRoutes(app, deps);
  receiptRoutes(app, deps);
  mountOperations(app, deps, reviewRoutes);
  mountOperations(app, deps, threadRoutes);
  mountOperations(app, deps, boardRoutes);
  chatRoutes(app, deps);
}
