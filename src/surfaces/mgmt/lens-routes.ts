// Routes that list, create, read and unpublish lenses.

import type { z } from 'zod';
import { pageQuery } from '../../contract/lens.ts';
import * as wire from '../../contract/mgmt/lenses.ts';
import { lensParams, listSchemaOf } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import { isLinkedViewer } from '../../domain/identity/principal.ts';
import { getVersion } from '../../domain/lenses/lens-versions.ts';
import * as lenses from '../../domain/lenses/lenses.ts';
import { wireOf } from '../../platform/http/wire-of.ts';
import { defineOperations, type ResultOf } from '../http/operation.ts';
import { byText, pageByKey } from '../http/page.ts';

const operation = defineOperations<Pick<Deps, 'tenancy' | 'warehouses' | 'project'>>('lenses (control plane)');
const lensView = ({ activeVersion, ...row }: ResultOf<typeof lenses.getLens>): z.infer<typeof wire.lensRow> => ({
  ...wireOf(row),
  version: activeVersion,
});
const EXAMPLE = {
  name: 'shop',
  files: {
    'lens.yaml':
      'name: shop\nconnection: core\ndatasets: {orders: {source: public.orders, fields: {region: {datatype: string}}}}\n',
  },
};

export const lensRoutes = [
  operation('GET', '/lenses', {
    id: 'listAllLenses',
    summary: 'Lenses of the organization',
    description: 'Lists all lenses, published or not, from files or created through the API.',
    access: 'any viewer',
    query: pageQuery,
    result: listSchemaOf(wire.lensRow),
    run: ({ deps, orgId, principal, query }) =>
      pageByKey(
        byText('name'),
        query,
        (page) => lenses.listLenses(deps, orgId, page, isLinkedViewer(principal) ? principal.lenses : null),
        lensView,
      ),
  }),
  operation('POST', '/lenses', {
    id: 'createLens',
    summary: 'Create a lens through the API',
    description: 'Returns the first draft of the lens. Callers can use the lens once you publish a draft.',
    body: wire.newLensBody.meta({ examples: [EXAMPLE] }),
    status: 201,
    result: wire.draft,
    run: ({ deps, actor, body }) => lenses.createLens(deps, actor, body),
    view: wireOf,
  }),
  operation('GET', '/lenses/:name', {
    id: 'getLensFiles',
    summary: 'One lens with the files of its published version',
    description: '`origin` says whether you change the lens through files or through drafts.',
    access: 'any viewer',
    params: lensParams,
    result: wire.lensDetail,
    run: async ({ deps, orgId, params }) => {
      const row = await lenses.getLens(deps, orgId, params.name);
      const files = row.activeVersion === null ? {} : (await getVersion(deps, orgId, params.name, null)).files;
      return { ...lensView(row), files };
    },
  }),
  operation('DELETE', '/lenses/:name', {
    id: 'deleteLens',
    summary: 'Take a lens out of service',
    description:
      'The versions of the lens stay in the history. svc removes the files of a file-based lens from the project, as an edit.',
    params: lensParams,
    run: ({ deps, actor, params }) => lenses.deleteLens(deps, actor, params.name),
  }),
];
