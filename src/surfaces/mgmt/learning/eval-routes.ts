// Eval cases of a lens, their runs, and what came of them.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { evalPorts } from '../../../ask/eval-lens.ts';
import type { EvalExpectation } from '../../../contract/files/corpus-files.ts';
import { pageQuery } from '../../../contract/lens.ts';
import * as wire from '../../../contract/mgmt/evals.ts';
import { observedEvals } from '../../../contract/mgmt/observe.ts';
import { lensParams, ok, runStarted } from '../../../contract/mgmt/shared.ts';
import type { Deps } from '../../../deps.ts';
import { slugOf } from '../../../domain/certified/keep-entries.ts';
import * as rows from '../../../domain/evals/eval-repository.ts';
import { changeEval, createEval, evalRevision, removeEval } from '../../../domain/evals/keep-evals.ts';
import { compareRuns, runEvals } from '../../../domain/evals/run-evals.ts';
import { getServedLens } from '../../../domain/lenses/get-served-lens.ts';
import { isId } from '../../../platform/ids.ts';
import { Problem } from '../../../platform/problem.ts';
import { runOnce } from '../../http/run-once.ts';
import { pageAfter } from '../page-after.ts';
import { actorOf, changing, ifMatch, reading, tagOf } from '../route-parts.ts';

const EXAMPLE = {
  id: 'west-2016',
  question: 'What was revenue in the West in 2016?',
  paraphrases: ['Revenue 2016 in the West?'],
  expect: { value: 187480.18, tolerance: 0.01 },
};

