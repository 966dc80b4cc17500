// Looks a governed term up in every lens of this credential.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { findGranted, grantedLenses } from '../../ask/read/resolve-lens.ts';
import { definitionList, definitionsQuery } from '../../contract/definition.ts';
import type { Deps } from '../../deps.ts';
import { lookUpDefinition } from '../../domain/semantic/look-up-definition.ts';
import { pageOf } from '../http/page.ts';
import { bearer, callerProblems } from '../http/route-schema.ts';

export function definitionRoutes(scope: FastifyInstance, deps: Deps): void {
  scope.withTypeProvider<ZodTypeProvider>().get(
    '/definitions',
    {
      schema: {
        tags: ['lenses'],
        security: bearer,
        operationId: 'lookUpDefinition',
        summary: 'Approved meaning of a governed term',
        description:
          'Returns the text verbatim, without a model or warehouse. For an unknown term, `items` is empty and `suggestions` has similar terms.',
        querystring: definitionsQuery,
        response: { 200: definitionList, ...callerProblems('not_found', 'invalid') },
      },
    },
    async ({ query, principal }) => {
      const served = query.lens
        ? [await findGranted(deps.lenses, principal, query.lens)]
        : await grantedLenses(deps.lenses, principal);
      const { items, suggestions } = lookUpDefinition(
        served.map(({ lens }) => lens),
        query.term,
      );
      return { ...pageOf(items, query), suggestions };
    },
  );
}
