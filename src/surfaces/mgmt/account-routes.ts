import { z } from 'zod';
import { pageQuerySchema } from '../../contract/lens.ts';
import * as wire from '../../contract/mgmt/identity.ts';
import { pingSchema, whoamiSchema } from '../../contract/mgmt/identity.ts';
import {
  auditEntrySchema,
  createListSchema,
  createPagedOperation,
  runSchema as runShape,
} from '../../contract/mgmt/shared.ts';
import { oauthClientSchema, oauthGrantSchema } from '../../contract/oauth.ts';
import * as session from '../../contract/session.ts';
import type { Deps } from '../../deps.ts';
import { readAuditEntries } from '../../domain/audit/audit-log.ts';
import * as tokens from '../../domain/identity/credentials.ts';
import * as oauth from '../../domain/oauth/manage-grants.ts';
import * as users from '../../domain/users/users.ts';
import { toWireObject } from '../../platform/http/to-wire.ts';
import { computeRevision } from '../../platform/tenancy/revision.ts';
import { createOperationFactory, type ResultOf } from '../http/operation.ts';
import { createIdOrder, createTextOrder, selectPage } from '../http/page.ts';

type RouteDeps = Pick<Deps, 'tenancy' | 'runs' | 'authenticator' | 'clock'>;
const defineOperation = createOperationFactory<RouteDeps>('control plane');
const defineUserOperation = createOperationFactory<RouteDeps>('users');
const defineOauthOperation = createOperationFactory<RouteDeps>('oauth clients');

const runReply = {
  result: runShape,
  view: ({ id, ...run }: ResultOf<Deps['runs']['get']>) => ({ run_id: id, ...toWireObject(run) }),
};
const userReply = { result: session.userSchema, revision: computeRevision };
const runParamsSchema = z.object({ run_id: z.string().min(1).max(100) });
const auditQuerySchema = pageQuerySchema.extend({
  actor: z.string().max(300).optional(),
  action: z.string().max(100).optional().describe('The kind of change, such as project.apply or key.create'),
  object_kind: z.string().max(100).optional(),
  object_id: z.string().max(300).optional(),
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
});

