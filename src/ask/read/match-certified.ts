// Finds the approved entry that a question matches. The question and the entry must be similar enough, and must have
// the same numbers, dates, values, negation, direction, grain, measure and grouping.
import type { CertifiedLibrary, RankedEntry } from '../../domain/certified/certified-library.ts';
import { listCertifiedEntries } from '../../domain/certified/entries.ts';
import type { StoredEntry } from '../../domain/certified/entry-repository.ts';
import type { LiveLens } from '../../domain/lenses/lens-repository.ts';
import type { CertifiedEntry, Lens } from '../../lens/model/lens.ts';
import { memoize } from '../../platform/memoize.ts';
import { Problem } from '../../platform/problem.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { findMeaningDifferences } from '../../reader/meaning-check.ts';
import { tokenizeQuestion } from '../../reader/words/tokens.ts';
import { type FilledParameters, proveParameters } from './prove-parameters.ts';

const MAX_NEAR_MISSES = 5;
const MAX_CANDIDATES = 20;
const MAX_REWORDED_CHECKS = 2; // differently worded entries whose meaning svc compares

export interface CertifiedMatch extends FilledParameters {
  entry: CertifiedEntry;
}
export interface NearMiss {
  cert_id: string;
  question: string;
  similarity: number;
  differs: string[];
}

/**
 * Returns the entry that matches the question: their similarity must reach the threshold, and their meanings must not
 * differ. Every entry point uses this function. It tries suspended entries last, so that svc can report the suspension
 * instead of treating the question as never approved.
 */
export async function matchCertified(
  library: Pick<CertifiedLibrary, 'rank'>,
  exactMatchThreshold: number,
  liveLens: LiveLens,
  question: string,
): Promise<CertifiedMatch | null> {
  const matchEntries = (certified: LiveLens['certified']) =>
    certified.size === 0
      ? null
      : matchRankedEntries(library, exactMatchThreshold, { ...liveLens, certified }, question);
  return (await matchEntries(liveLens.certified)) ?? (await matchEntries(liveLens.suspended));
}

async function matchRankedEntries(
  library: Pick<CertifiedLibrary, 'rank'>,
  exactMatchThreshold: number,
  liveLens: LiveLens,
  question: string,
): Promise<CertifiedMatch | null> {
  // If the embedder is unreachable, the ask continues without a certified match.
  const rankedEntries = await library.rank(liveLens, question, MAX_CANDIDATES).catch((fault: unknown) => {
    if (fault instanceof Problem && fault.code === 'unreachable') return [];
    throw fault;
  });
  let questionNumbers: string | undefined;
  let checkCount = 0;
  for (const { entry, similarity, phrase, parameters } of rankedEntries) {
    if (similarity < exactMatchThreshold || (checkCount >= MAX_REWORDED_CHECKS && similarity < 1)) break;
    // Compares the numbers first, because that takes almost no time. Interpreting a question takes milliseconds.
    questionNumbers ??= findNumbersInQuestion(question);
    if (!parameters || findNumbersInQuestion(phrase) !== questionNumbers) continue;
    checkCount++;
    if (describeDifferences(liveLens, phrase, question).length > 0) continue;
    const filledParameters = proveParameters(liveLens.lens, { entry, parameters, phrase });
    if (filledParameters) return { entry, ...filledParameters };
  }
  return null;
}

/** Returns the most similar entries with their differences from the question. */
export async function findNearMisses(
  library: CertifiedLibrary,
  liveLens: LiveLens,
  question: string,
): Promise<NearMiss[]> {
  const rankedEntries = await library.rank(liveLens, question, MAX_NEAR_MISSES);
  return rankedEntries.map((rankedEntry) => ({
    cert_id: rankedEntry.entry.certId,
    question: rankedEntry.phrase,
    similarity: rankedEntry.similarity,
    differs: findDifferences(liveLens, rankedEntry, question),
  }));
}

/** Finds the certified entries of a lens that are most similar to a question, whatever their status, for curators. */
export async function searchCertified(
  deps: { tenancy: Tenancy; library: CertifiedLibrary },
  orgId: string,
  liveLens: LiveLens,
  question: string,
  filter: { status?: string | undefined },
) {
  const entries = await listCertifiedEntries(deps, orgId, liveLens, filter, { limit: null, after: null });
  const corpus = {
    ...liveLens,
    lens: { ...liveLens.lens },
    certified: new Map(entries.map((item) => [item.certId, item])),
  };
  const rankedEntries = await deps.library.rank(corpus, question, entries.length);
  return rankedEntries.map((rankedEntry) => ({
    entry: rankedEntry.entry as StoredEntry,
    similarity: rankedEntry.similarity,
    differs: () => findDifferences(liveLens, rankedEntry, question),
  }));
}

/**
 * The differences between the entry and the question. svc runs an entry that is similar enough and has no differences.
 */
function findDifferences(
  liveLens: Pick<LiveLens, 'lens'>,
  { entry, phrase, parameters }: RankedEntry,
  question: string,
): string[] {
  const differences = describeDifferences(liveLens, phrase, question);
  if (!parameters) return [...differences, 'parameters'];
  return differences.length > 0 || proveParameters(liveLens.lens, { entry, parameters, phrase })
    ? differences
    : ['named value'];
}

const findNumbersInQuestion = (text: string): string =>
  tokenizeQuestion(text)
    .tokens.flatMap(({ kind, value, unit }) => (kind === 'number' ? [`${value}${unit ?? ''}`] : []))
    .sort()
    .join(' ');

/** Comparison and arithmetic signs, and words such as "if" or "would", change the meaning of a question. */
const OPERATOR_SIGN_PATTERN = /[<>=≤≥≠±×÷*^~|&]|!(?==)|(?<=^|\s)[-+](?=\s|\d)/g;
const POLITE_PHRASE_PATTERN = /\b(?:could|would|can|will) (?:you|i|we)\b|\bwould like\b/g;
const HYPOTHETICAL_WORD_PATTERN = /\b(?:would|could|should|might|may|will|if|expect\w*|forecast\w*|predict\w*)\b/g;
const findOperatorWords = (text: string): string => {
  const normalizedText = text.toLowerCase().replaceAll(POLITE_PHRASE_PATTERN, ' ');
  return [
    ...(normalizedText.match(OPERATOR_SIGN_PATTERN) ?? []),
    ...(normalizedText.match(HYPOTHETICAL_WORD_PATTERN) ?? []),
  ]
    .sort()
    .join(' ');
};

const memoizeDifferences = memoize<Lens, string[]>(500);

function describeDifferences(liveLens: Pick<LiveLens, 'lens'>, phrase: string, question: string): string[] {
  const differences = memoizeDifferences(liveLens.lens, JSON.stringify([phrase, question]), () =>
    findMeaningDifferences(liveLens.lens, phrase, question),
  );
  return findOperatorWords(phrase) === findOperatorWords(question)
    ? differences
    : [...new Set([...differences, 'direction'])];
}
