// What is kept beside the files of a lens: its drift, sample questions and grants.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { pageQuery } from '../../contract/lens.ts';
import { driftReport } from '../../contract/mgmt/connections.ts';
import * as identity from '../../contract/mgmt/identity.ts';
import * as wire from '../../contract/mgmt/lenses.ts';
import { lensParams, listOf, ok, runStarted } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import { auditDrift, readDrift } from '../../domain/lenses/drift.ts';
import { getServedLens } from '../../domain/lenses/get-served-lens.ts';
import { getLens } from '../../domain/lenses/keep-lenses.ts';
import * as upkeep from '../../domain/lenses/lens-upkeep.ts';
import { Problem } from '../../platform/problem.ts';
import { disconnectSignal } from '../http/disconnect-signal.ts';
import { pageOf } from '../http/page.ts';
import { runOnce } from '../http/run-once.ts';
import { actorOf, changing, ifMatch, reading, tagged } from './route-parts.ts';
import { startLensRun } from './start-lens-run.ts';
import { lensGrantsView } from './views.ts';

const TAG = 'lenses (control plane)';

export function lensUpkeepRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.get(
    '/lenses/:name/drift',
    {
      schema: {
        ...reading(TAG, driftReport, 'not_found', 'invalid'),
        operationId: 'getLensDrift',
        summary: 'Drift at the last audit',
        description: 'Names of the lens that the warehouse no longer has, and what breaks because of it.',
        params: lensParams,
        querystring: pageQuery,
      },
    },
    async ({ principal, params, query }) => {
      await getLens(deps, principal.orgId, params.name);
      const { takenAt, findings } = await readDrift(deps, principal.orgId, [params.name]);
      return { taken_at: takenAt?.toISOString() ?? null, ...pageOf(findings, query) };
    },
  );

  app.post(
    '/lenses/:name/drift',
    {
      schema: {
        ...changing(TAG, 202, runStarted, 'not_found'),
        operationId: 'auditLensDrift',
        summary: 'Compare a lens with its warehouse',
        description:
          'If the data contradicts a join or a key (orphaned or repeated values), svc withdraws its confirmation, edits the lens and reports it. svc also refreshes the dictionaries of the lens. Follow the run; GET returns the newest report.',
        params: lensParams,
      },
    },
    (request, reply) =>
      startLensRun(deps, request, reply, { kind: 'lens.drift' }, async (served, { report, signal }) => {
        const { orgId } = request.principal;
        const findings = await auditDrift(deps, actorOf(request), [served.name], report, signal);
        await deps.dictionaries.refresh(orgId, served.name);
        return { findings };
      }),
  );

  app.get(
    '/lenses/:name/sample-queries',
    {
      schema: {
        ...reading(TAG, listOf(wire.sampleQuery), 'not_found', 'invalid'),
        operationId: 'listSampleQueries',
        summary: 'Sample questions',
        description: 'From lens.yaml, then those added here.',
        params: lensParams,
        querystring: pageQuery,
      },
    },
    async ({ principal, params, query }) => {
      const added = await upkeep.sampleQueries(deps, principal.orgId, params.name);
      const shown = (await deps.lenses.find(principal.orgId, params.name))?.lens.sampleQuestions ?? [];
      const own = shown.filter((question) => !added.some((one) => one.question === question));
      return pageOf(
        [
          ...own.map((question, index) => ({
            id: `file-${index + 1}`,
            question,
            note: null,
            origin: 'file' as const,
            created_by: null,
            created_at: null,
            tried_at: null,
          })),
          ...added.map(sampleView),
        ],
        query,
      );
    },
  );

  app.post(
    '/lenses/:name/sample-queries',
    {
      schema: {
        ...changing(TAG, 201, wire.sampleQuery, 'not_found', 'upstream', 'timeout'),
        operationId: 'addSampleQuery',
        summary: 'Add a sample question',
        description:
          'svc asks the question first, and returns 422 with the outcome if it gets no answer. Callers then see it with the other sample questions. It changes no answers.',
        params: lensParams,
        body: wire.newSampleBody.meta({ examples: [{ question: 'What was revenue by region in 2016?' }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const { question, note = null } = request.body;
        await trySample(deps, request, reply, request.params.name, question);
        const added = await upkeep.addSampleQuery(deps, actorOf(request), request.params.name, { question, note });
        return { status: 201, body: sampleView(added) };
      }),
  );

  app.delete(
    '/lenses/:name/sample-queries/:id',
    {
      schema: {
        ...changing(TAG, 200, ok, 'not_found'),
        operationId: 'removeSampleQuery',
        summary: 'Remove an added sample question',
        description: 'Change questions of lens.yaml in the file.',
        params: wire.draftParams,
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        await upkeep.removeSampleQuery(deps, actorOf(request), request.params.name, request.params.id);
        return { status: 200, body: { ok: true as const } };
      }),
  );

  app.get(
    '/lenses/:name/grants',
    {
      schema: {
        ...reading(TAG, identity.lensGrants, 'not_found'),
        operationId: 'getLensGrants',
        summary: 'Callers that may use the lens, and their grants',
        description:
          'The union of grants from files, groups and the API. The ETag covers the grants that PUT replaces.',
        params: lensParams,
      },
    },
    async ({ principal, params }, reply) => {
      const grants = await upkeep.lensGrants(deps, principal.orgId, params.name);
      tagged(reply, upkeep.lensGrantsRevision(grants));
      return lensGrantsView(grants);
    },
  );

  app.put(
    '/lenses/:name/grants',
    {
      schema: {
        ...changing(TAG, 200, identity.lensGrantsSet, 'not_found', 'precondition_failed'),
        operationId: 'setLensGrants',
        summary: 'Grant the lens to callers and groups',
        description:
          'Replaces earlier grants of this route. An unknown caller is an error that names similar callers. A group exists once a caller is in it, so a group without members is a warning.',
        params: lensParams,
        body: identity.lensGrantsBody.meta({ examples: [{ callers: ['ada'], groups: ['sales'] }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const { params, body } = request;
        const { grants, warnings } = await upkeep.grantLens(
          deps,
          actorOf(request),
          params.name,
          body,
          ifMatch(request),
        );
        tagged(reply, upkeep.lensGrantsRevision(grants));
        return { status: 200, body: { ...lensGrantsView(grants), warnings } };
      }),
  );
}

async function trySample(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  question: string,
): Promise<void> {
  const { principal, id: requestId } = request;
  const served = await getServedLens(deps.lenses, principal.orgId, name);
  const context = { principal, requestId, surface: 'mgmt' as const, client: null, signal: disconnectSignal(reply) };
  const tried = await deps.sideAsk(served).query(context, name, { q: question, format: 'structured' });
  if (tried.status === 'answered') return;
  const what = tried.answer ?? 'It got no answer.';
  if (tried.error)
    throw new Problem(tried.error.code, `The question was not added, because svc could not ask it: ${what}`);
  throw new Problem('invalid', `The question was not added, because it got no answer (${tried.status}): ${what}`, {
    param: 'question',
    details: [{ path: 'question', code: tried.status, message: what }],
  });
}

const sampleView = (row: {
  id: string;
  question: string;
  note: string | null;
  createdBy: string;
  createdAt: Date;
  triedAt: Date | null;
}) => ({
  id: row.id,
  question: row.question,
  note: row.note,
  origin: 'api' as const,
  created_by: row.createdBy,
  created_at: row.createdAt.toISOString(),
  tried_at: row.triedAt?.toISOString() ?? null,
});
