// OAuth clients that people let in, and what they allowed.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { pageQuery } from '../../contract/lens.ts';
import { idParams, listOf, ok } from '../../contract/mgmt/shared.ts';
import { oauthClient, oauthGrant } from '../../contract/oauth.ts';
import type { Deps } from '../../deps.ts';
import { audit } from '../../domain/audit/audited.ts';
import {
  listOauthClients,
  listOauthGrants,
  removeOauthClient,
  revokeOauthGrant,
} from '../../domain/oauth/manage-grants.ts';
import { runOnce } from '../http/run-once.ts';
import { pageAfter } from './page-after.ts';
import { actorOf, changing, reading } from './route-parts.ts';

const TAG = 'oauth clients';
const OK = { ok: true } as const;

export function oauthRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.get(
    '/oauth/clients',
    {
      schema: {
        ...reading(TAG, listOf(oauthClient), 'invalid'),
        operationId: 'listOauthClients',
        summary: 'OAuth clients',
        description: 'Clients that someone in this organization allowed.',
        querystring: pageQuery,
      },
    },
    ({ principal, query }) =>
      pageAfter(
        query,
        (page) => listOauthClients(deps, principal.orgId, page),
        ({ id }) => id,
        (client) => client,
        'names',
      ),
  );
  app.delete(
    '/oauth/clients/:id',
    {
      schema: {
        ...changing(TAG, 200, ok, 'not_found'),
        operationId: 'removeOauthClient',
        summary: 'Block an OAuth client',
        description: 'Revokes its grants and tokens immediately, and prevents new ones.',
        params: idParams,
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        await removeOauthClient(deps, request.principal.orgId, request.params.id, request.principal.name);
        await audit(deps, actorOf(request), {
          action: 'oauth_client.remove',
          objectKind: 'oauth_client',
          objectId: request.params.id,
        });
        return { status: 200, body: OK };
      }),
  );
  app.get(
    '/oauth/grants',
    {
      schema: {
        ...reading(TAG, listOf(oauthGrant), 'invalid'),
        operationId: 'listOauthGrants',
        summary: 'Grants of OAuth clients',
        description: 'Newest first, with revoked and expired grants.',
        querystring: pageQuery,
      },
    },
    ({ principal, query }) =>
      pageAfter(
        query,
        (page) => listOauthGrants(deps, principal.orgId, page),
        ({ id }) => id,
        (grant) => grant,
      ),
  );
  app.delete(
    '/oauth/grants/:id',
    {
      schema: {
        ...changing(TAG, 200, ok, 'not_found'),
        operationId: 'revokeOauthGrant',
        summary: 'End a grant',
        description: 'Revokes its access and refresh tokens immediately.',
        params: idParams,
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        await revokeOauthGrant(deps, request.principal.orgId, request.params.id);
        await audit(deps, actorOf(request), {
          action: 'oauth_grant.revoke',
          objectKind: 'oauth_grant',
          objectId: request.params.id,
        });
        return { status: 200, body: OK };
      }),
  );
}
