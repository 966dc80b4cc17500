// The steps of the governed ask, in order. Each step takes a type that only the previous step makes. Fetching rows needs a
// GuardedPlan and only guardPlan makes one, so code that runs an unguarded query doesn't compile.
//
// | step                              | query    | metrics     | routed | certified run | sql | leaves early with             |
// | resolveLens (deny by default)     | x        | x           | picks  | x             | x   | not_found; uncovered          |
// | matchCertified                    | x        | -           | x      | by id         | -   |                               |
// | planQuestion / settlePlan         | no match | of the body | as query | never       | own | clarification; refused        |
// | guardPlan                         | x        | x           | x      | x             | x   | guard_refused                 |
// | provePlan, during the fetch       | x        | x           | x      | x             | x   | dry run                       |
// | fetchRows (cap 5000)              | x        | x           | x      | x             | x   | failed; certified_failed      |
// | proveRows, gradeConfidence        | x        | x           | x      | x             | x   |                               |
// | capResponse                       | x        | x           | x      | x             | x   |                               |
// | composeAnswer (unless structured) | x        | x           | x      | x             | x   |                               |
// | receiptFor, then the trace: durable before anything leaves; written on every path                                  |

import type { Envelope, Format } from '../contract/ask.ts';
import { PROBLEM_TYPE } from '../contract/problem.ts';
import { isSuperuser, type Principal, readerOf } from '../domain/identity/principal.ts';
import type { Trace } from '../domain/observe/trace-repository.ts';
import { callerStatementFault } from '../domain/statement-fault.ts';
import { Problem } from '../platform/problem.ts';
import { resumeOnLoop } from '../platform/schedule/scheduler.ts';
import { type AskDeps, probeLimits } from './ask-deps.ts';
import type { AskContext } from './entrances.ts';
import { Journal } from './journal.ts';
import {
  type CertifiedPlan,
  type CompiledPlan,
  type EarlyEnd,
  type FetchedRows,
  type GrantedLens,
  type GuardedPlan,
  isEarlyEnd,
  type Plan,
} from './outcome.ts';
import { gradeConfidence } from './prove/grade-confidence.ts';
import { asRowsOf, type EqualPlan, equalPlan } from './prove/lift/equal-plan.ts';
import { planOfCertified } from './prove/lift/plan-of-certified.ts';
import { type Probes, probesOf } from './prove/probes.ts';
import { provePlan, proveRows } from './prove/prove.ts';
import type { ProbeLimits } from './read/values/probe-values.ts';
import { capResponse } from './run/cap-response.ts';
import { fetchRows } from './run/fetch-rows.ts';
import { guardPlan } from './run/guard-plan.ts';
import { comparedPlan } from './tell/compared-plan.ts';
import {
  answeredEnvelope,
  dryRunEnvelope,
  type EnvelopeHeader,
  earlyEnvelope,
  failedEnvelope,
  inFormat,
} from './tell/envelopes.ts';
import { type OptionalMembers, optionalMembers, requestedPlan } from './tell/optional-members.ts';
import { composeProse } from './tell/prose/compose-prose.ts';
import { hideUnproven, showsAll } from './tell/shared-answer.ts';
import { receiptFor } from './tell/sign-receipt.ts';
import { withUnavailableModels } from './tell/unavailable-models.ts';
import { LensReplaced } from './with-lens.ts';

export interface PreparedAsk {
  route: 'query' | 'metrics' | 'routed' | 'certified' | 'sql';
  question: string | null;
  format: Format;
  dryRun: boolean;
  /** Null if no lens covers a routed question. */
  granted: GrantedLens | null;
  routing?: Envelope['routing'];
  /** The request body. It lists the optional parts of the answer, and svc can use it to repeat the ask. */
  onRequest?: OptionalMembers & object;
  plan: (journal: Journal) => Promise<Plan | EarlyEnd>;
}

