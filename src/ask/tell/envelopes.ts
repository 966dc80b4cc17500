// Creates the envelope of each outcome. Without an answer, the envelope is unverified and has no certification, SQL,
// data, receipt or data_as_of.
import type { Envelope, Format } from '../../contract/ask.ts';
import { PROBLEM_TYPE } from '../../contract/problem.ts';
import type { EarlyEnd, FetchedRows, Graded, GuardedPlan } from '../outcome.ts';
import { checksOf, type Proof, warningsOf } from '../prove/prove.ts';
import { inertText } from './inert-text.ts';

export interface EnvelopeHeader {
  requestId: string;
  lens: string | null;
  lensVersion: number | null;
  question: string | null;
  routing?: Envelope['routing'];
  timings: Envelope['timings_ms'];
}

export const notAnswered = (asked: EnvelopeHeader): Envelope => ({
  status: 'refused',
  lens: asked.lens,
  lens_version: asked.lensVersion,
  question: asked.question,
  answer: null,
  sql: null,
  parameters: null,
  columns: null,
  data: null,
  row_count: null,
  citations: [],
  confidence: 'unverified',
  checks: [],
  certification: 'none',
  certified_id: null,
  plan: null,
  scope: null,
  empty: null,
  data_as_of: null,
  request_id: asked.requestId,
  receipt: null,
  clarification: null,
  suggestions: null,
  warnings: [],
  ...(asked.routing ? { routing: asked.routing } : {}),
  error: null,
  timings_ms: asked.timings,
});

export function earlyEnvelope(asked: EnvelopeHeader, early: EarlyEnd): Envelope {
  if (early.end === 'certified_failed') {
    const error = { code: 'upstream', message: early.message, type: PROBLEM_TYPE.upstream } as const;
    const failed = { ...error, param: null, details: [], request_id: asked.requestId };
    return failedEnvelope(asked, failed, early.certId, true);
  }
  if (early.end === 'defined') return definedEnvelope(asked, early);
  const base = { ...notAnswered(asked), status: early.end };
  if (early.end === 'clarification')
    return { ...base, answer: inertText(early.clarification.message), clarification: early.clarification };
  const ended = { ...base, answer: early.message, suggestions: early.suggestions };
  return early.end === 'refused' ? { ...ended, unplaced: early.unplaced, proposal: early.proposal } : ended;
}

/** Answers with unchanged approved definitions. The grade is partial, because svc measured nothing. */
function definedEnvelope(asked: EnvelopeHeader, { lens, texts }: Extract<EarlyEnd, { end: 'defined' }>): Envelope {
  const detail = 'This lens has no metric for it. These are the approved texts.';
  return {
    ...notAnswered(asked),
    status: 'answered',
    answer: texts.map(({ name, text }) => `${name}: ${text}`).join('\n'),
    confidence: 'partial',
    checks: [{ name: 'terms_resolved', outcome: 'unknown', critical: true, detail }],
    citations: texts.map(({ name, text }) => ({ kind: 'definition', name, lens, text })),
  };
}

export function failedEnvelope(
  asked: EnvelopeHeader,
  error: NonNullable<Envelope['error']>,
  certifiedId: string | null,
  certifiedFailed: boolean,
): Envelope {
  return {
    ...notAnswered(asked),
    status: 'failed',
    answer: error.message,
    certification: certifiedFailed ? 'certified_failed' : 'none',
    certified_id: certifiedId,
    plan: certifiedId ? 'certified' : null,
    error,
  };
}

export function dryRunEnvelope(
  asked: EnvelopeHeader,
  { plan, statement }: GuardedPlan,
  proof: Proof,
  estimate: Envelope['estimate'],
): Envelope {
  return {
    ...notAnswered(asked),
    status: 'answered',
    sql: statement.sql,
    parameters: parametersOf(plan),
    citations: plan.citations,
    checks: checksOf(proof),
    plan: plan.plan,
    certified_id: plan.plan === 'certified' ? plan.entry.certId : null,
    scope: plan.scope,
    ...answersOf(plan),
    warnings: [...plan.warnings, ...warningsOf(proof), 'Dry run: no rows were fetched.'],
    estimate,
  };
}

export function answeredEnvelope(
  asked: EnvelopeHeader,
  fetched: FetchedRows,
  graded: Graded,
  response: Pick<Envelope, 'answer' | 'data' | 'truncated' | 'receipt'> & { warnings: string[] },
): Envelope {
  const { plan, statement } = fetched;
  return {
    ...notAnswered(asked),
    status: 'answered',
    answer: response.answer,
    sql: statement.sql,
    parameters: parametersOf(plan),
    columns: fetched.columns,
    data: response.data,
    row_count: fetched.rows.length,
    citations: plan.citations,
    confidence: graded.confidence,
    checks: graded.checks,
    certification: graded.certification,
    certified_id: plan.plan === 'certified' ? plan.entry.certId : null,
    plan: plan.plan,
    scope: plan.scope,
    empty: graded.empty,
    data_as_of: fetched.dataAsOf,
    receipt: response.receipt,
    ...answersOf(plan),
    ...(response.truncated ? { truncated: response.truncated } : {}),
    warnings: [...plan.warnings, ...fetched.warnings, ...graded.warnings, ...response.warnings],
    ...(statement.report.beneath?.length ? { guard: { runs: statement.runs } } : {}),
  };
}

/** `prose` drops the rows. A `structured` answer has no sentence to drop. The evidence stays. */
export const inFormat = (envelope: Envelope, format: Format): Envelope =>
  format === 'prose' ? { ...envelope, data: null, columns: null } : envelope;

const answersOf = (plan: GuardedPlan['plan']): Pick<Envelope, 'answers'> =>
  plan.plan === 'compiled' && plan.answers ? { answers: plan.answers } : {};

const parametersOf = (plan: GuardedPlan['plan']): Envelope['parameters'] =>
  plan.plan === 'certified' && Object.keys(plan.parameters).length > 0 ? plan.parameters : null;
