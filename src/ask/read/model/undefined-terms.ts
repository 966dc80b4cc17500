// Finds undefined terms in a question: acronyms and quoted names. A model would guess their meaning, and the caller
// wouldn't notice.
import type { Lens } from '../../../lens/model/lens.ts';
import { computeOnce } from '../../../platform/memoize.ts';
import { isGrammarWord } from '../../../reader/words/grammar-words.ts';
import { splitWords, toPhraseKey } from '../../../reader/words/phrase-key.ts';
import { foldValue, tokenizeQuestion } from '../../../reader/words/tokens.ts';
import { toUnitKey } from '../../../reader/words/units.ts';
import { getVocabulary } from '../../../reader/words/vocabulary.ts';
import { findCodes } from '../../../reader/words/written-code.ts';

const ACRONYM_PATTERN = /^(?=.*\p{Lu}.*\p{Lu})[\p{Lu}\d]{2,10}s?$/u;
const MAX_WORDS = 6; // the longest term

const COMMON_ACRONYMS = new Set(
  'id ids ok am pm utc gmt usa uk eu ceo faq api url sql csv json html pdf http https ytd mtd qtd yoy mom wow q1 q2 q3 q4 h1 h2'.split(
    ' ',
  ),
);

/** `literals` are the constants of the plan or statement. Other checks prove these values. */
export function findUndefinedTerms(lens: Lens, question: string, literals: readonly string[]): string[] {
  const isUppercase = !/\p{Ll}/u.test(question);
  const comparedValues = literals.map(foldValue);
  const { tokens: list, folded } = tokenizeQuestion(question);
  const isCode = findCodes(list, folded);
  const undefinedWords = list.filter(({ kind, text }, index) => {
    if (isCode[index]) return false;
    const isCandidate =
      kind === 'quoted'
        ? splitWords(text).length <= MAX_WORDS
        : kind === 'word' && !isUppercase && ACRONYM_PATTERN.test(text);
    return (
      isCandidate &&
      !needsNoDefinition(lens, text) &&
      !isFollowedByMembers(question, text) &&
      !comparedValues.some((item) => item.includes(foldValue(text)))
    );
  });
  const quotedTexts = new Set(undefinedWords.filter(({ kind }) => kind === 'quoted').map(({ text }) => text));
  const isOtherwiseWritten =
    quotedTexts.size > 0 && quotedTexts.size <= countValuesSpelledDifferently(lens, folded, comparedValues);
  return [
    ...new Set(undefinedWords.filter(({ kind }) => !(isOtherwiseWritten && kind === 'quoted')).map(({ text }) => text)),
  ];
}

/** The number of dictionary values that the question spells differently, such as "California" for CA. */
const countValuesSpelledDifferently = (lens: Lens, question: string, comparedValues: readonly string[]): number =>
  new Set(
    comparedValues.filter((item) => !question.includes(item) && getVocabulary(lens).valuesSpelled(item).length > 0),
  ).size;

/** Whether the question lists the term's members in parentheses: "FAANG companies (Amazon, Apple or Google)". */
function isFollowedByMembers(question: string, term: string): boolean {
  const followingText = question.slice(question.indexOf(term) + term.length);
  return /^["”’']?(?:\s+[\p{L}-]+){0,2}\s*\([^()]*\p{L}[^()]*(?:,|\bor\b|\band\b)[^()]*\)/u.test(followingText);
}

/**
 * Whether the term needs no definition, because the lens uses or describes the term, or because the term is a common
 * acronym, a grammar word or a unit.
 */
export function needsNoDefinition(lens: Lens, term: string): boolean {
  const foldedTerm = foldValue(term);
  const singular = foldedTerm.replace(/s$/, '');
  if (COMMON_ACRONYMS.has(foldedTerm) || isGrammarWord(foldedTerm) || toUnitKey(foldedTerm) !== null) return true;
  const { phrases, valuesSpelled } = getVocabulary(lens);
  if (phrases.has(toPhraseKey(term)) || valuesSpelled(foldedTerm).length > 0) return true;
  return collectVocabulary(lens).has(foldedTerm) || collectVocabulary(lens).has(singular);
}

const collectVocabulary = computeOnce((lens: Lens): ReadonlySet<string> => {
  const texts = [
    lens.description,
    ...lens.datasets.flatMap(({ name, description, synonyms, fields }) => [
      name,
      description,
      ...synonyms,
      ...fields.flatMap((field) => [field.name, field.description, ...field.synonyms]),
    ]),
    ...lens.metrics.flatMap(({ name, description, synonyms }) => [name, description, ...synonyms]),
    ...lens.definitions.flatMap(({ term, meaning, synonyms }) => [term, meaning, ...synonyms]),
  ];
  return new Set(texts.flatMap((text) => (text ? splitWords(text) : [])));
});

export function listLiterals(plan: unknown): string[] {
  if (Array.isArray(plan)) return plan.flatMap(listLiterals);
  if (typeof plan !== 'object' || plan === null) return [];
  return Object.entries(plan).flatMap(([key, part]) =>
    key === 'values' && Array.isArray(part) ? part.map(String) : listLiterals(part),
  );
}

export const listSqlLiterals = (sql: string): string[] =>
  [...sql.matchAll(/'((?:[^']|'')*)'/g)].map(([, text]) => text!.replaceAll("''", "'"));
