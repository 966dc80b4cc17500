// The steps of the governed ask, in order. Each step takes a type that only the previous step creates. Fetching rows
// needs a GuardedPlan, which only guardPlan creates, so code that runs an unguarded query doesn't compile.
//
// | step                              | query    | metrics     | routed   | certified run | sql | leaves early with         |
// | resolveLens (deny by default)     | x        | x           | picks    | x             | x   | not_found; uncovered      |
// | matchCertified                    | x        | -           | x        | by id         | -   |                           |
// | planQuestion / resolvePlan        | no match | of the body | as query | never         | own | clarification; refused    |
// | guardPlan                         | x        | x           | x        | x             | x   | guard_refused             |
// | provePlan, during the fetch       | x        | x           | x        | x             | x   | dry run                   |
// | fetchJsonRows (cap 5000)              | x        | x           | x        | x             | x   | failed; certified_failed  |
// | proveRows, gradeConfidence        | x        | x           | x        | x             | x   |                           |
// | capResponse                       | x        | x           | x        | x             | x   |                           |
// | composeProse (unless structured)  | x        | x           | x        | x             | x   |                           |
//
// createReceipt and the trace come last: svc writes the trace on every path before it returns the envelope.

import type { Envelope, Format, QueryBody } from '../contract/ask.ts';
import { PROBLEMS } from '../contract/problem-codes.ts';
import { createUnusableParametersProblem } from '../domain/certified/parameters.ts';
import { getAskingCallerId, isSuperuser, type Principal, toAnswerOwner } from '../domain/identity/principal.ts';
import type { Trace } from '../domain/observe/trace-repository.ts';
import { isInvalidValueFault, toCallerFault } from '../domain/statement-fault.ts';
import { findRestrictions } from '../lens/policies/restrictions.ts';
import { Problem } from '../platform/problem.ts';
import { resumeOnEventLoop } from '../platform/schedule/scheduler.ts';
import { type AskDeps, createProbeLimits } from './ask-deps.ts';
import type { AskContext } from './entry-points.ts';
import { Journal } from './journal.ts';
import {
  type CertifiedPlan,
  type EarlyEnd,
  type FetchedRows,
  type GrantedLens,
  type GuardedPlan,
  isEarlyEnd,
  type Plan,
} from './outcome.ts';
import { chooseChart } from './present/chart/choose-chart.ts';
import {
  applyFormat,
  createAnsweredEnvelope,
  createDryRunEnvelope,
  createEarlyEnvelope,
  createFailedEnvelope,
  type EnvelopeHeader,
} from './present/envelopes.ts';
import { comparePlan, resolveRequestedPlan } from './present/plan-members.ts';
import { composeProse } from './present/prose/compose-prose.ts';
import { hideWording, mayShowWording } from './present/shared-answer.ts';
import { createReceipt } from './present/sign-receipt.ts';
import { addUnavailabilityNotes } from './present/unavailable-models.ts';
import { gradeConfidence, gradeDryRun } from './prove/grade-confidence.ts';
import { type EqualPlan, findEqualPlan, withPlanColumns } from './prove/lift/equal-plan.ts';
import { findPlanOfCertified } from './prove/lift/find-plan-of-certified.ts';
import { createProbes, type Probes } from './prove/probes.ts';
import { provePlan, proveRows } from './prove/prove.ts';
import { LensReplacedError } from './read/resolve-lens.ts';
import type { ProbeLimits } from './read/values/probe-values.ts';
import { capResponse } from './run/cap-response.ts';
import { fetchRows } from './run/fetch-rows.ts';
import { guardPlan } from './run/guard-plan.ts';

export interface PreparedAsk {
  route: 'query' | 'metrics' | 'routed' | 'certified' | 'sql';
  question: string | null;
  /** The request body, from which svc can repeat the ask. */
  body: Partial<Pick<QueryBody, 'format' | 'dry_run' | 'choices' | 'chart' | 'plan'>>;
  /** Null if no lens covers a routed question. */
  grantedLens: GrantedLens | null;
  routing?: Envelope['routing'];
  plan: (journal: Journal) => Promise<Plan | EarlyEnd>;
}

