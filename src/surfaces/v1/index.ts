// The data plane. One hook authenticates every request below it.
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { authenticateRequest } from '../http/authenticate-request.ts';
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

export async function v1Surface(app: FastifyInstance, deps: Deps): Promise<void> {
  app.addHook('onRequest', authenticateRequest(deps));
  lensRoutes(app, deps);
  definitionRoutes(app, deps);
  certifiedRoutes(app, deps);
  askRoutes(app, deps);
  answerRoutes(app, deps);
  receiptRoutes(app, deps);
  reviewRoutes(app, deps);
  threadRoutes(app, deps);
  boardRoutes(app, deps);
  chatRoutes(app, deps);
}
