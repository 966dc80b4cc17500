// Asks what an unknown word means, if a similar name in place of the word results in an answer.
import type { Clarification } from '../../contract/ask.ts';
import type { Lens } from '../../lens/model/lens.ts';
import type { QuestionReader, ReaderInput } from '../reader-result.ts';
import { splitWords } from '../words/phrase-key.ts';
import { foldValue } from '../words/tokens.ts';
import { findNearestNames, isSimilarSpelling, type NearName } from './nearest-names.ts';
import { findUnknownWords, findWordMeanings, type WordMeanings } from './word-meanings.ts';

const MAX_UNKNOWN_WORDS = 3;
const MAX_TERM_LENGTH = 200; // characters of a term in `choices`
const MAX_WORDS = 30; // the limit in words, because a longer question rarely has a misspelling as its only obstacle

type CallerChoices = ReaderInput['choices'];
type ClarificationOption = Exclude<Clarification['options'][number], string>;

/**
 * Asks about the first unknown word, or about all unknown words together if each has exactly one similar name. Returns
 * null if an unknown word has no similar name, or if none of these names results in a plan. The function `readQuestion`
 * applies the caller's choices with `withChosenWords`.
 */
export function* clarifyUnknownWord(
  input: ReaderInput,
  readQuestion: QuestionReader,
  hiddenFields?: ReadonlySet<string>,
): Generator<void, Clarification | null> {
  const meanings = findWordMeanings(input);
  if (meanings.meanings.length > MAX_WORDS) return null;
  const words = findUnknownWords(meanings).map(({ text, norm }) => ({
    text,
    norm,
    nearNames: findLikelyNames(norm, findNearestNames(input.lens, norm, hiddenFields)),
  }));
  const [word] = words;
  if (!word || words.length > MAX_UNKNOWN_WORDS || words.some(({ nearNames }) => nearNames.length === 0)) return null;
  const canRead = (choices: CallerChoices): boolean =>
    readQuestion({ ...input, choices: { ...input.choices, ...choices } }).kind !== 'refused';
  const list = words.map(({ text }) => `“${text}”`).join(' and ');
  const haveOneName = words.every(({ nearNames }) => nearNames.length === 1);
  if (words.length > 1 && haveOneName && meanings.text.length <= MAX_TERM_LENGTH) {
    const replacements = new Map(words.map(({ norm, nearNames }) => [norm, nearNames[0]!.replacement]));
    const question = replaceUnknown(meanings, replacements);
    yield;
    if (!canRead({ [meanings.text]: question })) return null;
    return {
      kind: 'ambiguous_term',
      term: meanings.text,
      message: `svc doesn’t know ${list}. Do you mean “${question}”?`,
      options: [{ key: question, label: question, meaning: null }],
    };
  }
  const likelyChoices: CallerChoices = Object.fromEntries(
    words.map(({ text, nearNames }) => [text, nearNames[0]!.replacement]),
  );
  const options: ClarificationOption[] = [];
  for (const nearName of word.nearNames) {
    yield; // each interpretation takes a few milliseconds
    if (canRead({ ...likelyChoices, [word.text]: nearName.replacement })) options.push(toOption(input.lens, nearName));
  }
  if (options.length === 0) return null;
  const expression = words.length > 1 ? ` by “${word.text}”` : '';
  const ask = options.length === 1 ? `Do you mean “${options[0]!.label}”` : 'Which of these do you mean';
  const message = `svc doesn’t know ${list}. ${ask}${expression}?`;
  return { kind: 'ambiguous_term', term: word.text, message, options };
}

export interface ChosenWords {
  input: ReaderInput;
  /** The words whose meaning the caller stated, except misspelled words. */
  meant: { term: string; meaning: string }[];
}

/**
 * Replaces each unknown word with the caller's choice for that word, or all unknown words with the caller's choice for
 * the question.
 */
export function withChosenWords(input: ReaderInput, spellChoice = (choice: string) => choice): ChosenWords {
  const choices = new Map(
    Object.entries(input.choices).map(([term, choice]) => [foldValue(term), spellChoice(choice.trim())]),
  );
  if (choices.size === 0) return { input, meant: [] };
  const meanings = findWordMeanings(input);
  const words = findUnknownWords(meanings);
  const chosenQuestion = choices.get(foldValue(meanings.text));
  const replacements = chosenQuestion
    ? findReplacements(chosenQuestion, meanings)
    : new Map(words.flatMap(({ norm }): [string, string][] => (choices.get(norm) ? [[norm, choices.get(norm)!]] : [])));
  if (replacements.size === 0) return { input, meant: [] };
  const meant = words.flatMap(({ text, norm }) => {
    const meaning = replacements.get(norm);
    return meaning === undefined || isSimilarSpelling(norm, foldValue(meaning)) ? [] : [{ term: text, meaning }];
  });
  return { input: { ...input, question: replaceUnknown(meanings, replacements) }, meant };
}

/**
 * Returns the words that a question has in place of the unknown words. Returns an empty map if any other word differs.
 */
function findReplacements(question: string, { text, meanings }: WordMeanings): Map<string, string> {
  const words = meanings.flatMap((meaning) => (meaning.is === 'unknown' ? [meaning] : []));
  const found = new Map<string, string>();
  let position = 0;
  for (const [index, { norm, from, to }] of words.entries()) {
    const start = position + from - (words[index - 1]?.to ?? 0);
    const textAfter = text.slice(to, words[index + 1]?.from);
    const end =
      index === words.length - 1 ? question.length - textAfter.length : question.indexOf(textAfter, start + 1);
    if (end <= start) return new Map();
    found.set(norm, question.slice(start, end));
    position = end;
  }
  return replaceUnknown({ text, meanings }, found) === question ? found : new Map();
}

const replaceUnknown = ({ text, meanings }: WordMeanings, replacements: ReadonlyMap<string, string>): string =>
  meanings.reduceRight((question, meaning) => {
    const replacement = meaning.is === 'unknown' ? replacements.get(meaning.norm) : undefined;
    return replacement === undefined
      ? question
      : `${question.slice(0, meaning.from)}${replacement}${question.slice(meaning.to)}`;
  }, text);

/**
 * Keeps misspelled names, and names with as many words as the unknown word. For example, "revenue" doesn't mean "sale
 * price". Omits names with the same replacement as an earlier name.
 */
const findLikelyNames = (norm: string, nearNames: readonly NearName[]): NearName[] => {
  const replacements = nearNames.map(({ replacement }) => replacement);
  return nearNames.filter(
    ({ replacement, typo }, index) =>
      replacements.indexOf(replacement) === index &&
      (typo || splitWords(replacement).length === splitWords(norm).length),
  );
};

const toOption = (lens: Lens, nearName: NearName): ClarificationOption => ({
  key: nearName.replacement,
  label: nearName.replacement,
  meaning: describeNearName(lens, nearName),
});

function describeNearName({ datasets, metrics, definitions }: Lens, { kind, name, field }: NearName): string | null {
  if (kind === 'value') return `A value of ${field}.`;
  if (kind === 'metric') return metrics.find((metric) => metric.name === name)?.description ?? null;
  if (kind === 'definition') return definitions.find(({ term }) => term === name)?.meaning ?? null;
  const [datasetName, fieldName] = name.split('.');
  const dataset = datasets.find((item) => item.name === datasetName);
  return (kind === 'field' ? dataset?.fields.find((item) => item.name === fieldName) : dataset)?.description ?? null;
}
