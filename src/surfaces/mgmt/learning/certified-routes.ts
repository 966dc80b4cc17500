// The certified corpus of a lens: list, propose, search, change, delete.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { differencesOf } from '../../../ask/read/match-certified.ts';
import * as wire from '../../../contract/mgmt/certified.ts';
import { lensParams, ok } from '../../../contract/mgmt/shared.ts';
import type { Deps } from '../../../deps.ts';
import { listEntries, type StoredEntry } from '../../../domain/certified/entry-repository.ts';
import {
  changeCertified,
  createCertified,
  deleteCertified,
  entryRevision,
  getEntry,
} from '../../../domain/certified/keep-entries.ts';
import { getServedLens } from '../../../domain/lenses/get-served-lens.ts';
import type { ServedLens } from '../../../domain/lenses/lens-repository.ts';
import { pageOf } from '../../http/page.ts';
import { runOnce } from '../../http/run-once.ts';
import { pageAfter } from '../page-after.ts';
import { actorOf, changing, ifMatch, reading, tagged } from '../route-parts.ts';
import { entryView } from './certified-views.ts';

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
        summary: 'Certified entries of a lens, in every status',
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
        summary: 'Propose a certified entry',
        description:
          'Creates a draft. svc checks it with the guard and the warehouse, and serves it once it is approved.',
        params: lensParams,
        body: wire.createEntry.meta({ examples: [EXAMPLE] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
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
        summary: 'Certified entries most similar to a question, in every status',
        description:
          'Each with its difference from the question: a number, a date, a value, a negation, a direction, a grain, a measure, or a grouping.',
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
        items: items.map((near) => ({
          ...entryView(served.name, near.entry as StoredEntry),
          similarity: near.similarity,
          differs: differencesOf(served, near, query.q),
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
        description: 'With its dependencies and last check. Send its ETag as If-Match to change it.',
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
          'If you change the question, SQL or parameters, the entry becomes a draft again. svc writes the change of a file-based entry to its file in the project.',
        params: wire.entryParams,
        body: wire.changeEntry.meta({ examples: [{ also_asked: ['Sales by region'] }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
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
          'Traces and receipts with its id stay. svc removes a file-based entry from its file in the project.',
        params: wire.entryParams,
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const served = await lensOf(request.principal.orgId, request.params.name);
        await deleteCertified(deps, actorOf(request), served, request.params.id, ifMatch(request));
        return { status: 200, body: { ok: true as const } };
      }),
  );
}
