// Warehouse connections: made, changed, tried, removed.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { pageQuery } from '../../contract/lens.ts';
import * as wire from '../../contract/mgmt/connections.ts';
import { idParams, listOf, ok } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import type { ConnectionRow } from '../../domain/connections/connection-repository.ts';
import * as connections from '../../domain/connections/connections.ts';
import { runOnce } from '../http/run-once.ts';
import { pageAfter } from './page-after.ts';
import { actorOf, changing, ifMatch, reading, tagged } from './route-parts.ts';

const TAG = 'connections';

export function connectionRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const viewFor = (orgId: string) => (row: ConnectionRow) =>
    viewOf(row, deps.warehouses.stuck({ orgId, name: row.name }));

  app.get(
    '/connections',
    {
      schema: {
        ...reading(TAG, listOf(wire.connectionView), 'invalid'),
        operationId: 'listConnections',
        summary: 'Connections, by name',
        description: 'With the lenses of each connection.',
        querystring: pageQuery,
      },
    },
    ({ principal, query }) =>
      pageAfter(
        query,
        (page) => connections.listConnections(deps, principal.orgId, page),
        ({ name }) => name,
        viewFor(principal.orgId),
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
          'Private addresses need SVC_ALLOWED_ADDRESSES. svc rejects its own control database. The warehouse need not be reachable now; test it later.',
        body: wire.newConnectionBody.meta({ examples: [wire.CONNECTION_EXAMPLE] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const { name, ...config } = request.body;
        const made = await connections.createConnection(deps, actorOf(request), name, config);
        tagged(reply, made.revision);
        return { status: 201, body: viewFor(request.principal.orgId)(made) };
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
      return viewFor(principal.orgId)(found);
    },
  );
  app.patch(
    '/connections/:id',
    {
      schema: {
        ...changing(TAG, 200, wire.connectionView, 'not_found', 'precondition_failed'),
        operationId: 'changeConnection',
        summary: 'Change a connection created by API',
        description: 'Returns 409 for a connection from svc.config.yaml. Change it there and apply the project.',
        params: idParams,
        body: wire.changeConnectionBody.meta({ examples: [{ user: 'reader2', password: 'the new one' }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const changed = await connections.changeConnection(
          deps,
          actorOf(request),
          request.params.id,
          request.body,
          ifMatch(request),
        );
        tagged(reply, changed.revision);
        return { status: 200, body: viewFor(request.principal.orgId)(changed) };
      }),
  );
  app.delete(
    '/connections/:id',
    {
      schema: {
        ...changing(TAG, 200, ok, 'not_found', 'precondition_failed'),
        operationId: 'deleteConnection',
        summary: 'Remove a connection created by API',
        description: 'Returns 409 while a published lens uses it.',
        params: idParams,
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        await connections.deleteConnection(deps, actorOf(request), request.params.id, ifMatch(request));
        return { status: 200, body: { ok: true as const } };
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
          'Connects, reads the server version, and checks whether the login can write. A failed connection is a result, not an error.',
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
}

const viewOf = (row: ConnectionRow, stuck: number): z.infer<typeof wire.connectionView> => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  config: connections.hidden(row),
  origin: row.origin,
  revision: row.revision,
  used_by: row.usedBy,
  stuck_statements: stuck,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});
