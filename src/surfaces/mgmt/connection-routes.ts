import type { z } from 'zod';
import { pageQuerySchema } from '../../contract/lens.ts';
import * as wire from '../../contract/mgmt/connections.ts';
import { createPagedOperation, runStartResponse } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import { hideSecrets } from '../../domain/connections/connection-secrets.ts';
import * as connections from '../../domain/connections/connections.ts';
import { profileConnection, readProfile, type StoredProfile } from '../../domain/connections/profile-connection.ts';
import { isAdmin } from '../../domain/identity/principal.ts';
import { auditDrift, readDrift } from '../../domain/lenses/drift.ts';
import type { CatalogTable } from '../../domain/ports.ts';
import type { RunContext } from '../../domain/runs/runs.ts';
import { toWireObject } from '../../platform/http/to-wire.ts';
import { createOperationFactory, type OperationCall, type ResultOf } from '../http/operation.ts';
import { createTextOrder, selectPage } from '../http/page.ts';
import { startRun } from './lens-scope.ts';

type RouteDeps = Pick<
  Deps,
  'tenancy' | 'warehouses' | 'uploads' | 'project' | 'lenses' | 'clock' | 'dictionaries' | 'runs'
>;
const defineOperation = createOperationFactory<RouteDeps>('connections');

type Connection = ResultOf<typeof connections.getConnection>;

const toConnectionView = (
  row: Connection,
  { deps, orgId }: { deps: RouteDeps; orgId: string },
): z.infer<typeof wire.connectionViewSchema> => ({
  ...toWireObject(row),
  config: hideSecrets(row.config),
  stuck_statements: deps.warehouses.stuck({ orgId, name: row.name }),
});

const connectionReply = {
  result: wire.connectionViewSchema,
  revision: ({ revision }: Connection) => revision,
  view: toConnectionView,
};

