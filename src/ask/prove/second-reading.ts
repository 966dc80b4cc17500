// Two ways to one answer: what the planner read, and what a model proposes without having seen it. Where both come to the
// same statement or the same rows the check passes; where they do not, the answer is not verified and says why.
import { compareResults, type Row } from '../../domain/evals/compare-results.ts';
import { type CompiledQuery, compileIntent } from '../../lens/compile-intent.ts';
import type { Intent } from '../../lens/intent.ts';
import { intentSentence } from '../../lens/intent-sentence.ts';
import { Problem } from '../../platform/problem.ts';
import type { Models } from '../ask-deps.ts';
import type { Journal } from '../journal.ts';
import type { CompiledPlan, GrantedLens, Verdict } from '../outcome.ts';
import { checkValues, isClarification } from '../read/check-values.ts';
import { proposedIntent } from '../read/model/proposed-intent.ts';
import type { ModelContext } from '../read/model/shown.ts';
import type { AskedQuestion } from '../read/plan-question.ts';
import type { ProbeLimits } from '../read/probe-values.ts';
import { FETCH_CAP } from '../run/fetch-rows.ts';
import { readGoverned } from '../run/governed-read.ts';
import { failed, notApplicable, passed } from './check.ts';

export async function withSecondReading(
  models: Models,
  journal: Journal,
  granted: GrantedLens,
  asked: AskedQuestion,
  plan: CompiledPlan,
  context: ModelContext,
  limits: ProbeLimits,
): Promise<CompiledPlan> {
  const second = await proposedIntent(models, journal, granted, asked, context, limits);
  const verdict = await compared(granted, plan, second, asked, limits);
  return { ...plan, second: verdict.outcome === 'fail' ? { ...verdict, warning: verdict.detail } : verdict };
}

async function compared(
  granted: GrantedLens,
  plan: CompiledPlan,
  second: Intent | 'unanswerable' | null,
  asked: AskedQuestion,
  limits: ProbeLimits,
): Promise<Verdict> {
  // A model that is away says nothing about an answer that needs none.
  if (second === null) return notApplicable('The language model gave no reading to compare with.');
  if (second === 'unanswerable')
    return failed('A second reading, by a language model, finds that the lens cannot answer all of this.');
  try {
    const checked = await checkValues(granted, second, asked.choices, limits);
    if (isClarification(checked))
      return failed('A second reading, by a language model, filters by a value that is not stored.');
    const other = await compileIntent(granted.lens, checked.intent, granted.asker, {
      maxRows: FETCH_CAP,
      now: limits.now,
    });
    if (other.sql === plan.compiled.sql || (await sameRows(granted, plan, checked.intent, other, limits)))
      return passed('A second reading, by a language model, comes to the same answer.');
    const sentence = intentSentence(granted.lens, checked.intent);
    return failed(`A second reading, by a language model, comes to another answer: ${sentence}`);
  } catch (fault) {
    if (fault instanceof Problem && fault.code === 'invalid')
      return notApplicable('The language model gave no reading that this lens allows.');
    throw fault;
  }
}

/** Other words for the same rows: a filter left out that holds anyway, a column in another order. */
async function sameRows(
  granted: GrantedLens,
  plan: CompiledPlan,
  second: Intent,
  other: CompiledQuery,
  limits: ProbeLimits,
): Promise<boolean> {
  if (other.columns.length !== plan.compiled.columns.length) return false;
  const read = async (intent: Intent): Promise<Row[]> => {
    const { rows } = await readGoverned(granted.warehouse, granted.lens, granted.asker, intent, {
      ...limits,
      maxRows: FETCH_CAP,
    });
    return rows.map((row) => row.map(cell));
  };
  const [one, two] = [await read(plan.intent), await read(second)];
  return compareResults({ rows: one, ordered: false }, { rows: two }).equal;
}

const cell = (value: unknown): Row[number] =>
  value === null || value === undefined
    ? null
    : typeof value === 'number' || typeof value === 'boolean'
      ? value
      : String(value);