export const accountRoutes = [
  defineOperation('GET', '/ping', {
    id: 'pingMgmt',
    summary: 'Check a token',
    description: 'Checks only the credential.',
    access: 'any viewer',
    result: pingSchema,
    run: ({ principal }) => ({ ok: true as const, organization: principal.orgName }),
  }),
  defineOperation('GET', '/whoami', {
    id: 'whoAmI',
    summary: 'Identity of a token',
    description: 'Returns the organization, name and role of the token.',
    access: 'any viewer',
    result: whoamiSchema,
    run: ({ principal }) => ({
      organization: { id: principal.orgId, name: principal.orgName },
      kind: principal.kind === 'user' ? ('user' as const) : ('admin' as const),
      name: principal.name,
      role: principal.role ?? ('admin' as const),
      credential_id: principal.credentialId,
    }),
  }),
  defineOperation('GET', '/audit', {
    id: 'listAudit',
    summary: 'Audit log, newest first',
    description:
      'Lists each change with its actor and the values before and after, without secrets. Also lists each sign-in, sign-out and consent to an OAuth client.',
    query: auditQuerySchema,
    result: createListSchema(auditEntrySchema),
    orderBy: createIdOrder('id'),
    run: ({ deps, orgId, query, page }) => readAuditEntries(deps, orgId, query, page),
    view: toWireObject,
  }),
  defineOperation('GET', '/runs/:run_id', {
    id: 'getRun',
    summary: 'State, progress and result of a run',
    description: 'Returns the run whose ID is the `run_id` of a 202 response.',
    params: runParamsSchema,
    ...runReply,
    run: ({ deps, orgId, params }) => deps.runs.get(orgId, params.run_id),
  }),
  defineOperation('POST', '/runs/:run_id/cancel', {
    id: 'cancelRun',
    access: 'curator',
    summary: 'Cancel a run',
    description:
      'Cancels the run and its warehouse queries, and discards unfinished work. Returns 409 if the run has ended.',
    params: runParamsSchema,
    ...runReply,
    run: ({ deps, actor, params }) => deps.runs.cancel(actor, params.run_id),
  }),
  defineUserOperation('GET', '/tokens', {
    id: 'listTokens',
    summary: 'Admin tokens',
    description: 'Lists the tokens without their secrets.',
    ...createPagedOperation(wire.tokenSchema),
    run: async ({ deps, orgId, query }) => selectPage((await tokens.listTokens(deps, orgId)).map(toWireObject), query),
  }),
  defineUserOperation('POST', '/tokens', {
    id: 'createToken',
    summary: 'Create an admin token',
    description: 'Only this response shows the token.',
    body: wire.newKeyBodySchema.meta({ examples: [{ label: 'deploy pipeline', expires_at: '2030-01-01T00:00:00Z' }] }),
    status: 201,
    result: wire.mintedTokenSchema,
    run: ({ deps, actor, body: { expires_at, label = null } }) =>
      tokens.createToken(deps, actor, { expiresAt: expires_at ? new Date(expires_at) : null, label }),
    view: toWireObject,
  }),
  defineUserOperation('DELETE', '/tokens/:id', {
    id: 'revokeToken',
    summary: 'Revoke an admin token',
    description: 'svc refuses the token from the next request on. A token can revoke itself.',
    run: ({ deps, actor, params }) => tokens.revokeToken(deps, actor, params.id),
  }),
  defineUserOperation('GET', '/users', {
    id: 'listUsers',
    summary: 'Local accounts',
    description: 'Lists the people who can sign in, and the caller that each person uses to ask questions.',
    query: wire.userQuerySchema,
    result: createListSchema(session.userSchema),
    orderBy: createTextOrder('email'),
    run: ({ deps, orgId, query, page }) => users.listUsers(deps, orgId, page, query),
  }),
  defineUserOperation('POST', '/users', {
    id: 'createUser',
    summary: 'Create a local account',
    description:
      'A viewer can send only GET requests to /mgmt. To consent to an OAuth client, a user needs a caller: set `caller`.',
    body: session.newUserBodySchema.meta({
      examples: [{ email: 'grace@example.com', password: 'correct horse battery', role: 'admin', caller: 'grace' }],
    }),
    status: 201,
    ...userReply,
    run: ({ deps, actor, body }) => users.createUser(deps, actor, body),
  }),
  defineUserOperation('GET', '/users/:id', {
    id: 'getUser',
    summary: 'One account',
    description: 'Finds the account by its id. To change the account, send the ETag as If-Match.',
    ...userReply,
    run: ({ deps, orgId, params }) => users.getUser(deps, orgId, params.id),
  }),
  defineUserOperation('PATCH', '/users/:id', {
    id: 'changeUser',
    summary: 'Change an account',
    description:
      'If you disable the account or change its caller, svc ends the sessions and OAuth grants of the account immediately.',
    body: session.changeUserBodySchema.meta({ examples: [{ role: 'viewer' }] }),
    ...userReply,
    ifMatch: true,
    run: ({ deps, actor, params, body, ifMatch }) => users.changeUser(deps, actor, params.id, body, ifMatch),
  }),
  defineUserOperation('DELETE', '/users/:id', {
    id: 'deleteUser',
    summary: 'Remove an account',
    description: 'Ends the sessions and OAuth grants of the account immediately.',
    ifMatch: true,
    run: ({ deps, actor, params, ifMatch }) => users.deleteUser(deps, actor, params.id, ifMatch),
  }),
  defineUserOperation('POST', '/users/:id/password', {
    id: 'setPassword',
    summary: 'Set the password of an account',
    description: 'Ends the sessions of the account.',
    body: session.newPasswordBodySchema.meta({ examples: [{ password: 'correct horse battery' }] }),
    run: ({ deps, actor, params, body }) => users.setPassword(deps, actor, params.id, body.password),
  }),
  defineOauthOperation('GET', '/oauth/clients', {
    id: 'listOauthClients',
    summary: 'OAuth clients',
    description: 'Lists clients that someone in this organization allowed.',
    ...createPagedOperation(oauthClientSchema),
    orderBy: createTextOrder('id'),
    run: ({ deps, orgId, page }) => oauth.listOauthClients(deps, orgId, page),
  }),
  defineOauthOperation('DELETE', '/oauth/clients/:id', {
    id: 'removeOauthClient',
    summary: 'Block an OAuth client',
    description: 'Revokes the grants and tokens of the client immediately, and prevents new grants.',
    run: ({ deps, actor, params }) => oauth.deleteOauthClient(deps, actor, params.id),
  }),
  defineOauthOperation('GET', '/oauth/grants', {
    id: 'listOauthGrants',
    summary: 'Grants of OAuth clients',
    description: 'Lists grants, newest first, including revoked and expired ones.',
    ...createPagedOperation(oauthGrantSchema),
    orderBy: createIdOrder('id'),
    run: ({ deps, orgId, page }) => oauth.listOauthGrants(deps, orgId, page),
  }),
  defineOauthOperation('DELETE', '/oauth/grants/:id', {
    id: 'revokeOauthGrant',
    summary: 'End a grant',
    description: 'Revokes the access and refresh tokens of the grant immediately.',
    run: ({ deps, actor, params }) => oauth.revokeOauthGrant(deps, actor, params.id),
  }),
];
