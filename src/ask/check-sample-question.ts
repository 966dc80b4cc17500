// Asks a question before it becomes a sample question of a lens, because svc shows callers only questions with an
// answer.
import { getLiveLens } from '../domain/lenses/get-live-lens.ts';
import type { LiveLenses } from '../domain/lenses/lens-repository.ts';
import { Problem } from '../platform/problem.ts';
import type { AskContext } from './entry-points.ts';
import type { UntracedAsk } from './untraced-ask.ts';

export async function checkSampleQuestion(
  deps: { lenses: LiveLenses; untracedAsk: UntracedAsk },
  context: AskContext,
  lens: string,
  question: string,
): Promise<void> {
  const liveLens = await getLiveLens(deps.lenses, context.principal.orgId, lens);
  const envelope = await deps.untracedAsk(liveLens).query(context, lens, { q: question, format: 'structured' });
  if (envelope.status === 'answered') return;
  const reason = envelope.answer ?? 'svc did not give a reason.';
  if (envelope.error)
    throw new Problem(envelope.error.code, `The question was not added, because svc could not ask it: ${reason}`);
  throw new Problem(
    'invalid',
    `The question was not added, because svc did not answer it (${envelope.status}): ${reason}`,
    {
      param: 'question',
      details: [{ path: 'question', code: envelope.status, message: reason }],
    },
  );
}
