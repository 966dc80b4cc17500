// Writes a refusal with next steps: the unknown words, their likely meanings, and questions that svc can answer.
import type { UnplacedText } from '../../contract/ask.ts';
import type { Lens } from '../../lens/model/lens.ts';
import { findStem } from '../english/inflection.ts';
import type { ReaderInput, ReaderResult } from '../reader-result.ts';
import { isGrammarWord } from '../words/grammar-words.ts';
import { splitWords } from '../words/phrase-key.ts';
import { findNearestNames, type NearName } from './nearest-names.ts';
import { type Corrections, type Proposal, proposePlan } from './propose.ts';
import { findQuestionsAboutNames, findRewordings } from './rewordings.ts';
import { findUnknownWords, findWordMeanings, type UnknownWord, type WordMeanings } from './word-meanings.ts';

export interface Refusal {
  message: string;
  unplaced: UnplacedText[];
  proposal: Proposal | null;
  suggestions: string[];
}

type ReaderRefusal = Extract<ReaderResult, { kind: 'refused' }>;
const MAX_UNKNOWN_WORDS = 12;

/**
 * `hiddenFields` contains fields whose values are in a lens file, although a policy may hide some of these values from
 * the caller.
 */
export const describeRefusal = async (
  input: ReaderInput,
  reading: ReaderRefusal,
  hiddenFields?: ReadonlySet<string>,
): Promise<Refusal> => {
  const meanings = findWordMeanings(input);
  const { lens } = input;
  const unknownWords = findUnknownWords(meanings).slice(0, MAX_UNKNOWN_WORDS);
  const nearestByNorm = new Map(unknownWords.map(({ norm }) => [norm, findNearestNames(lens, norm, hiddenFields)]));
  const proposedQuestion = await proposePlan(input, meanings, findCorrections(nearestByNorm));
  const otherQuestions = proposedQuestion
    ? [proposedQuestion.question]
    : unknownWords.length === 0
      ? await findRewordings(input, meanings)
      : [];
  const questionsAboutNames = otherQuestions.length > 0 ? [] : await findQuestionsAboutNames(input, meanings);
  const samples = [...questionsAboutNames, ...findNearestSamples(lens, meanings)].slice(0, MAX_SAMPLES);
  const message = reading.isExplained ? reading.message : writeRefusalMessage(unknownWords, nearestByNorm, input);
  return {
    message: `${message}${describeNextSteps(otherQuestions, samples)}`,
    unplaced: unknownWords.map(({ text, norm }) => ({
      text,
      nearest: nearestByNorm.get(norm)!.map(({ kind, name, field }) => ({ kind, name, ...(field ? { field } : {}) })),
    })),
    proposal: proposedQuestion?.proposal ?? null,
    suggestions: otherQuestions.length > 0 ? otherQuestions : samples,
  };
};

/** Suggests questions that svc can answer. */
const describeNextSteps = (otherQuestions: readonly string[], [sample]: readonly string[]): string => {
  if (otherQuestions.length > 0) return ` You could ask: ${otherQuestions.map((item) => `"${item}"`).join(' or ')}.`;
  return sample === undefined ? '' : ` This lens can answer questions such as "${sample}"`;
};

const findCorrections = (nearestByNorm: ReadonlyMap<string, readonly NearName[]>): Corrections =>
  new Map(
    [...nearestByNorm].flatMap(([norm, names]): [string, string][] => {
      const [word, second] = [...new Set(names.filter(({ typo }) => typo).map((name) => name.replacement))];
      return word !== undefined && second === undefined && names[0]!.typo ? [[norm, word]] : [];
    }),
  );

/**
 * Returns a masked field that the question names, as dataset.field. The message can contain this name, because callers
 * also see masked fields in the description of the lens.
 */
function findMaskedField({ lens, question }: ReaderInput): string | null {
  const stemsOf = (text: string): string => ` ${splitWords(text).map(findStem).join(' ')} `;
  const questionStems = stemsOf(question);
  for (const dataset of lens.datasets)
    for (const { name, synonyms, masked } of dataset.fields)
      if (masked && [name, ...synonyms].some((label) => questionStems.includes(stemsOf(label))))
        return `${dataset.name}.${name}`;
  return null;
}

function writeRefusalMessage(
  unknownWords: UnknownWord[],
  nearNames: ReadonlyMap<string, NearName[]>,
  input: ReaderInput,
): string {
  const { question } = input;
  const maskedField = unknownWords.length === 0 ? findMaskedField(input) : null;
  if (maskedField)
    return `The field ${maskedField} is masked. Answers do not show its values, and you can only count its distinct values. Ask the question without this field.`;
  if (unknownWords.length === 0)
    return `svc knows each word of "${question}", but can't read the words together as one question. Ask for one thing at a time.`;
  const list = unknownWords.map(({ text }) => `"${text}"`).join(', ');
  const guesses = unknownWords.flatMap(({ text, norm }) => {
    const names = new Set(
      nearNames.get(norm)!.map(({ name, kind, field }) => (kind === 'value' ? `${name} (${field})` : name)),
    );
    return names.size === 0 ? [] : [`${unknownWords.length > 1 ? `for "${text}" ` : ''}${[...names].join(' or ')}`];
  });
  const guessText = guesses.length === 0 ? '' : ` Did you mean ${guesses.join('; ')}?`;
  const advice = guesses.length === 0 ? 'Use names of this lens instead' : 'Ask again with the name that you mean';
  return `svc can't match ${list} to anything in this lens.${guessText} ${advice}, or leave ${unknownWords.length > 1 ? 'these words' : 'this word'} out.`;
}

/**
 * Returns the sample questions of the lens that have the most words in common with the question. Omits sample questions
 * that have only grammar words in common with the question.
 */
function findNearestSamples({ sampleQuestions }: Lens, { meanings }: WordMeanings): string[] {
  const questionStems = new Set(
    meanings
      .filter(({ is }) => is === 'name' || is === 'value' || is === 'unknown')
      .flatMap(({ text }) => splitWords(text))
      .filter((word) => !isGrammarWord(word))
      .map(findStem),
  );
  return sampleQuestions
    .map((sample) => ({
      sample,
      shared: splitWords(sample).filter((word) => questionStems.has(findStem(word))).length,
    }))
    .filter(({ shared }) => shared > 0)
    .sort((one, other) => other.shared - one.shared)
    .slice(0, MAX_SAMPLES)
    .map(({ sample }) => sample);
}
const MAX_SAMPLES = 3;
