// What a word that a lens can't place may have been meant for: a name or a value spelled nearly so, or one of the same
// meaning. Told, never applied.
import { distance } from 'fastest-levenshtein';
import type { Lens } from '../../lens/lens.ts';
import { stem } from '../english/inflection.ts';
import { SPELLED_GRAMMAR } from '../words/grammar-words.ts';
import { verbSenses } from '../words/lexicon.ts';
import { looselySpelled } from '../words/spelling.ts';
import { foldValue } from '../words/tokens.ts';
import { words } from '../words/vocabulary.ts';

export interface NearName {
  kind: 'metric' | 'field' | 'dataset' | 'definition' | 'value' | 'spelling';
  name: string;
  /** Of a value: the field that holds it. */
  field?: string;
  /** What stands in the question instead of the word. */
  said: string;
  spelled: boolean;
}
interface Candidate {
  near: Omit<NearName, 'spelled'>;
  folded: string;
}

const MOST = 3;
const LOOKED_AT = 50_000;

/** One of these is called by another of its row. */
const SAME: readonly (readonly string[])[] = [
  'revenue sale turnover income takings receipts billing billed'.split(' '),
  'profit earning margin gain'.split(' '),
  'customer client buyer account shopper consumer patron guest member'.split(' '),
  'employee staff worker personnel colleague'.split(' '),
  'supplier vendor provider'.split(' '),
  'product item article good merchandise sku'.split(' '),
  'order purchase booking'.split(' '),
  'price cost fee charge rate'.split(' '),
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

/** Where the nearest by spelling is as near as a slip of the fingers makes it. */
export const nearestTo = (lens: Lens, asked: string, untold: ReadonlySet<string> = new Set()): NearName[] => {
  const wanted = foldValue(asked);
  if (wanted.length < 2) return [];
  const most = wanted.length < 3 ? 0 : wanted.length < 5 ? 1 : wanted.length < 8 ? 2 : 3;
  const ranked: { near: NearName; far: number }[] = [];
  for (const { near, folded } of candidatesOf(lens)) {
    if (near.field !== undefined && untold.has(near.field)) continue;
    const far = slips(wanted, folded, near.kind === 'spelling' ? Math.min(most, 2) : most);
    if (far !== null) ranked.push({ near: { ...near, spelled: true }, far });
  }
  const alike = sameMeaning(lens, wanted);
  const best = Math.min(...ranked.map(({ far }) => far));
  const spelled = ranked
    .filter(({ far }) => far <= best + 1)
    .sort((one, other) => one.far - other.far || RANK[one.near.kind] - RANK[other.near.kind])
    .map(({ near }) => near);
  // A word of its own is no slip: "accounts" are customers before they are counts.
  const found = alike.length > 0 ? [...alike, ...spelled.filter(({ kind }) => kind !== 'spelling')] : spelled;
  const unique = new Map(found.map((near) => [`${near.kind} ${near.field ?? ''} ${near.name}`, near]));
  return [...unique.values()].slice(0, MOST);
};

const RANK: Record<NearName['kind'], number> = {
  metric: 0,
  field: 1,
  dataset: 2,
  definition: 3,
  spelling: 4,
  value: 5,
};

/** Letters to change from one to the other, two that changed places counting as one; null: more than `most`. */
const slips = (one: string, other: string, most: number): number | null => {
  if (one === other) return 0;
  if (Math.abs(one.length - other.length) > most) return null;
  if (looselySpelled(one) === looselySpelled(other)) return 0;
  const swapped = one.length === other.length && [...one].sort().join('') === [...other].sort().join('');
  const far = swapped ? 1 : distance(one, other);
  return far <= most && far < Math.min(one.length, other.length) / 2 ? far : null;
};

const known = new WeakMap<Lens, Candidate[]>();
function candidatesOf(lens: Lens): Candidate[] {
  const made = known.get(lens) ?? build(lens);
  known.set(lens, made);
  return made;
}

function build(lens: Lens): Candidate[] {
  const all: Candidate[] = [];
  /** The name, each synonym, and each longer word of them. */
  const named = (kind: NearName['kind'], name: string, called: readonly string[], title: string): void => {
    for (const one of called) {
      const whole = words(one);
      all.push({ near: { kind, name, said: whole.join(' ') }, folded: whole.join(' ') });
      if (whole.length > 1)
        for (const word of whole)
          if (word.length > 3) all.push({ near: { kind, name, said: kind === 'metric' ? title : word }, folded: word });
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
          if (all.length > LOOKED_AT) return all;
          all.push({
            near: { kind: 'value', name: value, field: `${dataset}.${field.name}`, said: value },
            folded: foldValue(text),
          });
        }
    }
  return all;
}

/** Called otherwise, or what a verb of the question is done with: "sell" and the sales. */
function sameMeaning(lens: Lens, wanted: string): NearName[] {
  const root = stem(wanted);
  const alike = new Set(SAME.filter((row) => row.includes(root)).flat());
  for (const { needs } of verbSenses(wanted) ?? []) for (const word of needs ?? []) alike.add(word);
  alike.delete(root);
  if (alike.size === 0) return [];
  const says = (names: readonly string[]): boolean =>
    names.some((name) => words(name).some((word) => alike.has(stem(word))));
  const named = (
    kind: 'metric' | 'dataset',
    all: readonly { name: string; synonyms: readonly string[] }[],
  ): NearName[] =>
    all
      .filter(({ name, synonyms }) => says([name, ...synonyms]))
      .map(({ name }) => ({ kind, name, said: words(name).join(' '), spelled: false }));
  return [
    ...named('dataset', lens.datasets),
    ...named('metric', lens.metrics),
    ...lens.datasets.flatMap(({ name: dataset, fields }) =>
      fields
        .filter(({ name, synonyms }) => says([name, ...synonyms]))
        .map(
          ({ name }): NearName => ({
            kind: 'field',
            name: `${dataset}.${name}`,
            said: words(name).join(' '),
            spelled: false,
          }),
        ),
    ),
  ];
}
