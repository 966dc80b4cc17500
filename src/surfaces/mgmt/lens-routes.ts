// Lenses in the control plane: list, make, look at their files, versions, difference, context, drift, grants.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { lensContext } from '../../ask/model-context.ts';
import { pageQuery } from '../../contract/lens.ts';
import * as connectionWire from '../../contract/mgmt/connections.ts';
import * as identity from '../../contract/mgmt/identity.ts';
import * as wire from '../../contract/mgmt/lenses.ts';
import { lensParams, listOf, ok, runStarted } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import { auditDrift, readDrift } from '../../domain/lenses/drift.ts';
import * as drafts from '../../domain/lenses/lens-drafts.ts';
import { lensDiff, lensFile, lensTree } from '../../domain/lenses/lens-files.ts';
import * as upkeep from '../../domain/lenses/lens-upkeep.ts';
import { Problem } from '../../platform/problem.ts';
import { once } from '../once.ts';
import { decodeCursor, encodeCursor, pageOf, unusableCursor } from '../page.ts';
import { draftView, lensView } from './lens-views.ts';
import { pageAfter } from './page-after.ts';
import { orRefused, refusedResponse } from './refuse-with-problems.ts';
import { actorOf, changing, ifMatch, reading, tagged } from './route-parts.ts';
import { lensGrantsView } from './views.ts';

const TAG = 'lenses (control plane)';
const OK = { ok: true } as const;
const EXAMPLE = {
  name: 'shop',
  files: {
    'lens.yaml':
      'name: shop\nconnection: core\ndatasets: {orders: {source: public.orders, fields: {region: {datatype: string}}}}\n',
  },
};

