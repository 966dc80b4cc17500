// Groups questions without a good answer by lens and reason. Omits questions that the current lenses can answer.
import type { z } from 'zod';
import type { gapSchema } from '../../contract/mgmt/cockpit.ts';
import type { Lens } from '../../lens/model/lens.ts';
import { createYieldIfDue } from '../../platform/schedule/in-turns.ts';
import { normalizeQuestion } from '../../reader/meaning-check.ts';
import { readWithoutFillerWords } from '../lenses/read-without-filler-words.ts';
import type { RecentQuestion } from '../observe/question-repository.ts';
import { type GapFixSuggestion, suggestGapFix } from './suggest-gap-fix.ts';

export type Gap = Pick<z.infer<typeof gapSchema>, 'lens' | 'kind' | 'missing' | 'questions' | 'asks' | 'callers'> & {
  key: string;
  lastAt: Date;
  suggestion: GapFixSuggestion;
};
const MAX_EXAMPLES = 10;
const MAX_INTERPRETED_QUESTIONS = 2_000;

/** Works in slices, so that svc can answer asks in between. The number of interpreted questions is limited. */
export async function findGaps(
  unanswered: readonly RecentQuestion[],
  lenses: readonly Lens[],
  now: Date,
): Promise<Gap[]> {
  const gaps = new Map<string, Gap>();
  const budget = { readings: MAX_INTERPRETED_QUESTIONS };
  const pause = createYieldIfDue();
  for (const ask of unanswered) {
    const gapReason = await findGapReason(ask, lenses, now, budget, pause);
    if (!gapReason) continue;
    await pause();
    const gapKey = JSON.stringify([gapReason.lens, gapReason.kind, ...gapReason.missing]);
    const gap = gaps.get(gapKey) ?? {
      ...gapReason,
      key: gapKey,
      questions: [],
      asks: 0,
      callers: 0,
      lastAt: ask.lastAt,
      suggestion: suggestNextStep(gapReason, lenses, ask.question),
    };
    gap.asks += ask.asks;
    gap.callers = Math.max(gap.callers, ask.callers);
    if (ask.lastAt > gap.lastAt) gap.lastAt = ask.lastAt;
    if (gap.questions.length < MAX_EXAMPLES)
      gap.questions.push({ question: ask.question, asks: ask.asks, request_id: ask.requestId });
    gaps.set(gapKey, gap);
  }
  return [...gaps.values()].sort((a, b) => b.asks - a.asks || (a.key < b.key ? -1 : 1));
}

type GapReason = Pick<Gap, 'lens' | 'kind' | 'missing'>;
async function findGapReason(
  { question, lens: name, status, outcome, failing }: RecentQuestion,
  lenses: readonly Lens[],
  now: Date,
  budget: { readings: number },
  pause: ReturnType<typeof createYieldIfDue>,
): Promise<GapReason | null> {
  const findUnreadWords = async (lens: Lens): Promise<string[] | null> => {
    await pause();
    const reading = readWithoutFillerWords({ question, lens, choices: {}, now });
    return reading.kind === 'refused'
      ? [...new Set(reading.words.map((word) => normalizeQuestion(word) || word.toLowerCase()))].sort()
      : null;
  };
  if (status === 'answered') return { lens: name, kind: 'low_confidence', missing: [...failing].sort() };
  if (status === 'failed') return outcome === 'cancelled' ? null : { lens: name, kind: 'failed', missing: [outcome] };
  // A model's clarification doesn't name the words that svc doesn't know, so the gap lists them.
  if (status === 'clarification' || name !== null) {
    const lens = lenses.find((lens) => lens.name === name);
    const missing = lens ? await findUnreadWords(lens) : null;
    return missing && { lens: name, kind: 'unread', missing };
  }
  budget.readings -= lenses.length;
  const triedLenses: { lens: string; missing: string[] | null }[] = [];
  for (const lens of budget.readings < 0 ? [] : lenses)
    triedLenses.push({ lens: lens.name, missing: await findUnreadWords(lens) });
  const [nearestLens] = triedLenses.sort((a, b) => (a.missing?.length ?? 0) - (b.missing?.length ?? 0));
  if (!nearestLens) return { lens: null, kind: 'uncovered', missing: [] };
  const { missing } = nearestLens;
  return missing && { lens: missing.length <= 3 ? nearestLens.lens : null, kind: 'uncovered', missing };
}

function suggestNextStep(
  { lens: name, kind, missing }: GapReason,
  lenses: readonly Lens[],
  question: string,
): Gap['suggestion'] {
  const lens = lenses.find((lens) => lens.name === name);
  if ((kind === 'unread' || kind === 'uncovered') && lens) return suggestGapFix(lens, missing, question);
  const text = {
    failed:
      'The warehouse could not answer. Read the errors of these requests, then check the lens with POST /mgmt/lenses/{name}/drift.',
    low_confidence: `These checks failed: ${missing.join(', ')}. Certify the question, or add a metric for it.`,
    unread: `No lens covers “${question}”. Draft one: POST /mgmt/semantic/introspect/draft.`,
    uncovered: `No lens covers “${question}”. Draft one: POST /mgmt/semantic/introspect/draft.`,
  }[kind];
  return { text, change: null };
}
