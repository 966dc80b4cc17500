// Shared entities and definitions, and introspection: from a connection to a drafted lens.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { pageQuery } from '../../contract/lens.ts';
import * as wire from '../../contract/mgmt/semantic.ts';
import { idParams, listOf, ok, runStarted } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import { connectionCatalog, getConnection } from '../../domain/connections/connections.ts';
import { createLens } from '../../domain/lenses/keep-lenses.ts';
import type { ServedLens } from '../../domain/lenses/lens-repository.ts';
import { describeTables } from '../../domain/semantic/describe-tables.ts';
import { introspect } from '../../domain/semantic/introspect.ts';
import * as semantic from '../../domain/semantic/semantic-objects.ts';
import { pageOf } from '../http/page.ts';
import { runOnce } from '../http/run-once.ts';
import { pageAfter } from './page-after.ts';
import { actorOf, changing, ifMatch, reading, tagOf } from './route-parts.ts';

const TAG = 'semantic';
const OK = { ok: true } as const;

export function semanticRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const ENTITY = {
    name: 'customers',
    entity: { source: 'public.customers', primary_key: ['id'], fields: { id: { datatype: 'integer' as const } } },
  };
  const DEFINITION = { term: 'active customer', meaning: 'A customer with an order in the last 90 days.' };

  app.get(
    '/semantic/entities',
    {
      schema: {
        ...reading(TAG, listOf(wire.entity), 'invalid'),
        operationId: 'listEntities',
        summary: 'Shared datasets',
        description: 'With the lenses that use each one. Send `etag` as If-Match to change one.',
        querystring: pageQuery,
      },
    },
    ({ principal, query }) =>
      pageAfter(
        query,
        (page) => semantic.listSemantic(deps, principal.orgId, 'entity', page),
        ({ name }) => name,
        entityView,
        'names',
      ),
  );
  app.post(
    '/semantic/entities',
    {
      schema: {
        ...changing(TAG, 201, wire.entity),
        operationId: 'createEntity',
        summary: 'Create a shared dataset',
        description: 'Lenses include it with `entity: name`.',
        body: wire.newEntityBody.meta({ examples: [ENTITY] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => ({
        status: 201,
        body: entityView(
          await semantic.createSemantic(deps, actorOf(request), 'entity', request.body.name, request.body.entity),
        ),
      })),
  );
  app.patch(
    '/semantic/entities/:id',
    {
      schema: {
        ...changing(TAG, 200, wire.entity, 'not_found', 'precondition_failed'),
        operationId: 'changeEntity',
        summary: 'Replace a shared dataset created by API',
        description: 'Lenses get the change when you publish them again.',
        params: idParams,
        body: wire.changeEntityBody.meta({ examples: [{ entity: ENTITY.entity }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => ({
        status: 200,
        body: entityView(
          await semantic.changeSemantic(
            deps,
            actorOf(request),
            'entity',
            request.params.id,
            request.body.entity,
            ifMatch(request),
          ),
        ),
      })),
  );
  app.get(
    '/semantic/definitions',
    {
      schema: {
        ...reading(TAG, listOf(wire.definition), 'invalid'),
        operationId: 'listDefinitions',
        summary: 'Shared governed terms',
        description: 'With the lenses that use each one. Send `etag` as If-Match to change one.',
        querystring: pageQuery,
      },
    },
    async ({ principal, query }) =>
      pageAfter(
        query,
        (page) => semantic.listSemantic(deps, principal.orgId, 'definition', page),
        ({ name }) => name,
        definitionView(await deps.lenses.list(principal.orgId, null)),
        'names',
      ),
  );
  app.post(
    '/semantic/definitions',
    {
      schema: {
        ...changing(TAG, 201, wire.definition),
        operationId: 'createDefinition',
        summary: 'Create a shared term',
        description:
          'Applies immediately to every lens that has its metric, field or filter. A definition in the lens itself has precedence.',
        body: wire.definitionBody.meta({ examples: [DEFINITION] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const actor = actorOf(request);
        const made = await semantic.createSemantic(deps, actor, 'definition', request.body.term, request.body);
        return { status: 201, body: definitionView(await deps.lenses.list(actor.orgId, null))(made) };
      }),
  );
  app.patch(
    '/semantic/definitions/:id',
    {
      schema: {
        ...changing(TAG, 200, wire.definition, 'not_found', 'precondition_failed'),
        operationId: 'changeDefinition',
        summary: 'Replace a shared term created by API',
        description: 'The term itself can’t change. Lenses use the new definition immediately.',
        params: idParams,
        body: wire.changeDefinitionBody.meta({ examples: [{ meaning: DEFINITION.meaning }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const { params, body } = request;
        const actor = actorOf(request);
        const changed = await semantic.changeSemantic(deps, actor, 'definition', params.id, body, ifMatch(request));
        return { status: 200, body: definitionView(await deps.lenses.list(actor.orgId, null))(changed) };
      }),
  );
  for (const [path, kind] of [
    ['entities', 'entity'],
    ['definitions', 'definition'],
  ] as const)
    app.delete(
      `/semantic/${path}/:id`,
      {
        schema: {
          ...changing(TAG, 200, ok, 'not_found', 'precondition_failed'),
          operationId: `delete_${kind}`,
          summary: `Remove a shared ${kind} made by API`,
          description: 'svc writes the change of a file-based definition to its file in the project.',
          params: idParams,
        },
      },
      (request, reply) =>
        runOnce(deps, request, reply, async () => {
          await semantic.deleteSemantic(deps, actorOf(request), kind, request.params.id, ifMatch(request));
          return { status: 200, body: OK };
        }),
    );

  app.get(
    '/semantic/introspect',
    {
      schema: {
        ...reading(TAG, wire.introspected, 'not_found', 'invalid', 'upstream', 'timeout'),
        operationId: 'introspect',
        summary: 'Introspect a warehouse',
        description: 'Tables, keys, declared and guessed joins, and the probable role of each column.',
        querystring: wire.introspectQuery,
      },
    },
    async ({ principal, query: { connection, ...page } }) => {
      const { name } = await getConnection(deps, principal.orgId, connection);
      const { body } = await connectionCatalog(deps, principal.orgId, connection);
      return { connection: name, ...pageOf(await describeTables(body), page) };
    },
  );
  app.post(
    '/semantic/introspect/draft',
    {
      schema: {
        ...changing(TAG, 202, runStarted, 'not_found'),
        operationId: 'draftLens',
        summary: 'Draft a lens from a connection',
        description:
          'Starts a run. Its result has `files`, ready for the project folder, with names, keys, joins, dictionaries and metrics. svc leaves out columns that look like secrets, and masks national ID and payment-card numbers; `personal` lists visible fields about people. svc proposes undeclared joins and keys by name and proves them by value: `joins` has the evidence. `look_at` lists unproven joins and other points for a person to review (topic, about, message).',
        body: wire.draftBody.meta({
          examples: [
            { connection: 'core' },
            { connection: 'core', name: 'sales', tables: ['public.orders', 'public.customers'] },
          ],
        }),
      },
    },
    async (request, reply) => {
      const { connection, name, tables, profile, save } = request.body;
      const actor = actorOf(request);
      await getConnection(deps, actor.orgId, connection);
      return runOnce(deps, request, reply, async () => ({
        status: 202,
        body: {
          run_id: await deps.runs.start(
            actor,
            { kind: 'semantic.introspect', about: { kind: 'connection', id: connection } },
            async ({ report, signal }) => {
              const { leftOut, sampleQuestions, lookAt, ...draft } = await introspect(
                deps,
                actor.orgId,
                { connection, lens: name, tables, profile },
                report,
                signal,
              );
              const text = draft.files[`lenses/${draft.lens}/lens.yaml`]!;
              const saved = save
                ? await createLens(deps, actor, { name: draft.lens, files: { 'lens.yaml': text } })
                : null;
              return {
                ...{ ...draft, left_out: leftOut, look_at: lookAt, sample_questions: sampleQuestions },
                draft_id: saved?.id ?? null,
              };
            },
          ),
        },
      }));
    },
  );
}

const shared = (row: semantic.UsedSemantic) => ({
  id: row.id,
  name: row.name,
  origin: row.origin,
  used_by: row.usedBy,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
  etag: tagOf(row.updatedAt),
});
const entityView = (row: semantic.UsedSemantic) => ({ ...shared(row), entity: row.body });
/** A lens is served with the terms that it can take, whenever it was published. */
const definitionView = (served: readonly ServedLens[]) => (row: semantic.UsedSemantic) => {
  const usedBy = served.filter(({ lens }) => lens.definitions.some(({ term }) => term === row.name));
  return { ...shared({ ...row, usedBy: usedBy.map(({ name }) => name) }), definition: row.body };
};
