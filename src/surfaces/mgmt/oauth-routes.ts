// Routes for the OAuth clients that people have allowed, and their grants.
import { pageQuery } from '../../contract/lens.ts';
import { idParams, listSchemaOf } from '../../contract/mgmt/shared.ts';
import { oauthClient, oauthGrant } from '../../contract/oauth.ts';
import type { Deps } from '../../deps.ts';
import * as oauth from '../../domain/oauth/manage-grants.ts';
import { defineOperations } from '../http/operation.ts';
import { byId, byText, pageByKey } from '../http/page.ts';

const operation = defineOperations<Pick<Deps, 'tenancy' | 'authenticator'>>('oauth clients');

export const oauthRoutes = [
  operation('GET', '/oauth/clients', {
    id: 'listOauthClients',
    summary: 'OAuth clients',
    description: 'Lists clients that someone in this organization allowed.',
    access: 'any viewer',
    query: pageQuery,
    result: listSchemaOf(oauthClient),
    run: ({ deps, orgId, query }) =>
      pageByKey(byText('id'), query, (page) => oauth.listOauthClients(deps, orgId, page)),
  }),
  operation('DELETE', '/oauth/clients/:id', {
    id: 'removeOauthClient',
    summary: 'Block an OAuth client',
    description: 'Revokes the grants and tokens of the client immediately, and prevents new ones.',
    params: idParams,
    run: ({ deps, actor, params }) => oauth.removeOauthClient(deps, actor, params.id),
  }),
  operation('GET', '/oauth/grants', {
    id: 'listOauthGrants',
    summary: 'Grants of OAuth clients',
    description: 'Lists grants, newest first, including revoked and expired ones.',
    access: 'any viewer',
    query: pageQuery,
    result: listSchemaOf(oauthGrant),
    run: ({ deps, orgId, query }) => pageByKey(byId('id'), query, (page) => oauth.listOauthGrants(deps, orgId, page)),
  }),
  operation('DELETE', '/oauth/grants/:id', {
    id: 'revokeOauthGrant',
    summary: 'End a grant',
    description: 'Revokes the access and refresh tokens of the grant immediately.',
    params: idParams,
    run: ({ deps, actor, params }) => oauth.revokeOauthGrant(deps, actor, params.id),
  }),
];
