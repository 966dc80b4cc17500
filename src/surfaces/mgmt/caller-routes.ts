import { z } from 'zod';
import * as wire from '../../contract/mgmt/identity.ts';
import { createListSchema, createPagedOperation, idParamsSchema } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import * as callers from '../../domain/identity/callers.ts';
import * as keys from '../../domain/identity/credentials.ts';
import { isLinkedViewer } from '../../domain/identity/principal.ts';
import { toWireObject } from '../../platform/http/to-wire.ts';
import { createOperationFactory, type ResultOf } from '../http/operation.ts';
import { createTextOrder, selectPage } from '../http/page.ts';

const defineOperation = createOperationFactory<Pick<Deps, 'tenancy' | 'authenticator' | 'clock' | 'lenses'>>('callers');
const toCallerView = (caller: ResultOf<typeof callers.getCaller>): z.infer<typeof wire.callerSchema> => ({
  ...toWireObject(caller),
  disabled: caller.disabledAt !== null,
});
const callerReply = {
  result: wire.callerSchema,
  revision: ({ updated_at }: z.infer<typeof wire.callerSchema>) => new Date(updated_at),
};
const toKeyView = ({ id, ...key }: ResultOf<typeof keys.listKeys>[number]): z.infer<typeof wire.keySchema> => ({
  key_id: id,
  ...toWireObject(key),
});
const mintedKeyReply = {
  status: 201,
  result: wire.mintedKeySchema,
  view: ({ token, ...key }: ResultOf<typeof keys.createKey>) => ({ ...toKeyView(key), key: token }),
} as const;
const callerGrantsReply = {
  result: wire.callerGrantsSchema,
  revision: callers.hashCallerGrants,
  view: (grants: ResultOf<typeof callers.listCallerGrants>) => ({
    lenses: grants.filter(({ origin }) => origin === 'caller_api').map(({ lens }) => lens),
    effective: [...new Set(grants.map(({ lens }) => lens))].sort().map((lens) => ({
      lens,
      origins: grants.filter((grant) => grant.lens === lens),
    })),
  }),
};
const keyParamsSchema = idParamsSchema.extend({ key_id: z.string().min(1).max(100) });

