import { z } from 'zod';
import { checkSampleQuestion } from '../../ask/check-sample-question.ts';
import { buildModelContext } from '../../ask/read/model/model-context.ts';
import { pageQuerySchema } from '../../contract/lens.ts';
import { driftReportSchema } from '../../contract/mgmt/connections.ts';
import * as identity from '../../contract/mgmt/identity.ts';
import * as wire from '../../contract/mgmt/lenses.ts';
import { createPagedOperation, lensParamsSchema, runStartResponse } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import { isLinkedViewer } from '../../domain/identity/principal.ts';
import { auditDrift, readDrift } from '../../domain/lenses/drift.ts';
import { restoreVersion } from '../../domain/lenses/edit-lens.ts';
import { getLiveLens } from '../../domain/lenses/get-live-lens.ts';
import * as grantsAndSamples from '../../domain/lenses/grants-and-samples.ts';
import * as versions from '../../domain/lenses/lens-versions.ts';
import * as lenses from '../../domain/lenses/lenses.ts';
import { toWireObject } from '../../platform/http/to-wire.ts';
import { createOperationFactory, type ResultOf } from '../http/operation.ts';
import { createTextOrder, selectPage, versionOrder } from '../http/page.ts';
import { type LensScope, loadLensScope, startLensRun } from './lens-scope.ts';

type RouteDeps = Pick<
  Deps,
  | 'tenancy'
  | 'warehouses'
  | 'project'
  | 'lenses'
  | 'library'
  | 'clock'
  | 'dictionaries'
  | 'runs'
  | 'untracedAsk'
  | 'authenticator'
>;
const defineOperation = createOperationFactory<RouteDeps>('lenses (control plane)');

const toLensView = ({
  activeVersion,
  ...row
}: ResultOf<typeof lenses.getLens>): z.infer<typeof wire.lensRowSchema> => ({
  ...toWireObject(row),
  version: activeVersion,
});
const EXAMPLE_LENS = {
  name: 'shop',
  files: {
    'lens.yaml':
      'name: shop\nconnection: core\ndatasets: {orders: {source: public.orders, fields: {region: {datatype: string}}}}\n',
  },
};
const toSampleView = (row: ResultOf<typeof grantsAndSamples.addSampleQuestion>) => ({
  ...toWireObject(row),
  origin: 'api' as const,
});

const toLensGrantsView = (
  grants: ResultOf<typeof grantsAndSamples.listLensGrants>,
): z.infer<typeof identity.lensGrantsSchema> => ({
  callers: grants
    .filter(({ origin, subjectKind }) => origin === 'lens_api' && subjectKind === 'caller')
    .map(({ subject }) => subject),
  groups: grants
    .filter(({ origin, subjectKind }) => origin === 'lens_api' && subjectKind === 'group')
    .map(({ subject }) => subject),
  effective: grants.map(({ subjectKind, subject, origin }) => ({ kind: subjectKind, subject, origin })),
});

