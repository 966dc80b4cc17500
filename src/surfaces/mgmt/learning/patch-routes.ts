import type { z } from 'zod';
import { previewPatch } from '../../../ask/preview-patch.ts';
import * as wire from '../../../contract/mgmt/reviews.ts';
import type { Deps } from '../../../deps.ts';
import * as patches from '../../../domain/patches/patches.ts';
import { toWireObject } from '../../../platform/http/to-wire.ts';
import { createOperationFactory, type OperationCall, type ResultOf } from '../../http/operation.ts';
import { createIdOrder } from '../../http/page.ts';
import { type LensScope, loadLensScope } from '../lens-scope.ts';

type RouteDeps = Pick<Deps, 'tenancy' | 'lenses' | 'warehouses' | 'project' | 'clock' | 'untracedAsk'>;
const defineOperation = createOperationFactory<RouteDeps, LensScope>('patches', 'control', loadLensScope);
const EXAMPLE_PATCH = {
  change: { kind: 'synonym', of: 'metric', name: 'revenue', synonym: 'takings' },
  reason: 'Asked for as takings',
};

export const toPatchView = (patch: ResultOf<typeof patches.getPatch>): z.infer<typeof wire.patchSchema> => ({
  ...toWireObject(patch),
  change: patch.change as unknown as Record<string, unknown>,
  preview: patch.preview as z.infer<typeof wire.patchPreviewSchema> | null,
});
const readPatch = ({ deps, orgId, liveLens, params }: OperationCall<RouteDeps, { id: string }> & LensScope) =>
  patches.getPatch(deps, orgId, liveLens.name, params.id);

export const patchRoutes = [
  defineOperation('GET', '/lenses/:name/patches', {
    id: 'listPatches',
    summary: 'Patches for a lens, newest first',
    description: 'svc drafts fixes from rulings, failed evals, gaps and POST requests.',
    query: wire.patchQuerySchema,
    result: wire.patchListSchema,
    orderBy: createIdOrder('id'),
    run: ({ deps, orgId, liveLens, query, page }) => patches.listPatches(deps, orgId, liveLens.name, query, page),
    view: toPatchView,
  }),
  defineOperation('POST', '/lenses/:name/patches', {
    id: 'createPatch',
    access: 'curator',
    summary: 'Draft a fix',
    description:
      'A fix adds or changes one of these: a synonym (of a metric, field, dataset, definition or value); a definition, or another sense of a definition; a metric or its filter; a certified entry; an eval.',
    body: wire.newPatchBodySchema.meta({ examples: [EXAMPLE_PATCH] }),
    status: 201,
    result: wire.patchDetailSchema,
    run: async ({ deps, orgId, actor, liveLens, body }) => {
      const { change, reason, review_id: reviewId, eval_id: evalId } = body;
      const patch = await patches.draftPatch(deps, actor, liveLens, { change, reason, reviewId, evalId });
      const edit = await patches.planPatchEdits(deps, orgId, liveLens, change);
      return { ...toPatchView(patch), diff: edit?.diff ?? null, files: edit?.files ?? null };
    },
  }),
  defineOperation('GET', '/lenses/:name/patches/:id', {
    id: 'getPatch',
    summary: 'One fix, with its diff',
    description:
      '`diff` compares the fix with the current files of the lens. After an approval, `outcome` contains the result.',
    params: wire.patchParamsSchema,
    result: wire.patchDetailSchema,
    fails: ['invalid', 'conflict'],
    run: async (call) => {
      const { deps, orgId, liveLens } = call;
      const patch = await readPatch(call);
      const edit = patch.status === 'draft' ? await patches.planPatchEdits(deps, orgId, liveLens, patch.change) : null;
      return {
        ...toPatchView(patch),
        diff: edit?.diff ?? patch.outcome?.diff ?? null,
        files: edit?.files ?? patch.outcome?.files ?? null,
      };
    },
  }),
  defineOperation('POST', '/lenses/:name/patches/:id/preview', {
    id: 'previewPatch',
    access: 'curator',
    summary: 'Preview the answers that a patch would change',
    description:
      'Runs the question of the ticket, the evals, the certified questions and recent questions on both the current and the changed lens, for up to 20 seconds. Changes nothing and writes no trace.',
    params: wire.patchParamsSchema,
    result: wire.patchPreviewSchema,
    fails: ['upstream', 'timeout'],
    run: async (call) => previewPatch(call.deps, call.principal, call.liveLens, await readPatch(call)) as never,
  }),
  defineOperation('POST', '/lenses/:name/patches/:id/approve', {
    id: 'approvePatch',
    access: 'curator',
    summary: 'Approve a fix',
    description:
      'For a file-based lens, svc edits the files of the project (GET /mgmt/project/edits), and `outcome` has the diff to commit. With `deploy: false`, svc only returns the diff. An entry, lens or shared definition that was created through the API changes immediately. svc publishes a new version of the lens, or publishes the lenses of the shared definition again.',
    params: wire.patchParamsSchema,
    body: wire.decidePatchBodySchema.meta({ examples: [{ note: 'Checked with finance' }] }),
    result: wire.patchSchema,
    fails: ['upstream', 'timeout'],
    run: async (call) => patches.approvePatch(call.deps, call.actor, call.liveLens, await readPatch(call), call.body),
    view: toPatchView,
  }),
  defineOperation('POST', '/lenses/:name/patches/:id/reject', {
    id: 'rejectPatch',
    access: 'curator',
    summary: 'Reject a fix',
    description: 'The patch stays in the history and changes nothing.',
    params: wire.patchParamsSchema,
    body: wire.rejectPatchBodySchema.meta({ examples: [{ note: 'Revenue is meant to exclude returns' }] }),
    result: wire.patchSchema,
    run: async (call) => patches.rejectPatch(call.deps, call.actor, await readPatch(call), call.body),
    view: toPatchView,
  }),
];
