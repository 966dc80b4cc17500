// The data plane. One hook authenticates every request to its routes.
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { createAuthenticationHook } from '../http/authenticate-request.ts';
import { mountOperations } from '../http/mount-operations.ts';
import type { Operation } from '../http/operation.ts';
import { answerRoutes } from './answer-routes.ts';
import { askRoutes } from './ask-routes.ts';
import { boardRoutes } from './board-routes.ts';
import { certifiedRoutes } from './certified-routes.ts';
import { modelRoutes, registerChatRoutes } from './chat-routes.ts';
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

const dataPlane: readonly Operation<DataPlaneDeps>[] = [
  ...[...lensRoutes, ...definitionRoutes, ...certifiedRoutes, ...askRoutes, ...answerRoutes],
  ...[...receiptRoutes, ...reviewRoutes, ...threadRoutes, ...boardRoutes, ...modelRoutes],
];

export async function registerV1(app: FastifyInstance, deps: DataPlaneDeps): Promise<void> {
  app.addHook('onRequest', createAuthenticationHook(deps));
  mountOperations(app, deps, dataPlane);
  registerChatRoutes(app, deps);
}