export const lensRoutes = [
  defineOperation('GET', '/lenses', {
    id: 'listAllLenses',
    summary: 'Lenses of the organization',
    description: 'Lists all lenses, published or not, from files or created through the API.',
    access: 'any viewer',
    ...createPagedOperation(wire.lensRowSchema),
    orderBy: createTextOrder('name'),
    run: ({ deps, orgId, principal, page }) =>
      lenses.listLenses(deps, orgId, page, isLinkedViewer(principal) ? principal.lenses : null),
    view: toLensView,
  }),
  defineOperation('POST', '/lenses', {
    id: 'createLens',
    summary: 'Create a lens through the API',
    description: 'Returns the first draft of the lens. Callers can use the lens once you publish a draft.',
    body: wire.newLensBodySchema.meta({ examples: [EXAMPLE_LENS] }),
    status: 201,
    result: wire.draftSchema,
    run: ({ deps, actor, body }) => lenses.createLens(deps, actor, body),
    revision: ({ revision }) => revision,
    view: toWireObject,
  }),
  defineOperation('GET', '/lenses/:name', {
    id: 'getLensFiles',
    summary: 'One lens with the files of its published version',
    description: '`origin` says whether you change the lens through files or through drafts.',
    result: wire.lensDetailSchema,
    run: async ({ deps, orgId, params }) => {
      const row = await lenses.getLens(deps, orgId, params.name);
      const files = row.activeVersion === null ? {} : (await versions.getVersion(deps, orgId, params.name, null)).files;
      return { ...toLensView(row), files };
    },
  }),
  defineOperation('DELETE', '/lenses/:name', {
    id: 'deleteLens',
    summary: 'Take a lens out of service',
    description:
      'The versions of the lens stay in the history. svc removes the files of a file-based lens from the project, as an edit.',
    run: ({ deps, actor, params }) => lenses.deleteLens(deps, actor, params.name),
  }),
  defineOperation('GET', '/lenses/:name/versions', {
    id: 'listVersions',
    summary: 'Versions, newest first',
    description: 'Versions are immutable. `active` marks the published version.',
    access: 'any viewer',
    ...createPagedOperation(wire.versionRowSchema),
    orderBy: versionOrder,
    run: ({ deps, orgId, params, page }) => versions.listVersions(deps, orgId, params.name, page),
    view: toWireObject,
  }),
  defineOperation('GET', '/lenses/:name/versions/:version', {
    id: 'getVersion',
    summary: 'One version with its files and the compiled lens',
    description: 'Returns the files and the compiled lens, as svc served them.',
    params: wire.versionParamsSchema,
    result: wire.versionDetailSchema,
    fails: ['invalid'],
    run: ({ deps, orgId, params }) => versions.getVersion(deps, orgId, params.name, params.version),
    view: ({ compiled, ...version }) => ({ ...toWireObject(version), lens: { ...compiled } }),
  }),
  defineOperation('POST', '/lenses/:name/versions/:version/restore', {
    id: 'restoreVersion',
    access: 'curator',
    summary: 'Restore an old version as a new version',
    description:
      'svc checks the version against the current warehouse. For a file-based lens, svc restores the old lens.yaml as an edit of the project.',
    params: wire.versionParamsSchema,
    result: wire.publishedLensSchema,
    refusesFaultyFiles: true,
    run: async ({ deps, actor, params: { name, version } }) => ({
      lens: name,
      ...(await restoreVersion(deps, actor, name, version)),
    }),
  }),
  defineOperation('GET', '/lenses/:name/repo', {
    id: 'getLensRepo',
    summary: 'File tree of a lens',
    description: 'Lists the files of the published version, or of `version`.',
    access: 'any viewer',
    query: wire.lensTreeQuerySchema,
    result: wire.lensTreeSchema,
    run: async ({ deps, orgId, params: { name }, query: { version = null, ...page } }) => {
      const tree = await versions.readLensTree(deps, orgId, name, version);
      return { lens: name, version: tree.version, ...selectPage(tree.items, page) };
    },
  }),
  defineOperation('GET', '/lenses/:name/repo/*', {
    id: 'getLensRepoFile',
    summary: 'One file of the lens',
    description: 'Returns the exact text of the file.',
    params: lensParamsSchema.extend({
      '*': z.string().min(1).max(500).describe('Path inside the lens, such as certified/core.yaml'),
    }),
    query: z.strictObject({ version: z.coerce.number().int().min(1).optional() }),
    result: wire.lensTreeFileSchema,
    run: async ({ deps, orgId, params: { name, '*': path }, query: { version = null } }) => ({
      lens: name,
      ...(await versions.readLensFile(deps, orgId, name, path, version)),
    }),
  }),
  defineOperation('GET', '/lenses/:name/diff', {
    id: 'diffLens',
    summary: 'Compare two versions',
    description: 'Lists changes in meaning (metrics, definitions, policies) and in files.',
    query: wire.versionDiffQuerySchema,
    result: wire.versionDiffSchema,
    run: async ({ deps, orgId, params: { name }, query: { from, to = null } }) => ({
      lens: name,
      ...(await versions.readLensDiff(deps, orgId, name, from, to)),
    }),
  }),
  defineOperation('GET', '/lenses/:name/context', {
    id: 'getLensContext',
    summary: 'The context that svc sends to a language model',
    description:
      'Returns the parts of the lens that svc sends to a model with the question `q`, with the nearest certified entries and the current day. For a large lens, returns only the parts that the question can use, and the names of the other parts. The context contains names and meanings, never rows or masked fields. The call that writes the answer also gets the question, its interpretation and at most `max_rows_to_compose` rows.',
    query: z.strictObject({ q: z.string().trim().min(1).max(4000).optional() }),
    result: wire.modelContextSchema,
    run: async ({ deps, orgId, params, query: { q = null } }) => {
      const lens = await getLiveLens(deps.lenses, orgId, params.name);
      const { text } = await buildModelContext(deps.library, lens, q, deps.clock.now());
      return { lens: lens.name, version: lens.version, context: text, characters: text.length };
    },
  }),
  defineOperation('GET', '/lenses/:name/drift', {
    id: 'getLensDrift',
    summary: 'Drift at the last audit',
    description:
      'Lists differences between the lens and its warehouse, and the metrics, relationships and certified entries that no longer run.',
    query: pageQuerySchema,
    result: driftReportSchema,
    run: async ({ deps, orgId, params, query }) => {
      await lenses.getLens(deps, orgId, params.name);
      const { takenAt, findings } = await readDrift(deps, orgId, [params.name]);
      return { taken_at: takenAt?.toISOString() ?? null, ...selectPage(findings, query) };
    },
  }),
  createOperationFactory<RouteDeps, LensScope>('lenses (control plane)', 'control', loadLensScope)(
    'POST',
    '/lenses/:name/drift',
    {
      id: 'auditLensDrift',
      access: 'curator',
      summary: 'Compare a lens with its warehouse',
      description:
        'If the data contradicts a join or a key (orphaned or repeated values), svc withdraws the confirmation of that join or key, edits the lens and reports the change. svc also refreshes the dictionaries of the lens. The reply identifies the run. GET returns the newest report.',
      ...runStartResponse,
      run: (call) =>
        startLensRun(call, { kind: 'lens.drift' }, async ({ report, signal }) => {
          const { name } = call.liveLens;
          const findings = await auditDrift(call.deps, call.actor, [name], report, signal);
          await call.deps.dictionaries.refresh(call.orgId, name);
          return { findings };
        }),
    },
  ),
  defineOperation('GET', '/lenses/:name/sample-queries', {
    id: 'listSampleQueries',
    summary: 'Sample questions',
    description: 'Lists the questions of lens.yaml, then the questions added through the API.',
    access: 'any viewer',
    ...createPagedOperation(wire.sampleQuestionSchema),
    run: async ({ deps, orgId, params, query }) => {
      const { fileQuestions, addedQueries } = await grantsAndSamples.readSampleQuestions(deps, orgId, params.name);
      return selectPage([...fileQuestions.map(toFileSampleView), ...addedQueries.map(toSampleView)], query);
    },
  }),
  defineOperation('POST', '/lenses/:name/sample-queries', {
    id: 'addSampleQuery',
    access: 'curator',
    summary: 'Add a sample question',
    description:
      'svc asks the question first, and returns 422 with the outcome if there is no answer. Callers then see the question with the other sample questions. Sample questions don’t change answers.',
    body: wire.newSampleQuestionBodySchema.meta({ examples: [{ question: 'What was revenue by region in 2016?' }] }),
    status: 201,
    result: wire.sampleQuestionSchema,
    fails: ['upstream', 'timeout'],
    run: async ({ deps, actor, params, body: { question, note = null }, createAskContext: askContext }) => {
      await checkSampleQuestion(deps, askContext(), params.name, question);
      return grantsAndSamples.addSampleQuestion(deps, actor, params.name, { question, note });
    },
    view: toSampleView,
  }),
  defineOperation('DELETE', '/lenses/:name/sample-queries/:id', {
    id: 'removeSampleQuery',
    access: 'curator',
    summary: 'Remove an added sample question',
    description: 'To change the questions of lens.yaml, edit the file.',
    params: wire.draftParamsSchema,
    run: ({ deps, actor, params }) => grantsAndSamples.deleteSampleQuestion(deps, actor, params.name, params.id),
  }),
  defineOperation('GET', '/lenses/:name/grants', {
    id: 'getLensGrants',
    summary: 'Callers that may use the lens, and their grants',
    description: 'The union of grants from files, groups and the API. The ETag covers the grants that PUT replaces.',
    result: identity.lensGrantsSchema,
    run: ({ deps, orgId, params }) => grantsAndSamples.listLensGrants(deps, orgId, params.name),
    revision: grantsAndSamples.hashLensGrants,
    view: toLensGrantsView,
  }),
  defineOperation('PUT', '/lenses/:name/grants', {
    id: 'setLensGrants',
    summary: 'Grant the lens to callers and groups',
    description:
      'Replaces the grants that earlier requests to this route made. If a caller is unknown, svc returns an error that names similar callers. If a group has no members, svc only warns, because a group exists only while a caller belongs to the group.',
    body: identity.lensGrantsBodySchema.meta({ examples: [{ callers: ['ada'], groups: ['sales'] }] }),
    result: identity.changedLensGrantsSchema,
    ifMatch: true,
    run: ({ deps, actor, params, body, ifMatch }) =>
      grantsAndSamples.replaceLensGrants(deps, actor, params.name, body, ifMatch),
    revision: ({ grants }) => grantsAndSamples.hashLensGrants(grants),
    view: ({ grants, warnings }) => ({ ...toLensGrantsView(grants), warnings }),
  }),
];

function toFileSampleView(question: string, index: number) {
  const emptyMembers = { note: null, created_by: null, created_at: null, tried_at: null };
  return { id: `file-${index + 1}`, question, origin: 'file' as const, ...emptyMembers };
}
