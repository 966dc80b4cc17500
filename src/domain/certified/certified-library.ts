// Ranks certified questions by similarity. A question with another meaning can be more similar than a paraphrase, so
// `src/reader/meaning-check.ts` compares the meanings.
import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { JsonScalar } from '../../contract/ask.ts';
import type { CertifiedEntry } from '../../lens/model/lens.ts';
import { createId } from '../../platform/ids.ts';
import { memoizeAsync } from '../../platform/memoize.ts';
import { Problem } from '../../platform/problem.ts';
import { normalizeQuestion } from '../../reader/meaning-check.ts';
import type { LiveLens } from '../lenses/lens-repository.ts';
import type { Embedder } from '../ports.ts';
import { CertifiedIndex, type Phrase } from './certified-index.ts';
import { matchPattern } from './match-pattern.ts';

/** If the question follows the phrase's pattern, the question's values replace the phrase's placeholders. */
interface RankedPhrase extends Phrase {
  /** Null if the question doesn't fill the placeholders. */
  parameters: Record<string, JsonScalar> | null;
}
export interface RankedEntry {
  entry: CertifiedEntry;
  /** Cosine similarity to the entry's most similar phrase, rounded to the four digits that callers see. */
  similarity: number;
  phrase: string;
  parameters: Record<string, JsonScalar> | null;
}

type CertifiedCorpus = Pick<LiveLens, 'certified' | 'lensId'>;
const MAX_CACHED_VECTORS = 20_000;
const MAX_CACHED_INDEXES = 100;
const MAX_INDEX_WAIT_MS = 100; // without an earlier index, svc waits for the new index as long as necessary
const MAX_CACHED_SEARCHES_PER_LIBRARY = 200;
const MAX_CACHED_ENTRIES_PER_SEARCH = 20;
const MAX_CACHED_QUESTION_LENGTH = 1_000;

