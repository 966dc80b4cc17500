// One hook authenticates every request to these routes.
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { createAuthenticationHook } from '../http/authenticate-request.ts';
import { mountOperations } from '../http/mount-operations.ts';
import type { Operation } from '../http/operation.ts';
import { askRoutes } from './ask-routes.ts';
import { modelRoutes, registerChatRoutes } from './chat-routes.ts';
import { lensRoutes } from './lens-routes.ts';
import { receiptRoutes } from './receipt-routes.ts';
import { reviewRoutes } from './review-routes.ts';
import { savedRoutes } from './saved-routes.ts';

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

const dataPlaneOperations: readonly Operation<DataPlaneDeps>[] = [
  ...[...lensRoutes, ...askRoutes, ...receiptRoutes, ...reviewRoutes, ...savedRoutes, ...modelRoutes],
];

export async function registerV1(app: FastifyInstance, deps: DataPlaneDeps): Promise<void> {
  app.addHook('onRequest', createAuthenticationHook(deps));
  mountOperations(app, deps, dataPlaneOperations);
  registerChatRoutes(app, deps);
}
