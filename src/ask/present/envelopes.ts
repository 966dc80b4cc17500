// Creates the envelope of each outcome. Without an answer, the envelope is unverified and has no certification, SQL,
// data, receipt or data_as_of.
import type { Envelope, Format } from '../../contract/ask.ts';
import { PROBLEMS } from '../../contract/problem-codes.ts';
import type { GuardedSql } from '../../guard/guarded-sql.ts';
import type { EarlyEnd, FetchedRows, Grading, GuardedPlan, Plan } from '../outcome.ts';
import { sanitizeText } from './sanitize-text.ts';

export interface EnvelopeHeader {
  requestId: string;
  lens: string | null;
  lensVersion: number | null;
  question: string | null;
  routing?: Envelope['routing'];
  timings: Envelope['timings_ms'];
}

export const createBaseEnvelope = (header: EnvelopeHeader): Envelope => ({
  status: 'refused',
  lens: header.lens,
  lens_version: header.lensVersion,
  question: header.question,
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
  request_id: header.requestId,
  receipt: null,
  clarification: null,
  suggestions: null,
  warnings: [],
  ...(header.routing ? { routing: header.routing } : {}),
  error: null,
  timings_ms: header.timings,
});

export function createEarlyEnvelope(header: EnvelopeHeader, earlyEnd: EarlyEnd): Envelope {
  if (earlyEnd.end === 'certified_failed') {
    const error = { code: 'upstream', message: earlyEnd.message, type: PROBLEMS.upstream.type } as const;
    const errorBody = { ...error, param: null, details: [], request_id: header.requestId };
    return createFailedEnvelope(header, errorBody, earlyEnd.certId, true);
  }
  if (earlyEnd.end === 'defined') return createDefinedEnvelope(header, earlyEnd);
  const base = { ...createBaseEnvelope(header), status: earlyEnd.end };
  if (earlyEnd.end === 'clarification')
    return { ...base, answer: sanitizeText(earlyEnd.clarification.message), clarification: earlyEnd.clarification };
  const endedEnvelope = { ...base, answer: earlyEnd.message, suggestions: earlyEnd.suggestions };
  return earlyEnd.end === 'refused'
    ? { ...endedEnvelope, unplaced: earlyEnd.unplaced, proposal: earlyEnd.proposal }
    : endedEnvelope;
}

/** Answers with unchanged approved definitions. The grade is partial, because svc queried no data. */
function createDefinedEnvelope(
  header: EnvelopeHeader,
  { lens, texts }: Extract<EarlyEnd, { end: 'defined' }>,
): Envelope {
  const detail = 'This lens has no metric for the term. The answer quotes the approved definitions.';
  return {
    ...createBaseEnvelope(header),
    status: 'answered',
    answer: texts.map(({ name, text }) => `${name}: ${text}`).join('\n'),
    confidence: 'partial',
    checks: [{ name: 'terms_resolved', outcome: 'unknown', critical: true, detail }],
    citations: texts.map(({ name, text }) => ({ kind: 'definition', name, lens, text })),
  };
}

export function createFailedEnvelope(
  header: EnvelopeHeader,
  error: NonNullable<Envelope['error']>,
  certifiedId: string | null,
  certifiedFailed: boolean,
): Envelope {
  return {
    ...createBaseEnvelope(header),
    status: 'failed',
    answer: error.message,
    certification: certifiedFailed ? 'certified_failed' : 'none',
    certified_id: certifiedId,
    plan: certifiedId ? 'certified' : null,
    error,
  };
}

export function createDryRunEnvelope(
  header: EnvelopeHeader,
  { plan, statement }: GuardedPlan,
  grading: Grading,
  estimate: Envelope['estimate'],
): Envelope {
  return {
    ...createBaseEnvelope(header),
    status: 'answered',
    ...createEvidence(plan, statement, grading),
    warnings: [...plan.warnings, ...grading.warnings, 'Dry run: no rows were fetched.'],
    estimate,
  };
}

export function createAnsweredEnvelope(
  header: EnvelopeHeader,
  fetchedRows: FetchedRows,
  grading: Grading,
  response: Pick<Envelope, 'answer' | 'data' | 'truncated' | 'receipt'> & { warnings: string[] },
): Envelope {
  const { plan, statement } = fetchedRows;
  return {
    ...createBaseEnvelope(header),
    status: 'answered',
    ...createEvidence(plan, statement, grading),
    answer: response.answer,
    columns: fetchedRows.columns,
    data: response.data,
    row_count: fetchedRows.rows.length,
    empty: grading.empty,
    data_as_of: fetchedRows.dataAsOf,
    receipt: response.receipt,
    ...(response.truncated ? { truncated: response.truncated } : {}),
    warnings: [...plan.warnings, ...fetchedRows.warnings, ...grading.warnings, ...response.warnings],
    ...(statement.report.beneath?.length ? { guard: { runs: statement.runs } } : {}),
  };
}

/** The format `prose` drops the rows but keeps the evidence. A `structured` answer has no sentence to drop. */
export const applyFormat = (envelope: Envelope, format: Format): Envelope =>
  format === 'prose' ? { ...envelope, data: null, columns: null } : envelope;

/** The members that explain an answer, with or without its rows. */
const createEvidence = (
  plan: Plan,
  { sql }: GuardedSql,
  { confidence, checks, certification }: Grading,
): Partial<Envelope> => ({
  sql,
  parameters: listParameters(plan),
  citations: plan.citations,
  ...{ confidence, checks, certification },
  certified_id: plan.plan === 'certified' ? plan.entry.certId : null,
  plan: plan.plan,
  scope: plan.scope,
  ...(plan.plan === 'compiled' && plan.answers ? { answers: plan.answers } : {}),
});

export const listParameters = (plan: Plan): Envelope['parameters'] =>
  plan.plan === 'certified' && Object.keys(plan.parameters).length > 0 ? plan.parameters : null;
