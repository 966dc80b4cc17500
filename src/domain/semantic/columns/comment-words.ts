// Finds names in comments on columns and tables: "Seat category", "Genre: D = drama, C = comedy", "Fee per evening in
// EUR". Full sentences stay descriptions.
import { splitNameIntoWords } from '../../../lens/model/name-words.ts';

const CURRENCY_PHRASE_PATTERN =
  /\bin (EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|HUF|JPY|CNY|INR|AUD|NZD|CAD|BRL|MXN|ZAR|TRY)(?![\w/])/;
const UNIT_PHRASE_PATTERN =
  /\bin (percent|per cent|%|minutes|hours|days|seconds|months|km|kg|meters|metres|kW|MWh)(?![\w/])/i;
/** In "in EUR thousands" or "in USD cents", the scale of the numbers differs from the unit. */
const SCALE_WORD_PATTERN = /\b(?:thousands?|millions?|billions?|cents?|pence|minor units?|\d{3,})\b/i;
/** Explanations that aren't names, such as "whether …", "date when …" or "see also …". */
const SENTENCE_WORD_PATTERN =
  /\b(?:if|whether|when|where|which|who|whose|that|is|are|was|were|be|see|use|used|must|may|can|should|do|does|not|only|null|deprecated|todo|foreign|primary|key|references?|surrogate|internal|auto)\b/i;
/** In "1 = booked (still to come), 2 = completed", the parentheses explain the meaning. */
const CODE_PAIR_PATTERN =
  /(?:^|[,;|:(]|\bor\b)\s*'?([A-Za-z0-9_+-]{1,20})'?\s*(?:=|->|→)\s*'?([^,;|=()']+?)'?\s*(?:\([^()]*\)\s*)?(?=[,;|)]|\bor\b|$)/g;
const MAX_NAME_WORDS = 3;

const findLeadingPhrase = (comment: string): string =>
  comment
    .split(/[:;(.,=\n]| [-–] /)[0]!
    .replace(CURRENCY_PHRASE_PATTERN, '')
    .replace(UNIT_PHRASE_PATTERN, '')
    .trim();

const LEADING_CODE_PATTERN =
  /^\s*(?:'?[\w+-]{1,20}'?\s*(?:=|->|→)|[A-Z0-9]{1,4} [a-z][^,;]*[,;]\s*[A-Z0-9]{1,4} [a-z])/;

export function findNamesInComment(comment: string | null, rowNoun: string): string[] {
  // A comment such as "SLS = Sales" or "A active, C cancelled" starts with a value, so it contains no name.
  if (!comment || LEADING_CODE_PATTERN.test(comment)) return [];
  const inParentheses = /^[^.;:]*?\(([A-Za-z]+(?: [A-Za-z]+)?)\)/.exec(comment)?.[1];
  const text = findLeadingPhrase(comment);
  // Changes "name of the part" to "part name". In a table of productions, changes "Title of the production" to "title".
  const [, head, ownerNoun] = /^(name|title|code|number) of (?:the |an? )?(\S+(?: \S+)?)$/i.exec(text) ?? [];
  const isOwnName = ownerNoun !== undefined && splitNameIntoWords(ownerNoun) === splitNameIntoWords(rowNoun);
  const phrases = [
    ...(head ? (isOwnName ? [head] : [`${ownerNoun} ${head}`]) : [text]),
    ...(inParentheses ? [inParentheses] : []),
  ];
  return [...new Set(phrases.map(splitNameIntoWords))].filter(
    (name) =>
      name.length > 1 &&
      name.split(' ').length <= MAX_NAME_WORDS &&
      /^[a-z][a-z0-9 ]*$/.test(name) &&
      !SENTENCE_WORD_PATTERN.test(name),
  );
}

const PHRASE_BREAK_PATTERN = /\b(?:who|that|which|whose|of|on|for|from|by|per|in|at|with|we|received|made)\b/i;

/**
 * Returns the part of the comment that the table's name abbreviates, such as "operators" in "operators and inspectors"
 * for the table "oper". Otherwise, returns the whole comment if it is a name.
 */
export function findTableNamesInComment(comment: string | null, table: string): string[] {
  const inParentheses = comment ? /^[^.;]*?\(([A-Za-z]+(?: [A-Za-z]+)?)\)/.exec(comment)?.[1] : undefined;
  const parenthesizedNames = inParentheses ? [splitNameIntoWords(inParentheses)] : [];
  const parts = findLeadingPhrase(comment ?? '')
    .split(PHRASE_BREAK_PATTERN)[0]!
    .split(/\band\b|\/|&/)
    .map(splitNameIntoWords)
    .filter((part) => /^[a-z][a-z ]*$/.test(part) && part.split(' ').length <= MAX_NAME_WORDS);
  const abbreviatedPart = parts.find((part) => isPhraseAbbreviation(table, part));
  if (abbreviatedPart === undefined) return findNamesInComment(comment, '').filter((name) => !/ and /.test(name));
  const lastWord = abbreviatedPart.split(' ').at(-1)!;
  return [
    ...new Set([abbreviatedPart, ...(isPhraseAbbreviation(table, lastWord) ? [lastWord] : []), ...parenthesizedNames]),
  ];
}

/** A name abbreviates a phrase by initials ("wo" for work orders) or letters ("clm_pmt" for claim payments). */
function isPhraseAbbreviation(table: string, phrase: string): boolean {
  const [parts, phraseWords] = [splitNameIntoWords(table).split(' '), phrase.split(' ')];
  if (parts.length === 1 && phraseWords.length > 1 && phraseWords.map((word) => word[0]).join('') === parts[0])
    return true;
  const lastWords = phraseWords.slice(-parts.length);
  return lastWords.length === parts.length && parts.every((part, index) => isWordAbbreviation(part, lastWords[index]!));
}
function isWordAbbreviation(part: string, word: string): boolean {
  if (part.length < 3 || part.length >= word.length - 1 || part[0] !== word[0]) return false;
  let position = 0;
  for (const letter of word) if (letter === part[position]) position++;
  return position === part.length;
}

/** A single pair isn't enough evidence for codes. */
export function findCodesInComment(comment: string | null): { value: string; synonyms: string[] }[] {
  const codePairs = [...(comment ?? '').matchAll(CODE_PAIR_PATTERN)].map(([, value, meaning]) => ({
    value: value!,
    synonyms: [meaning!.trim().toLowerCase()].filter((meaning) => meaning.split(' ').length <= MAX_NAME_WORDS),
  }));
  const areDistinct = new Set(codePairs.map(({ value }) => value)).size === codePairs.length;
  return codePairs.length > 1 && areDistinct && codePairs.every(({ synonyms }) => synonyms.length > 0) ? codePairs : [];
}

export const findUnitInComment = (comment: string | null): string | null => {
  if (!comment || SCALE_WORD_PATTERN.test(comment)) return null;
  const unitText = UNIT_PHRASE_PATTERN.exec(comment)?.[1]?.toLowerCase();
  return (
    CURRENCY_PHRASE_PATTERN.exec(comment)?.[1] ?? (unitText && /^(?:per|%)/.test(unitText) ? '%' : (unitText ?? null))
  );
};
