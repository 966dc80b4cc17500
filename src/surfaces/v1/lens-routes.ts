import { completeQuestion, createPhrasesForCaller } from '../../ask/complete-question.ts';
import { listValues } from '../../ask/list-values.ts';
import { findGrantedLens, listGrantedLenses, resolveLens } from '../../ask/read/resolve-lens.ts';
import { fetchDataTimestamp, getLastDataTimestamp } from '../../ask/run/freshness.ts';
import {
  certifiedListSchema,
  certifiedQuerySchema,
  completeQuerySchema,
  completionSchema,
  definitionListSchema,
  definitionsQuerySchema,
  lensDetailSchema,
  lensListSchema,
  pageQuerySchema,
  phraseListSchema,
  valueListSchema,
  valuesQuerySchema,
} from '../../contract/lens.ts';
import type { Deps } from '../../deps.ts';
import { toCaller } from '../../domain/identity/principal.ts';
import { lookUpDefinition } from '../../domain/semantic/look-up-definition.ts';
import { createOperationFactory } from '../http/operation.ts';
import { selectPage } from '../http/page.ts';
import { describeLens, summarizeLens, toListedCertifiedEntry } from './describe-lens.ts';
import { lensParamsSchema } from './params.ts';

type RouteDeps = Pick<Deps, 'lenses' | 'warehouses' | 'freshness' | 'clock' | 'config' | 'library' | 'exactBand'>;
const defineOperation = createOperationFactory<RouteDeps>('lenses', 'data');

// A slow warehouse must not delay the description of a lens.
const FRESHNESS_TIMEOUT_MS = 3_000;
const MAX_CERTIFIED_MATCHES = 5;

