// Routes for the current session, the audit log, and the progress of runs.

import { z } from 'zod';
import { pageQuery } from '../../contract/lens.ts';
import { ping, whoami } from '../../contract/mgmt/identity.ts';
import { auditEntry, listSchemaOf, run as runShape } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import { readAudit } from '../../domain/audit/audited.ts';
import { wireOf } from '../../platform/http/wire-of.ts';
import { defineOperations } from '../http/operation.ts';
import { byId, pageByKey } from '../http/page.ts';
import { runView } from './views.ts';

const operation = defineOperations<Pick<Deps, 'tenancy' | 'runs'>>('control plane');
const runParams = z.object({ run_id: z.string().min(1).max(100) });
const auditQuery = pageQuery.extend({
  actor: z.string().max(300).optional(),
  action: z.string().max(100).optional().describe('Such as project.apply or key.create'),
  object_kind: z.string().max(100).optional(),
  object_id: z.string().max(300).optional(),
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
});

export const sessionRoutes = [
  operation('GET', '/ping', {
    id: 'pingMgmt',
    summary: 'Check a token',
    description: 'The cheapest request that needs a credential.',
    access: 'any viewer',
    result: ping,
    run: ({ principal }) => ({ ok: true as const, organization: principal.orgName }),
  }),
  operation('GET', '/whoami', {
    id: 'whoAmI',
    summary: 'Identity of a token',
    description: 'Returns the organization, name and role of the token.',
    access: 'any viewer',
    result: whoami,
    run: ({ principal }) => ({
      organization: { id: principal.orgId, name: principal.orgName },
      kind: principal.kind === 'user' ? ('user' as const) : ('admin' as const),
      name: principal.name,
      role: principal.role ?? ('admin' as const),
      credential_id: principal.credentialId,
    }),
  }),
  operation('GET', '/audit', {
    id: 'listAudit',
    summary: 'Audit log, newest first',
    description: 'Lists each change with its actor and the values before and after, without secrets.',
    query: auditQuery,
    result: listSchemaOf(auditEntry),
    run: ({ deps, orgId, query: { limit, cursor, ...filter } }) =>
      pageByKey(byId('id'), { limit, cursor }, (rowPage) => readAudit(deps, orgId, filter, rowPage), wireOf),
  }),
  operation('GET', '/runs/:run_id', {
    id: 'getRun',
    summary: 'State, progress and result of a run',
    description: 'The run that a 202 response returned as `run_id`.',
    params: runParams,
    result: runShape,
    run: ({ deps, orgId, params }) => deps.runs.get(orgId, params.run_id),
    view: runView,
  }),
  operation('POST', '/runs/:run_id/cancel', {
    id: 'cancelRun',
    access: 'curator',
    summary: 'Cancel a run',
    description:
      'Also cancels the run’s warehouse queries and discards unfinished work. Returns 409 if the run has ended.',
    params: runParams,
    result: runShape,
    run: ({ deps, actor, params }) => deps.runs.cancel(actor, params.run_id),
    view: runView,
  }),
];
