// Who am I here, what was changed by whom, how far is long work.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { pageQuery } from '../../contract/lens.ts';
import { ping, whoami } from '../../contract/mgmt/identity.ts';
import { auditEntry, listOf, run } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import { readAudit } from '../../domain/audit/audited.ts';
import { runOnce } from '../http/run-once.ts';
import { pageAfter } from './page-after.ts';
import { actorOf, changing, reading } from './route-parts.ts';
import { auditView, runView } from './views.ts';

const runParams = z.object({ run_id: z.string().min(1).max(100) });
const auditQuery = pageQuery.extend({
  actor: z.string().max(300).optional(),
  action: z.string().max(100).optional().describe('Like project.apply or key.create'),
  object_kind: z.string().max(100).optional(),
  object_id: z.string().max(300).optional(),
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
});

export function sessionRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.get(
    '/ping',
    {
      schema: {
        ...reading('control plane', ping),
        operationId: 'pingMgmt',
        summary: 'Check a token',
        description: 'The cheapest request with a credential.',
      },
    },
    async ({ principal }) => ({ ok: true as const, organization: principal.orgName }),
  );
  app.get(
    '/whoami',
    {
      schema: {
        ...reading('control plane', whoami),
        operationId: 'whoAmI',
        summary: 'Identity of a token',
        description: 'The organization of the token, and its permissions.',
      },
    },
    async ({ principal }) => ({
      organization: { id: principal.orgId, name: principal.orgName },
      kind: principal.kind === 'user' ? ('user' as const) : ('admin' as const),
      name: principal.name,
      role: principal.role ?? ('admin' as const),
      credential_id: principal.credentialId,
    }),
  );
  app.get(
    '/audit',
    {
      schema: {
        ...reading('control plane', listOf(auditEntry), 'invalid'),
        operationId: 'listAudit',
        summary: 'Audit log, newest first',
        description: 'Each change with its actor and the values before and after, without secrets.',
        querystring: auditQuery,
      },
    },
    ({ principal, query: { actor, action, object_kind, object_id, since, until, ...page } }) =>
      pageAfter(
        page,
        (place) =>
          readAudit(
            deps,
            principal.orgId,
            { actor, action, objectKind: object_kind, objectId: object_id, since, until },
            place,
          ),
        ({ id }) => id,
        auditView,
      ),
  );
  app.get(
    '/runs/:run_id',
    {
      schema: {
        ...reading('control plane', run, 'not_found'),
        operationId: 'getRun',
        summary: 'State, progress and result of a run',
        description: 'What a 202 answered with `run_id`.',
        params: runParams,
      },
    },
    async ({ principal, params }) => runView(await deps.runs.get(principal.orgId, params.run_id)),
  );
  app.post(
    '/runs/:run_id/cancel',
    {
      schema: {
        ...changing('control plane', 200, run, 'not_found'),
        operationId: 'cancelRun',
        summary: 'Cancel a run',
        description:
          'Also cancels its warehouse queries and discards unfinished work. Returns 409 if the run has ended.',
        params: runParams,
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => ({
        status: 200,
        body: runView(await deps.runs.cancel(actorOf(request), request.params.run_id)),
      })),
  );
}
