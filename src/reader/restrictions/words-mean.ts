// Each word of a question that restricts or quantifies, with the part of the plan that expresses it,
// independent of who made the plan.

import type { Lens } from '../../lens/model/lens.ts';
import type { LensPlan } from '../../plan/lens-plan.ts';
import { allMeans } from './all.ts';
import { andMeans, conjoined } from './and.ts';
import { exceptMeans, notMeans } from './except.ts';
import { onlyMeans } from './only.ts';
import type { Outcome } from './outcome.ts';
import { bothMeans, eitherMeans, neitherMeans } from './pairs.ts';
import { type Place, placeIn } from './place.ts';
import { type Restricting, type Sentence, sentenceOf } from './sentence.ts';
import { timesMeans } from './times.ts';

export interface Meant {
  word: string;
  /** Null: no part of the plan expresses it. */
  says: string | null;
}

const MEANS: Readonly<Record<Restricting['sense'], (place: Place, word: Restricting) => Outcome>> = {
  only: onlyMeans,
  all: allMeans,
  each: allMeans,
  both: bothMeans,
  either: eitherMeans,
  neither: neitherMeans,
  except: exceptMeans,
  not: notMeans,
  times: timesMeans,
  unsayable: () => null,
};

export interface Found {
  word: string;
  outcome: Outcome;
}
export function* outcomesOf(
  sentence: Sentence,
  plan: LensPlan,
  lens: Lens,
  choices: Readonly<Record<string, string>>,
): Generator<Found> {
  const place = placeIn(lens, plan, sentence, choices);
  for (const word of sentence.words) yield { word: word.text, outcome: MEANS[word.sense](place, word) };
  for (const pair of conjoined(sentence)) yield { word: pair.text, outcome: andMeans(place, pair) };
}

/** `texts`: the question, and the earlier ones that it continues. */
export const wordsMean = (
  texts: readonly string[],
  plan: LensPlan,
  lens: Lens,
  choices: Readonly<Record<string, string>>,
  now: Date,
): Meant[] =>
  texts.flatMap((text) =>
    [...outcomesOf(sentenceOf(text, lens, now), plan, lens, choices)].map(({ word, outcome }) => ({
      word,
      says: outcome && 'says' in outcome ? outcome.says : null,
    })),
  );
