// The likely meanings of an unknown word: a name or value with similar spelling, or a synonym. Suggested,
// never applied.
import type { Lens } from '../../lens/model/lens.ts';
import { stem } from '../english/inflection.ts';
import { isGrammar, SPELLED_GRAMMAR } from '../words/grammar-words.ts';
import { words } from '../words/phrase-key.ts';
import { edits, looselySpelled } from '../words/spelling.ts';
import { foldValue } from '../words/tokens.ts';

export interface NearName {
  kind: 'metric' | 'field' | 'dataset' | 'definition' | 'value' | 'spelling';
  name: string;
  /** For a value: its field. */
  field?: string;
  /** The text that replaces the word in the question. */
  said: string;
  /** True if the word is a misspelling of it. */
  typo: boolean;
}
interface Candidate {
  near: Omit<NearName, 'typo'>;
  folded: string;
  /** One word of a longer name. */
  part?: true;
}

const MAX_RESULTS = 3;
const MAX_CANDIDATES = 50_000;

/** Groups of interchangeable words. */
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

/** The best three. */
export const nearestTo = (lens: Lens, text: string, hiddenFields: ReadonlySet<string> = new Set()): NearName[] => {
  const wanted = foldValue(text);
  if (wanted.length < 2) return [];
  const ranked: { near: NearName; far: number; part?: true }[] = [];
  const known = knownOf(lens);
  for (const { near, folded, part } of withSimilarStart(known, wanted)) {
    if (near.field !== undefined && hiddenFields.has(near.field)) continue;
    const far = sameSpelling(wanted, folded) ? 0 : typoCount(wanted, folded);
    if (far === null || (near.kind === 'value' && far > 1)) continue;
    ranked.push({ near: { ...near, typo: far > 0 }, far, part });
  }
  const best = Math.min(...ranked.map(({ far }) => far));
  const nearest = ranked.filter(({ far }) => far === best);
  const hasFullMatch = nearest.some(({ part }) => !part);
  const spelled = nearest
    .filter(({ part }) => !part || !hasFullMatch)
    .sort((one, other) => RANK[one.near.kind] - RANK[other.near.kind])
    .map(({ near }) => near);
  // A valid word isn't a typo: "accounts" suggests customers rather than counts.
  const synonymous = sameMeaning(known, wanted);
  const found = best === 0 || synonymous.length === 0 ? [...spelled, ...synonymous] : synonymous;
  const unique = new Map(found.map((near) => [`${near.kind} ${near.field ?? ''} ${near.name}`, near]));
  return [...unique.values()].slice(0, MAX_RESULTS);
};

const RANK: Record<NearName['kind'], number> = {
  metric: 0,
  field: 1,
  dataset: 2,
  definition: 3,
  spelling: 4,
  value: 5,
};

/** Different spellings of a word start with the same letter. */
const sameSpelling = (one: string, other: string): boolean =>
  one === other || (one[0] === other[0] && looselySpelled(one) === looselySpelled(other));

/** The number of typos between two words of similar length and beginning. Null if they are different words. */
const typoCount = (one: string, other: string): number | null => {
  const [length, difference] = [Math.min(one.length, other.length), Math.abs(one.length - other.length)];
  if (length < 3 || difference > 2 || wordsIn(one) !== wordsIn(other)) return null;
  const begins = one[0] === other[0] || (one[0] === other[1] && one[1] === other[0]);
  // A short word is a word of its own, unless its vowel is missing: "pln" is a plan, but "win" isn't wind.
  const most = length === 3 ? (difference === 1 && !/[aeiouy]/.test(one) ? 1 : 0) : length < 6 ? 1 : 2;
  if (!begins || difference > most) return null;
  const far = edits(one, other);
  return far <= most ? far : null;
};
const wordsIn = (text: string): number => text.split(' ').length;

