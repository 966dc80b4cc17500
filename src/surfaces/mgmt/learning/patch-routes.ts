// Drafted fixes of a lens: draft, look at what they would change, approve or reject.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { previewPatch } from '../../../ask/preview-patch.ts';
import * as wire from '../../../contract/mgmt/patches.ts';
import { lensParams } from '../../../contract/mgmt/shared.ts';
import type { Deps } from '../../../deps.ts';
import { getServedLens } from '../../../domain/lenses/get-served-lens.ts';
import { approvePatch, draftPatch, fileEdit, getPatch, rejectPatch } from '../../../domain/patches/keep-patches.ts';
import { keepPreview, listPatches } from '../../../domain/patches/patch-repository.ts';
import { runOnce } from '../../http/run-once.ts';
import { pageAfter } from '../page-after.ts';
import { actorOf, changing, reading } from '../route-parts.ts';
import { patchView } from './patch-views.ts';

const EXAMPLE = {
  change: { kind: 'synonym', of: 'metric', name: 'revenue', synonym: 'takings' },
  reason: 'Asked for as takings',
};

export function patchRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const tag = 'patches';
  const of = async (request: FastifyRequest<{ Params: { name: string; id: string } }>) => {
    const served = await getServedLens(deps.lenses, request.principal.orgId, request.params.name);
    return { served, patch: await getPatch(deps, request.principal.orgId, served.name, request.params.id) };
  };

  app.get(
    '/lenses/:name/patches',
    {
      schema: {
        ...reading(tag, wire.patchList, 'not_found', 'invalid'),
        operationId: 'listPatches',
        summary: 'Drafted fixes of a lens, newest first',
        description: 'From rulings, failed evals and gaps, or created by hand.',
        params: lensParams,
        querystring: wire.patchQuery,
      },
    },
    async ({ principal, params, query: { status, ...page } }) => {
      const { name } = await getServedLens(deps.lenses, principal.orgId, params.name);
      return pageAfter(
        page,
        (at) => deps.tenancy.inTenant(principal.orgId, (db) => listPatches(db, name, { status }, at)),
        ({ id }) => id,
        patchView,
      );
    },
  );

  app.post(
    '/lenses/:name/patches',
    {
      schema: {
        ...changing(tag, 201, wire.patchDetail, 'not_found'),
        operationId: 'createPatch',
        summary: 'Draft a fix',
        description:
          'A synonym of a metric, field, dataset or definition, a synonym of a value, a definition or one more sense of it, a metric, a metric’s filter, a certified entry, or an eval.',
        params: lensParams,
        body: wire.createPatch.meta({ examples: [EXAMPLE] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const served = await getServedLens(deps.lenses, request.principal.orgId, request.params.name);
        const { change, reason, review_id, eval_id } = request.body;
        const patch = await draftPatch(deps, actorOf(request), served, {
          change,
          reason,
          reviewId: review_id,
          evalId: eval_id,
        });
        const edit = await fileEdit(deps, request.principal.orgId, served, change);
        return { status: 201, body: { ...patchView(patch), diff: edit?.diff ?? null, files: edit?.files ?? null } };
      }),
  );

  app.get(
    '/lenses/:name/patches/:id',
    {
      schema: {
        ...reading(tag, wire.patchDetail, 'not_found', 'invalid', 'conflict'),
        operationId: 'getPatch',
        summary: 'One fix, with its diff',
        description: 'The diff is against the current files of the lens. After a decision, `outcome` has the result.',
        params: wire.patchParams,
      },
    },
    async (request) => {
      const { served, patch } = await of(request);
      const edit =
        patch.status === 'draft' ? await fileEdit(deps, request.principal.orgId, served, patch.change) : null;
      return {
        ...patchView(patch),
        diff: edit?.diff ?? patch.outcome?.diff ?? null,
        files: edit?.files ?? patch.outcome?.files ?? null,
      };
    },
  );

  app.post(
    '/lenses/:name/patches/:id/preview',
    {
      schema: {
        ...changing(tag, 200, wire.preview, 'not_found', 'upstream', 'timeout'),
        operationId: 'previewPatch',
        summary: 'Which answers it would change',
        description:
          'Asks the question of the ticket, the evals, the certified questions and recent questions on the current and the changed lens, for up to 20 seconds. Changes nothing and writes no trace.',
        params: wire.patchParams,
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const { served, patch } = await of(request);
        const preview = await previewPatch(deps, request.principal, served, patch);
        await deps.tenancy.inTenant(request.principal.orgId, (db) => keepPreview(db, patch.id, preview));
        return { status: 200, body: preview as never };
      }),
  );

  app.post(
    '/lenses/:name/patches/:id/approve',
    {
      schema: {
        ...changing(tag, 200, wire.patch, 'not_found', 'upstream', 'timeout'),
        operationId: 'approvePatch',
        summary: 'Approve a fix',
        description:
          'For a file-based lens, svc edits the files of the project (GET /mgmt/project/edits), and `outcome` has the diff to commit. With `deploy: false` it only returns the diff. Objects created by API change immediately: an entry, a lens as a new version, or a shared definition, which publishes each lens that uses it again.',
        params: wire.patchParams,
        body: wire.decidePatch.meta({ examples: [{ note: 'Checked with finance' }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const { served, patch } = await of(request);
        const approved = await approvePatch(deps, actorOf(request), served, patch, request.body);
        return { status: 200, body: patchView(approved) };
      }),
  );

  app.post(
    '/lenses/:name/patches/:id/reject',
    {
      schema: {
        ...changing(tag, 200, wire.patch, 'not_found'),
        operationId: 'rejectPatch',
        summary: 'Reject a fix',
        description: 'The patch stays in the history and changes nothing.',
        params: wire.patchParams,
        body: wire.rejectPatch.meta({ examples: [{ note: 'Revenue is meant to exclude returns' }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const { patch } = await of(request);
        const rejected = await rejectPatch(deps, actorOf(request), patch, request.body);
        return { status: 200, body: patchView(rejected) };
      }),
  );
}
