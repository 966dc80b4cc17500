// Finds phrases that might match a question: those with the same words in any order, and those that share the
// question's rarest words. The cost of a search has a fixed limit.

import type { CertifiedEntry } from '../../lens/model/lens.ts';
import { createYieldIfDue } from '../../platform/schedule/in-turns.ts';
import { normalizeQuestion } from '../../reader/meaning-check.ts';
import { PLACEHOLDER_PATTERN } from './parameters.ts';

export interface Phrase {
  entry: CertifiedEntry;
  text: string;
  /** The embedder receives this text. */
  normalizedText: string;
}

const MAX_FULLY_SEARCHED_PHRASES = 256; // in a library with at most this number of phrases, every phrase is a candidate
const MAX_VISITED_PHRASES = 1_000;
const MAX_CANDIDATES_PER_KIND = 16; // for each kind: phrases with the same words, and phrases with shared rare words
const MAX_ADDED_PHRASES = 1_000; // if more phrases are new or changed, svc builds a new index

const splitIntoWords = (normalizedText: string): string[] => normalizedText.split(' ').filter(Boolean);
const toSortedWordsKey = (words: string[]): string => [...words].sort().join(' ');

type EntriesById = ReadonlyMap<string, CertifiedEntry>;

export class CertifiedIndex {
  readonly #phrases: Phrase[] = [];
  readonly #bySortedWords = new Map<string, number[]>();
  readonly #byWord = new Map<string, number[]>();

  readonly entries: EntriesById;
  /** The earlier index contains the unchanged phrases. This index contains only new and changed phrases. */
  readonly base: CertifiedIndex | null;

  private constructor(entries: EntriesById, base: CertifiedIndex | null) {
    this.entries = entries;
    this.base = base;
  }

  /** `previous` is an earlier index of the same library, whose phrases svc reuses. */
  static async build(entries: EntriesById, previous: CertifiedIndex | null = null): Promise<CertifiedIndex> {
    const base = previous?.base ?? previous;
    const [phrases, addedPhrases]: [Pick<Phrase, 'entry' | 'text'>[], Pick<Phrase, 'entry' | 'text'>[]] = [[], []];
    const pause = createYieldIfDue();
    for (const entry of entries.values()) {
      const previousEntry = base?.entries.get(entry.certId);
      for (const text of listPhraseTexts(entry)) {
        phrases.push({ entry, text });
        if (!previousEntry || !listPhraseTexts(previousEntry).includes(text)) addedPhrases.push({ entry, text });
      }
      await pause();
    }
    const extendsBase = base !== null && addedPhrases.length <= MAX_ADDED_PHRASES;
    const index = new CertifiedIndex(entries, extendsBase ? base : null);
    const normalizedByText = extendsBase
      ? null
      : new Map(previous?.phrases.map(({ text, normalizedText }) => [text, normalizedText]));
    for (const { entry, text } of extendsBase ? addedPhrases : phrases) {
      index.#add({ entry, text, normalizedText: normalizedByText?.get(text) ?? normalizeQuestion(text) });
      await pause();
    }
    return index;
  }

  get phrases(): readonly Phrase[] {
    return this.base ? [...keepCurrentPhrases(this.entries, this.base.phrases), ...this.#phrases] : this.#phrases;
  }

  getPhrases(entries: EntriesById): readonly Phrase[] {
    return entries === this.entries ? this.phrases : keepCurrentPhrases(entries, this.phrases);
  }

  #add(phrase: Phrase): void {
    const phraseIndex = this.#phrases.length;
    this.#phrases.push(phrase);
    const unfilledText = phrase.text.replaceAll(PLACEHOLDER_PATTERN, ' ');
    const words = splitIntoWords(
      unfilledText === phrase.text ? phrase.normalizedText : normalizeQuestion(unfilledText),
    );
    indexPhrase(this.#bySortedWords, toSortedWordsKey(words), phraseIndex);
    for (const word of new Set(words)) indexPhrase(this.#byWord, word, phraseIndex);
  }

  /** Returns the candidates that are still in `entries`, which can be newer than this index. */
  findCurrentCandidates(entries: EntriesById, question: string): Phrase[] {
    const candidates = this.findCandidates(question);
    return entries === this.entries ? candidates : keepCurrentPhrases(entries, candidates);
  }

  /** Returns every phrase of a small library. In a large library, the limits can exclude a similar phrase. */
  findCandidates(question: string): Phrase[] {
    const unchangedPhrases = this.base ? keepCurrentPhrases(this.entries, this.base.findCandidates(question)) : [];
    return [...unchangedPhrases, ...this.#findNear(question)];
  }

  #findNear(question: string): Phrase[] {
    if (this.#phrases.length <= MAX_FULLY_SEARCHED_PHRASES) return this.#phrases;
    const words = splitIntoWords(normalizeQuestion(question));
    const weights = new Map<number, number>();
    const lists = [...new Set(words)].flatMap((word) => {
      const list = this.#byWord.get(word);
      return list ? [list] : [];
    });
    lists.sort((a, b) => a.length - b.length);
    let remainingVisits = MAX_VISITED_PHRASES;
    for (const list of lists) {
      const weight = Math.log(1 + this.#phrases.length / list.length);
      if (list.length <= remainingVisits || weights.size === 0) {
        const visitedIndexes = list.length <= remainingVisits ? list : list.slice(0, remainingVisits);
        for (const phraseIndex of visitedIndexes) weights.set(phraseIndex, (weights.get(phraseIndex) ?? 0) + weight);
        remainingVisits -= visitedIndexes.length;
      } else
        for (const [phraseIndex, sum] of weights)
          if (isInSortedList(list, phraseIndex)) weights.set(phraseIndex, sum + weight);
    }
    const sameWordsIndexes = (this.#bySortedWords.get(toSortedWordsKey(words)) ?? []).slice(0, MAX_CANDIDATES_PER_KIND);
    const bestIndexes = [...weights].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, MAX_CANDIDATES_PER_KIND);
    return [...new Set([...sameWordsIndexes, ...bestIndexes.map(([phraseIndex]) => phraseIndex)])].map(
      (phraseIndex) => this.#phrases[phraseIndex]!,
    );
  }
}

const listPhraseTexts = ({ question, alsoAsked }: CertifiedEntry): string[] => [question, ...alsoAsked];

const keepCurrentPhrases = (entries: EntriesById, phrases: readonly Phrase[]): Phrase[] =>
  phrases.flatMap((phrase) => {
    const entry = entries.get(phrase.entry.certId);
    return entry && listPhraseTexts(entry).includes(phrase.text) ? [{ ...phrase, entry }] : [];
  });

function indexPhrase(map: Map<string, number[]>, key: string, phraseIndex: number): void {
  const list = map.get(key);
  if (list) list.push(phraseIndex);
  else map.set(key, [phraseIndex]);
}

function isInSortedList(list: number[], target: number): boolean {
  let [low, high] = [0, list.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const middleValue = list[middle]!;
    if (middleValue === target) return true;
    if (middleValue < target) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
