// What a lens says: its files, how two versions differ, and what a model would be shown of it.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { modelContext } from '../../ask/read/model/model-context.ts';
import * as wire from '../../contract/mgmt/lenses.ts';
import { lensParams } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import { getServedLens } from '../../domain/lenses/get-served-lens.ts';
import { lensDiff, lensFile, lensTree } from '../../domain/lenses/lens-files.ts';
import { pageOf } from '../http/page.ts';
import { reading } from './route-parts.ts';

const TAG = 'lenses (control plane)';

export function lensFileRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.get(
    '/lenses/:name/repo',
    {
      schema: {
        ...reading(TAG, wire.repo, 'not_found', 'invalid'),
        operationId: 'getLensRepo',
        summary: 'File tree of a lens',
        description: 'Of the published version, or of `version`.',
        params: lensParams,
        querystring: wire.repoQuery,
      },
    },
    async ({ principal, params, query: { version, ...page } }) => {
      const tree = await lensTree(deps, principal.orgId, params.name, version ?? null);
      return { lens: params.name, version: tree.version, ...pageOf(tree.items, page) };
    },
  );

  app.get(
    '/lenses/:name/repo/*',
    {
      schema: {
        ...reading(TAG, wire.repoFile, 'not_found', 'invalid'),
        operationId: 'getLensRepoFile',
        summary: 'One file of the lens',
        description: 'The exact text of the file.',
        params: lensParams.extend({
          '*': z.string().min(1).max(500).describe('Path inside the lens, like certified/core.yaml'),
        }),
        querystring: z.strictObject({ version: z.coerce.number().int().min(1).optional() }),
      },
    },
    async ({ principal, params, query }) => ({
      lens: params.name,
      ...(await lensFile(deps, principal.orgId, params.name, params['*'], query.version ?? null)),
    }),
  );

  app.get(
    '/lenses/:name/diff',
    {
      schema: {
        ...reading(TAG, wire.diff, 'not_found', 'invalid'),
        operationId: 'diffLens',
        summary: 'Compare two versions',
        description: 'Changes in meaning (metrics, definitions, policies) and in files.',
        params: lensParams,
        querystring: wire.diffQuery,
      },
    },
    async ({ principal, params, query }) => ({
      lens: params.name,
      ...(await lensDiff(deps, principal.orgId, params.name, query.from, query.to ?? null)),
    }),
  );

  app.get(
    '/lenses/:name/context',
    {
      schema: {
        ...reading(TAG, wire.context, 'not_found', 'invalid'),
        operationId: 'getLensContext',
        summary: 'Context that svc sends to a language model',
        description:
          'The parts of the lens in each model call for the question `q`, with the nearest certified entries and the current day. For a large lens: the parts that the question can touch, and the names of the rest. It has names and meanings, never rows or masked fields. The call that writes the answer also gets the question, its interpretation and at most `max_rows_to_compose` rows.',
        params: lensParams,
        querystring: z.strictObject({ q: z.string().trim().min(1).max(4000).optional() }),
      },
    },
    async ({ principal, params, query }) => {
      const lens = await getServedLens(deps.lenses, principal.orgId, params.name);
      const { text } = await modelContext(deps.library, lens, query.q ?? null, deps.clock.now());
      return { lens: lens.name, version: lens.version, context: text, characters: text.length };
    },
  );
}
