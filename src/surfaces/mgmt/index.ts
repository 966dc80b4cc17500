// The control plane. Hooks ask who is there and whether they may; everything below is behind both.
// One line for each group of routes.
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { authenticateRequest } from '../http/authenticate-request.ts';
import { jsonBody, MAX_NAMES_OF_FILES } from '../http/parse-json.ts';
import { accountRoutes } from './account-routes.ts';
import { adminOnly, refuseVisitors } from './admin-only.ts';
import { callerRoutes } from './caller-routes.ts';
import { connectionRoutes } from './connection-routes.ts';
import { draftRoutes } from './draft-routes.ts';
import { factsRoutes } from './facts-routes.ts';
import { learningRoutes } from './learning/learning-routes.ts';
import { lensFileRoutes } from './lens-file-routes.ts';
import { lensRoutes } from './lens-routes.ts';
import { lensUpkeepRoutes } from './lens-upkeep-routes.ts';
import { lensVersionRoutes } from './lens-version-routes.ts';
import { oauthRoutes } from './oauth-routes.ts';
import { projectRoutes } from './project-routes.ts';
import { semanticRoutes } from './semantic-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { uploadRoutes } from './upload-routes.ts';
import { warehouseContentRoutes } from './warehouse-content-routes.ts';

export async function mgmtSurface(app: FastifyInstance, deps: Deps): Promise<void> {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, jsonBody(deps, MAX_NAMES_OF_FILES));
  app.addHook('onRequest', refuseVisitors(deps));
  app.addHook('onRequest', authenticateRequest(deps));
  app.addHook('onRequest', adminOnly);
  sessionRoutes(app, deps);
  projectRoutes(app, deps);
  callerRoutes(app, deps);
  accountRoutes(app, deps);
  connectionRoutes(app, deps);
  await app.register((scope) => uploadRoutes(scope, deps));
  warehouseContentRoutes(app, deps);
  semanticRoutes(app, deps);
  lensRoutes(app, deps);
  lensVersionRoutes(app, deps);
  lensFileRoutes(app, deps);
  lensUpkeepRoutes(app, deps);
  factsRoutes(app, deps);
  draftRoutes(app, deps);
  oauthRoutes(app, deps);
  learningRoutes(app, deps);
}