export function evalRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const lensOf = (orgId: string, name: string) => getServedLens(deps.lenses, orgId, name);
  const tag = 'evals';

  app.get(
    '/lenses/:name/evals',
    {
      schema: {
        ...reading(tag, wire.evalList, 'not_found', 'invalid'),
        operationId: 'listEvals',
        summary: 'Eval cases of a lens',
        description: 'From files and created by API. Send `etag` as If-Match to change one.',
        params: lensParams,
        querystring: pageQuery,
      },
    },
    async ({ principal, params, query }) => {
      const { lensId, name } = await lensOf(principal.orgId, params.name);
      const read = (at: { limit: number; after: string | null }) =>
        deps.tenancy.inTenant(principal.orgId, (db) => rows.listEvals(db, lensId, at));
      return pageAfter(
        query,
        read,
        ({ id }) => id,
        (row) => evalView(name, row),
        'names',
      );
    },
  );

  app.post(
    '/lenses/:name/evals',
    {
      schema: {
        ...changing(tag, 201, wire.evalCase, 'not_found'),
        operationId: 'createEval',
        summary: 'Add an eval case',
        description:
          'The expected result is the rows of a SQL statement, given rows, one value, a clarification, or a status.',
        params: lensParams,
        body: wire.createEval.meta({ examples: [EXAMPLE] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const lens = await lensOf(request.principal.orgId, request.params.name);
        const { id, choices, ...body } = request.body;
        const made = await createEval(deps, actorOf(request), lens, {
          ...body,
          id: id ?? slugOf(body.question),
          choices: choices ?? null,
        });
        return { status: 201, body: evalView(lens.name, made) };
      }),
  );

  app.patch(
    '/lenses/:name/evals/:id',
    {
      schema: {
        ...changing(tag, 200, wire.evalCase, 'not_found', 'precondition_failed'),
        operationId: 'changeEval',
        summary: 'Change an eval case',
        description: 'svc writes the change of a file-based case to its file in the project.',
        params: wire.evalParams,
        body: wire.changeEval.meta({ examples: [{ expect: { status: 'refused' } }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const lens = await lensOf(request.principal.orgId, request.params.name);
        const given = Object.fromEntries(Object.entries(request.body).filter(([, value]) => value !== undefined)) as {
          expect?: EvalExpectation;
        };
        const { id } = request.params;
        const changed = await changeEval(deps, actorOf(request), lens, id, given, ifMatch(request));
        return { status: 200, body: evalView(lens.name, changed) };
      }),
  );

  app.delete(
    '/lenses/:name/evals/:id',
    {
      schema: {
        ...changing(tag, 200, ok, 'not_found', 'precondition_failed'),
        operationId: 'deleteEval',
        summary: 'Delete an eval case',
        description: 'Earlier runs with this case stay.',
        params: wire.evalParams,
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        await removeEval(
          deps,
          actorOf(request),
          await lensOf(request.principal.orgId, request.params.name),
          request.params.id,
          ifMatch(request),
        );
        return { status: 200, body: { ok: true as const } };
      }),
  );

  app.post(
    '/lenses/:name/evals/run',
    {
      schema: {
        ...changing(tag, 202, runStarted, 'not_found'),
        operationId: 'runEvals',
        summary: 'Run the eval cases of a lens',
        description:
          'Runs like any ask, as an admin. Follow the run at GET /mgmt/runs/{run_id}; the results are at GET /mgmt/lenses/{name}/evals/runs/{run_id}.',
        params: lensParams,
        body: wire.runBody.meta({ examples: [{}, { ids: ['west-2016'] }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const { principal, body } = request;
        const { orgId } = principal;
        const served = await lensOf(orgId, request.params.name);
        const all = await deps.tenancy.inTenant(orgId, (db) =>
          rows.listEvals(db, served.lensId, { limit: null, after: null }),
        );
        const unknown = (body.ids ?? []).filter((id) => !all.some((one) => one.id === id));
        if (unknown.length > 0)
          throw new Problem(
            'invalid',
            `Lens ${served.name} has no eval ${unknown.map((id) => `“${id}”`).join(', ')}.`,
            { param: 'ids' },
          );
        const cases = all.filter(({ id }) => !body.ids || body.ids.includes(id));
        const asked = { kind: 'evals.run', about: { kind: 'lens', id: served.name } };
        const run_id = await deps.runs.start(actorOf(request), asked, async ({ id, report, signal }) => {
          const before = await deps.tenancy.inTenant(orgId, (db) => rows.findEvalRun(db, served.lensId, null));
          const warehouse = await deps.warehouses.get(orgId, served.lens.connection);
          const ports = evalPorts(deps.sideAsk, principal, served, warehouse, signal);
          const ran = await runEvals(ports, cases, (done) => report({ done, total: cases.length }), signal);
          const summary = { ...ran.summary, ...compareRuns(before, ran.cases) };
          const run = { runId: id, lensVersion: served.version, summary, cases: ran.cases, actor: principal.name };
          await deps.tenancy.inTenant(orgId, (db) => rows.insertEvalRun(db, served.lensId, run));
          return { lens: served.name, lens_version: served.version, ...summary };
        });
        return { status: 202, body: { run_id } };
      }),
  );

  app.get(
    '/lenses/:name/evals/runs',
    {
      schema: {
        ...reading(tag, wire.evalRunList, 'not_found', 'invalid'),
        operationId: 'listEvalRuns',
        summary: 'Runs of the eval cases, newest first',
        description: 'Each with its lens version, its shares and the changes since the previous run.',
        params: lensParams,
        querystring: pageQuery,
      },
    },
    async ({ principal, params, query }) => {
      const { lensId, name } = await lensOf(principal.orgId, params.name);
      const read = (at: { limit: number; after: string | null }) =>
        deps.tenancy.inTenant(principal.orgId, (db) => rows.listEvalRuns(db, lensId, at));
      return pageAfter(
        query,
        read,
        ({ runId }) => runId,
        (row) => runView(name, row),
      );
    },
  );

  app.get(
    '/lenses/:name/evals/runs/:id',
    {
      schema: {
        ...reading(tag, wire.evalRunDetail, 'not_found'),
        operationId: 'getEvalRun',
        summary: 'One run, case by case',
        description:
          'Each wrong case with a reason: missing_rows, extra_rows, wrong_grain, wrong_filter, wrong_value, wrong_rows, wrong_order, missing_column, extra_column, not_answered, asked_back, failed, should_not_answer, wrong_clarification, wrong_status, expectation_failed.',
        params: wire.evalParams,
      },
    },
    async ({ principal, params }) => {
      const { lensId, name } = await lensOf(principal.orgId, params.name);
      const found = isId(params.id)
        ? await deps.tenancy.inTenant(principal.orgId, (db) => rows.findEvalRun(db, lensId, params.id))
        : null;
      if (!found)
        throw new Problem(
          'not_found',
          `Lens ${name} has no finished eval run with this id. GET /mgmt/lenses/${name}/evals/runs lists them.`,
        );
      return { ...runView(name, found), cases: found.cases };
    },
  );

  app.get(
    '/observe/evals',
    {
      schema: {
        ...reading('observe', observedEvals, 'invalid'),
        operationId: 'observeEvals',
        summary: 'Last eval run of each lens',
        description: 'Published lenses, by name.',
        querystring: pageQuery,
      },
    },
    ({ principal, query }) =>
      pageAfter(
        query,
        (at) => deps.tenancy.inTenant(principal.orgId, (db) => rows.observeEvals(db, at)),
        ({ lens }) => lens,
        ({ lens, cases, runId, at, version, summary }) => ({
          lens,
          cases,
          last_run:
            runId && summary
              ? {
                  run_id: runId,
                  at: at!.toISOString(),
                  lens_version: version!,
                  passed: summary.passed,
                  failed: summary.failed,
                  accuracy: summary.accuracy,
                }
              : null,
        }),
        'names',
      ),
  );
}

const evalView = (lens: string, { createdAt, updatedAt, ...one }: rows.StoredEval): z.infer<typeof wire.evalCase> => ({
  lens,
  ...one,
  expect: one.expect as Record<string, unknown>,
  etag: tagOf(evalRevision(one)),
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});
const runView = (lens: string, run: Omit<rows.StoredEvalRun, 'cases'>): z.infer<typeof wire.evalRun> => ({
  run_id: run.runId,
  lens,
  lens_version: run.lensVersion,
  actor: run.actor,
  created_at: run.createdAt.toISOString(),
  summary: run.summary,
});
