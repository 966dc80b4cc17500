import type { z } from 'zod';
import { runLensEvals } from '../../../ask/run-lens-evals.ts';
import type { EvalExpectation } from '../../../contract/files/corpus-files.ts';
import { pageQuerySchema } from '../../../contract/lens.ts';
import * as wire from '../../../contract/mgmt/evals.ts';
import { observedEvalsSchema } from '../../../contract/mgmt/observe.ts';
import { runStartResponse } from '../../../contract/mgmt/shared.ts';
import type { Deps } from '../../../deps.ts';
import { toSlug } from '../../../domain/certified/entries.ts';
import * as evals from '../../../domain/evals/evals.ts';
import { toWireObject } from '../../../platform/http/to-wire.ts';
import { createOperationFactory, type ResultOf, toEntityTag } from '../../http/operation.ts';
import { createIdOrder, createTextOrder } from '../../http/page.ts';
import { type LensScope, loadLensScope } from '../lens-scope.ts';

type RouteDeps = Pick<Deps, 'tenancy' | 'lenses' | 'warehouses' | 'project' | 'runs' | 'untracedAsk'>;
const defineOperation = createOperationFactory<RouteDeps, LensScope>('evals', 'control', loadLensScope);
const EXAMPLE_EVAL = {
  id: 'west-2016',
  question: 'What was revenue in the West in 2016?',
  paraphrases: ['Revenue 2016 in the West?'],
  expect: { value: 187480.18, tolerance: 0.01 },
};

const toEvalView = (
  storedCase: ResultOf<typeof evals.createEval>,
  { liveLens }: LensScope,
): z.infer<typeof wire.evalCaseSchema> => ({
  lens: liveLens.name,
  ...toWireObject(storedCase),
  expect: storedCase.expect as Record<string, unknown>,
  etag: toEntityTag(evals.hashEvalRevision(storedCase)),
});

const toEvalRunView = (
  run: ResultOf<typeof evals.listEvalRuns>[number],
  { liveLens }: LensScope,
): z.infer<typeof wire.evalRunSchema> => ({ lens: liveLens.name, ...toWireObject(run) });

function toLastRunView({ lens, cases, runId, at, version, summary }: ResultOf<typeof evals.listLastEvalRuns>[number]) {
  if (!runId || !summary) return { lens, cases, last_run: null };
  return { lens, cases, last_run: { ...summary, run_id: runId, at: at!.toISOString(), lens_version: version! } };
}

export const evalRoutes = [
  defineOperation('GET', '/lenses/:name/evals', {
    id: 'listEvals',
    summary: 'Eval cases of a lens',
    description:
      'Lists the cases from files and the cases created through the API. Send `etag` as If-Match to change a case.',
    query: pageQuerySchema,
    result: wire.evalListSchema,
    orderBy: createTextOrder('id'),
    run: ({ deps, orgId, liveLens, page }) => evals.listEvals(deps, orgId, liveLens, page),
    view: toEvalView,
  }),
  defineOperation('POST', '/lenses/:name/evals', {
    id: 'createEval',
    access: 'curator',
    summary: 'Add an eval case',
    description:
      'The expected result is the rows of a SQL statement, given rows, one value, a clarification, or a status.',
    body: wire.newEvalBodySchema.meta({ examples: [EXAMPLE_EVAL] }),
    status: 201,
    result: wire.evalCaseSchema,
    run: ({ deps, actor, liveLens, body: { id, choices = null, ...body } }) =>
      evals.createEval(deps, actor, liveLens, { ...body, id: id ?? toSlug(body.question), choices }),
    view: toEvalView,
  }),
  defineOperation('PATCH', '/lenses/:name/evals/:id', {
    id: 'changeEval',
    access: 'curator',
    summary: 'Change an eval case',
    description: 'For a file-based case, svc writes the change to the case’s file in the project.',
    params: wire.evalParamsSchema,
    body: wire.changeEvalBodySchema.meta({ examples: [{ expect: { status: 'refused' } }] }),
    result: wire.evalCaseSchema,
    ifMatch: true,
    run: ({ deps, actor, liveLens, params: { id }, body, ifMatch }) => {
      const definedChange = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as {
        expect?: EvalExpectation;
      };
      return evals.changeEval(deps, actor, liveLens, { id, ifMatch }, definedChange);
    },
    view: toEvalView,
  }),
  defineOperation('DELETE', '/lenses/:name/evals/:id', {
    id: 'deleteEval',
    access: 'curator',
    summary: 'Delete an eval case',
    description: 'svc keeps earlier runs with this case.',
    params: wire.evalParamsSchema,
    ifMatch: true,
    run: ({ deps, actor, liveLens, params: { id }, ifMatch }) =>
      evals.deleteEval(deps, actor, liveLens, { id, ifMatch }),
  }),
  defineOperation('POST', '/lenses/:name/evals/run', {
    id: 'runEvals',
    access: 'curator',
    summary: 'Run the eval cases of a lens',
    description:
      'Asks each question with your access. Follow the run at GET /mgmt/runs/{run_id}. The results are at GET /mgmt/lenses/{name}/evals/runs/{run_id}.',
    body: wire.evalRunBodySchema.meta({ examples: [{}, { ids: ['west-2016'] }] }),
    ...runStartResponse,
    run: async ({ deps, actor, principal, liveLens, body }) => ({
      run_id: await runLensEvals(deps, actor, principal, liveLens, body.ids),
    }),
  }),
  defineOperation('GET', '/lenses/:name/evals/runs', {
    id: 'listEvalRuns',
    summary: 'Runs of the eval cases, newest first',
    description:
      'For each run, lists the lens version, figures such as the accuracy, and the cases that have started to pass or fail since the previous run.',
    query: pageQuerySchema,
    result: wire.evalRunListSchema,
    orderBy: createIdOrder('runId'),
    run: ({ deps, orgId, liveLens, page }) => evals.listEvalRuns(deps, orgId, liveLens, page),
    view: toEvalRunView,
  }),
  defineOperation('GET', '/lenses/:name/evals/runs/:id', {
    id: 'getEvalRun',
    summary: 'One run, case by case',
    description:
      'Lists each case. A failed case has a reason: missing_rows, extra_rows, wrong_grain, wrong_filter, wrong_value, wrong_rows, wrong_order, missing_column, extra_column, not_answered, asked_back, failed, should_not_answer, wrong_clarification, wrong_status, expectation_failed.',
    params: wire.evalParamsSchema,
    result: wire.evalRunDetailSchema,
    run: ({ deps, orgId, liveLens, params }) => evals.getEvalRun(deps, orgId, liveLens, params.id),
    view: (evalRun, call) => ({ ...toEvalRunView(evalRun, call), cases: evalRun.cases }),
  }),
  createOperationFactory<RouteDeps>('observe')('GET', '/observe/evals', {
    id: 'observeEvals',
    summary: 'Last eval run of each lens',
    description: 'Lists the published lenses by name.',
    query: pageQuerySchema,
    result: observedEvalsSchema,
    orderBy: createTextOrder('lens'),
    run: ({ deps, orgId, page }) => evals.listLastEvalRuns(deps, orgId, page),
    view: toLastRunView,
  }),
];
