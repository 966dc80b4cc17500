// An answer by its link: asked again as this reader, by the same route. Nothing that was served to somebody else is told.

import type { Reopened } from '../contract/answers.ts';
import { certifiedRunBody, type Envelope, metricsBody, sqlBody } from '../contract/ask.ts';
import { isSuperuser, mayUseLens } from '../domain/identity/principal.ts';
import type { StoredTrace, TraceRepository } from '../domain/observe/trace-repository.ts';
import { Problem } from '../platform/problem.ts';
import type { Ask, AskContext } from './entrances.ts';

type Looks = { chart?: boolean; plan?: boolean };

export async function answerAgain(
  deps: { ask: Ask; traces: TraceRepository },
  context: AskContext,
  requestId: string,
  looks: Looks,
): Promise<Reopened> {
  const found = await deps.traces.find(context.principal.orgId, requestId);
  if (!found) throw new Problem('not_found', 'There is no answer of this id. It may have been deleted since.');
  const { principal } = context;
  const own = isSuperuser(principal) || (found.callerId !== null && found.callerId === principal.callerId);
  const trace = own ? found : withoutProposal(found);
  if (!own && (trace.envelope.lens === null || !mayUseLens(principal, trace.envelope.lens))) throw noAccess();
  if (!own && trace.route === 'sql')
    throw new Problem('forbidden', 'Only its author can open an answer to SQL. Ask them for a question instead.');
  const reading = { ...context, context: trace.context, ...(!own && { ofAnother: true }) };
  const answer = own
    ? await replay(deps.ask, reading, trace, looks)
    : await replay(deps.ask, reading, trace, looks).catch(withoutWording);
  if (!own && answer.status === 'refused') throw notForThisReader();
  const asked = trace.asked as { choices?: Record<string, string> };
  return {
    request_id: trace.requestId,
    asked_at: trace.at,
    own,
    question: answer.question,
    context: own ? trace.context : [],
    choices: own ? (asked.choices ?? {}) : {},
    plan: trace.route === 'metrics' && answer.status !== 'failed' ? planOf(trace) : null,
    changed: { lens: trace.envelope.lens_version !== answer.lens_version, rows: rowsDiffer(trace, answer, own) },
    answer,
  };
}

/** The question of a proposal has words that its plan leaves out. */
function withoutProposal(trace: StoredTrace): StoredTrace {
  const { answers: _, ...asked } = trace.asked;
  return { ...trace, asked };
}

function replay(ask: Ask, context: AskContext, trace: StoredTrace, looks: Looks): Promise<Envelope> {
  const { lens, question, certified_id, parameters } = trace.envelope;
  const { asked } = trace;
  const body = { ...looks, format: 'both' as const };
  const choices = asked['choices'] as Record<string, string> | undefined;
  if (trace.route === 'metrics' && lens) {
    const read = metricsBody.safeParse({ ...asked, ...body });
    if (!read.success) throw outdated();
    return ask.metrics(context, lens, read.data);
  }
  if (trace.route === 'sql') {
    const read = sqlBody.safeParse({ ...asked, plan: looks.plan });
    if (!read.success) throw outdated();
    return ask.sql(context, read.data);
  }
  if (trace.route === 'certified' && lens && certified_id) {
    const read = certifiedRunBody.safeParse({ ...body, parameters: parameters ?? undefined, choices });
    if (!read.success) throw outdated();
    return ask.certifiedRun(context, lens, certified_id, read.data);
  }
  if (question === null) throw outdated();
  const again = { ...body, q: question, choices };
  return lens ? ask.query(context, lens, again) : ask.routed(context, again);
}

const planOf = ({ asked }: StoredTrace): Reopened['plan'] => {
  const { choices: _, ...plan } = asked;
  return plan as Reopened['plan'];
};

/** Rows of two readers are compared only where both saw all of them. */
function rowsDiffer({ receipt, envelope }: StoredTrace, answer: Envelope, own: boolean): boolean | null {
  const now = answer.receipt;
  if (!receipt || !now) return null;
  const whole = [envelope.scope, answer.scope].every(
    (scope) => scope && scope.row_policies.length === 0 && (scope.masks ?? []).length === 0,
  );
  return own || whole ? receipt.result_sha256 !== now.result_sha256 : null;
}

const PASSING = new Set(['rate_limited', 'unreachable', 'timeout', 'internal', 'auth']);

/** A fault that names what was asked is no more to tell than the question. */
function withoutWording(fault: unknown): never {
  throw fault instanceof Problem && !PASSING.has(fault.code) ? notForThisReader() : fault;
}

const noAccess = (): Problem =>
  new Problem('forbidden', 'You may not see this answer: it is about data that you have no access to. Ask an admin.');
const notForThisReader = (): Problem =>
  new Problem('forbidden', 'This answer can’t be shown to you: it names something that you may not see.');
const outdated = (): Problem =>
  new Problem(
    'not_found',
    'svc did not store the question of this answer, so it can’t compute the answer again. Ask a new question.',
  );