export function lensRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const served = async (orgId: string, name: string) => {
    const found = await deps.lenses.find(orgId, name);
    if (!found) throw new Problem('not_found', `There is no lens "${name}" in service.`);
    return found;
  };

  app.get(
    '/lenses',
    {
      schema: {
        ...reading(TAG, listOf(wire.lensRow), 'invalid'),
        operationId: 'listAllLenses',
        summary: 'Every lens of the organization',
        description: 'In service or not, from files or made by API.',
        querystring: pageQuery,
      },
    },
    ({ principal, query }) =>
      pageAfter(
        query,
        (page) => drafts.listLenses(deps, principal.orgId, page),
        ({ name }) => name,
        lensView,
        'names',
      ),
  );
  app.post(
    '/lenses',
    {
      schema: {
        ...changing(TAG, 201, wire.draft),
        operationId: 'createLens',
        summary: 'Make a lens by API',
        description: 'Answers its first draft; the lens enters service when the draft is published.',
        body: wire.newLensBody.meta({ examples: [EXAMPLE] }),
      },
    },
    (request, reply) =>
      once(deps, request, reply, async () => ({
        status: 201,
        body: draftView(await drafts.createLens(deps, actorOf(request), request.body)),
      })),
  );
  app.get(
    '/lenses/:name',
    {
      schema: {
        ...reading(TAG, wire.lensDetail, 'not_found'),
        operationId: 'getLensFiles',
        summary: 'One lens with the files of its version in service',
        description: 'Its origin says whether it is changed through files or through drafts.',
        params: lensParams,
      },
    },
    async ({ principal, params }) => {
      const row = await drafts.getLens(deps, principal.orgId, params.name);
      const files =
        row.activeVersion === null ? {} : (await drafts.getVersion(deps, principal.orgId, params.name, null)).files;
      return { ...lensView(row), files };
    },
  );
  app.delete(
    '/lenses/:name',
    {
      schema: {
        ...changing(TAG, 200, ok, 'not_found'),
        operationId: 'deleteLens',
        summary: 'Take a lens made by API out of service',
        description: 'Its versions stay in history. A lens from files is refused with 409.',
        params: lensParams,
      },
    },
    (request, reply) =>
      once(deps, request, reply, async () => {
        await drafts.deleteLens(deps, actorOf(request), request.params.name);
        return { status: 200, body: OK };
      }),
  );

  app.get(
    '/lenses/:name/versions',
    {
      schema: {
        ...reading(TAG, listOf(wire.versionRow), 'not_found', 'invalid'),
        operationId: 'listVersions',
        summary: 'Versions, newest first',
        description: 'Immutable; `active` is the one in service.',
        params: lensParams,
        querystring: pageQuery,
      },
    },
    async ({ principal, params, query }) => {
      const place = decodeCursor(query.cursor);
      if (place !== null && !/^\d{1,9}$/.test(place)) throw unusableCursor();
      const rows = await drafts.listVersions(deps, principal.orgId, params.name, {
        limit: query.limit + 1,
        after: place === null ? null : Number(place),
      });
      const items = rows.slice(0, query.limit);
      return {
        items: items.map(versionView),
        next_cursor: rows.length > items.length ? encodeCursor(String(items.at(-1)!.version)) : null,
      };
    },
  );
  app.get(
    '/lenses/:name/versions/:version',
    {
      schema: {
        ...reading(TAG, wire.versionDetail, 'not_found', 'invalid'),
        operationId: 'getVersion',
        summary: 'One version: files and compiled lens',
        description: 'As it was served.',
        params: wire.versionParams,
      },
    },
    async ({ principal, params }) => {
      const found = await drafts.getVersion(deps, principal.orgId, params.name, params.version);
      return { ...versionView(found), files: found.files, lens: { ...found.compiled } };
    },
  );
  app.post(
    '/lenses/:name/versions/:version/restore',
    {
      schema: {
        ...changing(TAG, 200, wire.published, 'not_found'),
        response: { ...changing(TAG, 200, wire.published, 'not_found').response, ...refusedResponse },
        operationId: 'restoreVersion',
        summary: 'Serve an old version again, as a new one',
        description:
          'Checked against the warehouse as it is now. A lens from files is refused with 409: roll the deployment back.',
        params: wire.versionParams,
      },
    },
    (request, reply) =>
      orRefused(request, reply, () =>
        once(deps, request, reply, async () => ({
          status: 200,
          body: {
            lens: request.params.name,
            ...(await drafts.restoreVersion(deps, actorOf(request), request.params.name, request.params.version)),
          },
        })),
      ),
  );

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
          'For the question `q`, its nearest certified entries included. Names and meanings, never rows, never masked fields.',
        params: lensParams,
        querystring: z.strictObject({ q: z.string().trim().min(1).max(4000).optional() }),
      },
    },
    async ({ principal, params, query }) => {
      const lens = await served(principal.orgId, params.name);
      const examples = query.q
        ? (await deps.library.rank(lens, query.q, 5)).map(({ entry }) => ({ question: entry.question, sql: entry.sql }))
        : [];
      const text = lensContext(lens.lens, examples);
      return { lens: lens.name, version: lens.version, context: JSON.parse(text), characters: text.length };
    },
  );

  app.get(
    '/lenses/:name/drift',
    {
      schema: {
        ...reading(TAG, connectionWire.driftReport, 'not_found', 'invalid'),
        operationId: 'getLensDrift',
        summary: 'Drift as last audited',
        description: 'What the lens names and the warehouse no longer has, and what breaks by it.',
        params: lensParams,
        querystring: pageQuery,
      },
    },
    async ({ principal, params, query }) => {
      await drafts.getLens(deps, principal.orgId, params.name);
      const { takenAt, findings } = await readDrift(deps, principal.orgId, [params.name]);
      return { taken_at: takenAt?.toISOString() ?? null, ...pageOf(findings, query) };
    },
  );
  app.post(
    '/lenses/:name/drift',
    {
      schema: {
        ...changing(TAG, 202, runStarted, 'not_found'),
        operationId: 'auditLensDrift',
        summary: 'Hold the lens against its warehouse',
        description: 'Long work: follow the run; GET answers the newest report.',
        params: lensParams,
      },
    },
    async (request, reply) => {
      const actor = actorOf(request);
      const lens = await served(actor.orgId, request.params.name);
      const asked = { kind: 'lens.drift', about: { kind: 'lens', id: lens.name } };
      return once(deps, request, reply, async () => ({
        status: 202,
        body: {
          run_id: await deps.runs.start(actor, asked, async ({ report, signal }) => ({
            findings: await auditDrift(deps, actor.orgId, [lens.name], report, signal),
          })),
        },
      }));
    },
  );

  app.get(
    '/lenses/:name/sample-queries',
    {
      schema: {
        ...reading(TAG, listOf(wire.sampleQuery), 'not_found', 'invalid'),
        operationId: 'listSampleQueries',
        summary: 'Sample questions',
        description: 'Those of lens.yaml, then those added here.',
        params: lensParams,
        querystring: pageQuery,
      },
    },
    async ({ principal, params, query }) => {
      const added = await upkeep.sampleQueries(deps, principal.orgId, params.name);
      const own = (await deps.lenses.find(principal.orgId, params.name))?.lens.sampleQuestions ?? [];
      return pageOf(
        [
          ...own.map((question, index) => ({
            id: `file-${index + 1}`,
            question,
            note: null,
            origin: 'file' as const,
            created_by: null,
            created_at: null,
          })),
          ...added.map(sampleView),
        ],
        query,
      );
    },
  );
  app.post(
    '/lenses/:name/sample-queries',
    {
      schema: {
        ...changing(TAG, 201, wire.sampleQuery, 'not_found'),
        operationId: 'addSampleQuery',
        summary: 'Add a sample question',
        description: 'Kept beside the lens; it changes no answer.',
        params: lensParams,
        body: wire.newSampleBody.meta({ examples: [{ question: 'What was revenue by region in 2016?' }] }),
      },
    },
    (request, reply) =>
      once(deps, request, reply, async () => ({
        status: 201,
        body: sampleView(
          await upkeep.addSampleQuery(deps, actorOf(request), request.params.name, {
            question: request.body.question,
            note: request.body.note ?? null,
          }),
        ),
      })),
  );
  app.delete(
    '/lenses/:name/sample-queries/:id',
    {
      schema: {
        ...changing(TAG, 200, ok, 'not_found'),
        operationId: 'removeSampleQuery',
        summary: 'Remove an added sample question',
        description: 'Those of lens.yaml are changed in the file.',
        params: wire.draftParams,
      },
    },
    (request, reply) =>
      once(deps, request, reply, async () => {
        await upkeep.removeSampleQuery(deps, actorOf(request), request.params.name, request.params.id);
        return { status: 200, body: OK };
      }),
  );

  app.get(
    '/lenses/:name/grants',
    {
      schema: {
        ...reading(TAG, identity.lensGrants, 'not_found'),
        operationId: 'getLensGrants',
        summary: 'Who may use the lens, and by which grants',
        description: 'The union of files, groups and grants made by API. ETag is of those that PUT replaces.',
        params: lensParams,
      },
    },
    async ({ principal, params }, reply) => {
      const grants = await upkeep.lensGrants(deps, principal.orgId, params.name);
      tagged(reply, upkeep.lensGrantsRevision(grants));
      return lensGrantsView(grants);
    },
  );
  app.put(
    '/lenses/:name/grants',
    {
      schema: {
        ...changing(TAG, 200, identity.lensGrantsSet, 'not_found', 'precondition_failed'),
        operationId: 'setLensGrants',
        summary: 'Grant the lens to callers and groups',
        description:
          'Replaces what this route granted before; everything else stays. An unknown caller is refused with the nearest names; a group is there once a caller is in it, so one that nobody is in is a warning.',
        params: lensParams,
        body: identity.lensGrantsBody.meta({ examples: [{ callers: ['ada'], groups: ['sales'] }] }),
      },
    },
    (request, reply) =>
      once(deps, request, reply, async () => {
        const { params, body } = request;
        const { grants, warnings } = await upkeep.grantLens(
          deps,
          actorOf(request),
          params.name,
          body,
          ifMatch(request),
        );
        tagged(reply, upkeep.lensGrantsRevision(grants));
        return { status: 200, body: { ...lensGrantsView(grants), warnings } };
      }),
  );
}

const versionView = (row: {
  version: number;
  active: boolean;
  createdBy: string;
  createdAt: Date;
  deploymentId: string | null;
}) => ({
  version: row.version,
  active: row.active,
  created_by: row.createdBy,
  created_at: row.createdAt.toISOString(),
  deployment_id: row.deploymentId,
});
const sampleView = (row: {
  id: string;
  question: string;
  note: string | null;
  createdBy: string;
  createdAt: Date;
}) => ({
  ...{
    id: row.id,
    question: row.question,
    note: row.note,
    origin: 'api' as const,
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
  },
});