export const lensRoutes = [
  defineOperation('GET', '/lenses', {
    id: 'listLenses',
    summary: 'Lenses of this credential',
    description: 'Lists lenses by name. Lenses without a grant are not listed.',
    query: pageQuerySchema,
    result: lensListSchema,
    fails: ['invalid'],
    run: async ({ deps, principal, query }) => {
      const { items, next_cursor } = selectPage(await listGrantedLenses(deps.lenses, principal), query);
      return { items: items.map(summarizeLens), next_cursor };
    },
  }),
  defineOperation('GET', '/lenses/:name', {
    id: 'getLens',
    summary: 'One lens with its schema, definitions, limits and number of certified entries',
    description: 'Lists all names that a question, a plan or SQL can use in this lens.',
    params: lensParamsSchema,
    result: lensDetailSchema,
    fails: ['not_found'],
    run: async ({ deps, principal, params, signal }) => {
      const liveLens = await findGrantedLens(deps.lenses, principal, params.name);
      return describeLens(
        liveLens,
        await fetchDataTimestamp(deps, principal, liveLens, { timeoutMs: FRESHNESS_TIMEOUT_MS, signal }),
      );
    },
  }),
  defineOperation('GET', '/lenses/:name/complete', {
    id: 'completeQuestion',
    summary: 'Complete a question',
    description:
      'Suggests metrics, datasets, fields, values, periods, rankings and connecting words at the cursor. Also returns unknown words, and the interpretation of the text. Runs no query. Suggested periods end with the newest data that svc has seen. The reply never names masked fields, or values of datasets with hidden rows.',
    params: lensParamsSchema,
    query: completeQuerySchema,
    result: completionSchema,
    fails: ['not_found', 'invalid'],
    run: async ({ deps, principal, params, query }) => {
      const liveLens = await findGrantedLens(deps.lenses, principal, params.name);
      const dataEnd = getLastDataTimestamp(deps, principal, liveLens);
      return completeQuestion(liveLens.lens, toCaller(principal), query, { now: deps.clock.now(), dataEnd });
    },
  }),
  defineOperation('GET', '/lenses/:name/phrases', {
    id: 'listPhrases',
    summary: 'Questions that a lens answers',
    description:
      'Lists common questions about each dataset, with names and values of this lens. svc generates each question from a plan, and interprets the question as exactly this plan. `limit` counts datasets, and a page covers at most 50 datasets.',
    params: lensParamsSchema,
    query: pageQuerySchema,
    result: phraseListSchema,
    fails: ['not_found', 'invalid'],
    run: async ({ deps, principal, params, query, signal }) => {
      const liveLens = await findGrantedLens(deps.lenses, principal, params.name);
      const { lens } = liveLens;
      const { items, next_cursor } = selectPage(lens.datasets, { ...query, limit: Math.min(query.limit, 50) });
      const dataDate = await fetchDataTimestamp(deps, principal, liveLens, { timeoutMs: FRESHNESS_TIMEOUT_MS, signal });
      const times = { now: deps.clock.now(), dataEnd: dataDate === null ? null : new Date(dataDate) };
      return { items: await createPhrasesForCaller(lens, toCaller(principal), items, times), next_cursor };
    },
  }),
  defineOperation('GET', '/lenses/:name/values', {
    id: 'listValues',
    summary: 'Stored values of a field',
    description:
      'Lists the current values of the field for use in filters. With `q`, the most similar values come first. Refuses masked fields. If a row policy applies, lists only values of visible rows.',
    params: lensParamsSchema,
    query: valuesQuerySchema,
    result: valueListSchema,
    fails: ['not_found', 'invalid', 'upstream', 'timeout'],
    run: async ({ deps, principal, params, query: { field, q, ...page }, signal }) => {
      const limits = deps.config.operator.limits;
      const grantedLens = await resolveLens(deps, principal, params.name);
      const foundValues = await listValues(grantedLens, field, q, {
        timeoutMs: limits?.warehouse_timeout_ms ?? 30_000,
        maxBytes: limits?.max_result_bytes ?? 16_777_216,
        now: deps.clock.now(),
        signal,
      });
      return { field: foundValues.field, complete: foundValues.complete, ...selectPage(foundValues.values, page) };
    },
  }),
  defineOperation('GET', '/lenses/:name/certified', {
    id: 'listCertified',
    summary: 'Certified entries of a lens',
    description: 'Lists approved entries. With q, lists the 5 most similar entries, scored by `embedder`.',
    params: lensParamsSchema,
    query: certifiedQuerySchema,
    result: certifiedListSchema,
    fails: ['not_found', 'invalid', 'upstream', 'timeout'],
    run: async ({ deps, params, query: { q, ...page }, principal }) => {
      const liveLens = await findGrantedLens(deps.lenses, principal, params.name);
      const band = { exact_band: deps.exactBand, embedder: deps.library.embedderName };
      if (q === undefined)
        return { ...selectPage([...liveLens.certified.values()].map(toListedCertifiedEntry), page), ...band };
      const rankedEntries = await deps.library.rank(liveLens, q, Math.min(MAX_CERTIFIED_MATCHES, page.limit));
      const items = rankedEntries.map(({ entry, similarity }) => ({ ...toListedCertifiedEntry(entry), similarity }));
      return { items, next_cursor: null, ...band };
    },
  }),
  defineOperation('GET', '/definitions', {
    id: 'lookUpDefinition',
    summary: 'Approved meaning of a governed term',
    description:
      'Returns the text verbatim, without a model or warehouse. For an unknown term, `items` is empty and `suggestions` has similar terms.',
    query: definitionsQuerySchema,
    result: definitionListSchema,
    fails: ['not_found', 'invalid'],
    run: async ({ deps, query, principal }) => {
      const liveLenses = query.lens
        ? [await findGrantedLens(deps.lenses, principal, query.lens)]
        : await listGrantedLenses(deps.lenses, principal);
      const lenses = liveLenses.map(({ lens }) => lens);
      const { items, suggestions } = lookUpDefinition(lenses, query.term);
      return { ...selectPage(items, query), suggestions };
    },
  }),
];
