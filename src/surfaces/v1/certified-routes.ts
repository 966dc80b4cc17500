// Routes for the certified entries of a lens: one entry by its id, or entries ranked by similarity to a question.
import { findGrantedLens } from '../../ask/read/resolve-lens.ts';
import { certifiedList, certifiedQuery } from '../../contract/certified.ts';
import type { Deps } from '../../deps.ts';
import { defineOperations } from '../http/operation.ts';
import { pageOf } from '../http/page.ts';
import { toCertifiedItem } from './describe-lens.ts';
import { lensParams } from './params.ts';

const operation = defineOperations<Pick<Deps, 'lenses' | 'library' | 'exactBand'>>('lenses', 'data');
const MAX_MATCHES = 5; // SPEC, "Limits"

export const certifiedRoutes = [
  operation('GET', '/lenses/:name/certified', {
    id: 'listCertified',
    summary: 'Certified entries of a lens',
    description: 'Lists approved entries. With q, lists the 5 most similar entries, scored by `embedder`.',
    params: lensParams,
    query: certifiedQuery,
    result: certifiedList,
    fails: ['not_found', 'invalid', 'upstream', 'timeout'],
    run: async ({ deps, params, query: { q, ...page }, principal }) => {
      const liveLens = await findGrantedLens(deps.lenses, principal, params.name);
      const band = { exact_band: deps.exactBand, embedder: deps.library.embedderName };
      if (q === undefined) return { ...pageOf([...liveLens.certified.values()].map(toCertifiedItem), page), ...band };
      const rankedEntries = await deps.library.rank(liveLens, q, Math.min(MAX_MATCHES, page.limit));
      const items = rankedEntries.map(({ entry, similarity }) => ({ ...toCertifiedItem(entry), similarity }));
      return { items, next_cursor: null, ...band };
    },
  }),
];
