// Routes that create, change, test and delete warehouse connections.

import type { z } from 'zod';
import { pageQuery } from '../../contract/lens.ts';
import * as wire from '../../contract/mgmt/connections.ts';
import { idParams, listSchemaOf } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import { hideSecrets } from '../../domain/connections/connection-secrets.ts';
import * as connections from '../../domain/connections/connections.ts';
import { wireOf } from '../../platform/http/wire-of.ts';
import { defineOperations, type ResultOf } from '../http/operation.ts';
import { byText, pageByKey } from '../http/page.ts';

type RouteDeps = Pick<Deps, 'tenancy' | 'warehouses' | 'uploads' | 'project'>;
type Connection = ResultOf<typeof connections.getConnection>;
const operation = defineOperations<RouteDeps>('connections');

const revisionOfConnection = ({ revision }: Connection) => revision;
const connectionView = (
  row: Connection,
  { deps, orgId }: { deps: RouteDeps; orgId: string },
): z.infer<typeof wire.connectionView> => ({
  ...wireOf(row),
  config: hideSecrets(row.config),
  stuck_statements: deps.warehouses.stuck({ orgId, name: row.name }),
});

export const connectionRoutes = [
  operation('GET', '/connections', {
    id: 'listConnections',
    summary: 'Connections, by name',
    description: 'Includes the lenses of each connection.',
    access: 'any viewer',
    query: pageQuery,
    result: listSchemaOf(wire.connectionView),
    run: ({ deps, orgId, query }) =>
      pageByKey(
        byText('name'),
        query,
        (page) => connections.listConnections(deps, orgId, page),
        (row) => connectionView(row, { deps, orgId }),
      ),
  }),
  operation('POST', '/connections', {
    id: 'createConnection',
    summary: 'Create a connection',
    description:
      'Private addresses need SVC_ALLOWED_ADDRESSES. svc rejects its own control database. The warehouse doesn’t have to be reachable yet. To test the connection, use POST /mgmt/connections/{id}/test.',
    body: wire.newConnectionBody.meta({ examples: [wire.CONNECTION_EXAMPLE] }),
    status: 201,
    result: wire.connectionView,
    run: ({ deps, actor, body: { name, ...config } }) => connections.createConnection(deps, actor, name, config),
    revision: revisionOfConnection,
    view: connectionView,
  }),
  operation('GET', '/connections/:id', {
    id: 'getConnection',
    summary: 'One connection',
    description: 'Finds the connection by id or name.',
    access: 'any viewer',
    params: idParams,
    result: wire.connectionView,
    run: ({ deps, orgId, params }) => connections.getConnection(deps, orgId, params.id),
    revision: revisionOfConnection,
    view: connectionView,
  }),
  operation('PATCH', '/connections/:id', {
    id: 'changeConnection',
    summary: 'Change a connection created through the API',
    description: 'Returns 409 for a connection from svc.config.yaml. Change it there and apply the project.',
    params: idParams,
    body: wire.changeConnectionBody.meta({ examples: [{ user: 'reader2', password: 'the new one' }] }),
    result: wire.connectionView,
    ifMatch: true,
    run: ({ deps, actor, params, body, ifMatch }) =>
      connections.changeConnection(deps, actor, params.id, body, ifMatch),
    revision: revisionOfConnection,
    view: connectionView,
  }),
  operation('DELETE', '/connections/:id', {
    id: 'deleteConnection',
    summary: 'Remove a connection created through the API',
    description: 'Returns 409 while a published lens uses the connection.',
    params: idParams,
    ifMatch: true,
    run: ({ deps, actor, params, ifMatch }) => connections.deleteConnection(deps, actor, params.id, ifMatch),
  }),
  operation('POST', '/connections/:id/test', {
    id: 'testConnection',
    summary: 'Test a connection',
    description:
      'Connects, reads the server version, and checks whether the login can write. A failed connection is a result, not an error.',
    params: idParams,
    result: wire.connectionTest,
    changesNothing: true,
    run: ({ deps, orgId, params }) => connections.testConnection(deps, orgId, params.id),
    view: wireOf,
  }),
];
