// Which approved entry, if any, a bare question is: similar enough AND the same in number, date, value, negation,
// direction, grain, measure and grouping (CONTRACT 4, "certified").
import type { CertifiedLibrary, RankedEntry } from '../../domain/certified/certified-library.ts';
import type { ServedLens } from '../../domain/lenses/lens-repository.ts';
import type { CertifiedEntry, Lens } from '../../lens/model/lens.ts';
import { memoize } from '../../platform/memoize.ts';
import { Problem } from '../../platform/problem.ts';
import { meaningDiffers } from '../../reader/meaning-check.ts';
import { tokenise } from '../../reader/words/tokens.ts';
import { type Filled, provenParameters } from './prove-parameters.ts';

const TOP = 5; // spec: ranked certified search
const CANDIDATES = 20;
const CHECKS = 2; // of entries in other words

export interface CertifiedMatch extends Filled {
  entry: CertifiedEntry;
}
export interface NearMiss {
  cert_id: string;
  question: string;
  similarity: number;
  differs: string[];
}

/** The one gate of every door: at or above the band, and no difference of meaning. What svc took out of service comes
 *  after what is in service, so that its question is not taken for one that no one ever approved. */
export async function matchCertified(
  library: Pick<CertifiedLibrary, 'rank'>,
  exactBand: number,
  served: ServedLens,
  question: string,
): Promise<CertifiedMatch | null> {
  const among = (certified: ServedLens['certified']) =>
    certified.size === 0 ? null : matchAmong(library, exactBand, { ...served, certified }, question);
  return (await among(served.certified)) ?? (await among(served.suspended));
}

async function matchAmong(
  library: Pick<CertifiedLibrary, 'rank'>,
  exactBand: number,
  served: ServedLens,
  question: string,
): Promise<CertifiedMatch | null> {
  // Without its embedder an ask goes on without a certified match (SECURITY F21).
  const ranked = await library.rank(served, question, CANDIDATES).catch((fault: unknown) => {
    if (fault instanceof Problem && fault.code === 'unreachable') return [];
    throw fault;
  });
  let asked: string | undefined;
  let checks = 0;
  for (const { entry, similarity, phrase, parameters } of ranked) {
    if (similarity < exactBand || (checks >= CHECKS && similarity < 1)) break;
    // Reading a question costs milliseconds, telling other numbers apart costs none.
    asked ??= numbersOf(question);
    if (!parameters || numbersOf(phrase) !== asked) continue;
    checks++;
    if (differs(served, phrase, question).length > 0) continue;
    const filled = provenParameters(served.lens, { entry, parameters, phrase });
    if (filled) return { entry, ...filled };
  }
  return null;
}

/** What came near, and in what each differs from the question. */
export async function nearMisses(library: CertifiedLibrary, served: ServedLens, question: string): Promise<NearMiss[]> {
  const ranked = await library.rank(served, question, TOP);
  return ranked.map((near) => ({
    cert_id: near.entry.certId,
    question: near.phrase,
    similarity: near.similarity,
    differs: differencesOf(served, near, question),
  }));
}

/** Empty: the question means this entry, so that it runs by itself when it is similar enough. */
export function differencesOf(
  served: Pick<ServedLens, 'lens'>,
  { entry, phrase, parameters }: RankedEntry,
  question: string,
): string[] {
  const apart = differs(served, phrase, question);
  if (!parameters) return [...apart, 'parameters'];
  return apart.length > 0 || provenParameters(served.lens, { entry, parameters, phrase }) ? apart : ['named value'];
}

const numbersOf = (text: string): string =>
  tokenise(text)
    .list.flatMap(({ kind, value, unit }) => (kind === 'number' ? [`${value}${unit ?? ''}`] : []))
    .sort()
    .join(' ');

/** Signs of comparison and arithmetic, and words of supposition, turn a question over without changing its other words. */
const SIGNS = /[<>=≤≥≠±×÷*^~|&]|!(?==)|(?<=^|\s)[-+](?=\s|\d)/g;
const POLITE = /\b(?:could|would|can|will) (?:you|i|we)\b|\bwould like\b/g;
const SUPPOSING = /\b(?:would|could|should|might|may|will|if|expect\w*|forecast\w*|predict\w*)\b/g;
const turnsOf = (text: string): string => {
  const plain = text.toLowerCase().replaceAll(POLITE, ' ');
  return [...(plain.match(SIGNS) ?? []), ...(plain.match(SUPPOSING) ?? [])].sort().join(' ');
};

const meanings = memoize<Lens, string[]>(500);

function differs(served: Pick<ServedLens, 'lens'>, phrase: string, question: string): string[] {
  const apart = meanings(served.lens, JSON.stringify([phrase, question]), () =>
    meaningDiffers(served.lens, phrase, question),
  );
  return turnsOf(phrase) === turnsOf(question) ? apart : [...new Set([...apart, 'direction'])];
}
