// The certified corpus of a lens: propose, approve, check, retire, search.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import * as wire from '../../contract/mgmt/certified.ts';
import { lensParams, ok, runStarted } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import { audit } from '../../domain/audit/audited.ts';
import { checkEntry } from '../../domain/certified/check-entry.ts';
import { listEntries, type StoredEntry } from '../../domain/certified/entry-repository.ts';
import {
  approveCertified,
  changeCertified,
  createCertified,
  deleteCertified,
  entryRevision,
  getEntry,
  retireCertified,
} from '../../domain/certified/keep-entries.ts';
import { getServedLens } from '../../domain/lenses/get-served-lens.ts';
import type { ServedLens } from '../../domain/lenses/lens-repository.ts';
import { meaningDiffers } from '../../planner/meaning-check.ts';
import { once } from '../once.ts';
import { pageOf } from '../page.ts';
import { round } from './observe-views.ts';
import { pageAfter } from './page-after.ts';
import { actorOf, changing, ifMatch, reading, tagged } from './route-parts.ts';

const EXAMPLE = {
  question: 'What is revenue by region?',
  also_asked: ['Show me sales per region'],
  sql: 'select region, sum(sales) as revenue from main.orders group by region order by 2 desc',
  invariants: { min_rows: 4 },
};

export function certifiedRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const lensOf = (orgId: string, name: string) => getServedLens(deps.lenses, orgId, name);
  const warehouseOf = (orgId: string, { lens }: ServedLens) => deps.warehouses.get(orgId, lens.connection);
  const tag = 'certified';

  app.get(
    '/lenses/:name/certified',
    {
      schema: {
        ...reading(tag, wire.entryList, 'not_found', 'invalid'),
        operationId: 'listCertifiedEntries',
        summary: 'Certified entries of a lens, whatever their status',
        description: 'With where each came from, what it depends on and what its last check found.',
        params: lensParams,
        querystring: wire.entryQuery,
      },
    },
    async ({ principal, params, query: { status, ...page } }) => {
      const served = await lensOf(principal.orgId, params.name);
      const read = (at: { limit: number; after: string | null }) =>
        deps.tenancy.inTenant(principal.orgId, (db) => listEntries(db, served.lensId, { status }, at));
      return pageAfter(
        page,
        read,
        ({ certId }) => certId,
        (row) => entryView(served.name, row),
        'names',
      );
    },
  );

  app.post(
    '/lenses/:name/certified',
    {
      schema: {
        ...changing(tag, 201, wire.entry, 'not_found', 'upstream', 'timeout'),
        operationId: 'createCertifiedEntry',
        summary: 'Propose an entry',
        description: 'As a draft: it is checked against guard and warehouse now, and served once it is approved.',
        params: lensParams,
        body: wire.createEntry.meta({ examples: [EXAMPLE] }),
      },
    },
    (request, reply) =>
      once(deps, request, reply, async () => {
        const served = await lensOf(request.principal.orgId, request.params.name);
        const { cert_id, also_asked, notes, invariants, ...body } = request.body;
        const text = {
          ...body,
          certId: cert_id,
          alsoAsked: also_asked,
          notes: notes ?? null,
          invariants: invariants ?? null,
        };
        const made = await createCertified(
          deps,
          actorOf(request),
          served,
          await warehouseOf(request.principal.orgId, served),
          text,
        );
        return { status: 201, body: entryView(served.name, made) };
      }),
  );

  app.get(
    '/lenses/:name/certified/search',
    {
      schema: {
        ...reading(tag, wire.entrySearch, 'not_found', 'invalid', 'upstream', 'timeout'),
        operationId: 'searchCertifiedEntries',
        summary: 'Entries nearest to a question, whatever their status',
        description:
          'With what tells each apart from the question: a number, a date, a value, a negation, a direction, a grain, a measure, a grouping.',
        params: lensParams,
        querystring: wire.entrySearchQuery,
      },
    },
    async ({ principal, params, query }) => {
      const served = await lensOf(principal.orgId, params.name);
      const all = await deps.tenancy.inTenant(principal.orgId, (db) =>
        listEntries(db, served.lensId, { status: query.status }, { limit: null, after: null }),
      );
      const corpus = { ...served, lens: { ...served.lens }, certified: new Map(all.map((one) => [one.certId, one])) };
      const { items, next_cursor } = pageOf(await deps.library.rank(corpus, query.q, all.length), query);
      return {
        items: items.map(({ entry, similarity, phrase }) => ({
          ...entryView(served.name, entry as StoredEntry),
          similarity: round(similarity),
          differs: meaningDiffers(served.lens, phrase, query.q),
        })),
        next_cursor,
        exact_band: deps.exactBand,
        embedder: deps.library.embedderName,
      };
    },
  );

  app.get(
    '/lenses/:name/certified/:id',
    {
      schema: {
        ...reading(tag, wire.entry, 'not_found'),
        operationId: 'getCertifiedEntry',
        summary: 'One certified entry',
        description: 'As it is kept, with its dependencies and its last check. ETag is what If-Match takes.',
        params: wire.entryParams,
      },
    },
    async ({ principal, params }, reply) => {
      const served = await lensOf(principal.orgId, params.name);
      const found = await getEntry(deps, principal.orgId, served, params.id);
      tagged(reply, entryRevision(found));
      return entryView(served.name, found);
    },
  );

  app.patch(
    '/lenses/:name/certified/:id',
    {
      schema: {
        ...changing(tag, 200, wire.entry, 'not_found', 'upstream', 'timeout', 'precondition_failed'),
        operationId: 'changeCertifiedEntry',
        summary: 'Change an entry',
        description:
          'A changed question, SQL or parameter makes it a draft again. Entries of files are refused with 409, naming the file.',
        params: wire.entryParams,
        body: wire.changeEntry.meta({ examples: [{ also_asked: ['Sales by region'] }] }),
      },
    },
    (request, reply) =>
      once(deps, request, reply, async () => {
        const served = await lensOf(request.principal.orgId, request.params.name);
        const { also_asked, ...body } = request.body;
        const change = { ...body, ...(also_asked && { alsoAsked: also_asked }) };
        const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
        const warehouse = await warehouseOf(request.principal.orgId, served);
        const { id } = request.params;
        const changed = await changeCertified(deps, actorOf(request), served, warehouse, id, given, ifMatch(request));
        tagged(reply, entryRevision(changed));
        return { status: 200, body: entryView(served.name, changed) };
      }),
  );

  app.delete(
    '/lenses/:name/certified/:id',
    {
      schema: {
        ...changing(tag, 200, ok, 'not_found', 'precondition_failed'),
        operationId: 'deleteCertifiedEntry',
        summary: 'Delete an entry',
        description:
          'Traces and receipts that name it stay as they are. Entries of files are refused with 409, naming the file.',
        params: wire.entryParams,
      },
    },
    (request, reply) =>
      once(deps, request, reply, async () => {
        const served = await lensOf(request.principal.orgId, request.params.name);
        await deleteCertified(deps, actorOf(request), served, request.params.id, ifMatch(request));
        return { status: 200, body: { ok: true as const } };
      }),
  );

  app.post(
    '/lenses/:name/certified/:id/approve',
    {
      schema: {
        ...changing(tag, 200, wire.entry, 'not_found', 'upstream', 'timeout', 'precondition_failed'),
        operationId: 'approveCertifiedEntry',
        summary: 'Approve an entry: from now on it is served as it stands',
        description: 'Also brings back one that was suspended or retired, as the lens is now. Its SQL must run.',
        params: wire.entryParams,
        body: wire.approveEntry.meta({ examples: [{ approved_by: 'ops@example.com' }] }),
      },
    },
    (request, reply) =>
      once(deps, request, reply, async () => {
        const served = await lensOf(request.principal.orgId, request.params.name);
        const warehouse = await warehouseOf(request.principal.orgId, served);
        const by = request.body.approved_by ?? request.principal.name;
        const { id } = request.params;
        await approveCertified(deps, actorOf(request), served, warehouse, id, by, ifMatch(request));
        await deps.certifiedWatch.dependencies(request.principal.orgId, served, id, warehouse);
        const approved = await getEntry(deps, request.principal.orgId, served, id);
        tagged(reply, entryRevision(approved));
        return { status: 200, body: entryView(served.name, approved) };
      }),
  );

  app.post(
    '/lenses/:name/certified/:id/retire',
    {
      schema: {
        ...changing(tag, 200, wire.entry, 'not_found', 'precondition_failed'),
        operationId: 'retireCertifiedEntry',
        summary: 'Take an entry out of service',
        description: 'It stays in history and can be approved again.',
        params: wire.entryParams,
        body: wire.retireEntry.meta({ examples: [{ reason: 'Replaced by revenue-net' }] }),
      },
    },
    (request, reply) =>
      once(deps, request, reply, async () => {
        const served = await lensOf(request.principal.orgId, request.params.name);
        const made = await retireCertified(
          deps,
          actorOf(request),
          served,
          request.params.id,
          request.body.reason ?? null,
          ifMatch(request),
        );
        tagged(reply, entryRevision(made));
        return { status: 200, body: entryView(served.name, made) };
      }),
  );

  app.post(
    '/lenses/:name/certified/:id/check',
    {
      schema: {
        ...changing(tag, 200, wire.checkResult, 'not_found', 'upstream', 'timeout'),
        operationId: 'checkCertifiedEntry',
        summary: 'Check one entry now',
        description:
          'Whether it runs, reads only what the lens lists, and keeps its invariants. An approved entry that fails is suspended, with a ticket; one that was suspended because its SQL did not run is served again when it runs as it did at its approval.',
        params: wire.entryParams,
      },
    },
    (request, reply) =>
      once(deps, request, reply, async () => {
        const { orgId } = request.principal;
        const served = await lensOf(orgId, request.params.name);
        const entry = await getEntry(deps, orgId, served, request.params.id);
        const found = await checkEntry(deps, orgId, served, entry, await warehouseOf(orgId, served));
        await audit(deps, actorOf(request), {
          action: 'certified.check',
          objectKind: 'certified',
          objectId: `${served.name}/${entry.certId}`,
          after: { ok: found.ok, status: found.status },
        });
        return { status: 200, body: found };
      }),
  );

  app.post(
    '/lenses/:name/certified/check',
    {
      schema: {
        ...changing(tag, 202, runStarted, 'not_found'),
        operationId: 'checkCertifiedEntries',
        summary: 'Check every entry of a lens that is not retired',
        description: 'Follow it at GET /mgmt/runs/{run_id}; its result lists the findings.',
        params: lensParams,
      },
    },
    (request, reply) =>
      once(deps, request, reply, async () => {
        const actor = actorOf(request);
        const served = await lensOf(actor.orgId, request.params.name);
        const asked = { kind: 'certified.check_all', about: { kind: 'lens', id: served.name } };
        const run_id = await deps.runs.start(actor, asked, async ({ report, signal }) => {
          const warehouse = await warehouseOf(actor.orgId, served);
          const all = await deps.tenancy.inTenant(actor.orgId, (db) =>
            listEntries(db, served.lensId, {}, { limit: null, after: null }),
          );
          const due = all.filter(({ status }) => status !== 'retired');
          const items = [];
          for (const [done, entry] of due.entries()) {
            signal.throwIfAborted();
            report({ done, total: due.length });
            items.push(await checkEntry(deps, actor.orgId, served, entry, warehouse, signal));
          }
          report({ done: due.length, total: due.length });
          return {
            lens: served.name,
            checked: items.length,
            failed: items.filter((item) => !item.ok).length,
            suspended: items.filter((item) => item.suspended).length,
            restored: items.filter((item) => item.restored).length,
            items,
          };
        });
        return { status: 202, body: { run_id } };
      }),
  );
}

export const entryView = (lens: string, entry: StoredEntry): z.infer<typeof wire.entry> => ({
  cert_id: entry.certId,
  lens,
  question: entry.question,
  also_asked: entry.alsoAsked,
  sql: entry.sql,
  parameters: entry.parameters,
  approved_by: entry.approvedBy,
  approved_at: entry.approvedAt,
  status: entry.status,
  status_reason: entry.statusReason,
  notes: entry.notes,
  origin: entry.origin,
  path: entry.path,
  invariants: entry.invariants,
  dependencies: entry.dependencies && {
    tables: entry.dependencies.tables,
    columns: entry.dependencies.columns,
    meanings: Object.keys(entry.dependencies.meanings),
  },
  last_check: entry.lastCheck,
  created_at: entry.createdAt.toISOString(),
  updated_at: entry.updatedAt.toISOString(),
});
