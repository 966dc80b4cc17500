import * as wire from '../../contract/mgmt/semantic.ts';
import { createPagedOperation, runStartResponse } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import { getConnection, readConnectionCatalog } from '../../domain/connections/connections.ts';
import { describeTables } from '../../domain/semantic/describe-tables.ts';
import { startDraft } from '../../domain/semantic/introspect.ts';
import * as semantic from '../../domain/semantic/semantic-objects.ts';
import { toWireObject } from '../../platform/http/to-wire.ts';
import { createOperationFactory, type OperationCall, toEntityTag } from '../http/operation.ts';
import { createTextOrder, selectPage } from '../http/page.ts';

type RouteDeps = Pick<Deps, 'tenancy' | 'warehouses' | 'uploads' | 'project' | 'lenses' | 'runs'>;
const defineOperation = createOperationFactory<RouteDeps>('semantic');
const EXAMPLE_ENTITY = {
  name: 'customers',
  entity: { source: 'public.customers', primary_key: ['id'], fields: { id: { datatype: 'integer' as const } } },
};
const EXAMPLE_DEFINITION = { term: 'active customer', meaning: 'A customer with an order in the last 90 days.' };

const toSemanticObjectView = (row: semantic.SemanticObjectWithUsage) => ({
  ...toWireObject(row),
  etag: toEntityTag(row.updatedAt),
});
const toEntityView = (row: semantic.SemanticObjectWithUsage) => ({ ...toSemanticObjectView(row), entity: row.body });
const toDefinitionView = (row: semantic.SemanticObjectWithUsage) => ({
  ...toSemanticObjectView(row),
  definition: row.body,
});
const toDefinitionViewWithUsage = async (
  row: semantic.SemanticObjectWithUsage,
  { deps, orgId }: OperationCall<RouteDeps>,
) => toDefinitionView((await semantic.createUsageFinder(deps, orgId))(row));

const REMOVAL_NOTES = {
  entity: 'Fails while a lens uses the dataset. svc removes a file-based dataset from its file in the project.',
  definition: 'svc removes a file-based term from its file in the project.',
};
const createRemovalOperation = (path: string, kind: 'entity' | 'definition') =>
  defineOperation('DELETE', `/semantic/${path}/:id`, {
    id: `delete_${kind}`,
    ...(kind === 'definition' && { access: 'curator' }),
    summary: `Remove a shared ${kind === 'entity' ? 'dataset' : 'term'}`,
    description: REMOVAL_NOTES[kind],
    ifMatch: true,
    run: ({ deps, actor, params, ifMatch }) =>
      semantic.deleteSemanticObject(deps, actor, kind, { id: params.id, ifMatch }),
  });

