// Ways of saying a part of a plan, as small matchers: from a word of the question to the words at which it may end.
import type { Asked } from './asked.ts';

export type Saying = (asked: Asked, at: number) => readonly number[];

export const inTurn =
  (...sayings: readonly Saying[]): Saying =>
  (asked, at) =>
    sayings.reduce<number[]>((ends, saying) => [...new Set(ends.flatMap((end) => [...saying(asked, end)]))], [at]);

export const either =
  (...sayings: readonly Saying[]): Saying =>
  (asked, at) => [...new Set(sayings.flatMap((saying) => [...saying(asked, at)]))];

export const perhaps = (saying: Saying): Saying => either((_asked, at) => [at], saying);

/** One of these phrases, separated by commas. */
export const words = (list: string): Saying => {
  const phrases = list.split(',').map((phrase) => phrase.trim().split(' '));
  return (asked, at) =>
    phrases
      .filter((phrase) => phrase.every((word, nth) => asked.norm(at + nth) === word))
      .map((phrase) => at + phrase.length);
};

export const number =
  (wanted: number): Saying =>
  (asked, at) => {
    const word = asked.words[at];
    return word?.kind === 'number' && word.value === wanted && word.unit === undefined ? [at + 1] : [];
  };

/** Each of them, in their order or any other that `sayings` allows, joined by "and", "or" or a comma. */
export const listed = (sayings: readonly Saying[]): Saying => {
  const [first, ...more] = sayings;
  if (!first) return nothing;
  return inTurn(first, ...more.flatMap((saying) => [perhaps(words('and,or')), saying]));
};

/** It can't be said: the part is never proven. */
export const nothing: Saying = () => [];