function chooseFormat({ route, body: { format } }: PreparedAsk): Format {
  if (format === undefined) return route === 'metrics' || route === 'sql' ? 'structured' : 'both';
  return format === 'data' ? 'structured' : format;
}

interface AskRun {
  deps: AskDeps;
  context: AskContext;
  preparedAsk: PreparedAsk;
  journal: Journal;
  /** Aborts when the ask ends for any reason. */
  endController: AbortController;
  plan: Plan | EarlyEnd | null;
  guardedPlan: GuardedPlan | null;
  /** Releases the memory reserved for a large answer. */
  releaseRoom: () => void;
}

export async function runGovernedAsk(
  deps: AskDeps,
  context: AskContext,
  preparedAsk: PreparedAsk,
  journal = new Journal(deps.clock),
): Promise<Envelope> {
  const run: AskRun = {
    ...{ deps, context, preparedAsk, journal },
    ...{ endController: new AbortController(), plan: null, guardedPlan: null, releaseRoom: () => {} },
  };
  try {
    const plan = await journal.runStep(
      'plan',
      () => preparedAsk.plan(journal),
      (planOrEnd) => ('end' in planOrEnd ? planOrEnd.end : planOrEnd.plan),
    );
    run.plan = plan;
    if (isEarlyEnd(plan))
      return await finishAsk(
        run,
        createEarlyEnvelope(createHeader(run), withInvalidChoiceNotice(plan, preparedAsk.body)),
        null,
      );
    deps.dictionaries?.refreshIfExpired(plan.grantedLens);
    const guardedPlan = await journal.runStep('guard', () => guardPlan(plan, journal.startedAt));
    run.guardedPlan = guardedPlan;
    const limits = createAskProbeLimits(run);
    const probes = createProbes(guardedPlan.plan.grantedLens, limits);
    const pendingProof = journal.runStep('prove', () => proveMeaning(guardedPlan, probes, limits));
    if (preparedAsk.body.dry_run) return await createDryRunAnswer(run, guardedPlan, await pendingProof);
    pendingProof.catch(() => undefined); // If fetching the rows fails, the ask ends with that error.
    const readRows = await fetchWithDataDate(run, guardedPlan);
    const meaningProof = await pendingProof;
    const envelope = await composeEnvelope(run, guardedPlan, readRows, { ...meaningProof, probes });
    if (envelope.status !== 'answered') return envelope;
    await submitProposals(run, plan);
    return { ...envelope, ...(await resolvePlanMember(run, guardedPlan, meaningProof)) };
  } catch (thrownValue) {
    return await finishFailedAsk(run, thrownValue);
  } finally {
    run.endController.abort(ASK_ENDED_ERROR);
    run.releaseRoom();
  }
}

/** If the caller chose a meaning that the term doesn't have, the clarification says so first. */
function withInvalidChoiceNotice(earlyEnd: EarlyEnd, { choices = {} }: PreparedAsk['body']): EarlyEnd {
  if (earlyEnd.end !== 'clarification' || earlyEnd.clarification.kind !== 'ambiguous_term') return earlyEnd;
  const { term, message, options } = earlyEnd.clarification;
  const choice = Object.entries(choices).find(([key]) => key.toLowerCase() === term.toLowerCase())?.[1];
  if (choice === undefined || options.some((option) => typeof option === 'object' && option.key === choice))
    return earlyEnd;
  const fullMessage = `"${choice}" is not one of the options for "${term}". ${message}`;
  return { ...earlyEnd, clarification: { ...earlyEnd.clarification, message: fullMessage } };
}

/** All asks share one error object, because capturing a stack trace takes longer than most checks. */
const ASK_ENDED_ERROR = new DOMException('The ask has ended.', 'AbortError');

function createAskProbeLimits({ deps, context, journal, endController }: AskRun): ProbeLimits {
  return createProbeLimits(deps, journal.startedAt, combineSignals(context.signal, endController.signal));
}

/**
 * Aborts when one of the signals aborts. AbortSignal.any isn't used, because its weak references keep the memory of
 * each ask until the next full garbage collection.
 */
