// Routes for admin tokens and users of the control plane.

import { pageQuery } from '../../contract/lens.ts';
import * as wire from '../../contract/mgmt/identity.ts';
import { idParams, listSchemaOf } from '../../contract/mgmt/shared.ts';
import * as session from '../../contract/session.ts';
import type { Deps } from '../../deps.ts';
import * as tokens from '../../domain/identity/credentials.ts';
import * as users from '../../domain/users/users.ts';
import { wireOf } from '../../platform/http/wire-of.ts';
import { revisionOf } from '../../platform/tenancy/revision.ts';
import { defineOperations } from '../http/operation.ts';
import { byText, pageByKey, pageOf } from '../http/page.ts';

const operation = defineOperations<Pick<Deps, 'tenancy' | 'authenticator' | 'clock'>>('users');

export const accountRoutes = [
  operation('GET', '/tokens', {
    id: 'listTokens',
    summary: 'Admin tokens',
    description: 'Lists the tokens without their secrets.',
    access: 'any viewer',
    query: pageQuery,
    result: listSchemaOf(wire.token),
    run: async ({ deps, orgId, query }) => pageOf((await tokens.listTokens(deps, orgId)).map(wireOf), query),
  }),
  operation('POST', '/tokens', {
    id: 'createToken',
    summary: 'Create an admin token',
    description: 'Only this response shows the token.',
    body: wire.mintBody.meta({ examples: [{ label: 'deploy pipeline', expires_at: '2030-01-01T00:00:00Z' }] }),
    status: 201,
    result: wire.mintedToken,
    run: ({ deps, actor, body: { expires_at, label = null } }) =>
      tokens.createToken(deps, actor, { expiresAt: expires_at ? new Date(expires_at) : null, label }),
    view: wireOf,
  }),
  operation('DELETE', '/tokens/:id', {
    id: 'revokeToken',
    summary: 'Revoke an admin token',
    description: 'svc refuses the token from the next request on. A token can revoke itself.',
    params: idParams,
    run: ({ deps, actor, params }) => tokens.revokeToken(deps, actor, params.id),
  }),
  operation('GET', '/users', {
    id: 'listUsers',
    summary: 'Local accounts',
    description: 'Lists the people who can sign in, and the caller that each person uses to ask questions.',
    access: 'any viewer',
    query: wire.userQuery,
    result: listSchemaOf(session.user),
    run: ({ deps, orgId, query: { q, role, ...page } }) =>
      pageByKey(byText('email'), page, (rowPage) => users.listUsers(deps, orgId, rowPage, { q, role })),
  }),
  operation('POST', '/users', {
    id: 'createUser',
    summary: 'Create a local account',
    description:
      'A viewer can send only GET requests to /mgmt. To consent to an OAuth client, a user needs a caller: set `caller`.',
    body: session.newUserBody.meta({
      examples: [{ email: 'grace@example.com', password: 'correct horse battery', role: 'admin', caller: 'grace' }],
    }),
    status: 201,
    result: session.user,
    run: ({ deps, actor, body }) => users.createUser(deps, actor, body),
    revision: revisionOf,
  }),
  operation('GET', '/users/:id', {
    id: 'getUser',
    summary: 'One account',
    description: 'Finds the account by its id. To change the account, send the ETag as If-Match.',
    access: 'any viewer',
    params: idParams,
    result: session.user,
    run: ({ deps, orgId, params }) => users.getUser(deps, orgId, params.id),
    revision: revisionOf,
  }),
  operation('PATCH', '/users/:id', {
    id: 'changeUser',
    summary: 'Change an account',
    description:
      'If you disable the account or change its caller, svc ends the sessions and OAuth grants of the account immediately.',
    params: idParams,
    body: session.changeUserBody.meta({ examples: [{ role: 'viewer' }] }),
    result: session.user,
    ifMatch: true,
    run: ({ deps, actor, params, body, ifMatch }) => users.changeUser(deps, actor, params.id, body, ifMatch),
    revision: revisionOf,
  }),
  operation('DELETE', '/users/:id', {
    id: 'deleteUser',
    summary: 'Remove an account',
    description: 'Ends the sessions and OAuth grants of the account immediately.',
    params: idParams,
    ifMatch: true,
    run: ({ deps, actor, params, ifMatch }) => users.deleteUser(deps, actor, params.id, ifMatch),
  }),
  operation('POST', '/users/:id/password', {
    id: 'setPassword',
    summary: 'Set the password of an account',
    description: 'Ends the sessions of the account.',
    params: idParams,
    body: session.passwordBody.meta({ examples: [{ password: 'correct horse battery' }] }),
    run: ({ deps, actor, params, body }) => users.setPassword(deps, actor, params.id, body.password),
  }),
];
