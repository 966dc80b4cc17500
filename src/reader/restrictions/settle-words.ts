// Applies the restricting words to a reading: a plan that expresses them, a clarification, or a refusal that
// names the word.

import type { Caller, Lens } from '../../lens/model/lens.ts';
import type { LensPlan } from '../../plan/lens-plan.ts';
import { planSentence } from '../../plan/plan-sentence.ts';
import { checkPlan } from '../../plan/sql/compile-plan.ts';
import { Problem } from '../../platform/problem.ts';
import type { Sense } from '../english/restricting.ts';
import type { PlannerInput, Reading, ReadQuestion } from '../reading.ts';
import { isFloating } from './all.ts';
import { type Restricting, type Sentence, sentenceOf } from './sentence.ts';
import { outcomesOf } from './words-mean.ts';

/** The round-trip proof covers these. */
const NEGATIVE: readonly Sense[] = ['not', 'except', 'neither'];
const ROUNDS = 6;
const ANYONE: Caller = { name: '', groups: [], attributes: {}, superuser: true };

/** Reads the question without the words that the grammar doesn't handle, and then adds them to its plan. */
export function readWithRestrictions(given: PlannerInput, read: ReadQuestion): Reading {
  const sentence = sentenceOf(given.question, given.lens, given.now);
  const senses = new Set(sentence.words.map(({ sense }) => sense));
  const negated = NEGATIVE.some((sense) => senses.delete(sense));
  for (const sense of NEGATIVE) senses.delete(sense);
  senses.delete('each');
  const input = { ...given, negated, restricted: senses.size > 0 };
  const taken = removedWords(sentence);
  if (taken.length === 0) return settled(input, sentence, read(input));
  const written = read(input);
  const reading = settled(input, sentence, read({ ...input, question: without(sentence, taken) }));
  if (reading.kind === 'refused') return written.kind === 'plan' ? settled(input, sentence, written) : written;
  const words = taken.map(({ text }) => ({ text, as: 'restriction' }));
  return reading.kind === 'plan' ? { ...reading, words: [...reading.words, ...words] } : reading;
}

/** A question without such words, as the reader reads it. */
export const withoutRestricting = (question: string, lens: Lens, now: Date): string => {
  const sentence = sentenceOf(question, lens, now);
  return without(sentence, removedWords(sentence));
};
const removedWords = (sentence: Sentence): Restricting[] =>
  sentence.words.filter((word) => word.sense === 'only' || isFloating({ sentence }, word));
const without = ({ tokens, text }: Sentence, words: readonly Restricting[]): string => {
  let kept = text;
  for (const { from, to } of words.toSorted((one, other) => other.from - one.from))
    kept = `${kept.slice(0, tokens[from]!.start)}${kept.slice(tokens[to - 1]!.end).trimStart()}`;
  return kept.trim();
};

function settled(input: PlannerInput, sentence: Sentence, reading: Reading): Reading {
  if (reading.kind !== 'plan') return reading;
  const { lens, choices } = input;
  const sentences = [...reading.asked.texts.map((text) => sentenceOf(text, lens, input.now)), sentence];
  let { plan } = reading;
  for (let round = 0; round < ROUNDS; round++) {
    const [next] = sentences
      .flatMap((one) => [...outcomesOf(one, plan, lens, choices)])
      .filter(({ outcome }) => !outcome || !('says' in outcome));
    if (!next) return said(input, reading, plan);
    const { word, outcome } = next;
    if (outcome && 'ask' in outcome) return { kind: 'clarification', clarification: outcome.ask, words: reading.words };
    if (!outcome || !('plan' in outcome) || !compiles(input, outcome.plan)) return unsaid(word);
    plan = outcome.plan;
  }
  return unsaid(sentence.words[0]!.text);
}

const compiles = ({ lens }: PlannerInput, plan: LensPlan): boolean => {
  try {
    checkPlan(lens, plan, ANYONE);
    return true;
  } catch (fault) {
    if (fault instanceof Problem) return false;
    throw fault;
  }
};

type Read = Extract<Reading, { kind: 'plan' }>;
const said = ({ lens, question, choices }: PlannerInput, reading: Read, plan: LensPlan): Reading => ({
  ...reading,
  plan,
  sentence: plan === reading.plan ? reading.sentence : planSentence(lens, plan),
  asked: { texts: [...reading.asked.texts, question], choices },
});

const unsaid = (word: string): Reading => ({
  kind: 'refused',
  words: [word],
  explained: true,
  message: `"${word}" says more here than a plan can. Leave it out, or say which rows count: "with at least one …", "with no …", "by …".`,
});