function combineSignals(...sources: AbortSignal[]): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    for (const source of sources) source.removeEventListener('abort', abort);
    controller.abort(sources.find(({ aborted }) => aborted)?.reason);
  };
  for (const source of sources) source.addEventListener('abort', abort);
  if (sources.some(({ aborted }) => aborted)) abort();
  return controller.signal;
}

/** The results of the checks that need no rows, and the plan that is equivalent to the statement. */
interface MeaningProof {
  equalPlan: EqualPlan | null;
  comparison: ReturnType<typeof comparePlan>;
  proof: Awaited<ReturnType<typeof provePlan>>;
}

async function proveMeaning({ plan }: GuardedPlan, probes: Probes, limits: ProbeLimits): Promise<MeaningProof> {
  const equalPlan = await findEqualPlan(plan, probes, limits);
  const foundPlan = equalPlan && 'plan' in equalPlan ? equalPlan : null;
  const originalPlan = equalPlan && 'why' in equalPlan ? { ...plan, unlike: equalPlan.why } : plan;
  const comparison = comparePlan(plan, equalPlan);
  return { equalPlan: foundPlan, comparison, proof: await provePlan(foundPlan?.plan ?? originalPlan, probes) };
}

async function resolvePlanMember({ preparedAsk, journal }: AskRun, { plan }: GuardedPlan, { equalPlan }: MeaningProof) {
  if (!preparedAsk.body.plan) return {};
  if (plan.plan !== 'certified')
    return resolveRequestedPlan(equalPlan?.plan ?? (plan.plan === 'compiled' ? plan : null), journal.startedAt);
  const certifiedPlan = await findPlanOfCertified(plan, journal.startedAt);
  return certifiedPlan ? { plan: certifiedPlan.written } : {};
}

async function createDryRunAnswer(
  run: AskRun,
  guardedPlan: GuardedPlan,
  meaningProof: MeaningProof,
): Promise<Envelope> {
  const reportedPlan = { ...guardedPlan, plan: withScopeOfEqualPlan(guardedPlan.plan, meaningProof.equalPlan) };
  const dryRunAnswer = createDryRunEnvelope(
    createHeader(run),
    reportedPlan,
    gradeDryRun(meaningProof.proof, guardedPlan.plan, meaningProof.equalPlan !== null),
    await estimateQuery(guardedPlan),
  );
  return {
    ...(await finishAsk(run, dryRunAnswer, guardedPlan.statement.sql)),
    ...meaningProof.comparison,
    ...(await resolvePlanMember(run, guardedPlan, meaningProof)),
  };
}

async function composeEnvelope(
  run: AskRun,
  guardedPlan: GuardedPlan,
  readRows: FetchedRows,
  { equalPlan, comparison, proof, probes }: MeaningProof & { probes: Probes },
): Promise<Envelope> {
  const { deps, context, preparedAsk, journal } = run;
  const fetchedRows = { ...readRows, plan: withScopeOfEqualPlan(guardedPlan.plan, equalPlan) };
  const judgedRows = equalPlan ? withPlanColumns(equalPlan, fetchedRows) : fetchedRows;
  const grading = gradeConfidence(await proveRows(proof, judgedRows, probes), judgedRows, fetchedRows);
  const cappedResponse = capResponse(fetchedRows, context.surface);
  const { truncated } = cappedResponse;
  const format = chooseFormat(preparedAsk);
  const { signal } = context;
  const proseOptions = { question: preparedAsk.question, truncated, withRows: format !== 'prose', signal };
  const prose =
    format === 'structured'
      ? null
      : await journal.runStep('compose', () => composeProse(deps, journal, fetchedRows, grading, proseOptions));
  const header = createHeader(run);
  const receipt = await createReceipt(
    fetchedRows,
    grading,
    { requestId: header.requestId, lens: header.lens, version: header.lensVersion, at: deps.clock.now() },
    deps.receiptKeys,
  );
  const envelope = createAnsweredEnvelope(header, fetchedRows, grading, {
    ...cappedResponse,
    answer: prose?.answer ?? null,
    warnings: [...cappedResponse.warnings, ...(prose?.warnings ?? [])],
    receipt,
  });
  const finalEnvelope = applyFormat(await finishAsk(run, envelope, guardedPlan.statement.sql), format);
  if (finalEnvelope.status !== 'answered') return finalEnvelope;
  const shownRows = { rows: cappedResponse.data, truncated };
  const chart = preparedAsk.body.chart && { chart: chooseChart(fetchedRows, shownRows) };
  return { ...finalEnvelope, ...comparison, ...chart };
}