interface Run {
  deps: AskDeps;
  context: AskContext;
  entrance: PreparedAsk;
  journal: Journal;
  /** Aborts when the ask ends for any reason. */
  over: AbortController;
  plan: Plan | EarlyEnd | null;
  guarded: GuardedPlan | null;
  /** Releases the memory reserved for a large answer. */
  expected: () => void;
}

export async function governedAsk(
  deps: AskDeps,
  context: AskContext,
  entrance: PreparedAsk,
  journal = new Journal(deps.clock),
): Promise<Envelope> {
  const run: Run = {
    ...{ deps, context, entrance, journal },
    ...{ over: new AbortController(), plan: null, guarded: null, expected: () => {} },
  };
  try {
    const plan = await journal.step(
      'plan',
      () => entrance.plan(journal),
      (planned) => ('end' in planned ? planned.end : planned.plan),
    );
    run.plan = plan;
    if (isEarlyEnd(plan)) return await finishAsk(run, earlyEnvelope(askedOf(run), plan), null);
    deps.dictionaries?.whenAged(plan.granted);
    const guarded = await journal.step('guard', () => guardPlan(plan, journal.startedAt));
    run.guarded = guarded;
    const limits = limitsOf(run);
    const probes = probesOf(guarded.plan.granted, limits);
    const proving = journal.step('prove', () => proveMeaning(guarded, probes, limits));
    if (entrance.dryRun) return await dryRun(run, guarded, await proving);
    proving.catch(() => undefined); // if fetching the rows fails, the ask ends with that error
    const read = await fetchWithDataDate(run, guarded);
    const proven = await proving;
    const envelope = await answer(run, guarded, read, { ...proven, probes });
    if (envelope.status !== 'answered') return envelope;
    await proposeDefinitions(deps, context, plan);
    await proposeTaughtWord(deps, context, plan, entrance.question);
    return { ...envelope, ...(await planOf(run, guarded, proven)) };
  } catch (thrown) {
    return await envelopeOfFault(run, thrown);
  } finally {
    run.over.abort(ENDED);
    run.expected();
  }
}

/** All asks share one error, because creating its stack takes longer than most checks. */
const ENDED = new DOMException('The ask has ended.', 'AbortError');

function limitsOf({ deps, context, journal, over }: Run): ProbeLimits {
  let either: AbortSignal | undefined;
  return {
    ...probeLimits(deps, journal.startedAt, context.signal),
    /** Created when a check first reads the signal, because most asks need none. */
    get signal() {
      either ??= AbortSignal.any([context.signal, over.signal]);
      return either;
    },
  };
}

/** Results of the checks that don't need rows, and the plan that a statement equals. */
interface Proven {
  equal: EqualPlan | null;
  compared: ReturnType<typeof comparedPlan>;
  proof: Awaited<ReturnType<typeof provePlan>>;
}

async function proveMeaning({ plan }: GuardedPlan, probes: Probes, limits: ProbeLimits): Promise<Proven> {
  const found = await equalPlan(plan, probes, limits);
  const equal = found && 'plan' in found ? found : null;
  const originalPlan = found && 'why' in found ? { ...plan, unlike: found.why } : plan;
  const compared = comparedPlan(plan, found);
  return { equal, compared, proof: await provePlan(equal?.plan ?? originalPlan, probes) };
}

async function planOf({ entrance, journal }: Run, { plan }: GuardedPlan, { equal }: Proven) {
  if (plan.plan !== 'certified')
    return requestedPlan(entrance.onRequest, equal?.plan ?? compiledOf(plan), journal.startedAt);
  const same = entrance.onRequest?.plan ? await planOfCertified(plan, journal.startedAt) : null;
  return same ? { plan: same.written } : {};
}

async function dryRun(run: Run, guarded: GuardedPlan, proven: Proven): Promise<Envelope> {
  const reportedPlan = { ...guarded, plan: withEqualPlan(guarded.plan, proven.equal) };
  const dry = dryRunEnvelope(askedOf(run), reportedPlan, proven.proof, await estimate(guarded));
  return {
    ...(await finishAsk(run, dry, guarded.statement.sql)),
    ...proven.compared,
    ...(await planOf(run, guarded, proven)),
  };
}

