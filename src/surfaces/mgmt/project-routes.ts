// The deployment door over HTTP: plan, apply, export, history, rollback.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { pageQuery } from '../../contract/lens.ts';
import * as wire from '../../contract/mgmt/project.ts';
import { listOf, runStarted } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import { applyProject, planProject } from '../../domain/project/apply-project.ts';
import { exportProject, getDeployment, listDeployments, rollBack } from '../../domain/project/deployments.ts';
import { dropEdits, listEdits } from '../../domain/project/edit-project.ts';
import type { Applied } from '../../domain/project/project-deps.ts';
import { readProjectState } from '../../domain/project/read-project-state.ts';
import { once } from '../http/once.ts';
import { decodeCursor, encodeCursor, unusableCursor } from '../http/page.ts';
import { problems } from '../http/route-schema.ts';
import { pageAfter } from './page-after.ts';
import { orRefused, problemView, refusedResponse } from './refuse-with-problems.ts';
import { orRun, preferHeader } from './respond-async.ts';
import { actorOf, changing, reading } from './route-parts.ts';

const BODY_LIMIT = 64 * 1024 * 1024; // 500 lenses with their corpus
const EXAMPLE = {
  files: {
    'svc.config.yaml': 'connections: {shop: {kind: duckdb, path: ./shop.duckdb}}\n',
    'lenses/shop/lens.yaml':
      'name: shop\nconnection: shop\ndatasets: {orders: {source: main.orders, fields: {region: {datatype: string}}}}\n',
  },
  message: 'Add the shop',
};
export function projectRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const applying = {
    ...changing('project', 200, wire.applied),
    response: { ...changing('project', 200, wire.applied).response, ...refusedResponse },
  };

  app.post(
    '/project/plan',
    {
      bodyLimit: BODY_LIMIT,
      schema: {
        ...changing('project', 200, wire.plan),
        response: { ...changing('project', 200, wire.plan).response, 202: runStarted },
        headers: preferHeader,
        operationId: 'planProject',
        summary: 'What an apply of these files would change',
        description:
          'Reads, compiles and checks against the warehouses; runs certified entries and evals of touched lenses on both versions. Changes nothing.',
        body: wire.projectBody.meta({ examples: [EXAMPLE] }),
      },
    },
    async (request, reply) => {
      const { status, body } = await orRun(deps, request, reply, 'project.plan', async ({ report, signal }) => {
        const asked = { ...fromHttp(request), files: request.body.files, report, signal };
        const { answerChanges, problems, ...plan } = await planProject(deps.project, asked);
        return { ...plan, problems: problems.map(problemView), answer_changes: answerChanges };
      });
      reply.code(status);
      return body;
    },
  );

  app.post(
    '/project/apply',
    {
      bodyLimit: BODY_LIMIT,
      schema: {
        ...applying,
        response: { ...applying.response, 202: runStarted },
        headers: preferHeader,
        operationId: 'applyProject',
        summary: 'Deploy these files, whole or not at all',
        description:
          'One transaction under a lock of the organization: a second apply at the same time is refused with 409. Identical files keep the version.',
        body: wire.projectBody.meta({ examples: [EXAMPLE] }),
      },
    },
    (request, reply) =>
      orRefused(request, reply, () =>
        once(deps, request, reply, () =>
          orRun(deps, request, reply, 'project.apply', async ({ report }) =>
            appliedReply(await applyProject(deps.project, { ...fromHttp(request), ...request.body, report })),
          ),
        ),
      ),
  );

  app.get(
    '/project',
    {
      schema: {
        ...reading('project', wire.projectState),
        operationId: 'getProject',
        summary: 'What is deployed',
        description: 'The last deployment, and every lens and connection in service with where it came from.',
      },
    },
    async ({ principal }) => {
      const { state, last } = await readProjectState(deps, principal.orgId);
      return {
        deployment_id: last?.id ?? null,
        version: last?.version ?? null,
        applied_at: last?.appliedAt.toISOString() ?? null,
        applied_by: last?.actor ?? null,
        message: last?.message ?? null,
        files: Object.keys(last?.files ?? {}).sort(),
        lenses: state.lenses
          .filter(({ activeVersion }) => activeVersion !== null)
          .map(({ name, activeVersion, origin }) => ({ name, version: activeVersion, origin })),
        connections: state.connections
          .filter(({ active }) => active)
          .map(({ name, kind, origin }) => ({ name, kind, origin })),
      };
    },
  );

  app.get(
    '/project/export',
    {
      schema: {
        ...reading('project', wire.exported),
        operationId: 'exportProject',
        summary: 'The deployed files, byte for byte',
        description:
          'With the lenses made by API and the connections they read, which an apply of them takes over: they come from files from then on. Literal secrets read `(kept)`, which an apply takes as unchanged; applying an export changes no answer.',
      },
    },
    async ({ principal }) => exportProject(deps, principal.orgId),
  );

  app.get(
    '/project/edits',
    {
      schema: {
        ...reading('project', listOf(wire.projectEdit), 'invalid'),
        operationId: 'listProjectEdits',
        summary: 'What was edited by API in files, and their author’s files lack',
        description:
          'Each with the diff to take over. An apply that holds an edit takes it over, one that leaves its place alone keeps it, and one that says something else there is refused, naming it.',
        querystring: pageQuery,
      },
    },
    ({ principal, query }) =>
      pageAfter(
        query,
        (page) => listEdits(deps, principal.orgId, page),
        ({ path }) => path,
        ({ editedBy, editedAt, ...edit }) => ({ ...edit, edited_by: editedBy, edited_at: editedAt }),
        'names',
      ),
  );

  app.delete(
    '/project/edits',
    {
      schema: {
        ...applying,
        response: { ...applying.response, ...problems('not_found') },
        operationId: 'dropProjectEdits',
        summary: 'Drop what was edited by API',
        description: 'The author’s text again, of one path or of all, as a deployment of its own.',
        querystring: wire.dropEditsQuery,
      },
    },
    (request, reply) =>
      orRefused(request, reply, () =>
        once(deps, request, reply, async () => ({
          status: 200,
          body: appliedReply(await dropEdits(deps.project, actorOf(request), request.query.path ?? null)),
        })),
      ),
  );

  app.get(
    '/project/deployments',
    {
      schema: {
        ...reading('project', listOf(wire.deploymentSummary), 'invalid'),
        operationId: 'listDeployments',
        summary: 'History of deployments, newest first',
        description: 'Each with who applied it, why, and what it changed.',
        querystring: wire.deploymentQuery,
      },
    },
    async ({ principal, query }) => {
      const place = decodeCursor(query.cursor);
      if (place !== null && !/^\d{1,9}$/.test(place)) throw unusableCursor();
      const rows = await listDeployments(deps, principal.orgId, {
        limit: query.limit + 1,
        after: place === null ? null : Number(place),
      });
      const items = rows.slice(0, query.limit);
      return {
        items: items.map(summary),
        next_cursor: rows.length > items.length ? encodeCursor(String(items.at(-1)!.version)) : null,
      };
    },
  );

  app.get(
    '/project/deployments/:id',
    {
      schema: {
        ...reading('project', wire.deployment, 'not_found'),
        operationId: 'getDeployment',
        summary: 'One deployment with its files',
        description: 'As they were applied; literal secrets read `(kept)`.',
        params: wire.deploymentParams,
      },
    },
    async ({ principal, params }) => {
      const found = await getDeployment(deps, principal.orgId, params.id);
      return { ...summary(found), files: found.files };
    },
  );

  app.post(
    '/project/deployments/:id/rollback',
    {
      schema: {
        ...applying,
        response: { ...applying.response, ...problems('not_found') },
        operationId: 'rollBackProject',
        summary: 'Apply the files of an earlier deployment again',
        description: 'Through the same door: checked against the warehouses as they are now, under a new version.',
        params: wire.deploymentParams,
        body: wire.rollbackBody.meta({ examples: [{ message: 'The new revenue was wrong' }] }),
      },
    },
    (request, reply) =>
      orRefused(request, reply, () =>
        once(deps, request, reply, async () => ({
          status: 200,
          body: appliedReply(
            await rollBack(deps.project, {
              ...fromHttp(request),
              deploymentId: request.params.id,
              message: request.body.message,
            }),
          ),
        })),
      ),
  );
}

const fromHttp = (request: FastifyRequest) => ({
  orgId: request.principal.orgId,
  actor: request.principal.name,
  requestId: request.id,
  fromOperator: false,
});

const appliedReply = ({
  deploymentId,
  version,
  changes,
  warnings,
  appliedAt,
}: Applied): z.infer<typeof wire.applied> => ({
  deployment_id: deploymentId,
  version,
  changes,
  warnings,
  applied_at: appliedAt.toISOString(),
});
const summary = (row: Awaited<ReturnType<typeof listDeployments>>[number]): z.infer<typeof wire.deploymentSummary> => ({
  id: row.id,
  version: row.version,
  message: row.message,
  applied_by: row.actor,
  applied_at: row.appliedAt.toISOString(),
  rolled_back_to: row.rolledBackTo,
  changes: row.changes,
});
