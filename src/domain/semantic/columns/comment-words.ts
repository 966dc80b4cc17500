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

export const findTableNamesInComment = (comment: string | null): string[] =>
  findNamesInComment(comment, '').filter((name) => !/ and /.test(name));

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