/**
 * Ends an ask whose execution failed. Lets a model correct its plan, returns an envelope for a warehouse error, and
 * traces and throws any other error.
 */
async function finishFailedAsk(run: AskRun, thrownValue: unknown): Promise<Envelope> {
  const { deps, context, preparedAsk, journal, plan, guardedPlan } = run;
  if (thrownValue instanceof LostTraceProblem || thrownValue instanceof LensReplacedError) throw thrownValue;
  const fault =
    guardedPlan && thrownValue instanceof Problem ? hideFaultFromCaller(guardedPlan, thrownValue) : thrownValue;
  const problem = fault instanceof Problem ? fault : null;
  const correctedPlan = problem && !context.signal.aborted ? await correctPlan(plan, problem) : null;
  if (correctedPlan) return runGovernedAsk(deps, context, { ...preparedAsk, plan: async () => correctedPlan }, journal);
  const certified = plan && !isEarlyEnd(plan) && plan.plan === 'certified' ? plan : null;
  const errorEnvelope = createFailureEnvelope(
    createHeader(run),
    fault,
    guardedPlan !== null,
    certified?.entry.certId ?? null,
  );
  if (certified && problem?.code === 'upstream') await recheckCertifiedEntry(deps, certified);
  const unguardedSql = plan && !isEarlyEnd(plan) && !guardedPlan ? findPlanSql(plan) : null;
  const finishedEnvelope = await finishAsk(
    run,
    errorEnvelope,
    guardedPlan?.statement.sql ?? unguardedSql,
    unguardedSql === null ? null : problem,
  );
  // Only warehouse errors become an envelope. Unknown names and refused statements are thrown as problems.
  if (!problem || !WAREHOUSE_FAULT_CODES.has(problem.code)) throw fault;
  deps.log.warn(
    { request_id: context.requestId, code: problem.code, detail: problem.detail, err: problem.cause },
    'ask failed',
  );
  return finishedEnvelope;
}

/**
 * Traces the envelope and returns it. If another person asked the question first, removes the parts that this reader
 * can't see. If the caller wants a chart, sets `chart` to null, because this envelope has no rows yet.
 */
async function finishAsk(
  run: AskRun,
  envelope: Envelope,
  sql: string | null,
  refusal: Problem | null = null,
): Promise<Envelope> {
  const { context, preparedAsk, journal, guardedPlan } = run;
  const tracedEnvelope =
    context.belongsToOther && !mayShowWording(envelope, guardedPlan?.plan ?? null)
      ? await writeTrace({ ...run, preparedAsk: { ...preparedAsk, body: {} } }, hideWording(envelope), {
          sql: null,
          guard: null,
        })
      : await writeTrace(run, addUnavailabilityNotes(envelope, journal), {
          sql,
          guard: createGuardVerdict(context.principal, guardedPlan, refusal),
        });
  return preparedAsk.body.chart ? { ...tracedEnvelope, chart: null } : tracedEnvelope;
}

/**
 * After the trace is written, submits two kinds of proposals for review: each meaning that the caller gave to an
 * undefined term, and the word that svc needs to interpret the question without a model. If a proposal can't be stored,
 * svc only logs the failure.
 */
async function submitProposals({ deps, context, preparedAsk: { question } }: AskRun, plan: Plan): Promise<void> {
  const { readingOrigin, grantedLens } = plan;
  const { principal, requestId } = context;
  const logFailure = (err: unknown) => deps.log.warn({ err }, 'a proposed change to the lens could not be stored');
  for (const meaning of ('meant' in readingOrigin && readingOrigin.meant) || [])
    await deps.proposeDefinition?.(principal, { requestId, lens: grantedLens.name, ...meaning }).catch(logFailure);
  const change = 'teaches' in readingOrigin ? readingOrigin.teaches : null;
  if (change && question !== null)
    await deps.proposeWordPatch?.(principal, grantedLens, { requestId, question, change }).catch(logFailure);
}