export const semanticRoutes = [
  defineOperation('GET', '/semantic/entities', {
    id: 'listEntities',
    summary: 'Shared datasets',
    description: 'Lists each dataset with the lenses that use it. Send `etag` as If-Match to change a dataset.',
    ...createPagedOperation(wire.entitySchema),
    orderBy: createTextOrder('name'),
    run: ({ deps, orgId, page }) => semantic.listSemanticObjects(deps, orgId, 'entity', page),
    view: toEntityView,
  }),
  defineOperation('POST', '/semantic/entities', {
    id: 'createEntity',
    summary: 'Create a shared dataset',
    description: 'Lenses include it with `entity: name`.',
    body: wire.newEntityBodySchema.meta({ examples: [EXAMPLE_ENTITY] }),
    status: 201,
    result: wire.entitySchema,
    run: ({ deps, actor, body }) => semantic.createSemanticObject(deps, actor, 'entity', body.name, body.entity),
    view: toEntityView,
  }),
  defineOperation('PATCH', '/semantic/entities/:id', {
    id: 'changeEntity',
    summary: 'Replace a shared dataset',
    description:
      'For a file-based dataset, svc writes the change to its file in the project, and deploys it. For a dataset created through the API, publish the lenses again to change them.',
    body: wire.changeEntityBodySchema.meta({ examples: [{ entity: EXAMPLE_ENTITY.entity }] }),
    result: wire.entitySchema,
    ifMatch: true,
    run: ({ deps, actor, params, body, ifMatch }) =>
      semantic.changeSemanticObject(deps, actor, 'entity', { id: params.id, ifMatch }, body.entity),
    view: toEntityView,
  }),
  defineOperation('GET', '/semantic/definitions', {
    id: 'listDefinitions',
    summary: 'Shared governed terms',
    description: 'Lists each term with the lenses that use it. Send `etag` as If-Match to change a term.',
    ...createPagedOperation(wire.definitionSchema),
    orderBy: createTextOrder('name'),
    run: async ({ deps, orgId, page }) => {
      const addUses = await semantic.createUsageFinder(deps, orgId);
      return (await semantic.listSemanticObjects(deps, orgId, 'definition', page)).map(addUses);
    },
    view: toDefinitionView,
  }),
  defineOperation('POST', '/semantic/definitions', {
    id: 'createDefinition',
    access: 'curator',
    summary: 'Create a shared term',
    description:
      'The definition applies immediately to every lens that has the metric, field or filter that it refers to. A definition in the lens itself takes precedence.',
    body: wire.definitionBodySchema.meta({ examples: [EXAMPLE_DEFINITION] }),
    status: 201,
    result: wire.definitionSchema,
    run: ({ deps, actor, body }) => semantic.createSemanticObject(deps, actor, 'definition', body.term, body),
    view: toDefinitionViewWithUsage,
  }),
  defineOperation('PATCH', '/semantic/definitions/:id', {
    id: 'changeDefinition',
    access: 'curator',
    summary: 'Replace a shared term',
    description: 'The term itself can’t change. Lenses use the new definition immediately.',
    body: wire.changeDefinitionBodySchema.meta({ examples: [{ meaning: EXAMPLE_DEFINITION.meaning }] }),
    result: wire.definitionSchema,
    ifMatch: true,
    run: ({ deps, actor, params, body, ifMatch }) =>
      semantic.changeSemanticObject(deps, actor, 'definition', { id: params.id, ifMatch }, body),
    view: toDefinitionViewWithUsage,
  }),
  createRemovalOperation('entities', 'entity'),
  createRemovalOperation('definitions', 'definition'),
  defineOperation('GET', '/semantic/introspect', {
    id: 'introspect',
    summary: 'Introspect a warehouse',
    description: 'Tables, keys, declared and guessed joins, and the probable role of each column.',
    query: wire.introspectQuerySchema,
    result: wire.introspectionPageSchema,
    fails: ['not_found', 'upstream', 'timeout'],
    run: async ({ deps, orgId, query: { connection, ...page } }) => {
      const { name } = await getConnection(deps, orgId, connection);
      const { body } = await readConnectionCatalog(deps, orgId, connection);
      return { connection: name, ...selectPage(await describeTables(body), page) };
    },
  }),
  defineOperation('POST', '/semantic/introspect/draft', {
    id: 'draftLens',
    summary: 'Draft a lens from a connection',
    description:
      'Starts a run. Its result has `files`, ready for the project folder, with names, keys, joins, dictionaries and metrics. svc leaves out columns that look like secrets, and masks national ID and payment-card numbers. `personal` lists visible fields about people. svc proposes undeclared joins and keys by name and proves them by value. `joins` has the evidence. `look_at` lists unproven joins and other points for a person to review (topic, about, message).',
    body: wire.draftBodySchema.meta({
      examples: [
        { connection: 'core' },
        { connection: 'core', name: 'sales', tables: ['public.orders', 'public.customers'] },
      ],
    }),
    ...runStartResponse,
    fails: ['not_found'],
    run: async ({ deps, actor, body }) => ({ run_id: await startDraft(deps, actor, body) }),
  }),
];
