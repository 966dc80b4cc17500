// Suggests completions while a caller types a question. Uses only the lens and runs no query.
import type { z } from 'zod';
import type { Completion, completeQuerySchema } from '../contract/lens.ts';
import type { Caller, Lens, LensDataset } from '../lens/model/lens.ts';
import { createSuggestionLens } from '../lens/policies/limit-lens.ts';
import { writePlan } from '../plan/write-plan.ts';
import { completeAtCursor } from '../reader/complete/complete.ts';
import { createSampleQuestions, type SampleQuestion } from '../reader/complete/sample-questions.ts';
import { keepRecentTurns } from '../reader/words/length-limit.ts';

export function completeQuestion(
  lens: Lens,
  caller: Caller,
  { q, cursor = q.length, before, limit }: z.infer<typeof completeQuerySchema>,
  { now, dataEnd }: { now: Date; dataEnd: Date | null },
): Completion {
  const position = Math.min(cursor, q.length);
  const { next, words, sentence, plan } = completeAtCursor({
    lens: createSuggestionLens(lens, caller),
    text: q,
    cursor: position,
    context: keepRecentTurns(before),
    now,
    dataEnd,
    limit,
  });
  return {
    sentence,
    plan: plan && (writePlan(plan) as Completion['plan']),
    words: words.map(({ kind, candidates, ...word }) => ({
      ...word,
      kind: kind === null ? 'unresolved' : COMPLETION_KIND_BY_WORD_KIND[kind],
      candidates: candidates?.map(({ kind, replacement, name }) => ({ kind, text: replacement, name })),
    })),
    next: next.map(({ kind, text, name, from }) => ({
      text,
      insert: text.slice(position - from),
      kind: COMPLETION_KIND_BY_WORD_KIND[kind],
      detail: name,
      from,
    })),
  };
}

const COMPLETION_KIND_BY_WORD_KIND = {
  metric: 'metric',
  dataset: 'dimension',
  field: 'dimension',
  value: 'value',
  period: 'time',
  ranking: 'rank',
  comparison: 'word',
  word: 'word',
} as const;

/**
 * Questions about these datasets that the lens can answer. The questions contain names in the lens and values that this
 * caller can see.
 */
export const createPhrasesForCaller = (
  lens: Lens,
  caller: Caller,
  datasets: readonly LensDataset[],
  { now, dataEnd }: { now: Date; dataEnd: Date | null },
): Promise<SampleQuestion[]> => {
  const offeredLens = createSuggestionLens(lens, caller);
  const names = new Set(datasets.map(({ name }) => name));
  return createSampleQuestions(
    offeredLens,
    offeredLens.datasets.filter(({ name }) => names.has(name)),
    { now, dataEnd },
  );
};
