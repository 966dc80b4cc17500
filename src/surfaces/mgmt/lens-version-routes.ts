// Routes for the versions of a lens. A version never changes, and an old one can be served again.

import { pageQuery } from '../../contract/lens.ts';
import * as wire from '../../contract/mgmt/lenses.ts';
import { lensParams, listSchemaOf } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import { restoreVersion } from '../../domain/lenses/edit-lens.ts';
import * as versions from '../../domain/lenses/lens-versions.ts';
import { wireOf } from '../../platform/http/wire-of.ts';
import { defineOperations } from '../http/operation.ts';
import { byVersion, pageByKey } from '../http/page.ts';

const operation = defineOperations<Pick<Deps, 'tenancy' | 'warehouses' | 'project'>>('lenses (control plane)');

export const lensVersionRoutes = [
  operation('GET', '/lenses/:name/versions', {
    id: 'listVersions',
    summary: 'Versions, newest first',
    description: 'Versions are immutable; `active` is the published one.',
    access: 'any viewer',
    params: lensParams,
    query: pageQuery,
    result: listSchemaOf(wire.versionRow),
    run: ({ deps, orgId, params, query }) =>
      pageByKey(byVersion, query, (page) => versions.listVersions(deps, orgId, params.name, page), wireOf),
  }),
  operation('GET', '/lenses/:name/versions/:version', {
    id: 'getVersion',
    summary: 'One version: files and compiled lens',
    description: 'The files and the compiled lens, as svc served them.',
    access: 'any viewer',
    params: wire.versionParams,
    result: wire.versionDetail,
    fails: ['invalid'],
    run: ({ deps, orgId, params }) => versions.getVersion(deps, orgId, params.name, params.version),
    view: ({ compiled, ...version }) => ({ ...wireOf(version), lens: { ...compiled } }),
  }),
  operation('POST', '/lenses/:name/versions/:version/restore', {
    id: 'restoreVersion',
    access: 'curator',
    summary: 'Restore an old version as a new one',
    description:
      'svc checks the version against the current warehouse. For a file-based lens, svc restores the old lens.yaml as an edit of the project.',
    params: wire.versionParams,
    result: wire.publishedLens,
    refusesFiles: true,
    run: async ({ deps, actor, params: { name, version } }) => ({
      lens: name,
      ...(await restoreVersion(deps, actor, name, version)),
    }),
  }),
];