interface Known {
  candidates: readonly Candidate[];
  /** Positions in the list, by first letter. */
  begun: ReadonlyMap<string, readonly number[]>;
  /** Datasets, metrics and fields, and their positions by the stem of each word in their names. */
  names: readonly NearName[];
  stems: ReadonlyMap<string, readonly number[]>;
}
const known = new WeakMap<Lens, Known>();
function knownOf(lens: Lens): Known {
  const before = known.get(lens);
  if (before) return before;
  const candidates = build(lens);
  const byFirstLetter = new Map<string, number[]>();
  for (const [at, { folded }] of candidates.entries()) addPosition(byFirstLetter, folded[0] ?? '', at);
  const index = { candidates, begun: byFirstLetter, ...namesOf(lens) };
  known.set(lens, index);
  return index;
}
const addPosition = (places: Map<string, number[]>, key: string, at: number): void => {
  const list = places.get(key);
  if (list) list.push(at);
  else places.set(key, [at]);
};
const atPositions = <T>(all: readonly T[], places: readonly number[]): T[] =>
  [...new Set(places)].sort((one, other) => one - other).map((at) => all[at]!);

/** The same first letter, or the first two swapped; other words can't be typos. */
const withSimilarStart = ({ candidates, begun }: Known, wanted: string): Candidate[] =>
  atPositions(candidates, [...(begun.get(wanted[0]!) ?? []), ...(begun.get(wanted[1]!) ?? [])]);

function namesOf(lens: Lens): Pick<Known, 'names' | 'stems'> {
  const names: NearName[] = [];
  const stems = new Map<string, number[]>();
  const add = (kind: NearName['kind'], name: string, own: string, synonyms: readonly string[]): void => {
    for (const one of new Set([own, ...synonyms].flatMap(words).map(stem))) addPosition(stems, one, names.length);
    names.push({ kind, name, said: words(own).join(' '), typo: false });
  };
  for (const { name, synonyms } of lens.datasets) add('dataset', name, name, synonyms);
  for (const { name, synonyms } of lens.metrics) add('metric', name, name, synonyms);
  for (const { name: dataset, fields } of lens.datasets)
    for (const { name, synonyms } of fields) add('field', `${dataset}.${name}`, name, synonyms);
  return { names, stems };
}

function build(lens: Lens): Candidate[] {
  const all: Candidate[] = [];
  /** The name, each synonym, and each longer word in them. */
  const named = (kind: NearName['kind'], name: string, called: readonly string[], title: string): void => {
    for (const phrase of called) {
      const nameWords = words(phrase);
      all.push({ near: { kind, name, said: nameWords.join(' ') }, folded: nameWords.join(' ') });
      if (nameWords.length > 1)
        for (const word of nameWords)
          if (word.length > 3 && !isGrammar(word))
            all.push({ near: { kind, name, said: kind === 'metric' ? title : word }, folded: word, part: true });
    }
  };
  for (const { name, synonyms } of lens.metrics) named('metric', name, [name, ...synonyms], words(name).join(' '));
  for (const { name: dataset, synonyms, fields } of lens.datasets) {
    named('dataset', dataset, [dataset, ...synonyms], words(dataset).join(' '));
    for (const field of fields)
      named('field', `${dataset}.${field.name}`, [field.name, ...field.synonyms], words(field.name).join(' '));
  }
  for (const { term, synonyms } of lens.definitions) named('definition', term, [term, ...synonyms], term);
  for (const word of SPELLED_GRAMMAR) all.push({ near: { kind: 'spelling', name: word, said: word }, folded: word });
  for (const { name: dataset, fields } of lens.datasets)
    for (const field of fields) {
      if (field.masked) continue;
      for (const { value, synonyms } of field.dictionary?.values ?? [])
        for (const text of [value, ...synonyms]) {
          if (all.length > MAX_CANDIDATES) return all;
          all.push({
            near: { kind: 'value', name: value, field: `${dataset}.${field.name}`, said: value },
            folded: foldValue(text),
          });
        }
    }
  return all;
}

/** Names with interchangeable words. */
function sameMeaning({ names, stems }: Known, wanted: string): NearName[] {
  const root = stem(wanted);
  const group = new Set(SYNONYM_GROUPS.filter((row) => row.includes(root)).flat());
  group.delete(root);
  return atPositions(
    names,
    [...group].flatMap((one) => stems.get(one) ?? []),
  );
}
