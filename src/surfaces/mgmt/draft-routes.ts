import { envelopeSchema, queryBodySchema } from '../../contract/ask.ts';
import * as wire from '../../contract/mgmt/lenses.ts';
import { createPagedOperation } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import * as drafts from '../../domain/lenses/lens-drafts.ts';
import { toWireObject } from '../../platform/http/to-wire.ts';
import { createOperationFactory, type ResultOf } from '../http/operation.ts';
import { createIdOrder } from '../http/page.ts';

const defineOperation =
  createOperationFactory<Pick<Deps, 'tenancy' | 'warehouses' | 'project' | 'lenses' | 'untracedAsk'>>('drafts');
const draftReply = {
  result: wire.draftSchema,
  revision: ({ revision }: ResultOf<typeof drafts.getDraft>) => revision,
  view: toWireObject<ResultOf<typeof drafts.getDraft>>,
};
const EXAMPLE_FILES = {
  'lens.yaml':
    'name: shop\nconnection: core\ndatasets: {orders: {source: public.orders, fields: {region: {datatype: string}}}}\n',
};

export const draftRoutes = [
  defineOperation('GET', '/lenses/:name/drafts', {
    id: 'listDrafts',
    summary: 'Drafts, newest first',
    description: 'Includes published drafts.',
    ...createPagedOperation(wire.draftSchema),
    orderBy: createIdOrder('id'),
    run: ({ deps, orgId, params, page }) => drafts.listDrafts(deps, orgId, params.name, page),
    view: toWireObject,
  }),
  defineOperation('POST', '/lenses/:name/drafts', {
    id: 'createDraft',
    access: 'curator',
    summary: 'Start a draft',
    description: 'The draft contains the files of the published version, or `files`.',
    body: wire.newDraftBodySchema.meta({ examples: [{}, { files: EXAMPLE_FILES }] }),
    status: 201,
    ...draftReply,
    run: ({ deps, actor, params, body }) => drafts.createDraft(deps, actor, params.name, body),
  }),
  defineOperation('GET', '/lenses/:name/drafts/:id', {
    id: 'getDraft',
    summary: 'One draft',
    description: 'To change the draft, send the ETag as If-Match.',
    params: wire.draftParamsSchema,
    ...draftReply,
    run: ({ deps, orgId, params }) => drafts.getDraft(deps, orgId, params.name, params.id),
  }),
  defineOperation('PUT', '/lenses/:name/drafts/:id', {
    id: 'changeDraft',
    access: 'curator',
    summary: 'Replace the files of a draft',
    description: 'Accepts any text. To check the files, use validate.',
    params: wire.draftParamsSchema,
    body: wire.changeDraftBodySchema.meta({ examples: [{ files: EXAMPLE_FILES }] }),
    ...draftReply,
    ifMatch: true,
    run: ({ deps, actor, params: { name, id }, body, ifMatch }) =>
      drafts.changeDraft(deps, actor, name, { id, ifMatch }, body),
  }),
  defineOperation('DELETE', '/lenses/:name/drafts/:id', {
    id: 'deleteDraft',
    access: 'curator',
    summary: 'Delete a draft',
    description: 'Returns 409 for a published draft.',
    params: wire.draftParamsSchema,
    ifMatch: true,
    run: ({ deps, actor, params, ifMatch }) => drafts.deleteDraft(deps, actor, params.name, { id: params.id, ifMatch }),
  }),
  defineOperation('POST', '/lenses/:name/drafts/:id/validate', {
    id: 'validateDraft',
    access: 'curator',
    summary: 'Check a draft',
    description:
      'Compiles the draft and checks it against the warehouse: columns exist, types match, joins are many to one, metrics run. If there are problems, the response is still 200 and lists them.',
    params: wire.draftParamsSchema,
    result: wire.validationSchema,
    readOnly: true,
    run: ({ deps, actor, params }) => drafts.validateDraft(deps, actor, params.name, params.id),
    view: ({ lens, problems, warnings, changes }) => ({
      valid: lens !== null,
      problems,
      warnings,
      changes,
    }),
  }),
  defineOperation('POST', '/lenses/:name/drafts/:id/try', {
    id: 'tryDraft',
    access: 'curator',
    summary: 'Ask a draft before you publish it',
    description: 'Runs like any ask, but without a trace or a receipt, because the draft is not published.',
    params: wire.draftParamsSchema,
    body: queryBodySchema.meta({ examples: [{ q: 'How many orders were there in 2016?' }] }),
    result: envelopeSchema,
    fails: ['upstream', 'timeout'],
    readOnly: true,
    refusesFaultyFiles: true,
    run: async ({ deps, actor, params: { name, id }, body, createAskContext: askContext }) =>
      deps.untracedAsk(await drafts.loadDraftAsLiveLens(deps, actor, name, id)).query(askContext(), name, body),
  }),
  defineOperation('POST', '/lenses/:name/drafts/:id/publish', {
    id: 'publishDraft',
    access: 'curator',
    summary: 'Publish a draft as a new version',
    description:
      'First runs the same checks as `validate`. Requests that are already running finish on the version that they started with. Returns 409 if another version has been published since the draft was created.',
    params: wire.draftParamsSchema,
    result: wire.publishedLensSchema,
    ifMatch: true,
    respondAsync: 'lens.publish',
    refusesFaultyFiles: true,
    run: async ({ deps, actor, params: { name, id }, ifMatch, run }) => ({
      lens: name,
      ...(await drafts.publishDraft(deps, actor, name, { id, ifMatch }, run.report)),
    }),
  }),
];
