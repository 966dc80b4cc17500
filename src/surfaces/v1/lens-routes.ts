// The lenses of this credential, one lens in full, and the stored values of a field.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { completeQuestion, phrasesFor } from '../../ask/complete-question.ts';
import { listValues } from '../../ask/list-values.ts';
import { findGranted, grantedLenses, resolveLens } from '../../ask/read/resolve-lens.ts';
import { dataAsOf } from '../../ask/run/data-as-of.ts';
import { completeQuery, completion, phraseList, phrasesQuery } from '../../contract/complete.ts';
import { lensDetail, lensList, pageQuery, valueList, valuesQuery } from '../../contract/lens.ts';
import type { Deps } from '../../deps.ts';
import { askerOf } from '../../domain/identity/principal.ts';
import { disconnectSignal } from '../http/disconnect-signal.ts';
import { pageOf } from '../http/page.ts';
import { bearer, callerProblems } from '../http/route-schema.ts';
import { describeLens, summarizeLens } from './describe-lens.ts';
import { lensParams } from './params.ts';

// A slow warehouse must not delay the description of a lens.
const FRESHNESS_PATIENCE_MS = 3_000;

export function lensRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const common = { tags: ['lenses'], security: bearer };
  const limits = deps.config.operator.limits;

  app.get(
    '/lenses',
    {
      schema: {
        ...common,
        operationId: 'listLenses',
        summary: 'Lenses of this credential',
        description: 'By name. Lenses without a grant are not listed.',
        querystring: pageQuery,
        response: { 200: lensList, ...callerProblems('invalid') },
      },
    },
    async (request) => {
      const { items, next_cursor } = pageOf(await grantedLenses(deps.lenses, request.principal), request.query);
      return { items: items.map(summarizeLens), next_cursor };
    },
  );

  app.get(
    '/lenses/:name',
    {
      schema: {
        ...common,
        operationId: 'getLens',
        summary: 'One lens: schema, definitions, limits, certified count',
        description: 'All names that a question, a plan or SQL can use in this lens.',
        params: lensParams,
        response: { 200: lensDetail, ...callerProblems('not_found') },
      },
    },
    async (request, reply) => {
      const served = await findGranted(deps.lenses, request.principal, request.params.name);
      const options = { timeoutMs: FRESHNESS_PATIENCE_MS, signal: disconnectSignal(reply) };
      return describeLens(served, await dataAsOf(deps, request.principal, served, options));
    },
  );

  app.get(
    '/lenses/:name/complete',
    {
      schema: {
        ...common,
        operationId: 'completeQuestion',
        summary: 'Complete a question',
        description:
          'Suggests metrics, datasets, fields, values, periods, rankings and connecting words at the cursor. Also returns unknown words, and the interpretation of the text. Runs no query. Never names masked fields, or values of datasets with hidden rows.',
        params: lensParams,
        querystring: completeQuery,
        response: { 200: completion, ...callerProblems('not_found', 'invalid') },
      },
    },
    async (request) => {
      const { lens } = await findGranted(deps.lenses, request.principal, request.params.name);
      return completeQuestion(lens, askerOf(request.principal), request.query, deps.clock.now());
    },
  );

  app.get(
    '/lenses/:name/phrases',
    {
      schema: {
        ...common,
        operationId: 'listPhrases',
        summary: 'Questions that a lens answers',
        description:
          'Questions of common kinds for each dataset, with names and values of this lens. svc interprets each question as the plan that it was made from.',
        params: lensParams,
        querystring: phrasesQuery,
        response: { 200: phraseList, ...callerProblems('not_found', 'invalid') },
      },
    },
    async (request) => {
      const { lens } = await findGranted(deps.lenses, request.principal, request.params.name);
      const { items, next_cursor } = pageOf(lens.datasets, request.query);
      return { items: await phrasesFor(lens, askerOf(request.principal), items, deps.clock.now()), next_cursor };
    },
  );

  app.get(
    '/lenses/:name/values',
    {
      schema: {
        ...common,
        operationId: 'listValues',
        summary: 'Stored values of a field',
        description:
          'For filters: the current values of the column, most similar first. Masked fields have none. With a row policy: only values of visible rows.',
        params: lensParams,
        querystring: valuesQuery,
        response: { 200: valueList, ...callerProblems('not_found', 'invalid', 'upstream', 'timeout') },
      },
    },
    async (request, reply) => {
      const { field, q, ...page } = request.query;
      const granted = await resolveLens(deps, request.principal, request.params.name);
      const found = await listValues(granted, field, q, {
        timeoutMs: limits?.warehouse_timeout_ms ?? 30_000,
        maxBytes: limits?.max_result_bytes ?? 16_777_216,
        now: deps.clock.now(),
        signal: disconnectSignal(reply),
      });
      return { field: found.field, complete: found.complete, ...pageOf(found.values, page) };
    },
  );
}
