// Versions of a lens: every one stays as it was served, and an old one can be served again.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { pageQuery } from '../../contract/lens.ts';
import * as wire from '../../contract/mgmt/lenses.ts';
import { lensParams, listOf } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import * as versions from '../../domain/lenses/lens-versions.ts';
import { decodeCursor, encodeCursor, unusableCursor } from '../http/page.ts';
import { runOnce } from '../http/run-once.ts';
import { refusedResponse, replyIfRefused } from './refuse-with-problems.ts';
import { actorOf, changing, reading } from './route-parts.ts';

const TAG = 'lenses (control plane)';

export function lensVersionRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.get(
    '/lenses/:name/versions',
    {
      schema: {
        ...reading(TAG, listOf(wire.versionRow), 'not_found', 'invalid'),
        operationId: 'listVersions',
        summary: 'Versions, newest first',
        description: 'Versions are immutable; `active` is the published one.',
        params: lensParams,
        querystring: pageQuery,
      },
    },
    async ({ principal, params, query }) => {
      const place = decodeCursor(query.cursor);
      if (place !== null && !/^\d{1,9}$/.test(place)) throw unusableCursor();
      const rows = await versions.listVersions(deps, principal.orgId, params.name, {
        limit: query.limit + 1,
        after: place === null ? null : Number(place),
      });
      const items = rows.slice(0, query.limit);
      return {
        items: items.map(versionView),
        next_cursor: rows.length > items.length ? encodeCursor(String(items.at(-1)!.version)) : null,
      };
    },
  );

  app.get(
    '/lenses/:name/versions/:version',
    {
      schema: {
        ...reading(TAG, wire.versionDetail, 'not_found', 'invalid'),
        operationId: 'getVersion',
        summary: 'One version: files and compiled lens',
        description: 'As svc served it.',
        params: wire.versionParams,
      },
    },
    async ({ principal, params }) => {
      const found = await versions.getVersion(deps, principal.orgId, params.name, params.version);
      return { ...versionView(found), files: found.files, lens: { ...found.compiled } };
    },
  );

  app.post(
    '/lenses/:name/versions/:version/restore',
    {
      schema: {
        ...changing(TAG, 200, wire.published, 'not_found'),
        response: { ...changing(TAG, 200, wire.published, 'not_found').response, ...refusedResponse },
        operationId: 'restoreVersion',
        summary: 'Restore an old version as a new one',
        description:
          'svc checks it against the current warehouse. A file-based lens gets its old lens.yaml as an edit of the project.',
        params: wire.versionParams,
      },
    },
    (request, reply) =>
      replyIfRefused(request, reply, () =>
        runOnce(deps, request, reply, async () => ({
          status: 200,
          body: {
            lens: request.params.name,
            ...(await versions.restoreVersion(deps, actorOf(request), request.params.name, request.params.version)),
          },
        })),
      ),
  );
}

const versionView = (row: {
  version: number;
  active: boolean;
  createdBy: string;
  createdAt: Date;
  deploymentId: string | null;
}) => ({
  version: row.version,
  active: row.active,
  created_by: row.createdBy,
  created_at: row.createdAt.toISOString(),
  deployment_id: row.deploymentId,
});
