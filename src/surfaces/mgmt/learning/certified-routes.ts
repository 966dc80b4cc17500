import type { z } from 'zod';
import { searchCertified } from '../../../ask/read/match-certified.ts';
import * as wire from '../../../contract/mgmt/certified.ts';
import { runStartResponse } from '../../../contract/mgmt/shared.ts';
import type { Deps } from '../../../deps.ts';
import { checkAndAuditEntry, checkEntries } from '../../../domain/certified/check-entry.ts';
import * as entries from '../../../domain/certified/entries.ts';
import { toWireObject } from '../../../platform/http/to-wire.ts';
import { createOperationFactory, type ResultOf } from '../../http/operation.ts';
import { createTextOrder, selectPage } from '../../http/page.ts';
import { type LensScope, loadLensScope, startLensRun, withWarehouse } from '../lens-scope.ts';

type RouteDeps = Pick<
  Deps,
  'tenancy' | 'lenses' | 'warehouses' | 'project' | 'clock' | 'library' | 'exactBand' | 'certifiedWatch' | 'runs'
>;
const defineOperation = createOperationFactory<RouteDeps, LensScope>('certified', 'control', loadLensScope);
const EXAMPLE_ENTRY = {
  question: 'What is revenue by region?',
  also_asked: ['Show me sales per region'],
  sql: 'select region, sum(sales) as revenue from main.orders group by region order by 2 desc',
  invariants: { min_rows: 4 },
};

export const toEntryView = (
  entry: ResultOf<typeof entries.getEntry>,
  { liveLens }: LensScope,
): z.infer<typeof wire.entrySchema> => ({
  ...toWireObject(entry),
  lens: liveLens.name,
  dependencies: entry.dependencies && {
    ...entry.dependencies,
    meanings: Object.keys(entry.dependencies.meanings),
  },
});
const entryReply = { result: wire.entrySchema, revision: entries.hashEntryRevision, view: toEntryView };

