// Recomputes an answer behind a link or on a board. svc runs the ask again for the reader, by the same route, and shows
// nothing that it served to another person.

import type { Reopened } from '../contract/answers.ts';
import { certifiedRunBody, type Envelope, metricsBody, sqlBody } from '../contract/ask.ts';
import type { TileAnswer } from '../contract/boards.ts';
import { findTile } from '../domain/boards/boards.ts';
import { isSuperuser, mayUseLens } from '../domain/identity/principal.ts';
import { type RepeatableAsk, repeatableAsk, withoutProposedQuestion } from '../domain/observe/repeatable-ask.ts';
import type { StoredTrace, TraceRepository } from '../domain/observe/trace-repository.ts';
import { Problem } from '../platform/problem.ts';
import type { Tenancy } from '../platform/tenancy/tenant.ts';
import type { Ask, AskContext } from './entrances.ts';

type ViewerOptions = { chart?: boolean; plan?: boolean };

export async function answerAgain(
  deps: { ask: Ask; traces: TraceRepository },
  context: AskContext,
  requestId: string,
  looks: ViewerOptions,
): Promise<Reopened> {
  const found = await deps.traces.find(context.principal.orgId, requestId);
  if (!found) throw new Problem('not_found', 'There is no answer with this id. It may have been deleted.');
  const { principal } = context;
  const isOwnTrace = isSuperuser(principal) || (found.callerId !== null && found.callerId === principal.callerId);
  const once = isOwnTrace ? repeatableAsk(found) : withoutProposedQuestion(repeatableAsk(found));
  const answer = await askFor(deps.ask, context, { own: isOwnTrace, once, looks });
  const asked = once.asked as { choices?: Record<string, string> };
  return {
    request_id: found.requestId,
    asked_at: found.at,
    own: isOwnTrace,
    question: answer.question,
    context: isOwnTrace ? once.context : [],
    choices: isOwnTrace ? (asked.choices ?? {}) : {},
    plan: once.route === 'metrics' && answer.status !== 'failed' ? planOf(once) : null,
    changed: { lens: found.envelope.lens_version !== answer.lens_version, rows: rowsDiffer(found, answer, isOwnTrace) },
    answer,
  };
}

/**
 * The answer of a board tile. The ask counts as another person's unless the reader made the board or can see every
 * request.
 */
export async function answerTile(
  deps: { ask: Ask; traces: TraceRepository; tenancy: Tenancy },
  context: AskContext,
  tileRef: { id: string; tile: string },
  looks: ViewerOptions,
): Promise<TileAnswer> {
  const { own, asked } = await findTile(deps, context.principal, tileRef);
  const asOwn = own || isSuperuser(context.principal);
  return { id: tileRef.tile, answer: await askFor(deps.ask, context, { own: asOwn, once: asked, looks }) };
}

/** Runs the ask again under this reader's grants. If another person asked first, problems don't repeat their words. */
async function askFor(
  ask: Ask,
  context: AskContext,
  { own, once, looks }: { own: boolean; once: RepeatableAsk; looks: ViewerOptions },
): Promise<Envelope> {
  if (own) return replay(ask, { ...context, context: once.context }, once, looks);
  if (once.lens === null || !mayUseLens(context.principal, once.lens)) throw noAccess();
  if (once.route === 'sql')
    throw new Problem(
      'forbidden',
      'Only the person who sent the SQL can open this answer. Ask them to send a question instead.',
    );
  const reading = { ...context, context: once.context, ofAnother: true };
  const answer = await replay(ask, reading, once, looks).catch(throwWithoutQuestion);
  if (answer.status === 'refused') throw notVisibleToReader();
  return answer;
}

function replay(ask: Ask, context: AskContext, once: RepeatableAsk, looks: ViewerOptions): Promise<Envelope> {
  const { lens, question, certified_id, parameters, asked } = once;
  const body = { ...looks, format: 'both' as const };
  const choices = asked['choices'] as Record<string, string> | undefined;
  if (once.route === 'metrics' && lens) {
    const read = metricsBody.safeParse({ ...asked, ...body });
    if (!read.success) throw outdated();
    return ask.metrics(context, lens, read.data);
  }
  if (once.route === 'sql') {
    const read = sqlBody.safeParse({ ...asked, plan: looks.plan });
    if (!read.success) throw outdated();
    return ask.sql(context, read.data);
  }
  if (once.route === 'certified' && lens && certified_id) {
    const read = certifiedRunBody.safeParse({ ...body, parameters: parameters ?? undefined, choices });
    if (!read.success) throw outdated();
    return ask.certifiedRun(context, lens, certified_id, read.data);
  }
  if (question === null) throw outdated();
  const repeatedBody = { ...body, q: question, choices };
  return lens ? ask.query(context, lens, repeatedBody) : ask.routed(context, repeatedBody);
}

const planOf = ({ asked }: RepeatableAsk): Reopened['plan'] => {
  const { choices: _, ...plan } = asked;
  return plan as Reopened['plan'];
};

/** Compares the rows of two readers. Null unless both saw all rows. */
function rowsDiffer({ receipt, envelope }: StoredTrace, answer: Envelope, isOwnTrace: boolean): boolean | null {
  const now = answer.receipt;
  if (!receipt || !now) return null;
  const bothUnrestricted = [envelope.scope, answer.scope].every(
    (scope) => scope && scope.row_policies.length === 0 && (scope.masks ?? []).length === 0,
  );
  return isOwnTrace || bothUnrestricted ? receipt.result_sha256 !== now.result_sha256 : null;
}

const TRANSIENT_FAULTS = new Set(['rate_limited', 'unreachable', 'timeout', 'internal', 'auth']);

/** An error that names parts of the question is as private as the question. */
function throwWithoutQuestion(fault: unknown): never {
  throw fault instanceof Problem && !TRANSIENT_FAULTS.has(fault.code) ? notVisibleToReader() : fault;
}

const noAccess = (): Problem =>
  new Problem('forbidden', 'You may not see this answer: it is about data that you have no access to. Ask an admin.');
const notVisibleToReader = (): Problem =>
  new Problem('forbidden', 'This answer can’t be shown to you: it names something that you may not see.');
const outdated = (): Problem =>
  new Problem(
    'not_found',
    'svc did not store the question of this answer, so it can’t compute the answer again. Ask a new question.',
  );
