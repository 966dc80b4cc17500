// Lenses in the control plane: list, make, look at their files, take out of service.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { pageQuery } from '../../contract/lens.ts';
import * as wire from '../../contract/mgmt/lenses.ts';
import { lensParams, listOf, ok } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import { isConfined } from '../../domain/identity/principal.ts';
import * as lenses from '../../domain/lenses/keep-lenses.ts';
import { getVersion } from '../../domain/lenses/lens-versions.ts';
import { runOnce } from '../http/run-once.ts';
import { draftView, lensView } from './lens-views.ts';
import { pageAfter } from './page-after.ts';
import { actorOf, changing, reading } from './route-parts.ts';

const TAG = 'lenses (control plane)';
const EXAMPLE = {
  name: 'shop',
  files: {
    'lens.yaml':
      'name: shop\nconnection: core\ndatasets: {orders: {source: public.orders, fields: {region: {datatype: string}}}}\n',
  },
};

export function lensRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.get(
    '/lenses',
    {
      schema: {
        ...reading(TAG, listOf(wire.lensRow), 'invalid'),
        operationId: 'listAllLenses',
        summary: 'Lenses of the organization',
        description: 'Published or not, from files or created by API.',
        querystring: pageQuery,
      },
    },
    ({ principal, query }) =>
      pageAfter(
        query,
        (page) => lenses.listLenses(deps, principal.orgId, page, isConfined(principal) ? principal.lenses : null),
        ({ name }) => name,
        lensView,
        'names',
      ),
  );

  app.post(
    '/lenses',
    {
      schema: {
        ...changing(TAG, 201, wire.draft),
        operationId: 'createLens',
        summary: 'Create a lens by API',
        description: 'Returns the first draft of the lens. Callers can use the lens once you publish a draft.',
        body: wire.newLensBody.meta({ examples: [EXAMPLE] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => ({
        status: 201,
        body: draftView(await lenses.createLens(deps, actorOf(request), request.body)),
      })),
  );

  app.get(
    '/lenses/:name',
    {
      schema: {
        ...reading(TAG, wire.lensDetail, 'not_found'),
        operationId: 'getLensFiles',
        summary: 'One lens with the files of its published version',
        description: '`origin` says whether you change it through files or through drafts.',
        params: lensParams,
      },
    },
    async ({ principal, params }) => {
      const row = await lenses.getLens(deps, principal.orgId, params.name);
      const files =
        row.activeVersion === null ? {} : (await getVersion(deps, principal.orgId, params.name, null)).files;
      return { ...lensView(row), files };
    },
  );

  app.delete(
    '/lenses/:name',
    {
      schema: {
        ...changing(TAG, 200, ok, 'not_found'),
        operationId: 'deleteLens',
        summary: 'Take a lens out of service',
        description:
          'Its versions stay in the history. svc removes the files of a file-based lens from the project, as an edit.',
        params: lensParams,
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        await lenses.deleteLens(deps, actorOf(request), request.params.name);
        return { status: 200, body: { ok: true as const } };
      }),
  );
}