async function answer(
  run: Run,
  guarded: GuardedPlan,
  read: FetchedRows,
  { equal, compared, proof, probes }: Proven & { probes: Probes },
): Promise<Envelope> {
  const { deps, context, entrance, journal } = run;
  const fetched = { ...read, plan: withEqualPlan(guarded.plan, equal) };
  const judged = equal ? asRowsOf(equal, fetched) : fetched;
  const graded = gradeConfidence(await proveRows(proof, judged, probes), judged, fetched);
  const capped = capResponse(fetched, context.surface);
  const { question, format } = entrance;
  const asProse = { question, truncated: capped.truncated, withRows: format !== 'prose', signal: context.signal };
  const prose =
    format === 'structured'
      ? null
      : await journal.step('compose', () => composeProse(deps, journal, fetched, graded, asProse));
  const as = askedOf(run);
  const receipt = await receiptFor(
    fetched,
    graded,
    { requestId: as.requestId, lens: as.lens, version: as.lensVersion, at: deps.clock.now() },
    deps.receiptKeys,
  );
  const envelope = answeredEnvelope(as, fetched, graded, {
    ...capped,
    answer: prose?.answer ?? null,
    warnings: [...capped.warnings, ...(prose?.warnings ?? [])],
    receipt,
  });
  const left = inFormat(await finishAsk(run, envelope, guarded.statement.sql), format);
  return left.status === 'answered'
    ? { ...left, ...compared, ...optionalMembers(entrance.onRequest, fetched, envelope) }
    : left;
}

/**
 * Handles a failed ask. A model corrects its plan, a warehouse fault becomes an envelope, and any other fault is traced
 * and thrown.
 */
async function envelopeOfFault(run: Run, thrown: unknown): Promise<Envelope> {
  const { deps, context, entrance, journal, plan, guarded } = run;
  if (thrown instanceof TraceLost || thrown instanceof LensReplaced) throw thrown;
  const fault = guarded && thrown instanceof Problem ? callerFault(guarded, thrown) : thrown;
  const problem = fault instanceof Problem ? fault : null;
  const corrected = problem && !context.signal.aborted ? await correctedPlan(plan, problem) : null;
  if (corrected) return governedAsk(deps, context, { ...entrance, plan: async () => corrected }, journal);
  const certified = plan && !isEarlyEnd(plan) && plan.plan === 'certified' ? plan : null;
  const failed = failureEnvelope(askedOf(run), fault, guarded !== null, certified?.entry.certId ?? null);
  if (certified && problem?.code === 'upstream') await recheckEntry(deps, certified);
  const unguarded = plan && !isEarlyEnd(plan) && !guarded ? sqlOfPlan(plan) : null;
  await finishAsk(run, failed, guarded?.statement.sql ?? unguarded, unguarded === null ? null : problem);
  // Only warehouse faults become an envelope. Unknown names and refused statements stay problems.
  if (!problem || !WAREHOUSE_FAULTS.has(problem.code)) throw fault;
  deps.log.warn(
    { request_id: context.requestId, code: problem.code, detail: problem.detail, err: problem.cause },
    'ask failed',
  );
  return failed;
}

/** Traces the envelope and returns it. For another reader, removes the parts that this reader can't see. */
function finishAsk(
  run: Run,
  envelope: Envelope,
  sql: string | null,
  refused: Problem | null = null,
): Promise<Envelope> {
  const { context, entrance, journal, guarded } = run;
  return context.ofAnother && !showsAll(envelope, guarded?.plan ?? null)
    ? writeTrace({ ...run, entrance: { ...entrance, onRequest: {} } }, hideUnproven(envelope), {
        sql: null,
        guard: null,
      })
    : writeTrace(run, withUnavailableModels(envelope, journal), {
        sql,
        guard: guardVerdict(context.principal, guarded, refused),
      });
}

