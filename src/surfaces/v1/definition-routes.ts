// Looks up a governed term in every lens of this credential.
import { findGrantedLens, listGrantedLenses } from '../../ask/read/resolve-lens.ts';
import { definitionList, definitionsQuery } from '../../contract/definition.ts';
import type { Deps } from '../../deps.ts';
import { lookUpDefinition } from '../../domain/semantic/look-up-definition.ts';
import { defineOperations } from '../http/operation.ts';
import { pageOf } from '../http/page.ts';

const operation = defineOperations<Pick<Deps, 'lenses'>>('lenses', 'data');

export const definitionRoutes = [
  operation('GET', '/definitions', {
    id: 'lookUpDefinition',
    summary: 'Approved meaning of a governed term',
    description:
      'Returns the text verbatim, without a model or warehouse. For an unknown term, `items` is empty and `suggestions` has similar terms.',
    query: definitionsQuery,
    result: definitionList,
    fails: ['not_found', 'invalid'],
    run: async ({ deps, query, principal }) => {
      const liveLenses = query.lens
        ? [await findGrantedLens(deps.lenses, principal, query.lens)]
        : await listGrantedLenses(deps.lenses, principal);
      const lenses = liveLenses.map(({ lens }) => lens);
      const { items, suggestions } = lookUpDefinition(lenses, query.term);
      return { ...pageOf(items, query), suggestions };
    },
  }),
];
