// Where in a certified library a question can be at all: by its words in any order, and by the rarest words that it
// shares with a phrase. The work of a search is bounded, whatever the size of the library.
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { CertifiedEntry } from '../../lens/model/lens.ts';
import { normaliseQuestion } from '../../planner/meaning-check.ts';

export interface Phrase {
  entry: CertifiedEntry;
  text: string;
  /** For the embedder. */
  normalised: string;
}

const ALL_UP_TO = 256; // phrases: a library this small is searched whole
const VISITS = 1_000;
const KEPT = 16;
const BREATH_MS = 8; // the longest that building keeps others waiting

const PLACEHOLDER = /\{[a-z_][a-z0-9_]*\}/gi;
const wordsOf = (normalised: string): string[] => normalised.split(' ').filter(Boolean);
const bagOf = (words: string[]): string => [...words].sort().join(' ');

export class CertifiedIndex {
  readonly #phrases: Phrase[] = [];
  readonly #byBag = new Map<string, number[]>();
  readonly #byWord = new Map<string, number[]>();

  /** `before`: an earlier index, whose phrases are not read again. */
  static async of(entries: Iterable<CertifiedEntry>, before?: CertifiedIndex): Promise<CertifiedIndex> {
    const index = new CertifiedIndex();
    const read = new Map(before?.all.map(({ text, normalised }) => [text, normalised]));
    let since = performance.now();
    for (const entry of entries)
      for (const text of [entry.question, ...entry.alsoAsked]) {
        index.#add({ entry, text, normalised: read.get(text) ?? normaliseQuestion(text) });
        if (performance.now() - since < BREATH_MS) continue;
        await yieldToOthers();
        since = performance.now();
      }
    return index;
  }

  get all(): readonly Phrase[] {
    return this.#phrases;
  }

  #add(phrase: Phrase): void {
    const at = this.#phrases.length;
    this.#phrases.push(phrase);
    // A place to be filled is no word of the phrase.
    const filled = phrase.text.replaceAll(PLACEHOLDER, ' ');
    const words = wordsOf(filled === phrase.text ? phrase.normalised : normaliseQuestion(filled));
    listed(this.#byBag, bagOf(words), at);
    for (const word of new Set(words)) listed(this.#byWord, word, at);
  }

  /** Every phrase that could be the nearest, at most a few dozen of a large library. */
  candidates(question: string): Phrase[] {
    if (this.#phrases.length <= ALL_UP_TO) return this.#phrases;
    const words = wordsOf(normaliseQuestion(question));
    const weights = new Map<number, number>();
    const lists = [...new Set(words)].flatMap((word) => {
      const list = this.#byWord.get(word);
      return list ? [list] : [];
    });
    lists.sort((a, b) => a.length - b.length);
    let visits = VISITS;
    for (const list of lists) {
      const weight = Math.log(1 + this.#phrases.length / list.length);
      if (list.length <= visits || weights.size === 0) {
        const visited = list.length <= visits ? list : list.slice(0, visits);
        for (const at of visited) weights.set(at, (weights.get(at) ?? 0) + weight);
        visits -= visited.length;
      } else for (const [at, sum] of weights) if (holds(list, at)) weights.set(at, sum + weight);
    }
    const exact = (this.#byBag.get(bagOf(words)) ?? []).slice(0, KEPT);
    const best = [...weights].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, KEPT);
    return [...new Set([...exact, ...best.map(([at]) => at)])].map((at) => this.#phrases[at]!);
  }
}

function listed(map: Map<string, number[]>, key: string, at: number): void {
  const list = map.get(key);
  if (list) list.push(at);
  else map.set(key, [at]);
}

/** Lists grow with the phrases, so they are sorted. */
function holds(list: number[], wanted: number): boolean {
  let [low, high] = [0, list.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = list[middle]!;
    if (found === wanted) return true;
    if (found < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
