// Warehouse connections: made, changed, tried, looked into.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { pageQuery } from '../../contract/lens.ts';
import * as wire from '../../contract/mgmt/connections.ts';
import { idParams, listOf, ok, runStarted } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import type { ConnectionRow } from '../../domain/connections/connection-repository.ts';
import * as connections from '../../domain/connections/connections.ts';
import { profileConnection, readProfile, type TakenProfile } from '../../domain/connections/profile-connection.ts';
import { auditDrift, readDrift } from '../../domain/lenses/drift.ts';
import type { CatalogTable } from '../../domain/ports.ts';
import type { RunContext } from '../../domain/runs/runs.ts';
import { once } from '../once.ts';
import { pageOf } from '../page.ts';
import { pageAfter } from './page-after.ts';
import { actorOf, changing, ifMatch, reading, tagged } from './route-parts.ts';

const OK = { ok: true } as const;
const TAG = 'connections';
const EXAMPLE = {
  name: 'core',
  kind: 'postgres',
  host: 'db.example.com',
  database: 'core',
  user: 'reader',
  password: 'written once, never shown',
  ssl: true,
};

export function connectionRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.get(
    '/connections',
    {
      schema: {
        ...reading(TAG, listOf(wire.connectionView), 'invalid'),
        operationId: 'listConnections',
        summary: 'Connections in service, by name',
        description: 'With the lenses that each serves.',
        querystring: pageQuery,
      },
    },
    ({ principal, query }) =>
      pageAfter(
        query,
        (page) => connections.listConnections(deps, principal.orgId, page),
        ({ name }) => name,
        view,
        'names',
      ),
  );
  app.post(
    '/connections',
    {
      schema: {
        ...changing(TAG, 201, wire.connectionView),
        operationId: 'createConnection',
        summary: 'Make a connection',
        description:
          'Private addresses need SVC_ALLOWED_ADDRESSES; the control database is refused. A warehouse that is away now is no fault: test it later.',
        body: wire.newConnectionBody.meta({ examples: [EXAMPLE] }),
      },
    },
    (request, reply) =>
      once(deps, request, reply, async () => {
        const { name, ...config } = request.body;
        const made = await connections.createConnection(deps, actorOf(request), name, config);
        tagged(reply, made.revision);
        return { status: 201, body: view(made) };
      }),
  );
  app.get(
    '/connections/:id',
    {
      schema: {
        ...reading(TAG, wire.connectionView, 'not_found'),
        operationId: 'getConnection',
        summary: 'One connection',
        description: 'By id or name.',
        params: idParams,
      },
    },
    async ({ principal, params }, reply) => {
      const found = await connections.getConnection(deps, principal.orgId, params.id);
      tagged(reply, found.revision);
      return view(found);
    },
  );
  app.patch(
    '/connections/:id',
    {
      schema: {
        ...changing(TAG, 200, wire.connectionView, 'not_found', 'precondition_failed'),
        operationId: 'changeConnection',
        summary: 'Change a connection made by API',
        description: 'One that came from svc.config.yaml is refused with 409: change it there and apply.',
        params: idParams,
        body: wire.changeConnectionBody.meta({ examples: [{ user: 'reader2', password: 'the new one' }] }),
      },
    },
    (request, reply) =>
      once(deps, request, reply, async () => {
        const changed = await connections.changeConnection(
          deps,
          actorOf(request),
          request.params.id,
          request.body,
          ifMatch(request),
        );
        tagged(reply, changed.revision);
        return { status: 200, body: view(changed) };
      }),
  );
  app.delete(
    '/connections/:id',
    {
      schema: {
        ...changing(TAG, 200, ok, 'not_found', 'precondition_failed'),
        operationId: 'deleteConnection',
        summary: 'Remove a connection made by API',
        description: 'Refused with 409 while a lens is served through it.',
        params: idParams,
      },
    },
    (request, reply) =>
      once(deps, request, reply, async () => {
        await connections.deleteConnection(deps, actorOf(request), request.params.id, ifMatch(request));
        return { status: 200, body: OK };
      }),
  );
  app.post(
    '/connections/:id/test',
    {
      schema: {
        ...changing(TAG, 200, wire.connectionTest, 'not_found'),
        operationId: 'testConnection',
        summary: 'Try a connection',
        description:
          'Opens it, asks for its version, and says whether it can write. A failure is a result, not an error.',
        params: idParams,
      },
    },
    async ({ principal, params }) => {
      const {
        ok: good,
        latencyMs,
        serverVersion,
        readOnly,
        error,
      } = await connections.testConnection(deps, principal.orgId, params.id);
      return {
        ok: good,
        latency_ms: latencyMs,
        server_version: serverVersion,
        read_only: readOnly,
        ...(error === undefined ? {} : { error }),
      };
    },
  );
  app.get(
    '/connections/:id/catalog',
    {
      schema: {
        ...reading(TAG, wire.catalog, 'not_found', 'invalid', 'upstream', 'timeout'),
        operationId: 'getCatalog',
        summary: 'Tables of a connection',
        description: 'As last read, with columns, keys and comments; read now when it never was.',
        params: idParams,
        querystring: pageQuery,
      },
    },
    async ({ principal, params, query }) => {
      const { name } = await connections.getConnection(deps, principal.orgId, params.id);
      const { body, takenAt } = await connections.connectionCatalog(deps, principal.orgId, params.id);
      return { connection: name, taken_at: takenAt.toISOString(), ...pageOf(body.map(tableView), query) };
    },
  );
  app.post(
    '/connections/:id/catalog/refresh',
    {
      schema: {
        ...changing(TAG, 202, runStarted, 'not_found'),
        operationId: 'refreshCatalog',
        summary: 'Read the catalog again',
        description: 'Long work: follow the run.',
        params: idParams,
      },
    },
    (request, reply) =>
      longWork(request, reply, 'catalog.refresh', async ({ report, signal }) => ({
        tables: (await connections.refreshCatalog(deps, request.principal.orgId, request.params.id, report, signal))
          .body.length,
      })),
  );
  app.get(
    '/connections/:id/profile',
    {
      schema: {
        ...reading(TAG, wire.profile, 'not_found', 'invalid'),
        operationId: 'getConnectionProfile',
        summary: 'Column statistics, as last taken',
        description: 'Empty until POST has taken them.',
        params: idParams,
        querystring: pageQuery,
      },
    },
    async ({ principal, params, query }) => {
      const { row, taken } = await readProfile(deps, principal.orgId, params.id);
      return {
        connection: row.name,
        taken_at: taken?.takenAt.toISOString() ?? null,
        ...pageOf((taken?.body ?? []).map(profileView(taken?.takenAt ?? null)), query),
      };
    },
  );
  app.post(
    '/connections/:id/profile',
    {
      schema: {
        ...changing(TAG, 202, runStarted, 'not_found'),
        operationId: 'profileConnection',
        summary: 'Take column statistics',
        description:
          'Rows, nulls, distinct values, extremes, frequent values; sampled. Those of tables that are not named stay. Long work: follow the run.',
        params: idParams,
        body: wire.profileBody.meta({ examples: [{}, { tables: ['public.orders'] }] }),
      },
    },
    (request, reply) =>
      longWork(request, reply, 'connection.profile', ({ report, signal }) =>
        profileConnection(
          deps,
          request.principal.orgId,
          request.params.id,
          { tables: request.body.tables ?? null, sampleRows: request.body.sample_rows, signal },
          report,
        ),
      ),
  );
  app.get(
    '/connections/:id/drift-audit',
    {
      schema: {
        ...reading(TAG, wire.driftReport, 'not_found', 'invalid'),
        operationId: 'getConnectionDrift',
        summary: 'Drift of the lenses on this connection, as last audited',
        description: 'What a lens names and the warehouse no longer has.',
        params: idParams,
        querystring: pageQuery,
      },
    },
    async ({ principal, params, query }) => {
      const { usedBy } = await connections.getConnection(deps, principal.orgId, params.id);
      const { takenAt, findings } = await readDrift(deps, principal.orgId, usedBy);
      return { taken_at: takenAt?.toISOString() ?? null, ...pageOf(findings, query) };
    },
  );
  app.post(
    '/connections/:id/drift-audit',
    {
      schema: {
        ...changing(TAG, 202, runStarted, 'not_found'),
        operationId: 'auditConnectionDrift',
        summary: 'Hold every lens of this connection against its warehouse',
        description: 'Columns, types, joins, metrics and certified SQL. Long work: follow the run.',
        params: idParams,
      },
    },
    (request, reply) =>
      longWork(request, reply, 'connection.drift', async ({ report, signal }) => {
        const { usedBy } = await connections.getConnection(deps, request.principal.orgId, request.params.id);
        return { findings: await auditDrift(deps, request.principal.orgId, usedBy, report, signal) };
      }),
  );

  async function longWork(
    request: Parameters<typeof once>[1],
    reply: Parameters<typeof once>[2],
    kind: string,
    work: (run: RunContext) => Promise<unknown>,
  ): Promise<{ run_id: string }> {
    const actor = actorOf(request);
    const { name } = await connections.getConnection(deps, actor.orgId, (request.params as { id: string }).id);
    const asked = { kind, about: { kind: 'connection', id: name } };
    return once(deps, request, reply, async () => ({
      status: 202,
      body: { run_id: await deps.runs.start(actor, asked, work) },
    }));
  }
}

const view = (row: ConnectionRow): z.infer<typeof wire.connectionView> => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  config: connections.hidden(row),
  origin: row.origin,
  revision: row.revision,
  used_by: row.usedBy,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});
const tableView = (table: CatalogTable): z.infer<typeof wire.catalogTable> => ({
  catalog: table.catalog,
  schema: table.schema,
  table: table.table,
  kind: table.kind,
  comment: table.comment,
  row_estimate: table.rowEstimate,
  columns: table.columns.map(({ name, datatype, nativeType, nullable, comment }) => ({
    name,
    datatype,
    native_type: nativeType,
    nullable,
    comment,
  })),
  primary_key: table.primaryKey,
  unique_keys: table.uniqueKeys,
  foreign_keys: table.foreignKeys,
});
/** One stored before tables had times of their own has that of the whole. */
const profileView =
  (whole: Date | null) =>
  ({ takenAt, schema = null, ...profile }: TakenProfile): z.infer<typeof wire.columnProfile> => ({
    schema,
    ...profile,
    taken_at: takenAt ?? whole?.toISOString(),
  });
