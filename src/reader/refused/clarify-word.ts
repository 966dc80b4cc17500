// Asks what an unknown word means, if svc can read the question with a similar name instead of the word.
import type { Clarification } from '../../contract/ask.ts';
import type { Lens } from '../../lens/model/lens.ts';
import type { PlannerInput, ReadQuestion } from '../reading.ts';
import { splitWords } from '../words/phrase-key.ts';
import { foldValue } from '../words/tokens.ts';
import { findNearestNames, type NearName } from './nearest-names.ts';
import { meaningsOf, unknownWordsOf, type WordMeanings } from './word-meanings.ts';

const MAX_UNKNOWN_WORDS = 3;

type Choices = PlannerInput['choices'];
type Option = Exclude<Clarification['options'][number], string>;

/**
 * Asks about the first unknown word, or about all words if each has one similar name. Null if an unknown word has no
 * similar name, or if svc can't read the question with any of these names. `readQuestion` applies choices with
 * `withChosenWords`.
 */
export function clarifyUnknownWord(
  input: PlannerInput,
  readQuestion: ReadQuestion,
  hiddenFields?: ReadonlySet<string>,
): Clarification | null {
  const meanings = meaningsOf(input);
  const words = unknownWordsOf(meanings).map(({ text, norm }) => ({
    text,
    norm,
    nearNames: likelyNames(norm, findNearestNames(input.lens, norm, hiddenFields)),
  }));
  const [word] = words;
  if (!word || words.length > MAX_UNKNOWN_WORDS || words.some(({ nearNames }) => nearNames.length === 0)) return null;
  const canRead = (choices: Choices): boolean =>
    readQuestion({ ...input, choices: { ...input.choices, ...choices } }).kind !== 'refused';
  const list = words.map(({ text }) => `“${text}”`).join(' and ');
  if (words.length > 1 && words.every(({ nearNames }) => nearNames.length === 1)) {
    const question = replaceUnknown(meanings, new Map(words.map(({ norm, nearNames }) => [norm, nearNames[0]!])));
    if (!canRead({ [meanings.text]: question })) return null;
    return {
      kind: 'ambiguous_term',
      term: meanings.text,
      message: `svc doesn’t know ${list}. Do you mean “${question}”?`,
      options: [{ key: question, label: question, meaning: null }],
    };
  }
  const likelyChoices: Choices = Object.fromEntries(words.map(({ text, nearNames }) => [text, nearNames[0]!.name]));
  const options = word.nearNames
    .filter(({ name }) => canRead({ ...likelyChoices, [word.text]: name }))
    .map((nearName) => toOption(input.lens, nearName));
  if (options.length === 0) return null;
  const expression = words.length > 1 ? ` by “${word.text}”` : '';
  const ask = options.length === 1 ? `Do you mean “${options[0]!.label}”` : 'Which of these do you mean';
  const message = `svc doesn’t know ${list}. ${ask}${expression}?`;
  return { kind: 'ambiguous_term', term: word.text, message, options };
}

/** Replaces the unknown words for which the caller chose a similar name. */
export function withChosenWords(input: PlannerInput): PlannerInput {
  const choices = new Map(Object.entries(input.choices).map(([term, choice]) => [foldValue(term), choice]));
  if (choices.size === 0) return input;
  const meanings = meaningsOf(input);
  const nearNames = unknownWordsOf(meanings).map(
    ({ norm }) => [norm, likelyNames(norm, findNearestNames(input.lens, norm))] as const,
  );
  const corrected = replaceUnknown(
    meanings,
    new Map(nearNames.flatMap(([norm, [first]]) => (first ? [[norm, first]] : []))),
  );
  if (choices.get(foldValue(meanings.text)) === corrected) return { ...input, question: corrected };
  const chosen = nearNames.flatMap(([norm, names]): [string, NearName][] => {
    const nearName = names.find(({ name }) => name === choices.get(norm));
    return nearName ? [[norm, nearName]] : [];
  });
  return chosen.length === 0 ? input : { ...input, question: replaceUnknown(meanings, new Map(chosen)) };
}

const replaceUnknown = ({ text, meanings }: WordMeanings, nearNames: ReadonlyMap<string, NearName>): string =>
  meanings.reduceRight((question, meaning) => {
    const nearName = meaning.is === 'unknown' ? nearNames.get(meaning.norm) : undefined;
    return nearName
      ? `${question.slice(0, meaning.from)}${nearName.replacement}${question.slice(meaning.to)}`
      : question;
  }, text);

/** Names with different replacements. A longer name isn't likely: a "sale price" isn't what "revenue" means. */
const likelyNames = (norm: string, nearNames: readonly NearName[]): NearName[] => {
  const replacements = nearNames.map(({ replacement }) => replacement);
  return nearNames.filter(
    ({ replacement, typo }, index) =>
      replacements.indexOf(replacement) === index &&
      (typo || splitWords(replacement).length === splitWords(norm).length),
  );
};

const toOption = (lens: Lens, nearName: NearName): Option => ({
  key: nearName.name,
  label: nearName.replacement,
  meaning: meaningOf(lens, nearName),
});

function meaningOf({ datasets, metrics, definitions }: Lens, { kind, name, field }: NearName): string | null {
  if (kind === 'value') return `A value of ${field}.`;
  if (kind === 'metric') return metrics.find((metric) => metric.name === name)?.description ?? null;
  if (kind === 'definition') return definitions.find(({ term }) => term === name)?.meaning ?? null;
  const [datasetName, fieldName] = name.split('.');
  const dataset = datasets.find((item) => item.name === datasetName);
  return (kind === 'field' ? dataset?.fields.find((item) => item.name === fieldName) : dataset)?.description ?? null;
}