export class CertifiedLibrary {
  readonly #embedder: Embedder;
  // The key is the list of entries, not the lens: a draft of the lens has other entries, which must never match.
  readonly #indexByEntries = new WeakMap<CertifiedCorpus['certified'], Promise<CertifiedIndex>>();
  readonly #lastIndexByLens = new LRUCache<string, CertifiedIndex>({ max: MAX_CACHED_INDEXES });
  readonly #vectors = new LRUCache<string, Float32Array>({ max: MAX_CACHED_VECTORS });
  readonly #rankings = memoizeAsync<CertifiedIndex, readonly RankedEntry[]>(MAX_CACHED_SEARCHES_PER_LIBRARY);

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
  }

  get embedderName(): string {
    return this.#embedder.name;
  }

  async rank(corpus: CertifiedCorpus, question: string, maxEntries: number): Promise<RankedEntry[]> {
    const index = await this.#getIndex(corpus);
    const search = async (limit: number) => (await this.#search(index, question, corpus)).slice(0, limit);
    const isCacheable = maxEntries <= MAX_CACHED_ENTRIES_PER_SEARCH && question.length <= MAX_CACHED_QUESTION_LENGTH;
    if (index.entries !== corpus.certified || !isCacheable) return search(maxEntries);
    return (await this.#rankings(index, question, () => search(MAX_CACHED_ENTRIES_PER_SEARCH))).slice(0, maxEntries);
  }

  /** Checks whether the embedder scores two identical questions at least `exactBand`. */
  async canMatch(exactBand: number): Promise<boolean> {
    const question = `ready ${createId()}`;
    const entry = { certId: 'ready', question, alsoAsked: [], sql: '', parameters: {}, approvedBy: null };
    const certified = new Map([['ready', { ...entry, approvedAt: null, status: 'approved' as const, notes: null }]]);
    const [nearestEntry] = await this.rank({ certified, lensId: 'ready' }, question, 1);
    return nearestEntry !== undefined && nearestEntry.similarity >= exactBand;
  }

  /** Calls `onUnreachable` if the library's embedder doesn't respond. */
  withUnreachableNotice(onUnreachable: () => void): Pick<CertifiedLibrary, 'rank'> {
    return {
      rank: (corpus, question, top) =>
        this.rank(corpus, question, top).catch((fault: unknown) => {
          if (fault instanceof Problem && fault.code === 'unreachable') onUnreachable();
          throw fault;
        }),
    };
  }

  async #search(index: CertifiedIndex, question: string, { certified }: CertifiedCorpus): Promise<RankedEntry[]> {
    const candidates = index.findCurrentCandidates(certified, question);
    // An embedder that isn't lexical can find similarity without shared words, so svc passes every phrase to it.
    const candidateSet = new Set(candidates);
    const otherPhrases = this.#embedder.lexical
      ? []
      : index
          .getPhrases(certified)
          .filter((phrase) => !candidateSet.has(phrase))
          .map(toUnfilledPhrase);
    const phrases = [...candidates.map((phrase) => fillPhrase(phrase, question)), ...otherPhrases];
    if (phrases.length === 0) return [];
    const [questionVector, ...vectors] = await this.#embed([
      normalizeQuestion(question),
      ...phrases.map(({ normalizedText }) => normalizedText),
    ]);
    return rankEntries(
      phrases.map((phrase, phraseIndex) => [phrase, computeCosineSimilarity(questionVector!, vectors[phraseIndex]!)]),
    );
  }

  async #embed(texts: string[]): Promise<Float32Array[]> {
    const missingTexts = [...new Set(texts.filter((text) => !this.#vectors.has(text)))];
    const computedVectors = new Map<string, Float32Array>();
    if (missingTexts.length > 0) {
      const vectors = await this.#embedder.embed(missingTexts);
      for (const [textIndex, text] of missingTexts.entries()) {
        computedVectors.set(text, vectors[textIndex]!);
        this.#vectors.set(text, vectors[textIndex]!);
      }
    }
    return texts.map((text) => computedVectors.get(text) ?? this.#vectors.get(text)!);
  }

  /** While svc indexes a large library, searches use the previous index, which contains the unchanged phrases. */
  #getIndex({ certified, lensId }: CertifiedCorpus): Promise<CertifiedIndex> {
    const cachedIndex = this.#lastIndexByLens.get(lensId);
    if (cachedIndex?.entries === certified) return Promise.resolve(cachedIndex);
    let entryIndex = this.#indexByEntries.get(certified);
    if (!entryIndex) {
      entryIndex = CertifiedIndex.build(certified, cachedIndex);
      this.#indexByEntries.set(certified, entryIndex);
      void entryIndex.then((index) => this.#lastIndexByLens.set(lensId, index));
    }
    return cachedIndex
      ? Promise.race([entryIndex, setTimeout(MAX_INDEX_WAIT_MS, cachedIndex, { ref: false })])
      : entryIndex;
  }
}

const hasParameters = ({ entry }: Phrase): boolean => Object.keys(entry.parameters).length > 0;
const toUnfilledPhrase = (phrase: Phrase): RankedPhrase => ({
  ...phrase,
  parameters: hasParameters(phrase) ? null : {},
});

function fillPhrase(phrase: Phrase, question: string): RankedPhrase {
  const patternMatch = hasParameters(phrase) ? matchPattern(phrase.entry, phrase.text, question) : null;
  if (!patternMatch) return toUnfilledPhrase(phrase);
  const { phrase: text, parameters } = patternMatch;
  return { ...phrase, text, normalizedText: normalizeQuestion(text), parameters };
}

/** Among equally similar phrases of an entry, prefers a phrase whose placeholders the question fills. */
function rankEntries(scoredPhrases: [RankedPhrase, number][]): RankedEntry[] {
  const bestByEntry = new Map<CertifiedEntry, RankedEntry>();
  for (const [{ entry, text, parameters }, rawSimilarity] of scoredPhrases) {
    const similarity = Math.round(rawSimilarity * 10_000) / 10_000;
    const bestEntry = bestByEntry.get(entry);
    if (
      !bestEntry ||
      similarity > bestEntry.similarity ||
      (similarity === bestEntry.similarity && !bestEntry.parameters)
    )
      bestByEntry.set(entry, { entry, similarity, phrase: text, parameters });
  }
  return [...bestByEntry.values()].sort(
    (a, b) => b.similarity - a.similarity || (a.entry.certId < b.entry.certId ? -1 : 1),
  );
}

function computeCosineSimilarity(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  for (let i = 0; i < a.length; i++) dot += a[i]! * b[i]!;
  return Math.max(0, Math.min(1, dot));
}
