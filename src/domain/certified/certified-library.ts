// Ranked search over a lens's approved questions. Similarity only proposes: what may run unasked is decided by a check
// of meaning (match-certified.ts), because near-misses lie closer to a certified question than true paraphrases do.
import { LRUCache } from 'lru-cache';
import type { CertifiedEntry } from '../../lens/lens.ts';
import { normaliseQuestion } from '../../planner/meaning-check.ts';
import { newId } from '../../platform/ids.ts';
import { Problem } from '../../platform/problem.ts';
import type { ServedLens } from '../lenses/lens-repository.ts';
import type { Embedder } from '../ports.ts';
import { CertifiedIndex, type Phrase } from './certified-index.ts';
import { type Followed, followPattern } from './follow-pattern.ts';

export interface RankedEntry {
  entry: CertifiedEntry;
  /** Cosine against the nearest of the entry's phrases, 0 to 1. */
  similarity: number;
  phrase: string;
}

type Corpus = Pick<ServedLens, 'certified'>;
const REMEMBERED = 20_000; // vectors
const RANKED = { most: 200, top: 5, longest: 1_000 }; // searches of each library

export class CertifiedLibrary {
  readonly #embedder: Embedder;
  // By the entries themselves: one lens may be looked at with its drafts, and those must never be matched.
  readonly #indexed = new WeakMap<Corpus['certified'], Promise<CertifiedIndex>>();
  readonly #vectors = new LRUCache<string, Float32Array>({ max: REMEMBERED });
  readonly #ranked = new WeakMap<CertifiedIndex, LRUCache<string, readonly RankedEntry[]>>();

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
  }

  get embedderName(): string {
    return this.#embedder.name;
  }

  /** Best phrase of each entry, nearest first. */
  async rank(served: Corpus, question: string, top: number): Promise<RankedEntry[]> {
    const index = await this.#index(served);
    if (top > RANKED.top || question.length > RANKED.longest) return this.#search(index, question, top);
    const known = this.#ranked.get(index) ?? new LRUCache<string, readonly RankedEntry[]>({ max: RANKED.most });
    this.#ranked.set(index, known);
    const key = `${top} ${question}`;
    const before = known.get(key);
    if (before) return [...before];
    const ranked = await this.#search(index, question, top);
    known.set(key, [...ranked]);
    return ranked;
  }

  async #search(index: CertifiedIndex, question: string, top: number): Promise<RankedEntry[]> {
    // Another embedder may know likeness beyond shared words, so it is shown every phrase.
    const phrases = this.#embedder.lexical ? index.candidates(question) : index.all;
    if (phrases.length === 0) return [];
    const [asked, ...vectors] = await this.#embed([
      normaliseQuestion(question),
      ...phrases.map(({ normalised }) => normalised),
    ]);
    const best = new Map<CertifiedEntry, RankedEntry>();
    for (const [at, phrase] of phrases.entries()) {
      const similarity = cosine(asked!, vectors[at]!);
      const known = best.get(phrase.entry);
      if (!known || similarity > known.similarity)
        best.set(phrase.entry, { entry: phrase.entry, similarity, phrase: phrase.text });
    }
    return [...best.values()]
      .sort((a, b) => b.similarity - a.similarity || (a.entry.certId < b.entry.certId ? -1 : 1))
      .slice(0, top);
  }

  /** Whether a question that is certified word for word would be found: asked of a library of one. */
  async matches(exactBand: number): Promise<boolean> {
    const question = `ready ${newId()}`;
    const entry = { certId: 'ready', question, alsoAsked: [], sql: '', parameters: {}, approvedBy: null };
    const certified = new Map([['ready', { ...entry, approvedAt: null, status: 'approved' as const, notes: null }]]);
    const [nearest] = await this.rank({ certified }, question, 1);
    return nearest !== undefined && nearest.similarity >= exactBand;
  }

  /** The same library, which tells when its embedder was asked and did not answer. */
  telling(away: () => void): Pick<CertifiedLibrary, 'rank' | 'followed'> {
    return {
      followed: (served, question) => this.followed(served, question),
      rank: (served, question, top) =>
        this.rank(served, question, top).catch((fault: unknown) => {
          if (fault instanceof Problem && fault.code === 'unreachable') away();
          throw fault;
        }),
    };
  }

  /** Parameterised phrases whose pattern the question follows, with the values it fills in. */
  async followed(served: Corpus, question: string): Promise<Followed[]> {
    const index = await this.#index(served);
    const open = (phrase: Phrase) => Object.keys(phrase.entry.parameters).length > 0;
    return index
      .candidates(question)
      .filter(open)
      .flatMap(({ entry, text }) => followPattern(entry, text, question) ?? []);
  }

  async #embed(texts: string[]): Promise<Float32Array[]> {
    const missing = [...new Set(texts.filter((text) => !this.#vectors.has(text)))];
    const made = new Map<string, Float32Array>();
    if (missing.length > 0) {
      const vectors = await this.#embedder.embed(missing);
      for (const [at, text] of missing.entries()) {
        made.set(text, vectors[at]!);
        this.#vectors.set(text, vectors[at]!);
      }
    }
    return texts.map((text) => made.get(text) ?? this.#vectors.get(text)!);
  }

  #index(served: Corpus): Promise<CertifiedIndex> {
    const known = this.#indexed.get(served.certified);
    if (known) return known;
    const indexed = CertifiedIndex.of(served.certified.values());
    this.#indexed.set(served.certified, indexed);
    return indexed;
  }
}

function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  for (let i = 0; i < a.length; i++) dot += a[i]! * b[i]!;
  return Math.max(0, Math.min(1, dot));
}
