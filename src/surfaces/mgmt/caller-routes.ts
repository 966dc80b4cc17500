// Callers, their keys and their grants.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { pageQuery } from '../../contract/lens.ts';
import * as wire from '../../contract/mgmt/identity.ts';
import { idParams, listOf, ok } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import { callerGrants, callerGrantsRevision, grantToCaller } from '../../domain/identity/caller-grants.ts';
import * as callers from '../../domain/identity/callers.ts';
import * as keys from '../../domain/identity/credentials.ts';
import { pageOf } from '../http/page.ts';
import { runOnce } from '../http/run-once.ts';
import { pageAfter } from './page-after.ts';
import { actorOf, changing, ifMatch, reading, tagged } from './route-parts.ts';
import { callerGrantsView, callerView, keyView } from './views.ts';

const keyParams = idParams.extend({ key_id: z.string().min(1).max(100) });
const OK = { ok: true } as const;

export function callerRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.get(
    '/callers',
    {
      schema: {
        ...reading('callers', listOf(wire.caller), 'invalid'),
        operationId: 'listCallers',
        summary: 'Callers, by name',
        description: 'Callers of this organization, with their groups and attributes.',
        querystring: wire.callerQuery,
      },
    },
    ({ principal, query: { q, group, disabled, ...page } }) =>
      pageAfter(
        page,
        (at) => callers.listCallers(deps, principal.orgId, { q, group, disabled }, at),
        ({ name }) => name,
        callerView,
        'names',
      ),
  );

  app.post(
    '/callers',
    {
      schema: {
        ...changing('callers', 201, wire.caller),
        operationId: 'createCaller',
        summary: 'Make a caller',
        description:
          'Create one for each person or app. A caller can use no lens until you grant one. Row policies read its attributes.',
        body: wire.newCallerBody.meta({
          examples: [{ name: 'ada', email: 'ada@example.com', groups: ['sales'], attributes: { region: 'West' } }],
        }),
      },
    },
    async (request, reply) => {
      const made = await runOnce(deps, request, reply, async () => ({
        status: 201,
        body: callerView(await callers.createCaller(deps, actorOf(request), request.body)),
      }));
      tagged(reply, new Date(made.updated_at));
      return made;
    },
  );

  app.get(
    '/callers/:id',
    {
      schema: {
        ...reading('callers', wire.caller, 'not_found'),
        operationId: 'getCaller',
        summary: 'One caller',
        description: 'By id or name. Send its ETag as If-Match to change it.',
        params: idParams,
      },
    },
    async ({ principal, params }, reply) => {
      const found = await callers.getCaller(deps, principal.orgId, params.id);
      tagged(reply, found.updatedAt);
      return callerView(found);
    },
  );

  app.patch(
    '/callers/:id',
    {
      schema: {
        ...changing('callers', 200, wire.caller, 'not_found', 'precondition_failed'),
        operationId: 'changeCaller',
        summary: 'Change a caller',
        description:
          'Only the members in the body change. `disabled: true` blocks the caller from the next request on.',
        params: idParams,
        body: wire.changeCallerBody.meta({ examples: [{ groups: ['sales', 'field'] }, { disabled: true }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const changed = await callers.changeCaller(
          deps,
          actorOf(request),
          request.params.id,
          request.body,
          ifMatch(request),
        );
        tagged(reply, changed.updatedAt);
        return { status: 200, body: callerView(changed) };
      }),
  );

  app.delete(
    '/callers/:id',
    {
      schema: {
        ...changing('callers', 200, ok, 'not_found', 'precondition_failed'),
        operationId: 'deleteCaller',
        summary: 'Remove a caller with its keys and API grants',
        description: 'Traces keep the name. Returns 409 if a user asks as this caller.',
        params: idParams,
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        await callers.deleteCaller(deps, actorOf(request), request.params.id, ifMatch(request));
        return { status: 200, body: OK };
      }),
  );

  app.get(
    '/callers/:id/keys',
    {
      schema: {
        ...reading('callers', listOf(wire.key), 'not_found', 'invalid'),
        operationId: 'listKeys',
        summary: 'Keys of a caller',
        description: 'Includes revoked and expired keys, without the keys themselves.',
        params: idParams,
        querystring: pageQuery,
      },
    },
    async ({ principal, params, query }) =>
      pageOf((await keys.listKeys(deps, principal.orgId, params.id)).map(keyView), query),
  );

  app.post(
    '/callers/:id/keys',
    {
      schema: {
        ...changing('callers', 201, wire.mintedKey, 'not_found'),
        operationId: 'createKey',
        summary: 'Create a key for a caller',
        description: 'The response is the only place that shows the key; svc stores only its hash.',
        params: idParams,
        body: wire.mintBody.meta({ examples: [{ label: 'laptop', expires_at: '2030-01-01T00:00:00Z' }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const { expires_at, label } = request.body;
        const { token, ...key } = await keys.createKey(deps, actorOf(request), request.params.id, {
          expiresAt: at(expires_at),
          label: label ?? null,
        });
        return { status: 201, body: { ...keyView(key), key: token } };
      }),
  );

  app.delete(
    '/callers/:id/keys/:key_id',
    {
      schema: {
        ...changing('callers', 200, ok, 'not_found'),
        operationId: 'revokeKey',
        summary: 'Revoke a key',
        description:
          'Takes effect with the next request on this replica, and within one second on others. Running asks finish.',
        params: keyParams,
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        await keys.revokeKey(deps, actorOf(request), request.params.id, request.params.key_id);
        return { status: 200, body: OK };
      }),
  );

  app.post(
    '/callers/:id/keys/:key_id/rotate',
    {
      schema: {
        ...changing('callers', 201, wire.mintedKey, 'not_found'),
        operationId: 'rotateKey',
        summary: 'Replace a key without a gap',
        description: 'Creates a new key. The old key works for another `overlap_seconds` (default: one day).',
        params: keyParams,
        body: wire.rotateBody.meta({ examples: [{ overlap_seconds: 3600 }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const { id, key_id } = request.params;
        const { overlap_seconds, expires_at, label } = request.body;
        const { token, ...key } = await keys.rotateKey(deps, actorOf(request), id, key_id, {
          overlapSeconds: overlap_seconds,
          expiresAt: at(expires_at),
          label,
        });
        return { status: 201, body: { ...keyView(key), key: token } };
      }),
  );

  app.get(
    '/callers/:id/grants',
    {
      schema: {
        ...reading('callers', wire.callerGrants, 'not_found'),
        operationId: 'getCallerGrants',
        summary: 'Lenses that a caller may use, and their grants',
        description:
          'The union of grants from lens files, groups and the API. The ETag covers the grants that PUT replaces.',
        params: idParams,
      },
    },
    async ({ principal, params }, reply) => {
      const grants = await callerGrants(deps, principal.orgId, params.id);
      tagged(reply, callerGrantsRevision(grants));
      return callerGrantsView(grants);
    },
  );

  app.put(
    '/callers/:id/grants',
    {
      schema: {
        ...changing('callers', 200, wire.callerGrants, 'not_found', 'precondition_failed'),
        operationId: 'setCallerGrants',
        summary: 'Grant lenses to a caller',
        description: 'Replaces earlier grants of this route. Grants from files, groups and lenses stay.',
        params: idParams,
        body: wire.callerGrantsBody.meta({ examples: [{ lenses: ['superstore'] }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const { params, body } = request;
        const lenses = [...new Set(body.lenses)];
        const grants = await grantToCaller(deps, actorOf(request), params.id, lenses, ifMatch(request));
        tagged(reply, callerGrantsRevision(grants));
        return { status: 200, body: callerGrantsView(grants) };
      }),
  );
}

const at = (time: string | null | undefined): Date | null => (time ? new Date(time) : null);