export const certifiedRoutes = [
  defineOperation('GET', '/lenses/:name/certified', {
    id: 'listCertifiedEntries',
    summary: 'Certified entries of a lens, in every status',
    description: 'Lists the entries, each with its origin, its dependencies and its last check.',
    query: wire.entryQuerySchema,
    result: wire.entryListSchema,
    orderBy: createTextOrder('certId'),
    run: ({ deps, orgId, liveLens, query, page }) => entries.listCertifiedEntries(deps, orgId, liveLens, query, page),
    view: toEntryView,
  }),
  defineOperation('POST', '/lenses/:name/certified', {
    id: 'createCertifiedEntry',
    access: 'curator',
    summary: 'Propose a certified entry',
    description: 'Creates a draft. svc checks it with the guard and the warehouse, and serves it once it is approved.',
    body: wire.newEntryBodySchema.meta({ examples: [EXAMPLE_ENTRY] }),
    status: 201,
    ...entryReply,
    fails: ['upstream', 'timeout'],
    run: async (call) => {
      const { cert_id: certId, also_asked: alsoAsked, notes = null, invariants = null, ...body } = call.body;
      const text = { ...body, certId, alsoAsked, notes, invariants };
      return entries.createCertifiedEntry(call.deps, call.actor, await withWarehouse(call), text);
    },
  }),
  defineOperation('GET', '/lenses/:name/certified/search', {
    id: 'searchCertifiedEntries',
    summary: 'Certified entries most similar to a question, in every status',
    description:
      'Lists for each entry how it differs from the question: a number, a date, a value, a negation, a direction, a grain, a measure, or a grouping.',
    query: wire.entrySearchQuerySchema,
    result: wire.entrySearchSchema,
    fails: ['upstream', 'timeout'],
    run: async ({ deps, orgId, liveLens, query: { q, status, ...page } }) => {
      const { items, next_cursor } = selectPage(await searchCertified(deps, orgId, liveLens, q, { status }), page);
      return {
        items: items.map(({ entry, similarity, differs }) => ({
          ...toEntryView(entry, { liveLens }),
          similarity,
          differs: differs(),
        })),
        next_cursor,
        exact_band: deps.exactBand,
        embedder: deps.library.embedderName,
      };
    },
  }),
  defineOperation('GET', '/lenses/:name/certified/:id', {
    ...entryReply,
    id: 'getCertifiedEntry',
    summary: 'One certified entry',
    description:
      'Returns the entry with its dependencies and its last check. To change the entry, send the ETag as If-Match.',
    params: wire.entryParamsSchema,
    run: ({ deps, orgId, liveLens, params }) => entries.getEntry(deps, orgId, liveLens, params.id),
  }),
  defineOperation('PATCH', '/lenses/:name/certified/:id', {
    ...entryReply,
    id: 'changeCertifiedEntry',
    access: 'curator',
    summary: 'Change an entry',
    description:
      'If you change the question, SQL or parameters, the entry becomes a draft again. For a file-based entry, svc writes the change to the entry’s file in the project.',
    params: wire.entryParamsSchema,
    body: wire.changeEntryBodySchema.meta({ examples: [{ also_asked: ['Sales by region'] }] }),
    fails: ['upstream', 'timeout'],
    ifMatch: true,
    run: async (call) => {
      const { deps, actor, params, ifMatch } = call;
      const { also_asked, ...body } = call.body;
      const change = { ...body, ...(also_asked && { alsoAsked: also_asked }) };
      const definedChange = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      const target = await withWarehouse(call);
      return entries.changeCertifiedEntry(deps, actor, target, { id: params.id, ifMatch }, definedChange);
    },
  }),
  defineOperation('DELETE', '/lenses/:name/certified/:id', {
    id: 'deleteCertifiedEntry',
    access: 'curator',
    summary: 'Delete an entry',
    description:
      'svc keeps the traces and receipts that contain the id of the entry. svc removes a file-based entry from its file in the project.',
    params: wire.entryParamsSchema,
    ifMatch: true,
    run: ({ deps, actor, liveLens, params: { id }, ifMatch }) =>
      entries.deleteCertifiedEntry(deps, actor, liveLens, { id, ifMatch }),
  }),
  defineOperation('POST', '/lenses/:name/certified/:id/approve', {
    ...entryReply,
    id: 'approveCertifiedEntry',
    access: 'curator',
    summary: 'Approve an entry',
    description:
      'svc serves the entry from now on. You can also approve a suspended or retired entry. Its SQL must run on the current lens.',
    params: wire.entryParamsSchema,
    body: wire.approveEntryBodySchema.meta({ examples: [{ approved_by: 'ops@example.com' }] }),
    fails: ['upstream', 'timeout'],
    ifMatch: true,
    run: async (call) => {
      const { deps, actor, orgId, liveLens, params, body, ifMatch } = call;
      const target = await withWarehouse(call);
      await entries.approveCertifiedEntry(
        deps,
        actor,
        target,
        { id: params.id, ifMatch },
        body.approved_by ?? actor.name,
      );
      await deps.certifiedWatch.readDependencies(orgId, liveLens, params.id, target.warehouse);
      return entries.getEntry(deps, orgId, liveLens, params.id);
    },
  }),
  defineOperation('POST', '/lenses/:name/certified/:id/retire', {
    ...entryReply,
    id: 'retireCertifiedEntry',
    access: 'curator',
    summary: 'Take an entry out of service',
    description: 'svc keeps the entry in the history, and you can approve it again.',
    params: wire.entryParamsSchema,
    body: wire.retireEntryBodySchema.meta({ examples: [{ reason: 'Replaced by revenue-net' }] }),
    ifMatch: true,
    run: ({ deps, actor, liveLens, params: { id }, body: { reason = null }, ifMatch }) =>
      entries.retireCertifiedEntry(deps, actor, liveLens, { id, ifMatch }, reason),
  }),
  defineOperation('POST', '/lenses/:name/certified/:id/check', {
    id: 'checkCertifiedEntry',
    access: 'curator',
    summary: 'Check one entry now',
    description:
      'Checks that the entry’s SQL runs, uses only tables and fields of the lens, and satisfies the entry’s invariants. If an approved entry fails, svc suspends it and opens a ticket. If the entry failed only because its SQL didn’t run, svc restores the entry once the SQL runs and returns the same columns as at its approval.',
    params: wire.entryParamsSchema,
    result: wire.checkResultSchema,
    fails: ['upstream', 'timeout'],
    run: async (call) => {
      const { liveLens, warehouse } = await withWarehouse(call);
      const entry = await entries.getEntry(call.deps, call.orgId, liveLens, call.params.id);
      return checkAndAuditEntry(call.deps, call.actor, liveLens, entry, warehouse);
    },
  }),
  defineOperation('POST', '/lenses/:name/certified/check', {
    id: 'checkCertifiedEntries',
    access: 'curator',
    summary: 'Check every entry of a lens, except retired ones',
    description: 'Follow the run at GET /mgmt/runs/{run_id}; its result lists the findings.',
    ...runStartResponse,
    run: (call) =>
      startLensRun(call, { kind: 'certified.check_all' }, async (run) => {
        const { liveLens, warehouse } = await withWarehouse(call);
        return checkEntries(call.deps, call.orgId, liveLens, warehouse, run);
      }),
  }),
];