/** After the trace, proposes the caller's meanings of undefined terms for review. svc only logs a failure. */
async function proposeDefinitions({ proposeDefinition, log }: AskDeps, context: AskContext, plan: Plan): Promise<void> {
  const meant = 'meant' in plan.read ? plan.read.meant : [];
  for (const { term, meaning } of proposeDefinition ? meant : []) {
    const proposal = { requestId: context.requestId, lens: plan.granted.name, term, meaning };
    await proposeDefinition!(context.principal, proposal).catch((err: unknown) =>
      log.warn({ err }, 'a definition from a caller could not be stored'),
    );
  }
}

async function proposeTaughtWord(
  { proposeWord, log }: AskDeps,
  { principal, requestId }: AskContext,
  { read, granted }: Plan,
  question: string | null,
): Promise<void> {
  if (!proposeWord || !('teaches' in read) || !read.teaches || question === null) return;
  await proposeWord(principal, granted, { requestId, question, change: read.teaches }).catch((err: unknown) =>
    log.warn({ err }, 'a proposed filler word could not be stored'),
  );
}

/** The model's corrected plan after its first one failed in the warehouse. */
const correctedPlan = async (plan: Plan | EarlyEnd | null, fault: Problem): Promise<Plan | null> =>
  plan && 'mend' in plan && plan.mend && CORRECTABLE_FAULTS.has(fault.code) ? plan.mend(fault) : null;
const CORRECTABLE_FAULTS = new Set(['upstream', 'guard_refused']);

/**
 * Checks the entry again by describing its SQL. Describing ignores parameters, so that one caller's invalid values
 * don't suspend the entry.
 */
async function recheckEntry({ certifiedWatch, log }: AskDeps, { granted, entry }: CertifiedPlan): Promise<void> {
  await certifiedWatch?.doubtAnew(granted.orgId, granted, entry, granted.warehouse).catch((err: unknown) => {
    log.warn({ err }, 'a failed certified entry could not be checked again');
  });
}

const callerFault = ({ plan }: GuardedPlan, fault: Problem): Problem =>
  callerStatementFault(fault, { ownSql: plan.plan === 'caller_sql', policies: plan.scope.row_policies.length > 0 });

const withEqualPlan = (plan: Plan, equal: EqualPlan | null): Plan =>
  equal
    ? {
        ...plan,
        scope: { ...equal.plan.scope, row_policies: plan.scope.row_policies, masks: plan.scope.masks },
        citations: equal.plan.citations,
      }
    : plan;

const compiledOf = (plan: Plan): CompiledPlan | null => (plan.plan === 'compiled' ? plan : null);

const WAREHOUSE_FAULTS = new Set(['upstream', 'unreachable', 'timeout']);

function failureEnvelope(as: EnvelopeHeader, fault: unknown, guarded: boolean, certifiedId: string | null): Envelope {
  const problem =
    fault instanceof Problem ? fault : new Problem('internal', 'The ask failed because of an internal error in svc.');
  const itsSqlFails = guarded && certifiedId !== null && problem.code === 'upstream';
  const message = itsSqlFails
    ? `The approved SQL of certified entry ${certifiedId} no longer runs. Ask an admin to check the entry.`
    : problem.message;
  const { code, param, details } = problem;
  const error = { code, message, type: PROBLEM_TYPE[code], param, details, request_id: as.requestId };
  return failedEnvelope(as, error, certifiedId, itsSqlFails);
}

