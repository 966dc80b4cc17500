// Drafts of lenses: edit, validate, try, publish.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { envelope, queryBody } from '../../contract/ask.ts';
import { pageQuery } from '../../contract/lens.ts';
import * as wire from '../../contract/mgmt/lenses.ts';
import { lensParams, listOf, ok, runStarted } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import * as drafts from '../../domain/lenses/lens-drafts.ts';
import { disconnectSignal } from '../http/disconnect-signal.ts';
import { runOnce } from '../http/run-once.ts';
import { draftView } from './lens-views.ts';
import { pageAfter } from './page-after.ts';
import { problemView, refusedResponse, replyIfRefused } from './refuse-with-problems.ts';
import { orRun, preferHeader } from './respond-async.ts';
import { actorOf, changing, ifMatch, reading, tagged } from './route-parts.ts';

const TAG = 'drafts';
const OK = { ok: true } as const;
const FILES = {
  'lens.yaml':
    'name: shop\nconnection: core\ndatasets: {orders: {source: public.orders, fields: {region: {datatype: string}}}}\n',
};

export function draftRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.get(
    '/lenses/:name/drafts',
    {
      schema: {
        ...reading(TAG, listOf(wire.draft), 'not_found', 'invalid'),
        operationId: 'listDrafts',
        summary: 'Drafts, newest first',
        description: 'Includes published drafts.',
        params: lensParams,
        querystring: pageQuery,
      },
    },
    ({ principal, params, query }) =>
      pageAfter(
        query,
        (page) => drafts.listDrafts(deps, principal.orgId, params.name, page),
        ({ id }) => id,
        draftView,
      ),
  );
  app.post(
    '/lenses/:name/drafts',
    {
      schema: {
        ...changing(TAG, 201, wire.draft, 'not_found'),
        operationId: 'createDraft',
        summary: 'Start a draft',
        description: 'From the version in service, or from `files`.',
        params: lensParams,
        body: wire.newDraftBody.meta({ examples: [{}, { files: FILES }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const made = await drafts.createDraft(deps, actorOf(request), request.params.name, request.body);
        tagged(reply, made.revision);
        return { status: 201, body: draftView(made) };
      }),
  );
  app.get(
    '/lenses/:name/drafts/:id',
    {
      schema: {
        ...reading(TAG, wire.draft, 'not_found'),
        operationId: 'getDraft',
        summary: 'One draft',
        description: 'Send its ETag as If-Match to change it.',
        params: wire.draftParams,
      },
    },
    async ({ principal, params }, reply) => {
      const found = await drafts.getDraft(deps, principal.orgId, params.name, params.id);
      tagged(reply, found.revision);
      return draftView(found);
    },
  );
  app.put(
    '/lenses/:name/drafts/:id',
    {
      schema: {
        ...changing(TAG, 200, wire.draft, 'not_found', 'precondition_failed'),
        operationId: 'changeDraft',
        summary: 'Replace the files of a draft',
        description: 'Accepts any text. Use validate to check it.',
        params: wire.draftParams,
        body: wire.changeDraftBody.meta({ examples: [{ files: FILES }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const changed = await drafts.changeDraft(
          deps,
          actorOf(request),
          request.params.name,
          request.params.id,
          request.body,
          ifMatch(request),
        );
        tagged(reply, changed.revision);
        return { status: 200, body: draftView(changed) };
      }),
  );
  app.delete(
    '/lenses/:name/drafts/:id',
    {
      schema: {
        ...changing(TAG, 200, ok, 'not_found', 'precondition_failed'),
        operationId: 'deleteDraft',
        summary: 'Delete a draft',
        description: 'A published draft stays.',
        params: wire.draftParams,
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        await drafts.deleteDraft(deps, actorOf(request), request.params.name, request.params.id, ifMatch(request));
        return { status: 200, body: OK };
      }),
  );
  app.post(
    '/lenses/:name/drafts/:id/validate',
    {
      schema: {
        ...changing(TAG, 200, wire.validation, 'not_found'),
        operationId: 'validateDraft',
        summary: 'Check a draft',
        description:
          'Compiles the draft and checks it against the warehouse: columns exist, types match, joins are many to one, metrics run. Problems are a result, not an error.',
        params: wire.draftParams,
      },
    },
    async ({ principal, params }) => {
      const { lens, problems, warnings, changes } = await drafts.validateDraft(
        deps,
        principal.orgId,
        params.name,
        params.id,
      );
      return { valid: lens !== null, problems: problems.map(problemView), warnings, changes };
    },
  );
  app.post(
    '/lenses/:name/drafts/:id/try',
    {
      schema: {
        ...changing(TAG, 200, envelope, 'not_found', 'upstream', 'timeout'),
        response: { ...changing(TAG, 200, envelope, 'not_found', 'upstream', 'timeout').response, ...refusedResponse },
        operationId: 'tryDraft',
        summary: 'Ask a draft before you publish it',
        description: 'Runs like any ask, but without trace and receipt, because the draft is not published.',
        params: wire.draftParams,
        body: queryBody.meta({ examples: [{ q: 'How many orders were there in 2016?' }] }),
      },
    },
    (request, reply) =>
      replyIfRefused(request, reply, async () => {
        const { principal, params } = request;
        const current = await deps.lenses.find(principal.orgId, params.name);
        const draft = await drafts.draftAsServed(deps, principal.orgId, params.name, params.id, current);
        const context = {
          principal,
          requestId: request.id,
          surface: 'mgmt' as const,
          client: null,
          signal: disconnectSignal(reply),
        };
        return deps.sideAsk(draft).query(context, params.name, request.body);
      }),
  );
  app.post(
    '/lenses/:name/drafts/:id/publish',
    {
      schema: {
        ...changing(TAG, 200, wire.published, 'not_found', 'precondition_failed'),
        response: {
          ...changing(TAG, 200, wire.published, 'not_found', 'precondition_failed').response,
          202: runStarted,
          ...refusedResponse,
        },
        headers: preferHeader,
        operationId: 'publishDraft',
        summary: 'Publish a draft as a new version',
        description:
          'Runs the checks of validate first. Running asks finish on their version. Returns 409 if another version was published since.',
        params: wire.draftParams,
      },
    },
    (request, reply) =>
      replyIfRefused(request, reply, () =>
        runOnce(deps, request, reply, () =>
          orRun(deps, request, reply, 'lens.publish', async ({ report }) => ({
            lens: request.params.name,
            ...(await drafts.publishDraft(
              deps,
              actorOf(request),
              request.params.name,
              request.params.id,
              ifMatch(request),
              report,
            )),
          })),
        ),
      ),
  );
}
