// Types the sentences of plans with completions only, after at most four letters of a word. Numbers, dates, quoted
// texts and commas need no completion.

import type { Lens } from '../../src/lens/model/lens.ts';
import type { LensPlan } from '../../src/plan/lens-plan.ts';
import { checkPlan } from '../../src/plan/sql/compile-plan.ts';
import { Problem } from '../../src/platform/problem.ts';
import { writeCanonicalSentence } from '../../src/reader/canonical/sentence.ts';
import { completeAtCursor } from '../../src/reader/complete/complete.ts';
import { shapedLenses } from './lens-shapes.ts';
import { PlanGenerator } from './plan-generator.ts';

const ANYONE = { name: '', groups: [], attributes: {}, superuser: true };
const now = new Date('2024-06-30T12:00:00Z');
const DAY = String.raw`\d{4}-\d\d-\d\d`;
const FREE = new RegExp(
  String.raw`^(?:(?:on |since |before |from )?${DAY}(?: to ${DAY})?|\d+|"[^"]*"|,|the)(?=\s|$|,)`,
);
const LETTERS = 4;

const sentenceOf = (lens: Lens, plan: LensPlan): string | null => {
  try {
    checkPlan(lens, plan, ANYONE);
    return writeCanonicalSentence(lens, plan);
  } catch (fault) {
    if (fault instanceof Problem) return null;
    throw fault;
  }
};

/** Returns the end of the longest completion that continues the sentence at this position. Null if there is none. */
const completionEnd = (lens: Lens, sentence: string, at: number): number | null => {
  for (let cursor = at; cursor <= Math.min(at + LETTERS, sentence.length); cursor++) {
    const { next } = completeAtCursor({
      lens,
      text: sentence.slice(0, cursor),
      cursor,
      now,
      dataEnd: null,
      limit: 100_000,
    });
    const ends = next
      .filter(({ text, from }) => sentence.slice(from, from + text.length).toLowerCase() === text.toLowerCase())
      .map(({ text, from }) => from + text.length)
      .filter((end) => end > cursor && /^(?:\s|,|$)/.test(sentence.slice(end)));
    if (ends.length > 0) return Math.max(...ends);
  }
  return null;
};

/** Returns the sentences that completion can't type, with a mark at the position where it stops. */
export const findUntypable = ({ sentences, seed }: { sentences: number; seed: number }): string[] => {
  const lenses = shapedLenses();
  const stopped: string[] = [];
  for (let at = 0, typedCount = 0; typedCount < sentences; at++) {
    const lens = lenses[at % lenses.length]!;
    const sentence = sentenceOf(lens, new PlanGenerator(lens, seed * 1_000_003 + at).one());
    if (sentence === null) continue;
    typedCount++;
    let typedEnd: number | null = 0;
    for (let place = 0; typedEnd !== null && place < sentence.length; place = typedEnd ?? place) {
      const free = FREE.exec(sentence.slice(place));
      typedEnd = free ? place + free[0].length : completionEnd(lens, sentence, place);
      if (typedEnd === null) stopped.push(`${lens.name}: ${sentence.slice(0, place)}<${sentence.slice(place)}>`);
      else while (sentence[typedEnd] === ' ') typedEnd++;
    }
  }
  return stopped;
};
