// The plan of a model's decision: its body is validated, its values are proven and it is compiled like anyone's.
import { intentFromMetricsBody } from '../../../lens/plan/intent-from-metrics.ts';
import { Problem } from '../../../platform/problem.ts';
import type { AskedWords } from '../../../reader/reading.ts';
import { type CompiledPlan, type EarlyEnd, isEarlyEnd } from '../../outcome.ts';
import { planIntent } from '../plan-question.ts';
import type { ModelReader } from './decide.ts';
import type { Decided } from './decision.ts';
import { reasonOf } from './write-sql.ts';

/** A model may have read any turn of the conversation into its plan. */
export const wordsOf = ({ asked: { question, context = [], choices } }: Pick<ModelReader, 'asked'>): AskedWords => ({
  texts: [...context, question],
  choices,
});

const READ_BY_MODEL =
  'A language model interpreted this question, because the words of the lens do not cover all of it. Check that the scope is what you meant.';

/** Why it is refused, as text; null where it is another decision. */
export async function compiledOf(
  { granted, asked, limits }: ModelReader,
  decided: Decided,
): Promise<CompiledPlan | EarlyEnd | string | null> {
  if (decided.kind === 'malformed') return decided.why;
  if (decided.kind !== 'plan') return null;
  try {
    const intent = intentFromMetricsBody(granted.lens, decided.body, limits.now);
    const plan = await planIntent(granted, intent, asked.choices, limits);
    if (isEarlyEnd(plan)) return plan;
    return { ...plan, read: { by: 'model', asked: null }, warnings: [...plan.warnings, READ_BY_MODEL] };
  } catch (fault) {
    if (fault instanceof Problem && REFUSED.has(fault.code)) return reasonOf(fault);
    throw fault;
  }
}

const REFUSED = new Set(['invalid', 'fan_out', 'not_found', 'guard_refused']);
