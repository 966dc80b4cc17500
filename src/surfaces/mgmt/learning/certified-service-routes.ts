// Routes that approve, retire and check certified entries.
import * as wire from '../../../contract/mgmt/certified.ts';
import { lensParams, runStarted } from '../../../contract/mgmt/shared.ts';
import type { Deps } from '../../../deps.ts';
import { checkEntries } from '../../../domain/certified/check-entries.ts';
import { checkAndAuditEntry } from '../../../domain/certified/check-entry.ts';
import { approveCertified, getEntry, retireCertified } from '../../../domain/certified/entries.ts';
import { defineOperations } from '../../http/operation.ts';
import { readLensAndWarehouse, readServedLens } from '../served-with-warehouse.ts';
import { startLensRun } from '../start-run.ts';
import { entryRevision, entryView } from './certified-views.ts';

type RouteDeps = Pick<Deps, 'tenancy' | 'lenses' | 'warehouses' | 'project' | 'clock' | 'certifiedWatch' | 'runs'>;
const operation = defineOperations<RouteDeps>('certified');

export const certifiedServiceRoutes = [
  operation('POST', '/lenses/:name/certified/:id/approve', {
    id: 'approveCertifiedEntry',
    access: 'curator',
    summary: 'Approve an entry',
    description:
      'svc serves the entry from now on. You can also approve a suspended or retired entry. Its SQL must run on the current lens.',
    params: wire.entryParams,
    body: wire.approveEntryBody.meta({ examples: [{ approved_by: 'ops@example.com' }] }),
    result: wire.entry,
    fails: ['upstream', 'timeout'],
    ifMatch: true,
    run: async (call) => {
      const { deps, actor, orgId, params, body, ifMatch } = call;
      const { liveLens, warehouse } = await readLensAndWarehouse(call);
      const approver = body.approved_by ?? actor.name;
      await approveCertified(deps, actor, { liveLens, warehouse }, { id: params.id, ifMatch }, approver);
      await deps.certifiedWatch.readDependencies(orgId, liveLens, params.id, warehouse);
      return { lens: liveLens.name, entry: await getEntry(deps, orgId, liveLens, params.id) };
    },
    revision: entryRevision,
    view: entryView,
  }),
  operation('POST', '/lenses/:name/certified/:id/retire', {
    id: 'retireCertifiedEntry',
    access: 'curator',
    summary: 'Take an entry out of service',
    description: 'The entry stays in the history, and you can approve it again.',
    params: wire.entryParams,
    body: wire.retireEntryBody.meta({ examples: [{ reason: 'Replaced by revenue-net' }] }),
    result: wire.entry,
    ifMatch: true,
    run: async (call) => {
      const { deps, actor, params, body, ifMatch } = call;
      const liveLens = await readServedLens(call);
      const entry = await retireCertified(deps, actor, liveLens, { id: params.id, ifMatch }, body.reason ?? null);
      return { lens: liveLens.name, entry };
    },
    revision: entryRevision,
    view: entryView,
  }),
  operation('POST', '/lenses/:name/certified/:id/check', {
    id: 'checkCertifiedEntry',
    access: 'curator',
    summary: 'Check one entry now',
    description:
      'Checks that the entry’s SQL runs, uses only tables and fields of the lens, and satisfies the entry’s invariants. If an approved entry fails, svc suspends it and opens a ticket. If the SQL was the only fault and runs again with the same columns as at its approval, svc restores the entry.',
    params: wire.entryParams,
    result: wire.checkResult,
    fails: ['upstream', 'timeout'],
    run: async (call) => {
      const { liveLens, warehouse } = await readLensAndWarehouse(call);
      const entry = await getEntry(call.deps, call.orgId, liveLens, call.params.id);
      return checkAndAuditEntry(call.deps, call.actor, liveLens, entry, warehouse);
    },
  }),
  operation('POST', '/lenses/:name/certified/check', {
    id: 'checkCertifiedEntries',
    access: 'curator',
    summary: 'Check every entry of a lens, except retired ones',
    description: 'Follow the run at GET /mgmt/runs/{run_id}; its result lists the findings.',
    params: lensParams,
    status: 202,
    result: runStarted,
    run: (call) =>
      startLensRun(call, { kind: 'certified.check_all' }, async (liveLens, run) => {
        const warehouse = await call.deps.warehouses.get(call.orgId, liveLens.lens.connection);
        return checkEntries(call.deps, call.orgId, liveLens, warehouse, run);
      }),
  }),
];
