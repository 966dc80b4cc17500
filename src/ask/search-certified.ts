// Finds the certified entries of a lens that are most similar to a question, whatever their status, for curators.
import type { CertifiedLibrary } from '../domain/certified/certified-library.ts';
import { listCertified } from '../domain/certified/entries.ts';
import type { StoredEntry } from '../domain/certified/entry-repository.ts';
import type { ServedLens } from '../domain/lenses/lens-repository.ts';
import type { Tenancy } from '../platform/tenancy/tenant.ts';
import { differencesOf } from './read/match-certified.ts';

export async function searchCertified(
  deps: { tenancy: Tenancy; library: CertifiedLibrary },
  orgId: string,
  liveLens: ServedLens,
  question: string,
  filter: { status?: string | undefined },
) {
  const entries = await listCertified(deps, orgId, liveLens, filter, { limit: null, after: null });
  const corpus = {
    ...liveLens,
    lens: { ...liveLens.lens },
    certified: new Map(entries.map((item) => [item.certId, item])),
  };
  const rankedEntries = await deps.library.rank(corpus, question, entries.length);
  return rankedEntries.map((rankedEntry) => ({
    entry: rankedEntry.entry as StoredEntry,
    similarity: rankedEntry.similarity,
    differs: () => differencesOf(liveLens, rankedEntry, question),
  }));
}
