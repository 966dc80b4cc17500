// Recomputes an answer behind a link or on a board. svc repeats the ask with the reader's own access, and shows nothing
// from another person's answer.

import type { z } from 'zod';
import { certifiedRunBodySchema, type Envelope, metricsBodySchema, sqlBodySchema } from '../contract/ask.ts';
import type { ReopenedAnswer, TileAnswer } from '../contract/saved.ts';
import { findTile } from '../domain/boards/boards.ts';
import { canAccessRequest, canUseLens, isSuperuser } from '../domain/identity/principal.ts';
import { type RepeatableAsk, toRepeatableAsk, withoutProposedQuestion } from '../domain/observe/repeatable-ask.ts';
import type { StoredTrace, TraceRepository } from '../domain/observe/trace-repository.ts';
import { Problem } from '../platform/problem.ts';
import type { Tenancy } from '../platform/tenancy/tenant.ts';
import type { Ask, AskContext } from './entry-points.ts';
import { NO_ANSWER_MESSAGE } from './present/shared-answer.ts';

type ViewerOptions = { chart?: boolean; plan?: boolean };

export async function recomputeAnswer(
  deps: { ask: Ask; traces: TraceRepository },
  context: AskContext,
  requestId: string,
  viewerOptions: ViewerOptions,
): Promise<ReopenedAnswer> {
  const storedTrace = await deps.traces.find(context.principal.orgId, requestId);
  if (!storedTrace) throw new Problem('not_found', 'There is no answer with this id. It may have been deleted.');
  const { principal } = context;
  const canAccessTrace = canAccessRequest(principal, {
    callerId: storedTrace.callerId,
    lens: storedTrace.envelope.lens,
  });
  const storedAsk = canAccessTrace
    ? toRepeatableAsk(storedTrace)
    : withoutProposedQuestion(toRepeatableAsk(storedTrace));
  const answer = await repeatAskForViewer(deps.ask, context, { own: canAccessTrace, storedAsk, viewerOptions });
  const askedBody = storedAsk.asked as { choices?: Record<string, string> };
  return {
    request_id: storedTrace.requestId,
    asked_at: storedTrace.at,
    own: canAccessTrace,
    question: answer.question,
    context: canAccessTrace ? storedAsk.context : [],
    choices: canAccessTrace ? (askedBody.choices ?? {}) : {},
    plan: storedAsk.route === 'metrics' && answer.status !== 'failed' ? toReopenedPlan(storedAsk) : null,
    changed: {
      lens: storedTrace.envelope.lens_version !== answer.lens_version,
      rows: haveRowsChanged(storedTrace, answer, canAccessTrace),
    },
    answer,
  };
}

/**
 * Computes the answer of a board tile. svc treats the ask as another person's unless the reader created the board or
 * can see every request.
 */
export async function computeTileAnswer(
  deps: { ask: Ask; traces: TraceRepository; tenancy: Tenancy },
  context: AskContext,
  tileRef: { id: string; tile: string },
  viewerOptions: ViewerOptions,
): Promise<TileAnswer> {
  const { own, asked } = await findTile(deps, context.principal, tileRef);
  const mayReadAsOwner = own || isSuperuser(context.principal);
  return {
    id: tileRef.tile,
    answer: await repeatAskForViewer(deps.ask, context, { own: mayReadAsOwner, storedAsk: asked, viewerOptions }),
  };
}

/**
 * Runs the ask again under this reader's grants. If another person asked first, error messages don't repeat that
 * person's words.
 */
async function repeatAskForViewer(
  ask: Ask,
  context: AskContext,
  {
    own: canAccessTrace,
    storedAsk,
    viewerOptions,
  }: { own: boolean; storedAsk: RepeatableAsk; viewerOptions: ViewerOptions },
): Promise<Envelope> {
  if (canAccessTrace) return repeatAsk(ask, { ...context, context: storedAsk.context }, storedAsk, viewerOptions);
  if (storedAsk.lens === null || !canUseLens(context.principal, storedAsk.lens))
    throw new Problem('forbidden', 'You have no access to the data of this answer. Ask an admin for access.');
  if (storedAsk.route === 'sql')
    throw new Problem(
      'forbidden',
      'Only the person who sent the SQL, an admin or a curator can open this answer. Ask that person to send a question instead.',
    );
  const replayContext: AskContext = { ...context, context: storedAsk.context, belongsToOther: true };
  const answer = await repeatAsk(ask, replayContext, storedAsk, viewerOptions).catch(rethrowRedacted);
  if (answer.status === 'refused') throw new Problem('forbidden', answer.answer!);
  return answer;
}

function repeatAsk(
  ask: Ask,
  context: AskContext,
  storedAsk: RepeatableAsk,
  viewerOptions: ViewerOptions,
): Promise<Envelope> {
  const { lens, question, certified_id, parameters, asked } = storedAsk;
  const outputOptions = { ...viewerOptions, format: 'both' as const };
  const choices = asked['choices'] as Record<string, string> | undefined;
  if (storedAsk.route === 'metrics' && lens)
    return ask.metrics(context, lens, parseStored(metricsBodySchema, { ...asked, ...outputOptions }));
  if (storedAsk.route === 'sql') return ask.sql(context, parseStored(sqlBodySchema, { ...asked, ...viewerOptions }));
  if (storedAsk.route === 'certified' && lens && certified_id) {
    const body = { ...outputOptions, parameters: parameters ?? undefined, choices };
    return ask.certifiedRun(context, lens, certified_id, parseStored(certifiedRunBodySchema, body));
  }
  if (question === null) throw createOutdatedProblem();
  const repeatedBody = { ...outputOptions, q: question, choices };
  return lens ? ask.query(context, lens, repeatedBody) : ask.queryWithRouting(context, repeatedBody);
}

/** The schema of request bodies can have changed since svc stored the body. */
function parseStored<Body>(schema: z.ZodType<Body>, storedBody: object): Body {
  const { data, success } = schema.safeParse(storedBody);
  if (!success) throw createOutdatedProblem();
  return data;
}

const toReopenedPlan = ({ asked }: RepeatableAsk): ReopenedAnswer['plan'] => {
  const { choices: _, ...plan } = asked;
  return plan as ReopenedAnswer['plan'];
};

/**
 * Compares the rows that two readers saw. Returns null for another person's trace if a row policy or a mask limits
 * either answer.
 */
function haveRowsChanged(
  { receipt, envelope }: StoredTrace,
  answer: Envelope,
  canAccessTrace: boolean,
): boolean | null {
  const newReceipt = answer.receipt;
  if (!receipt || !newReceipt) return null;
  const areBothUnrestricted = [envelope.scope, answer.scope].every(
    (scope) => scope && scope.row_policies.length === 0 && (scope.masks ?? []).length === 0,
  );
  return canAccessTrace || areBothUnrestricted ? receipt.result_sha256 !== newReceipt.result_sha256 : null;
}

const TRANSIENT_FAULT_CODES = new Set(['rate_limited', 'unreachable', 'timeout', 'internal', 'auth']);

/** Replaces an error message that can name parts of the question, because the question is private. */
function rethrowRedacted(fault: unknown): never {
  throw fault instanceof Problem && !TRANSIENT_FAULT_CODES.has(fault.code)
    ? new Problem('forbidden', NO_ANSWER_MESSAGE)
    : fault;
}

const createOutdatedProblem = (): Problem =>
  new Problem(
    'not_found',
    'svc can’t repeat the stored request of this answer, so it can’t compute the answer again. Ask a new question.',
  );