async function fetchWithDataDate(run: Run, guarded: GuardedPlan): Promise<FetchedRows> {
  const { deps, context, journal, over } = run;
  const { granted } = guarded.plan;
  const limits = deps.limits;
  const dated = deps.freshness.of(context.principal.orgId, granted, {
    timeoutMs: limits.timeoutMs,
    now: journal.startedAt,
    signal: context.signal,
  });
  let large: Promise<void> | undefined;
  const beforeLarge = async () => {
    const reader = readerOf(context.principal);
    if (!deps.unread.hasRoom(reader)) run.expected = await deps.unread.room('result', reader, context.signal);
    large ??= deps.largeResults.hold(reader, over.signal, context.signal);
    await large;
    await resumeOnLoop();
  };
  const fetched = await journal.step(
    'fetch',
    () => fetchRows(guarded, limits, context.signal, beforeLarge),
    ({ rows, more }) => `${rows.length}${more ? '+' : ''} rows`,
  );
  return { ...fetched, dataAsOf: await dated };
}

// An engine's estimate uses statistics of all rows, so it would reveal how often a value occurs in hidden rows.
const estimate = async ({ plan, statement }: GuardedPlan): Promise<Envelope['estimate']> =>
  plan.scope.row_policies.length > 0 ? { rows: null, cost: null } : plan.granted.warehouse.estimate(statement);

function askedOf({ context, entrance: { granted, question, routing }, journal }: Run): EnvelopeHeader {
  return {
    requestId: context.requestId,
    lens: granted?.name || null,
    lensVersion: granted?.version || null,
    question,
    routing,
    timings: journal.timings(),
  };
}

/** The SQL of a plan that never ran, for its trace. */
function sqlOfPlan(plan: Plan): string {
  switch (plan.plan) {
    case 'certified':
      return plan.entry.sql;
    case 'compiled':
      return plan.compiled.sql;
    case 'model_sql':
    case 'caller_sql':
      return plan.sql;
  }
}

function guardVerdict(principal: Principal, guarded: GuardedPlan | null, refused: Problem | null): Trace['guard'] {
  const superuser = isSuperuser(principal);
  if (guarded) return { ...guarded.statement.report, runs: guarded.statement.runs, superuser };
  return refused && { verdict: 'refused', reason: refused.message, details: refused.details, superuser };
}

class TraceLost extends Problem {
  constructor(cause: unknown) {
    super(
      'unreachable',
      'svc could not record the answer in the audit trail, so it does not return it. Try again shortly.',
      { cause, retryAfter: 1 },
    );
  }
}

/** Leaves out the format options, because the next reader chooses them. */
function repeatableBody(body: object = {}): Record<string, unknown> {
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

/** Writes the trace before svc returns the envelope. If writing fails, svc doesn't return the answer (CONTRACT 5). */
async function writeTrace(
  { deps, context, entrance, journal }: Pick<Run, 'deps' | 'context' | 'entrance' | 'journal'>,
  envelope: Envelope,
  statement: Pick<Trace, 'sql' | 'guard'>,
): Promise<Envelope> {
  const { data: _rows, ...withoutRows } = envelope;
  const cancelled = envelope.status === 'failed' && context.signal.aborted;
  const { principal } = context;
  const recalled = entrance.granted?.proof ? entrance.granted : null;
  for (const call of journal.modelCalls) context.onModelCall?.(call);
  let written: boolean;
  try {
    const row = {
      requestId: context.requestId,
      callerId: principal.callerId,
      caller: principal.name,
      surface: context.surface,
      client: context.client,
      route: entrance.route,
      outcome: cancelled
        ? 'cancelled'
        : envelope.error && envelope.certification !== 'certified_failed'
          ? envelope.error.code
          : envelope.error
            ? 'certified_failed'
            : envelope.status,
      envelope: withoutRows,
      ...statement,
      steps: journal.steps,
      modelCalls: journal.modelCalls,
      context: context.ofAnother ? [] : (context.context ?? []),
      asked: repeatableBody(entrance.onRequest),
    };
    written = await deps.traces.write(principal.orgId, row, recalled);
    deps.traceHealth.ok();
  } catch (cause) {
    deps.traceHealth.failed();
    throw new TraceLost(cause);
  }
  if (!written) throw new LensReplaced();
  if (recalled) recalled.proof!.traced = true;
  return envelope;
}
