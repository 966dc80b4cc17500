// Routes for the drift, sample questions and grants of a lens.

import { checkSampleQuestion } from '../../ask/try-sample.ts';
import { pageQuery } from '../../contract/lens.ts';
import { driftReport } from '../../contract/mgmt/connections.ts';
import * as identity from '../../contract/mgmt/identity.ts';
import * as wire from '../../contract/mgmt/lenses.ts';
import { lensParams, listSchemaOf, runStarted } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import { auditDrift, readDrift } from '../../domain/lenses/drift.ts';
import * as upkeep from '../../domain/lenses/lens-upkeep.ts';
import { getLens } from '../../domain/lenses/lenses.ts';
import { wireOf } from '../../platform/http/wire-of.ts';
import { defineOperations, type ResultOf } from '../http/operation.ts';
import { pageOf } from '../http/page.ts';
import { type OnLens, readLens, startLensRun } from './on-lens.ts';
import { lensGrantsView } from './views.ts';

type RouteDeps = Pick<
  Deps,
  'tenancy' | 'warehouses' | 'project' | 'lenses' | 'clock' | 'dictionaries' | 'runs' | 'sideAsk' | 'authenticator'
>;
const operation = defineOperations<RouteDeps>('lenses (control plane)');

const sampleView = (row: ResultOf<typeof upkeep.addSampleQuery>) => ({ ...wireOf(row), origin: 'api' as const });

export const lensUpkeepRoutes = [
  operation('GET', '/lenses/:name/drift', {
    id: 'getLensDrift',
    summary: 'Drift at the last audit',
    description:
      'Lists differences between the lens and its warehouse, and the metrics, relationships and certified entries that no longer run.',
    access: 'any viewer',
    params: lensParams,
    query: pageQuery,
    result: driftReport,
    run: async ({ deps, orgId, params, query }) => {
      await getLens(deps, orgId, params.name);
      const { takenAt, findings } = await readDrift(deps, orgId, [params.name]);
      return { taken_at: takenAt?.toISOString() ?? null, ...pageOf(findings, query) };
    },
  }),
  defineOperations<RouteDeps, OnLens>('lenses (control plane)', 'control', readLens)('POST', '/lenses/:name/drift', {
    id: 'auditLensDrift',
    access: 'curator',
    summary: 'Compare a lens with its warehouse',
    description:
      'If the data contradicts a join or a key (orphaned or repeated values), svc withdraws the confirmation of that join or key, edits the lens and reports the change. svc also refreshes the dictionaries of the lens. Follow the run; GET returns the newest report.',
    params: lensParams,
    status: 202,
    result: runStarted,
    run: (call) =>
      startLensRun(call, { kind: 'lens.drift' }, async ({ report, signal }) => {
        const { name } = call.liveLens;
        const findings = await auditDrift(call.deps, call.actor, [name], report, signal);
        await call.deps.dictionaries.refresh(call.orgId, name);
        return { findings };
      }),
  }),
  operation('GET', '/lenses/:name/sample-queries', {
    id: 'listSampleQueries',
    summary: 'Sample questions',
    description: 'Lists the questions of lens.yaml, then the questions added through the API.',
    access: 'any viewer',
    params: lensParams,
    query: pageQuery,
    result: listSchemaOf(wire.sampleQuery),
    run: async ({ deps, orgId, params, query }) => {
      const { fileQuestions, addedQueries } = await upkeep.readSampleQueries(deps, orgId, params.name);
      return pageOf([...fileQuestions.map(fileSampleView), ...addedQueries.map(sampleView)], query);
    },
  }),
  operation('POST', '/lenses/:name/sample-queries', {
    id: 'addSampleQuery',
    access: 'curator',
    summary: 'Add a sample question',
    description:
      'svc asks the question first, and returns 422 with the outcome if there is no answer. Callers then see the question with the other sample questions. Sample questions don’t change answers.',
    params: lensParams,
    body: wire.newSampleBody.meta({ examples: [{ question: 'What was revenue by region in 2016?' }] }),
    status: 201,
    result: wire.sampleQuery,
    fails: ['upstream', 'timeout'],
    run: async ({ deps, actor, params, body: { question, note = null }, createAskContext: askContext }) => {
      await checkSampleQuestion(deps, askContext(), params.name, question);
      return upkeep.addSampleQuery(deps, actor, params.name, { question, note });
    },
    view: sampleView,
  }),
  operation('DELETE', '/lenses/:name/sample-queries/:id', {
    id: 'removeSampleQuery',
    access: 'curator',
    summary: 'Remove an added sample question',
    description: 'To change the questions of lens.yaml, edit the file.',
    params: wire.draftParams,
    run: ({ deps, actor, params }) => upkeep.removeSampleQuery(deps, actor, params.name, params.id),
  }),
  operation('GET', '/lenses/:name/grants', {
    id: 'getLensGrants',
    summary: 'Callers that may use the lens, and their grants',
    description: 'The union of grants from files, groups and the API. The ETag covers the grants that PUT replaces.',
    params: lensParams,
    result: identity.lensGrants,
    run: ({ deps, orgId, params }) => upkeep.listLensGrants(deps, orgId, params.name),
    revision: upkeep.lensGrantsRevision,
    view: lensGrantsView,
  }),
  operation('PUT', '/lenses/:name/grants', {
    id: 'setLensGrants',
    summary: 'Grant the lens to callers and groups',
    description:
      'Replaces the grants that earlier requests to this route made. If a caller is unknown, svc returns an error that names similar callers. If a group has no members, svc only warns, because a group exists once a caller is in it.',
    params: lensParams,
    body: identity.lensGrantsBody.meta({ examples: [{ callers: ['ada'], groups: ['sales'] }] }),
    result: identity.lensGrantsSet,
    ifMatch: true,
    run: ({ deps, actor, params, body, ifMatch }) => upkeep.replaceLensGrants(deps, actor, params.name, body, ifMatch),
    revision: ({ grants }) => upkeep.lensGrantsRevision(grants),
    view: ({ grants, warnings }) => ({ ...lensGrantsView(grants), warnings }),
  }),
];

function fileSampleView(question: string, index: number) {
  const emptyMembers = { note: null, created_by: null, created_at: null, tried_at: null };
  return { id: `file-${index + 1}`, question, origin: 'file' as const, ...emptyMembers };
}
