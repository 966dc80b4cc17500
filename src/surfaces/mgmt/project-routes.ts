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
import { decodeCursor, encodeCursor, unusableCursor } from '../http/page.ts';
import { problems } from '../http/route-schema.ts';
import { runOnce } from '../http/run-once.ts';
import { pageAfter } from './page-after.ts';
import { problemView, refusedResponse, replyIfRefused } from './refuse-with-problems.ts';
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
        summary: 'Show what these files would change',
        description:
          'Compiles the files, checks them against the warehouses, and runs certified entries and evals of changed lenses on both versions. Changes nothing.',
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
        summary: 'Deploy these files',
        description:
          'Runs in one transaction with a lock for the organization. A second apply at the same time gets 409. Identical files keep the version.',
        body: wire.projectBody.meta({ examples: [EXAMPLE] }),
      },
    },
    (request, reply) =>
      replyIfRefused(request, reply, () =>
        runOnce(deps, request, reply, () =>
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
        summary: 'Deployed project',
        description: 'The last deployment, and every published lens and connection with its origin.',
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
        summary: 'Export the deployed files',
        description:
          'The exact files, with lenses created by API and their connections. If you apply the export, those become file-based. Literal secrets appear as `(kept)`, which an apply leaves unchanged. Applying an export changes no answer.',
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
        summary: 'API edits that are not in your files yet',
        description:
          'Each with a diff for your files. An apply with the edit takes it over. An apply that does not touch the same place keeps it. An apply that changes the same place is rejected, and the error names the edit.',
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
        summary: 'Drop API edits',
        description: 'Restores the text of your files for one path or all, as a new deployment.',
        querystring: wire.dropEditsQuery,
      },
    },
    (request, reply) =>
      replyIfRefused(request, reply, () =>
        runOnce(deps, request, reply, async () => ({
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
        summary: 'Deployments, newest first',
        description: 'Each with its author, message and changes.',
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
        description: 'The applied files; literal secrets appear as `(kept)`.',
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
        summary: 'Roll back to an earlier deployment',
        description: 'Applies its files again as a new version, with the same checks against the current warehouses.',
        params: wire.deploymentParams,
        body: wire.rollbackBody.meta({ examples: [{ message: 'The new revenue was wrong' }] }),
      },
    },
    (request, reply) =>
      replyIfRefused(request, reply, () =>
        runOnce(deps, request, reply, async () => ({
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