export const callerRoutes = [
  defineOperation('GET', '/callers', {
    id: 'listCallers',
    summary: 'Callers, by name',
    description:
      'Lists the callers of this organization, with their groups and attributes. A viewer with a linked caller sees only that caller.',
    access: 'any viewer',
    query: wire.callerQuerySchema,
    result: createListSchema(wire.callerSchema),
    orderBy: createTextOrder('name'),
    run: ({ deps, orgId, principal, query: { q, group, disabled }, page }) => {
      const filter = { id: isLinkedViewer(principal) ? principal.callerId : null, q, group, disabled };
      return callers.listCallers(deps, orgId, filter, page);
    },
    view: toCallerView,
  }),
  defineOperation('POST', '/callers', {
    id: 'createCaller',
    summary: 'Create a caller',
    description:
      'Create a caller for each person or app. The caller can’t use a lens until you grant the caller access to that lens. Row policies read the attributes of the caller.',
    body: wire.newCallerBodySchema.meta({
      examples: [{ name: 'ada', email: 'ada@example.com', groups: ['sales'], attributes: { region: 'West' } }],
    }),
    status: 201,
    ...callerReply,
    run: ({ deps, actor, body }) => callers.createCaller(deps, actor, body).then(toCallerView),
  }),
  defineOperation('GET', '/callers/:id', {
    id: 'getCaller',
    summary: 'One caller',
    description: 'Finds the caller by id or name. To change the caller, send the ETag as If-Match.',
    ...callerReply,
    run: ({ deps, orgId, params }) => callers.getCaller(deps, orgId, params.id).then(toCallerView),
  }),
  defineOperation('PATCH', '/callers/:id', {
    id: 'changeCaller',
    summary: 'Change a caller',
    description: 'Only the members in the body change. `disabled: true` blocks the caller from the next request on.',
    body: wire.changeCallerBodySchema.meta({ examples: [{ groups: ['sales', 'field'] }, { disabled: true }] }),
    ...callerReply,
    ifMatch: true,
    run: ({ deps, actor, params, body, ifMatch }) =>
      callers.changeCaller(deps, actor, params.id, body, ifMatch).then(toCallerView),
  }),
  defineOperation('DELETE', '/callers/:id', {
    id: 'deleteCaller',
    summary: 'Remove a caller with its keys and API grants',
    description: 'Traces keep the name of the caller. Returns 409 if a user asks as this caller.',
    ifMatch: true,
    run: ({ deps, actor, params, ifMatch }) => callers.deleteCaller(deps, actor, params.id, ifMatch),
  }),
  defineOperation('GET', '/callers/:id/keys', {
    id: 'listKeys',
    summary: 'Keys of a caller',
    description:
      'Lists all keys of a caller, including revoked and expired keys. The response never contains the keys themselves.',
    ...createPagedOperation(wire.keySchema),
    run: async ({ deps, orgId, params, query }) =>
      selectPage((await keys.listKeys(deps, orgId, params.id)).map(toKeyView), query),
  }),
  defineOperation('POST', '/callers/:id/keys', {
    id: 'createKey',
    summary: 'Create a key for a caller',
    description: 'Only this response shows the key. svc stores only its hash.',
    body: wire.newKeyBodySchema.meta({ examples: [{ label: 'laptop', expires_at: '2030-01-01T00:00:00Z' }] }),
    ...mintedKeyReply,
    run: ({ deps, actor, params, body: { expires_at, label = null } }) =>
      keys.createKey(deps, actor, params.id, { expiresAt: toDate(expires_at), label }),
  }),
  defineOperation('DELETE', '/callers/:id/keys/:key_id', {
    id: 'revokeKey',
    summary: 'Revoke a key',
    description:
      'The key stops working with the next request on this replica, and within one second on other replicas. svc finishes requests that are already running.',
    params: keyParamsSchema,
    run: ({ deps, actor, params }) => keys.revokeKey(deps, actor, params.id, params.key_id),
  }),
  defineOperation('POST', '/callers/:id/keys/:key_id/rotate', {
    id: 'rotateKey',
    summary: 'Replace a key without downtime',
    description:
      'Creates a new key. The old key works for another `overlap_seconds` (default: one day). Without `expires_at`, the new key has the same lifetime as the old key. Returns 409 if the key was already rotated, unless you send `expires_at`.',
    params: keyParamsSchema,
    body: wire.rotateKeyBodySchema.meta({ examples: [{ overlap_seconds: 3600 }] }),
    ...mintedKeyReply,
    run: ({ deps, actor, params: { id, key_id }, body: { overlap_seconds, expires_at, label } }) =>
      keys.rotateKey(deps, actor, id, key_id, {
        overlapSeconds: overlap_seconds,
        expiresAt: expires_at === undefined ? undefined : toDate(expires_at),
        label,
      }),
  }),
  defineOperation('GET', '/callers/:id/grants', {
    id: 'getCallerGrants',
    summary: 'Lenses that a caller may use, and their grants',
    description:
      'The union of grants from lens files, groups and the API. The ETag covers the grants that PUT replaces.',
    ...callerGrantsReply,
    run: ({ deps, orgId, params }) => callers.listCallerGrants(deps, orgId, params.id),
  }),
  defineOperation('PUT', '/callers/:id/grants', {
    id: 'setCallerGrants',
    summary: 'Grant lenses to a caller',
    description:
      'Replaces the grants that earlier requests to this route made. Grants from files, groups and lenses stay.',
    body: wire.callerGrantsBodySchema.meta({ examples: [{ lenses: ['superstore'] }] }),
    ...callerGrantsReply,
    ifMatch: true,
    run: ({ deps, actor, params, body, ifMatch }) =>
      callers.replaceCallerGrants(deps, actor, params.id, [...new Set(body.lenses)], ifMatch),
  }),
];

const toDate = (time: string | null | undefined): Date | null => (time ? new Date(time) : null);