export const connectionRoutes = [
  defineOperation('GET', '/connections', {
    id: 'listConnections',
    summary: 'Connections, by name',
    description: 'Lists the connections, each with its lenses.',
    ...createPagedOperation(wire.connectionViewSchema),
    orderBy: createTextOrder('name'),
    run: ({ deps, orgId, page }) => connections.listConnections(deps, orgId, page),
    view: toConnectionView,
  }),
  defineOperation('POST', '/connections', {
    id: 'createConnection',
    summary: 'Create a connection',
    description:
      'Private addresses need SVC_ALLOWED_ADDRESSES. svc rejects its own control database. The warehouse doesn’t have to be reachable yet. To test the connection, use POST /mgmt/connections/{id}/test.',
    body: wire.newConnectionBodySchema.meta({ examples: [wire.CONNECTION_EXAMPLE] }),
    status: 201,
    ...connectionReply,
    run: ({ deps, actor, body: { name, ...config } }) => connections.createConnection(deps, actor, name, config),
  }),
  defineOperation('GET', '/connections/:id', {
    id: 'getConnection',
    summary: 'One connection',
    description: 'Finds the connection by id or name.',
    ...connectionReply,
    run: ({ deps, orgId, params }) => connections.getConnection(deps, orgId, params.id),
  }),
  defineOperation('PATCH', '/connections/:id', {
    id: 'changeConnection',
    summary: 'Change a connection created through the API',
    description: 'Returns 409 for a connection from svc.config.yaml. Change it there and apply the project.',
    body: wire.changeConnectionBodySchema.meta({ examples: [{ user: 'reader2', password: 'the new one' }] }),
    ...connectionReply,
    ifMatch: true,
    run: ({ deps, actor, params, body, ifMatch }) =>
      connections.changeConnection(deps, actor, params.id, body, ifMatch),
  }),
  defineOperation('DELETE', '/connections/:id', {
    id: 'deleteConnection',
    summary: 'Remove a connection created through the API',
    description: 'Returns 409 while a published lens uses the connection.',
    ifMatch: true,
    run: ({ deps, actor, params, ifMatch }) => connections.deleteConnection(deps, actor, params.id, ifMatch),
  }),
  defineOperation('POST', '/connections/:id/test', {
    id: 'testConnection',
    summary: 'Test a connection',
    description:
      'Connects, reads the server version, and checks whether the login can write. If svc can’t connect, the response is still 200 and contains the reason.',
    result: wire.connectionTestSchema,
    readOnly: true,
    run: ({ deps, orgId, params }) => connections.testConnection(deps, orgId, params.id),
    view: toWireObject,
  }),
  defineOperation('GET', '/connections/:id/catalog', {
    id: 'getCatalog',
    summary: 'Tables of a connection',
    description:
      'Returns the catalog as svc last read it, with columns, keys and comments. If svc has not read the catalog yet, svc reads it now.',
    query: pageQuerySchema,
    result: wire.catalogSchema,
    fails: ['upstream', 'timeout'],
    run: async ({ deps, orgId, params, query }) => {
      const { name } = await connections.getConnection(deps, orgId, params.id);
      const { body, takenAt } = await connections.readConnectionCatalog(deps, orgId, params.id);
      return { connection: name, taken_at: takenAt.toISOString(), ...selectPage(body.map(toTableView), query) };
    },
  }),
  defineOperation('POST', '/connections/:id/catalog/refresh', {
    id: 'refreshCatalog',
    summary: 'Read the catalog again',
    description: 'Follow the run at GET /mgmt/runs/{run_id}.',
    ...runStartResponse,
    run: (call) =>
      startConnectionRun(call, 'catalog.refresh', async (_, { report, signal }) => ({
        tables: (await connections.refreshCatalog(call.deps, call.orgId, call.params.id, report, signal)).body.length,
      })),
  }),
  defineOperation('GET', '/connections/:id/profile', {
    id: 'getConnectionProfile',
    summary: 'Column statistics',
    description:
      'The list is empty until you collect the statistics with POST. Only admins see values. Curators and viewers see only counts, because no lens says which columns may be shown.',
    query: pageQuerySchema,
    result: wire.connectionProfileSchema,
    run: async ({ deps, orgId, principal, params, query }) => {
      const { row, snapshot } = await readProfile(deps, orgId, params.id);
      return {
        connection: row.name,
        taken_at: snapshot?.takenAt.toISOString() ?? null,
        ...selectPage(
          (snapshot?.body ?? []).map(createProfileView(snapshot?.takenAt ?? null, isAdmin(principal))),
          query,
        ),
      };
    },
  }),
  defineOperation('POST', '/connections/:id/profile', {
    id: 'profileConnection',
    summary: 'Collect column statistics',
    description:
      'For each column, collects the number of rows, nulls and distinct values, the minimum, the maximum and frequent values. Reads a sample of larger tables. Keeps the existing statistics of tables that the request does not name. Follow the run at GET /mgmt/runs/{run_id}.',
    body: wire.connectionProfileBodySchema.meta({ examples: [{}, { tables: ['public.orders'] }] }),
    ...runStartResponse,
    run: (call) =>
      startConnectionRun(call, 'connection.profile', (_, { report, signal }) => {
        const { tables = null, sample_rows: sampleRows } = call.body;
        return profileConnection(call.deps, call.orgId, call.params.id, { tables, sampleRows, signal }, report);
      }),
  }),
  defineOperation('GET', '/connections/:id/drift-audit', {
    id: 'getConnectionDrift',
    summary: 'Drift of the lenses on this connection',
    description: 'Lists the differences between the lenses and the warehouse at the last audit.',
    query: pageQuerySchema,
    result: wire.driftReportSchema,
    run: async ({ deps, orgId, params, query }) => {
      const { usedBy } = await connections.getConnection(deps, orgId, params.id);
      const { takenAt, findings } = await readDrift(deps, orgId, usedBy);
      return { taken_at: takenAt?.toISOString() ?? null, ...selectPage(findings, query) };
    },
  }),
  defineOperation('POST', '/connections/:id/drift-audit', {
    id: 'auditConnectionDrift',
    summary: 'Compare every lens of this connection with its warehouse',
    description:
      'Checks columns, types, joins, keys, metrics and certified SQL. If the data contradicts a join or a key, svc withdraws the confirmation of that join or key, and edits the lens. Follow the run at GET /mgmt/runs/{run_id}.',
    ...runStartResponse,
    run: (call) =>
      startConnectionRun(call, 'connection.drift', async ({ usedBy }, { report, signal }) => {
        const findings = await auditDrift(call.deps, call.actor, usedBy, report, signal);
        for (const lens of usedBy) await call.deps.dictionaries.refresh(call.orgId, lens);
        return { findings };
      }),
  }),
];

async function startConnectionRun(
  call: OperationCall<RouteDeps, { id: string }>,
  kind: string,
  work: (connection: { usedBy: string[] }, context: RunContext) => Promise<unknown>,
): Promise<{ run_id: string }> {
  const connection = await connections.getConnection(call.deps, call.orgId, call.params.id);
  const run = { kind, about: { kind: 'connection', id: connection.name } };
  return startRun(call, run, (context) => work(connection, context));
}

const toTableView = (table: CatalogTable): z.infer<typeof wire.catalogTableSchema> => ({
  ...toWireObject(table),
  columns: table.columns.map(toWireObject),
});
/**
 * Profiles from older versions of svc have no time for each table. For these tables, svc uses the time of the whole
 * profile.
 */
const createProfileView =
  (profiledAt: Date | null, withValues: boolean) =>
  ({ takenAt, schema = null, ...profile }: StoredProfile): z.infer<typeof wire.columnProfileSchema> => ({
    schema,
    ...profile,
    ...(!withValues && { min: null, max: null, values: null }),
    taken_at: takenAt ?? profiledAt?.toISOString(),
  });
