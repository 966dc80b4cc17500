// Hooks authenticate and authorize every request to these routes.
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { createAuthenticationHook } from '../http/authenticate-request.ts';
import { mountOperations } from '../http/mount-operations.ts';
import type { Operation } from '../http/operation.ts';
import { createJsonParser, MAX_NAMES_OF_FILES } from '../http/parse-json.ts';
import { accountRoutes } from './account-routes.ts';
import { callerRoutes } from './caller-routes.ts';
import { connectionRoutes } from './connection-routes.ts';
import { draftRoutes } from './draft-routes.ts';
import { factsRoutes } from './facts-routes.ts';
import { certifiedRoutes } from './learning/certified-routes.ts';
import { dashboardRoutes } from './learning/dashboard-routes.ts';
import { distillRoutes } from './learning/distill-routes.ts';
import { evalRoutes } from './learning/eval-routes.ts';
import { observeRoutes } from './learning/observe-routes.ts';
import { patchRoutes } from './learning/patch-routes.ts';
import { profilingRoutes } from './learning/profiling-routes.ts';
import { registerRequestExport } from './learning/request-export-route.ts';
import { reviewRoutes } from './learning/review-routes.ts';
import { lensRoutes } from './lens-routes.ts';
import { projectRoutes } from './project-routes.ts';
import { createVisitorRefusalHook, requireAccess } from './require-access.ts';
import { semanticRoutes } from './semantic-routes.ts';
import { registerUploadRoutes } from './upload-routes.ts';

type ControlPlaneDeps = Omit<
  Deps,
  'log' | 'freshness' | 'signingKeys' | 'ask' | 'unread' | 'readiness' | 'metrics' | 'spans' | 'readyInfo' | 'instance'
>;

export const controlPlaneOperations: readonly Operation<ControlPlaneDeps>[] = [
  ...[...accountRoutes, ...projectRoutes, ...callerRoutes, ...connectionRoutes, ...semanticRoutes],
  ...[...lensRoutes, ...factsRoutes, ...draftRoutes],
  ...[...observeRoutes, ...certifiedRoutes, ...evalRoutes, ...reviewRoutes, ...patchRoutes],
  ...[...dashboardRoutes, ...profilingRoutes, ...distillRoutes],
];

export async function registerMgmt(app: FastifyInstance, deps: ControlPlaneDeps): Promise<void> {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, createJsonParser(deps, MAX_NAMES_OF_FILES));
  app.addHook('onRequest', createVisitorRefusalHook(deps));
  app.addHook('onRequest', createAuthenticationHook(deps));
  app.addHook('onRequest', requireAccess);
  mountOperations(app, deps, controlPlaneOperations);
  registerRequestExport(app, deps);
  await app.register((scope) => registerUploadRoutes(scope, deps));
}
