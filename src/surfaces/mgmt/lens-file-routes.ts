// What a lens says: its files, how two versions differ, and what a model would be shown of it.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { modelContext } from '../../ask/read/model/shown.ts';
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
        summary: 'The lens as a repository: its file tree',
        description: 'Of the version in service, or of `version`.',
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
        description: 'Its text, byte for byte.',
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
        summary: 'Two versions side by side',
        description: 'By meaning (metrics, definitions, policies) and by file.',
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
        summary: 'Exactly what a model would be shown',
        description:
          'Of the lens, by each call that reads the question `q`: its nearest certified entries and the day included; of a large lens what the question can touch, with the names of the rest. Names and meanings, never rows, never masked fields. The call that words an answer is shown the question, its reading and at most `max_rows_to_compose` rows.',
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
