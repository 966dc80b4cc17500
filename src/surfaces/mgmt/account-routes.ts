// Admin tokens and the users of the control plane.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { pageQuery } from '../../contract/lens.ts';
import * as wire from '../../contract/mgmt/identity.ts';
import { idParams, listOf, ok } from '../../contract/mgmt/shared.ts';
import * as session from '../../contract/session.ts';
import type { Deps } from '../../deps.ts';
import { audit } from '../../domain/audit/audited.ts';
import { createToken, listTokens, revokeToken } from '../../domain/identity/credentials.ts';
import * as users from '../../domain/users/users.ts';
import { revisionOf } from '../../platform/tenancy/revision.ts';
import { pageOf } from '../http/page.ts';
import { runOnce } from '../http/run-once.ts';
import { pageAfter } from './page-after.ts';
import { actorOf, changing, ifMatch, reading, tagged } from './route-parts.ts';
import { tokenView } from './views.ts';

const OK = { ok: true } as const;

export function accountRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.get(
    '/tokens',
    {
      schema: {
        ...reading('users', listOf(wire.token), 'invalid'),
        operationId: 'listTokens',
        summary: 'Admin tokens',
        description: 'Without the tokens themselves.',
        querystring: pageQuery,
      },
    },
    async ({ principal, query }) => pageOf((await listTokens(deps, principal.orgId)).map(tokenView), query),
  );
  app.post(
    '/tokens',
    {
      schema: {
        ...changing('users', 201, wire.mintedToken),
        operationId: 'createToken',
        summary: 'Create an admin token',
        description: 'The response is the only place that shows the token.',
        body: wire.mintBody.meta({ examples: [{ label: 'deploy pipeline', expires_at: '2030-01-01T00:00:00Z' }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const { expires_at, label } = request.body;
        const { token, ...rest } = await createToken(deps, actorOf(request), {
          expiresAt: expires_at ? new Date(expires_at) : null,
          label: label ?? null,
        });
        return { status: 201, body: { ...tokenView(rest), token } };
      }),
  );
  app.delete(
    '/tokens/:id',
    {
      schema: {
        ...changing('users', 200, ok, 'not_found'),
        operationId: 'revokeToken',
        summary: 'Revoke an admin token',
        description: 'The next request with the token gets 401, even if it is the token of this request.',
        params: idParams,
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        await revokeToken(deps, actorOf(request), request.params.id);
        return { status: 200, body: OK };
      }),
  );

  app.get(
    '/users',
    {
      schema: {
        ...reading('users', listOf(session.user), 'invalid'),
        operationId: 'listUsers',
        summary: 'Local accounts',
        description: 'People who can sign in, and the caller that each asks as.',
        querystring: wire.userQuery,
      },
    },
    ({ principal, query: { q, role, ...page } }) =>
      pageAfter(
        page,
        (at) => users.listUsers(deps, principal.orgId, at, { q, role }),
        ({ email }) => email,
        (user) => user,
        'names',
      ),
  );
  app.post(
    '/users',
    {
      schema: {
        ...changing('users', 201, session.user),
        operationId: 'createUser',
        summary: 'Create a local account',
        description: 'A viewer may only send GET requests to /mgmt. Consent to an OAuth client needs `caller`.',
        body: session.newUserBody.meta({
          examples: [{ email: 'grace@example.com', password: 'correct horse battery', role: 'admin', caller: 'grace' }],
        }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const made = await users.createUser(deps, request.principal.orgId, request.body);
        await audit(deps, actorOf(request), {
          action: 'user.create',
          objectKind: 'user',
          objectId: made.id,
          after: made,
        });
        tagged(reply, revisionOf(made));
        return { status: 201, body: made };
      }),
  );
  app.get(
    '/users/:id',
    {
      schema: {
        ...reading('users', session.user, 'not_found'),
        operationId: 'getUser',
        summary: 'One account',
        description: 'By id. Send its ETag as If-Match to change it.',
        params: idParams,
      },
    },
    async ({ principal, params }, reply) => {
      const found = await users.getUser(deps, principal.orgId, params.id);
      tagged(reply, revisionOf(found));
      return found;
    },
  );
  app.patch(
    '/users/:id',
    {
      schema: {
        ...changing('users', 200, session.user, 'not_found', 'precondition_failed'),
        operationId: 'changeUser',
        summary: 'Change an account',
        description: 'Disabling the account or changing its caller ends its sessions and OAuth grants immediately.',
        params: idParams,
        body: session.changeUserBody.meta({ examples: [{ role: 'viewer' }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const before = await users.getUser(deps, request.principal.orgId, request.params.id);
        const after = await users.changeUser(deps, request.principal.orgId, before.id, request.body, ifMatch(request));
        tagged(reply, revisionOf(after));
        await audit(deps, actorOf(request), {
          action: 'user.change',
          objectKind: 'user',
          objectId: before.id,
          before,
          after,
        });
        return { status: 200, body: after };
      }),
  );
  app.delete(
    '/users/:id',
    {
      schema: {
        ...changing('users', 200, ok, 'not_found', 'precondition_failed'),
        operationId: 'deleteUser',
        summary: 'Remove an account',
        description: 'Ends its sessions and OAuth grants immediately.',
        params: idParams,
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const before = await users.getUser(deps, request.principal.orgId, request.params.id);
        await users.deleteUser(deps, request.principal.orgId, before.id, ifMatch(request));
        await audit(deps, actorOf(request), { action: 'user.delete', objectKind: 'user', objectId: before.id, before });
        return { status: 200, body: OK };
      }),
  );
  app.post(
    '/users/:id/password',
    {
      schema: {
        ...changing('users', 200, ok, 'not_found'),
        operationId: 'setPassword',
        summary: 'Set the password of an account',
        description: 'Ends its sessions.',
        params: idParams,
        body: session.passwordBody.meta({ examples: [{ password: 'correct horse battery' }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const changed = await users.setPassword(
          deps,
          request.principal.orgId,
          request.params.id,
          request.body.password,
        );
        await audit(deps, actorOf(request), { action: 'user.password', objectKind: 'user', objectId: changed.id });
        return { status: 200, body: OK };
      }),
  );
}
