// Routes for the content of a lens: its files, the difference between two versions, and its description for a model.
import { z } from 'zod';
import { buildModelContext } from '../../ask/read/model/model-context.ts';
import * as wire from '../../contract/mgmt/lenses.ts';
import { lensParams } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import { getServedLens } from '../../domain/lenses/get-served-lens.ts';
import { readLensDiff, readLensFile, readLensTree } from '../../domain/lenses/lens-versions.ts';
import { defineOperations } from '../http/operation.ts';
import { pageOf } from '../http/page.ts';

const operation =
  defineOperations<Pick<Deps, 'tenancy' | 'warehouses' | 'project' | 'lenses' | 'library' | 'clock'>>(
    'lenses (control plane)',
  );

export const lensFileRoutes = [
  operation('GET', '/lenses/:name/repo', {
    id: 'getLensRepo',
    summary: 'File tree of a lens',
    description: 'The files of the published version, or of `version`.',
    access: 'any viewer',
    params: lensParams,
    query: wire.repoQuery,
    result: wire.repo,
    run: async ({ deps, orgId, params: { name }, query: { version = null, ...page } }) => {
      const tree = await readLensTree(deps, orgId, name, version);
      return { lens: name, version: tree.version, ...pageOf(tree.items, page) };
    },
  }),
  operation('GET', '/lenses/:name/repo/*', {
    id: 'getLensRepoFile',
    summary: 'One file of the lens',
    description: 'The exact text of the file.',
    access: 'any viewer',
    params: lensParams.extend({
      '*': z.string().min(1).max(500).describe('Path inside the lens, such as certified/core.yaml'),
    }),
    query: z.strictObject({ version: z.coerce.number().int().min(1).optional() }),
    result: wire.repoFile,
    run: async ({ deps, orgId, params: { name, '*': path }, query: { version = null } }) => ({
      lens: name,
      ...(await readLensFile(deps, orgId, name, path, version)),
    }),
  }),
  operation('GET', '/lenses/:name/diff', {
    id: 'diffLens',
    summary: 'Compare two versions',
    description: 'Lists changes in meaning (metrics, definitions, policies) and in files.',
    access: 'any viewer',
    params: lensParams,
    query: wire.diffQuery,
    result: wire.diff,
    run: async ({ deps, orgId, params: { name }, query: { from, to = null } }) => ({
      lens: name,
      ...(await readLensDiff(deps, orgId, name, from, to)),
    }),
  }),
  operation('GET', '/lenses/:name/context', {
    id: 'getLensContext',
    summary: 'Context that svc sends to a language model',
    description:
      'Returns the parts of the lens that each model call for the question `q` contains, with the nearest certified entries and the current day. For a large lens, returns only the parts that the question can use, and the names of the other parts. The context contains names and meanings, never rows or masked fields. The call that writes the answer also gets the question, its interpretation and at most `max_rows_to_compose` rows.',
    params: lensParams,
    query: z.strictObject({ q: z.string().trim().min(1).max(4000).optional() }),
    result: wire.context,
    run: async ({ deps, orgId, params, query: { q = null } }) => {
      const lens = await getServedLens(deps.lenses, orgId, params.name);
      const { text } = await buildModelContext(deps.library, lens, q, deps.clock.now());
      return { lens: lens.name, version: lens.version, context: text, characters: text.length };
    },
  }),
];
