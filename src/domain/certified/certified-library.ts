// Ranked search over a lens's approved questions. Similarity only proposes: what may run unasked is decided by a check
// of meaning (match-certified.ts), because near-misses lie closer to a certified question than true paraphrases do.
import type { CertifiedEntry, Lens } from '../../lens/lens.ts';
import { normaliseQuestion } from '../../planner/meaning-check.ts';
import type { ServedLens } from '../lenses/lens-repository.ts';
import type { Embedder } from '../ports.ts';
import { followPattern } from './parameters.ts';

export interface RankedEntry {
  entry: CertifiedEntry;
  /** Cosine against the nearest of the entry's phrases, 0 to 1. */
  similarity: number;
  phrase: string;
}

interface Phrase {
  entry: CertifiedEntry;
  text: string;
}
interface Indexed {
  phrases: Phrase[];
  vectors: Float32Array[];
}

export class CertifiedLibrary {
  readonly #embedder: Embedder;
  readonly #indexed = new WeakMap<Lens, Promise<Indexed>>();

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
  }

  get embedderName(): string {
    return this.#embedder.name;
  }

  /** Best phrase of each entry, nearest first. */
  async rank(served: ServedLens, question: string, top: number): Promise<RankedEntry[]> {
    const { phrases, vectors } = await this.#index(served);
    if (phrases.length === 0) return [];
    const [asked] = await this.#embedder.embed([normaliseQuestion(question)]);
    const best = new Map<CertifiedEntry, RankedEntry>();
    for (const [index, phrase] of phrases.entries()) {
      const similarity = cosine(asked!, vectors[index]!);
      const known = best.get(phrase.entry);
      if (!known || similarity > known.similarity)
        best.set(phrase.entry, { entry: phrase.entry, similarity, phrase: phrase.text });
    }
    return [...best.values()]
      .sort((a, b) => b.similarity - a.similarity || (a.entry.certId < b.entry.certId ? -1 : 1))
      .slice(0, top);
  }

  /** Similarity of two texts by the same embedder; 1 when they normalise alike. */
  async similarity(a: string, b: string): Promise<number> {
    const [left, right] = [normaliseQuestion(a), normaliseQuestion(b)];
    if (left === right) return 1;
    const vectors = await this.#embedder.embed([left, right]);
    return cosine(vectors[0]!, vectors[1]!);
  }

  #index(served: ServedLens): Promise<Indexed> {
    const known = this.#indexed.get(served.lens);
    if (known) return known;
    const phrases = [...served.certified.values()].flatMap((entry) =>
      [entry.question, ...entry.alsoAsked].map((text) => ({ entry, text })),
    );
    const indexed = this.#embedder
      .embed(phrases.map(({ text }) => normaliseQuestion(text)))
      .then((vectors) => ({ phrases, vectors }));
    this.#indexed.set(served.lens, indexed);
    indexed.catch(() => this.#indexed.delete(served.lens));
    return indexed;
  }
}

function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  for (let i = 0; i < a.length; i++) dot += a[i]! * b[i]!;
  return Math.max(0, Math.min(1, dot));
}

/** Parameterised phrases whose pattern the question follows, with the values it fills in. */
export function followedPatterns(served: ServedLens, question: string) {
  return [...served.certified.values()]
    .filter((entry) => Object.keys(entry.parameters).length > 0)
    .flatMap((entry) =>
      [entry.question, ...entry.alsoAsked].flatMap((phrase) => {
        const followed = followPattern(entry, phrase, question);
        return followed ? [{ entry, ...followed }] : [];
      }),
    );
}
