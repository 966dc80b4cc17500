// Suggests likely meanings of an unknown word: names and values with similar spelling, or synonyms.
import type { Lens } from '../../lens/model/lens.ts';
import { stem } from '../english/inflection.ts';
import { isGrammarWord, SPELLABLE_GRAMMAR_WORDS } from '../words/grammar-words.ts';
import { splitWords } from '../words/phrase-key.ts';
import { computeEditDistance, toLooseSpelling } from '../words/spelling.ts';
import { foldValue } from '../words/tokens.ts';

export interface NearName {
  kind: 'metric' | 'field' | 'dataset' | 'definition' | 'value' | 'spelling';
  name: string;
  /** The field that contains the value. */
  field?: string;
  /** The text that replaces the word in the question. */
  replacement: string;
  /** True if the word is a misspelling of this name. */
  typo: boolean;
}
interface Candidate {
  nearName: Omit<NearName, 'typo'>;
  folded: string;
  /** The candidate is one word of a longer name. */
  part?: true;
}

const MAX_RESULTS = 3;
const MAX_CANDIDATES = 50_000;

const SYNONYM_GROUPS: readonly (readonly string[])[] = [
  'revenue sale turnover income takings receipts billing billed'.split(' '),
  'profit earning margin gain'.split(' '),
  'customer client buyer account shopper consumer patron guest member'.split(' '),
  'employee staff worker personnel colleague'.split(' '),
  'supplier vendor provider'.split(' '),
  'product item article good merchandise sku'.split(' '),
  'order purchase booking'.split(' '),
  'price cost fee charge'.split(' '),
  'quantity unit volume piece'.split(' '),
  'ticket case issue incident request'.split(' '),
  'invoice bill'.split(' '),
  'region area territory zone'.split(' '),
  'city town'.split(' '),
  'state province'.split(' '),
  'category class group segment type kind'.split(' '),
  'status state stage'.split(' '),
  'salary wage pay compensation'.split(' '),
  'department team division unit'.split(' '),
];

export const findNearestNames = (
  lens: Lens,
  text: string,
  hiddenFields: ReadonlySet<string> = new Set(),
): NearName[] => {
  const foldedText = foldValue(text);
  if (foldedText.length < 2) return [];
  const rankedNames: { nearName: NearName; distance: number; part?: true }[] = [];
  const nameIndex = getNameIndex(lens);
  for (const { nearName, folded, part } of findSimilarCandidates(nameIndex, foldedText)) {
    if (nearName.field !== undefined && hiddenFields.has(nearName.field)) continue;
    const editCount = isSameSpelling(foldedText, folded) ? 0 : countTypos(foldedText, folded);
    if (editCount === null || (nearName.kind === 'value' && editCount > 1)) continue;
    rankedNames.push({ nearName: { ...nearName, typo: editCount > 0 }, distance: editCount, part });
  }
  const minDistance = Math.min(...rankedNames.map(({ distance }) => distance));
  const nearestNames = rankedNames.filter(({ distance }) => distance === minDistance);
  const hasFullMatch = nearestNames.some(({ part }) => !part);
  const spelledNames = nearestNames
    .filter(({ part }) => !part || !hasFullMatch)
    .sort((item, other) => KIND_RANK[item.nearName.kind] - KIND_RANK[other.nearName.kind])
    .map(({ nearName }) => nearName);
  // A valid word isn't a typo. For "accounts", svc suggests customers rather than counts.
  const synonyms = findSynonymousNames(nameIndex, foldedText);
  const names = minDistance === 0 || synonyms.length === 0 ? [...spelledNames, ...synonyms] : synonyms;
  const uniqueNames = new Map(
    names.map((nearName) => [`${nearName.kind} ${nearName.field ?? ''} ${nearName.name}`, nearName]),
  );
  return [...uniqueNames.values()].slice(0, MAX_RESULTS);
};

const KIND_RANK: Record<NearName['kind'], number> = {
  metric: 0,
  field: 1,
  dataset: 2,
  definition: 3,
  spelling: 4,
  value: 5,
};

/** Whether one word is a misspelling or another spelling of the other. */
export const isSimilarSpelling = (one: string, other: string): boolean =>
  isSameSpelling(one, other) || countTypos(one, other) !== null;

/** Different spellings of a word start with the same letter. */
const isSameSpelling = (one: string, other: string): boolean =>
  one === other || (one[0] === other[0] && toLooseSpelling(one) === toLooseSpelling(other));

/**
 * The number of typos between two words of similar length and beginning. Null if the words are different words rather
 * than spellings of one word.
 */
const countTypos = (one: string, other: string): number | null => {
  const [length, difference] = [Math.min(one.length, other.length), Math.abs(one.length - other.length)];
  if (length < 3 || difference > 2 || countWords(one) !== countWords(other)) return null;
  const hasSameStart = one[0] === other[0] || (one[0] === other[1] && one[1] === other[0]);
  // A short word isn't a typo, unless its vowel is missing: "pln" is a plan, but "win" isn't wind.
  const maxTypos = length === 3 ? (difference === 1 && !/[aeiouy]/.test(one) ? 1 : 0) : length < 6 ? 1 : 2;
  if (!hasSameStart || difference > maxTypos) return null;
  const editCount = computeEditDistance(one, other);
  return editCount <= maxTypos ? editCount : null;
};
const countWords = (text: string): number => text.split(' ').length;

