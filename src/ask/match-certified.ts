// Which approved entry, if any, a bare question is: similar enough AND the same in number, date, value, negation,
// direction, grain, measure and grouping (CONTRACT 4, "certified").
import type { JsonValue } from '../contract/ask.ts';
import { type CertifiedLibrary, followedPatterns } from '../domain/certified/certified-library.ts';
import type { ServedLens } from '../domain/lenses/lens-repository.ts';
import type { CertifiedEntry } from '../lens/lens.ts';
import { meaningDiffers } from '../planner/meaning-check.ts';
import { Problem } from '../platform/problem.ts';

const TOP = 5; // spec: ranked certified search

export interface CertifiedMatch {
  entry: CertifiedEntry;
  parameters: Record<string, JsonValue>;
}
export interface NearMiss {
  cert_id: string;
  question: string;
  similarity: number;
  differs: string[];
}

export async function matchCertified(
  library: CertifiedLibrary,
  exactBand: number,
  served: ServedLens,
  question: string,
): Promise<CertifiedMatch | null> {
  if (served.certified.size === 0) return null;
  for (const followed of followedPatterns(served, question)) {
    if (meaningDiffers(served.lens, followed.phrase, question).length === 0) return followed;
  }
  // Without its embedder an ask goes on without a certified match (SECURITY F21).
  const ranked = await library.rank(served, question, TOP).catch((fault: unknown) => {
    if (fault instanceof Problem && fault.code === 'unreachable') return [];
    throw fault;
  });
  for (const { entry, similarity, phrase } of ranked) {
    if (similarity < exactBand) break;
    const bare = Object.keys(entry.parameters).length === 0;
    if (bare && meaningDiffers(served.lens, phrase, question).length === 0) return { entry, parameters: {} };
  }
  return null;
}

/** What came near, and in what each differs from the question. */
export async function nearMisses(library: CertifiedLibrary, served: ServedLens, question: string): Promise<NearMiss[]> {
  const ranked = await library.rank(served, question, TOP);
  return ranked.map(({ entry, similarity, phrase }) => {
    const differs = meaningDiffers(served.lens, phrase, question);
    const bare = Object.keys(entry.parameters).length === 0;
    return {
      cert_id: entry.certId,
      question: phrase,
      similarity: round(similarity),
      differs: bare ? differs : [...differs, 'parameters'],
    };
  });
}

const round = (similarity: number): number => Math.round(similarity * 10_000) / 10_000;
