// The learning loop: what was asked, what was wrong with it, and what is made of that.
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { certifiedRoutes } from './certified-routes.ts';
import { certifiedServiceRoutes } from './certified-service-routes.ts';
import { cockpitRoutes } from './cockpit-routes.ts';
import { distillRoutes } from './distill-routes.ts';
import { evalRoutes } from './eval-routes.ts';
import { gapMapRoutes } from './gap-map-routes.ts';
import { observeRoutes } from './observe-routes.ts';
import { patchRoutes } from './patch-routes.ts';
import { profilingRoutes } from './profiling-routes.ts';
import { reviewRoutes } from './review-routes.ts';

export function learningRoutes(app: FastifyInstance, deps: Deps): void {
  observeRoutes(app, deps);
  certifiedRoutes(app, deps);
  certifiedServiceRoutes(app, deps);
  evalRoutes(app, deps);
  reviewRoutes(app, deps);
  patchRoutes(app, deps);
  cockpitRoutes(app, deps);
  gapMapRoutes(app, deps);
  profilingRoutes(app, deps);
  distillRoutes(app, deps);
}