interface NameIndex {
  candidates: readonly Candidate[];
  /** Positions in `candidates`, by the first letter of the name. */
  byFirstLetter: ReadonlyMap<string, readonly number[]>;
  /** Datasets, metrics and fields. `stems`: their positions, by the stem of each word in their names. */
  names: readonly NearName[];
  stems: ReadonlyMap<string, readonly number[]>;
}
const nameIndexes = new WeakMap<Lens, NameIndex>();
function getNameIndex(lens: Lens): NameIndex {
  const cachedIndex = nameIndexes.get(lens);
  if (cachedIndex) return cachedIndex;
  const candidates = buildCandidates(lens);
  const byFirstLetter = new Map<string, number[]>();
  for (const [position, { folded }] of candidates.entries()) addIndexPosition(byFirstLetter, folded[0] ?? '', position);
  const index = { candidates, byFirstLetter, ...listNames(lens) };
  nameIndexes.set(lens, index);
  return index;
}
const addIndexPosition = (positionsByKey: Map<string, number[]>, key: string, position: number): void => {
  const list = positionsByKey.get(key);
  if (list) list.push(position);
  else positionsByKey.set(key, [position]);
};
const listCandidatesAt = <T>(items: readonly T[], positions: readonly number[]): T[] =>
  [...new Set(positions)].sort((item, other) => item - other).map((position) => items[position]!);

/** Only words with the same first letter, or with the first two letters swapped, can be typos. */
const findSimilarCandidates = ({ candidates, byFirstLetter }: NameIndex, foldedText: string): Candidate[] =>
  listCandidatesAt(candidates, [
    ...(byFirstLetter.get(foldedText[0]!) ?? []),
    ...(byFirstLetter.get(foldedText[1]!) ?? []),
  ]);

function listNames(lens: Lens): Pick<NameIndex, 'names' | 'stems'> {
  const names: NearName[] = [];
  const stems = new Map<string, number[]>();
  const add = (kind: NearName['kind'], name: string, shortName: string, synonyms: readonly string[]): void => {
    for (const item of new Set([shortName, ...synonyms].flatMap(splitWords).map(stem)))
      addIndexPosition(stems, item, names.length);
    names.push({ kind, name, replacement: splitWords(shortName).join(' '), typo: false });
  };
  for (const { name, synonyms } of lens.datasets) add('dataset', name, name, synonyms);
  for (const { name, synonyms } of lens.metrics) add('metric', name, name, synonyms);
  for (const { name: dataset, fields } of lens.datasets)
    for (const { name, synonyms } of fields) add('field', `${dataset}.${name}`, name, synonyms);
  return { names, stems };
}

function buildCandidates(lens: Lens): Candidate[] {
  const candidates: Candidate[] = [];
  const addPhrases = (kind: NearName['kind'], name: string, phrases: readonly string[], title: string): void => {
    for (const phrase of phrases) {
      const nameWords = splitWords(phrase);
      candidates.push({ nearName: { kind, name, replacement: nameWords.join(' ') }, folded: nameWords.join(' ') });
      if (nameWords.length > 1)
        for (const word of nameWords)
          if (word.length > 3 && !isGrammarWord(word))
            candidates.push({
              nearName: { kind, name, replacement: kind === 'metric' ? title : word },
              folded: word,
              part: true,
            });
    }
  };
  for (const { name, synonyms } of lens.metrics)
    addPhrases('metric', name, [name, ...synonyms], splitWords(name).join(' '));
  for (const { name: dataset, synonyms, fields } of lens.datasets) {
    addPhrases('dataset', dataset, [dataset, ...synonyms], splitWords(dataset).join(' '));
    for (const field of fields)
      addPhrases(
        'field',
        `${dataset}.${field.name}`,
        [field.name, ...field.synonyms],
        splitWords(field.name).join(' '),
      );
  }
  for (const { term, synonyms } of lens.definitions) addPhrases('definition', term, [term, ...synonyms], term);
  for (const word of SPELLABLE_GRAMMAR_WORDS)
    candidates.push({ nearName: { kind: 'spelling', name: word, replacement: word }, folded: word });
  for (const { name: dataset, fields } of lens.datasets)
    for (const field of fields) {
      if (field.masked) continue;
      for (const { value, synonyms } of field.dictionary?.values ?? [])
        for (const text of [value, ...synonyms]) {
          if (candidates.length > MAX_CANDIDATES) return candidates;
          candidates.push({
            nearName: { kind: 'value', name: value, field: `${dataset}.${field.name}`, replacement: value },
            folded: foldValue(text),
          });
        }
    }
  return candidates;
}

/** Names that contain synonyms of the word. */
function findSynonymousNames({ names, stems }: NameIndex, foldedText: string): NearName[] {
  const root = stem(foldedText);
  const group = new Set(SYNONYM_GROUPS.filter((row) => row.includes(root)).flat());
  group.delete(root);
  return listCandidatesAt(
    names,
    [...group].flatMap((item) => stems.get(item) ?? []),
  );
}