/** The model's corrected plan, if the model's first plan failed in the warehouse. */
const correctPlan = async (plan: Plan | EarlyEnd | null, fault: Problem): Promise<Plan | null> =>
  plan && 'repair' in plan && plan.repair && CORRECTABLE_FAULT_CODES.has(fault.code) ? plan.repair(fault) : null;
const CORRECTABLE_FAULT_CODES = new Set(['upstream', 'guard_refused']);

/**
 * Checks the entry again by asking the warehouse to describe its SQL. Describing the SQL needs no parameter values, so
 * a caller's invalid values can't suspend the entry.
 */
async function recheckCertifiedEntry(
  { certifiedWatch, log }: AskDeps,
  { grantedLens, entry }: CertifiedPlan,
): Promise<void> {
  await certifiedWatch
    ?.recheckAfterFailure(grantedLens.orgId, grantedLens, entry, grantedLens.warehouse)
    .catch((err: unknown) => {
      log.warn({ err }, 'a failed certified entry could not be checked again');
    });
}

function hideFaultFromCaller({ plan }: GuardedPlan, fault: Problem): Problem {
  const hasParameters = plan.plan === 'certified' && Object.keys(plan.parameters).length > 0;
  const hasPolicies = plan.scope.row_policies.length > 0;
  if (hasParameters && !hasPolicies && isInvalidValueFault(fault))
    return createUnusableParametersProblem(plan.parameters, fault);
  return toCallerFault(fault, { isOwnSql: plan.plan === 'caller_sql', hasPolicies });
}

const withScopeOfEqualPlan = (plan: Plan, equalPlan: EqualPlan | null): Plan =>
  equalPlan
    ? {
        ...plan,
        scope: { ...equalPlan.plan.scope, row_policies: plan.scope.row_policies, masks: plan.scope.masks },
        citations: equalPlan.plan.citations,
      }
    : plan;

const WAREHOUSE_FAULT_CODES = new Set(['upstream', 'unreachable', 'timeout']);

function createFailureEnvelope(
  header: EnvelopeHeader,
  fault: unknown,
  wasGuarded: boolean,
  certifiedId: string | null,
): Envelope {
  const problem =
    fault instanceof Problem ? fault : new Problem('internal', 'The ask failed because of an internal error in svc.');
  const certifiedSqlFails = wasGuarded && certifiedId !== null && problem.code === 'upstream';
  const message = certifiedSqlFails
    ? `The approved SQL of certified entry ${certifiedId} no longer runs. Ask an admin or a curator to check the entry.`
    : problem.message;
  const { code, param, details } = problem;
  const error = { code, message, type: PROBLEMS[code].type, param, details, request_id: header.requestId };
  return createFailedEnvelope(header, error, certifiedId, certifiedSqlFails);
}

async function fetchWithDataDate(run: AskRun, guardedPlan: GuardedPlan): Promise<FetchedRows> {
  const { deps, context, journal, endController } = run;
  const { grantedLens } = guardedPlan.plan;
  const limits = deps.limits;
  const dataDate = deps.freshness.readTimestamp(context.principal.orgId, grantedLens, {
    timeoutMs: limits.timeoutMs,
    now: journal.startedAt,
    signal: context.signal,
  });
  let largeResultSlot: Promise<void> | undefined;
  const awaitMemory = async () => {
    const reader = toAnswerOwner(context.principal);
    if (!deps.unread.hasRoom(reader)) run.releaseRoom = await deps.unread.waitForRoom('result', reader, context.signal);
    largeResultSlot ??= deps.largeResults.hold(reader, endController.signal, context.signal);
    await largeResultSlot;
    await resumeOnEventLoop();
  };
  const fetchedRows = await journal.runStep(
    'fetch',
    () => fetchRows(guardedPlan, limits, context.signal, awaitMemory),
    ({ rows, more }) => `${rows.length}${more ? '+' : ''} rows`,
  );
  return { ...fetchedRows, dataAsOf: await dataDate };
}

