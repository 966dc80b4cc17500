// Writes a refusal with next steps: the unknown words, their likely meanings, and questions that have a reading.
import type { Unplaced } from '../../contract/ask.ts';
import type { Lens } from '../../lens/model/lens.ts';
import { stem } from '../english/inflection.ts';
import type { PlannerInput, Reading } from '../reading.ts';
import { words } from '../words/phrase-key.ts';
import { type NearName, nearestTo } from './nearest-names.ts';
import { type Corrections, type Proposal, propose } from './propose.ts';
import { rewordings } from './rewordings.ts';
import { meaningsOf, type WordMeaning, type WordMeanings } from './word-meanings.ts';

export interface Refusal {
  message: string;
  unplaced: Unplaced[];
  proposal: Proposal | null;
  suggestions: string[];
}

type Refused = Extract<Reading, { kind: 'refused' }>;
type Unknown = Extract<WordMeaning, { is: 'unknown' }>;
const NAMED = 12;

/** `untold`: fields with values in a file that a policy may partly hide from this caller. */
export const describeRefusal = async (
  input: PlannerInput,
  reading: Refused,
  hiddenFields?: ReadonlySet<string>,
): Promise<Refusal> => {
  const meanings = meaningsOf(input);
  const { lens } = input;
  const unknown = unknownOf(meanings).slice(0, NAMED);
  const nearestByNorm = new Map(unknown.map(({ norm }) => [norm, nearestTo(lens, norm, hiddenFields)]));
  const proposed = await propose(input, meanings, correctionsOf(nearestByNorm));
  const other = proposed ? [proposed.question] : unknown.length === 0 ? await rewordings(input, meanings) : [];
  const samples = nearestSamples(lens, unknown, meanings);
  const message = reading.explained ? reading.message : messageOf(unknown, nearestByNorm, input.question);
  return {
    message: `${message}${nextSteps(other, samples)}`,
    unplaced: unknown.map(({ text, norm }) => ({
      text,
      nearest: nearestByNorm.get(norm)!.map(({ kind, name, field }) => ({ kind, name, ...(field ? { field } : {}) })),
    })),
    proposal: proposed?.proposal ?? null,
    suggestions: other.length > 0 ? other : samples,
  };
};

/** Questions that svc can answer. */
const nextSteps = (other: readonly string[], [sample]: readonly string[]): string => {
  if (other.length > 0) return ` You could ask: ${other.map((item) => `"${item}"`).join(' or ')}.`;
  return sample === undefined ? '' : ` This lens answers, for example: "${sample}"`;
};

const correctionsOf = (nearestByNorm: ReadonlyMap<string, readonly NearName[]>): Corrections =>
  new Map(
    [...nearestByNorm].flatMap(([norm, names]): [string, string][] => {
      const [word, second] = [...new Set(names.filter(({ typo }) => typo).map((name) => name.said))];
      return word !== undefined && second === undefined && names[0]!.typo ? [[norm, word]] : [];
    }),
  );

const unknownOf = ({ seen }: WordMeanings): Unknown[] => {
  const found = new Map<string, Unknown>();
  for (const item of seen) if (item.is === 'unknown' && !found.has(item.norm)) found.set(item.norm, item);
  return [...found.values()];
};

function messageOf(unknown: Unknown[], near: ReadonlyMap<string, NearName[]>, question: string): string {
  if (unknown.length === 0)
    return `Each word is known here, but not what "${question}" asks for in this sentence. Ask one thing at a time, in plain words.`;
  const list = unknown.map(({ text }) => `"${text}"`).join(', ');
  const guesses = unknown.flatMap(({ text, norm }) => {
    const names = new Set(
      near.get(norm)!.map(({ name, kind, field }) => (kind === 'value' ? `${name} (${field})` : name)),
    );
    return names.size === 0 ? [] : [`${unknown.length > 1 ? `for "${text}" ` : ''}${[...names].join(' or ')}`];
  });
  const meant = guesses.length === 0 ? '' : ` Did you mean ${guesses.join('; ')}?`;
  const then = guesses.length === 0 ? 'Say it with names of this lens' : 'Ask again with the name that you mean';
  return `I can't place ${list} in what this lens holds.${meant} ${then}, or leave ${unknown.length > 1 ? 'these words' : 'it'} out.`;
}

/** If svc understood nothing: sample questions of the lens, with those first that share a word with the question. */
function nearestSamples({ sampleQuestions }: Lens, unknown: Unknown[], { seen }: WordMeanings): string[] {
  const questionStems = new Set(
    [...unknown.map(({ norm }) => norm), ...seen.map(({ text }) => text)].flatMap(words).map(stem),
  );
  const shared = (sample: string): number => words(sample).filter((word) => questionStems.has(stem(word))).length;
  return [...sampleQuestions].sort((sampleQuestion, other) => shared(other) - shared(sampleQuestion)).slice(0, SAMPLES);
}
const SAMPLES = 3;
