// The certified entries of a lens that are most similar to a question, in every status, for curators.
import type { CertifiedLibrary } from '../domain/certified/certified-library.ts';
import { listCertified } from '../domain/certified/entries.ts';
import type { StoredEntry } from '../domain/certified/entry-repository.ts';
import type { ServedLens } from '../domain/lenses/lens-repository.ts';
import type { Tenancy } from '../platform/tenancy/tenant.ts';
import { differencesOf } from './read/match-certified.ts';

export async function searchCertified(
  deps: { tenancy: Tenancy; library: CertifiedLibrary },
  orgId: string,
  served: ServedLens,
  question: string,
  filter: { status?: string | undefined },
) {
  const all = await listCertified(deps, orgId, served, filter, { limit: null, after: null });
  const corpus = { ...served, lens: { ...served.lens }, certified: new Map(all.map((one) => [one.certId, one])) };
  const ranked = await deps.library.rank(corpus, question, all.length);
  return ranked.map((near) => ({
    entry: near.entry as StoredEntry,
    similarity: near.similarity,
    differs: () => differencesOf(served, near, question),
  }));
}