// With row policies, returns no estimate. An engine's estimate uses statistics of all rows, so it would reveal how many
// hidden rows have a value.
const estimateQuery = async ({ plan, statement }: GuardedPlan): Promise<Envelope['estimate']> =>
  plan.scope.row_policies.length > 0 ? { rows: null, cost: null } : plan.grantedLens.warehouse.estimate(statement);

function createHeader({ context, preparedAsk: { grantedLens, question, routing }, journal }: AskRun): EnvelopeHeader {
  return {
    requestId: context.requestId,
    lens: grantedLens?.name || null,
    lensVersion: grantedLens?.version || null,
    question,
    routing,
    timings: journal.timings(),
  };
}

/** Returns the SQL of a plan that never ran, for the trace. */
function findPlanSql(plan: Plan): string {
  switch (plan.plan) {
    case 'certified':
      return plan.entry.sql;
    case 'compiled':
      return plan.compiledQuery.sql;
    case 'model_sql':
    case 'caller_sql':
      return plan.sql;
  }
}

function createGuardVerdict(
  principal: Principal,
  guardedPlan: GuardedPlan | null,
  refusal: Problem | null,
): Trace['guard'] {
  const superuser = isSuperuser(principal);
  if (guardedPlan) return { ...guardedPlan.statement.report, runs: guardedPlan.statement.runs, superuser };
  return refusal && { verdict: 'refused', reason: refusal.message, details: refusal.details, superuser };
}

class LostTraceProblem extends Problem {
  constructor(cause: unknown) {
    super(
      'unreachable',
      'svc could not record the answer in the audit trail, so svc does not return the answer. Try again shortly.',
      { cause, retryAfter: 1 },
    );
  }
}

/** Leaves out the format options, because each person who opens the answer later chooses a format. */
function withoutFormatOptions(body: object): Record<string, unknown> {
  const {
    q: _q,
    format: _f,
    dry_run: _d,
    receipt: _r,
    chart: _c,
    plan: _p,
    ...repeatable
  } = body as Record<string, unknown>;
  return repeatable;
}

/** Writes the trace before svc returns the envelope. If writing fails, svc doesn't return the answer. */
async function writeTrace(
  { deps, context, preparedAsk, journal }: Pick<AskRun, 'deps' | 'context' | 'preparedAsk' | 'journal'>,
  envelope: Envelope,
  statement: Pick<Trace, 'sql' | 'guard'>,
): Promise<Envelope> {
  const { data: _rows, ...withoutRows } = envelope;
  const { certification, error } = envelope;
  const isCancelled = envelope.status === 'failed' && context.signal.aborted;
  const { principal } = context;
  const { grantedLens } = preparedAsk;
  const recalledLens = grantedLens?.proof ? grantedLens : null;
  for (const call of journal.modelCalls) context.onModelCall?.(call);
  let isWritten: boolean;
  try {
    const row = {
      requestId: context.requestId,
      callerId: getAskingCallerId(principal),
      caller: principal.name,
      surface: context.surface,
      client: context.client,
      route: preparedAsk.route,
      outcome: isCancelled
        ? 'cancelled'
        : certification === 'certified_failed'
          ? certification
          : (error?.code ?? envelope.status),
      envelope: withoutRows,
      ...statement,
      steps: journal.steps,
      modelCalls: journal.modelCalls,
      context: context.belongsToOther ? [] : (context.context ?? []),
      asked: withoutFormatOptions(preparedAsk.body),
      restrictions: grantedLens && findRestrictions(grantedLens.lens, grantedLens.caller),
    };
    isWritten = await deps.traces.write(principal.orgId, row, recalledLens);
    deps.traceHealth.recordSuccess();
  } catch (cause) {
    deps.traceHealth.recordFailure();
    throw new LostTraceProblem(cause);
  }
  if (!isWritten) throw new LensReplacedError();
  if (recalledLens) recalledLens.proof!.traced = true;
  return envelope;
}
