// Routes that list, propose, search, change and delete the certified entries of a lens.
import { searchCertified } from '../../../ask/search-certified.ts';
import * as wire from '../../../contract/mgmt/certified.ts';
import { lensParams } from '../../../contract/mgmt/shared.ts';
import type { Deps } from '../../../deps.ts';
import * as entries from '../../../domain/certified/entries.ts';
import { defineOperations } from '../../http/operation.ts';
import { byText, pageByKey, pageOf } from '../../http/page.ts';
import { readLensAndWarehouse, readServedLens } from '../served-with-warehouse.ts';
import { entryRevision, entryView } from './certified-views.ts';

type RouteDeps = Pick<Deps, 'tenancy' | 'lenses' | 'warehouses' | 'project' | 'clock' | 'library' | 'exactBand'>;
const operation = defineOperations<RouteDeps>('certified');
const EXAMPLE = {
  question: 'What is revenue by region?',
  also_asked: ['Show me sales per region'],
  sql: 'select region, sum(sales) as revenue from main.orders group by region order by 2 desc',
  invariants: { min_rows: 4 },
};

export const certifiedRoutes = [
  operation('GET', '/lenses/:name/certified', {
    id: 'listCertifiedEntries',
    summary: 'Certified entries of a lens, in every status',
    description: 'Includes the origin, the dependencies and the last check of each entry.',
    access: 'any viewer',
    params: lensParams,
    query: wire.entryQuery,
    result: wire.entryList,
    run: async ({ deps, orgId, params, query: { status, ...page } }) => {
      const liveLens = await readServedLens({ deps, orgId, params });
      return pageByKey(
        byText('certId'),
        page,
        (pageRequest) => entries.listCertified(deps, orgId, liveLens, { status }, pageRequest),
        (entry) => entryView({ lens: liveLens.name, entry }),
      );
    },
  }),
  operation('POST', '/lenses/:name/certified', {
    id: 'createCertifiedEntry',
    access: 'curator',
    summary: 'Propose a certified entry',
    description: 'Creates a draft. svc checks it with the guard and the warehouse, and serves it once it is approved.',
    params: lensParams,
    body: wire.newEntryBody.meta({ examples: [EXAMPLE] }),
    status: 201,
    result: wire.entry,
    fails: ['upstream', 'timeout'],
    run: async (call) => {
      const { liveLens, warehouse } = await readLensAndWarehouse(call);
      const { cert_id: certId, also_asked: alsoAsked, notes = null, invariants = null, ...body } = call.body;
      const text = { ...body, certId, alsoAsked, notes, invariants };
      return {
        lens: liveLens.name,
        entry: await entries.createCertified(call.deps, call.actor, { liveLens, warehouse }, text),
      };
    },
    view: entryView,
  }),
  operation('GET', '/lenses/:name/certified/search', {
    id: 'searchCertifiedEntries',
    summary: 'Certified entries most similar to a question, in every status',
    description:
      'Lists for each entry how it differs from the question: a number, a date, a value, a negation, a direction, a grain, a measure, or a grouping.',
    access: 'any viewer',
    params: lensParams,
    query: wire.entrySearchQuery,
    result: wire.entrySearch,
    fails: ['upstream', 'timeout'],
    run: async ({ deps, orgId, params, query: { q, status, ...page } }) => {
      const liveLens = await readServedLens({ deps, orgId, params });
      const { items, next_cursor } = pageOf(await searchCertified(deps, orgId, liveLens, q, { status }), page);
      return {
        items: items.map(({ entry, similarity, differs }) => ({
          ...entryView({ lens: liveLens.name, entry }),
          similarity,
          differs: differs(),
        })),
        next_cursor,
        exact_band: deps.exactBand,
        embedder: deps.library.embedderName,
      };
    },
  }),
  operation('GET', '/lenses/:name/certified/:id', {
    id: 'getCertifiedEntry',
    summary: 'One certified entry',
    description: 'Includes the dependencies and the last check. Send the ETag as If-Match to change the entry.',
    access: 'any viewer',
    params: wire.entryParams,
    result: wire.entry,
    run: async (call) => {
      const liveLens = await readServedLens(call);
      return { lens: liveLens.name, entry: await entries.getEntry(call.deps, call.orgId, liveLens, call.params.id) };
    },
    revision: entryRevision,
    view: entryView,
  }),
  operation('PATCH', '/lenses/:name/certified/:id', {
    id: 'changeCertifiedEntry',
    access: 'curator',
    summary: 'Change an entry',
    description:
      'If you change the question, SQL or parameters, the entry becomes a draft again. For a file-based entry, svc writes the change to the entry’s file in the project.',
    params: wire.entryParams,
    body: wire.changeEntryBody.meta({ examples: [{ also_asked: ['Sales by region'] }] }),
    result: wire.entry,
    fails: ['upstream', 'timeout'],
    ifMatch: true,
    run: async (call) => {
      const { liveLens, warehouse } = await readLensAndWarehouse(call);
      const { also_asked, ...body } = call.body;
      const change = { ...body, ...(also_asked && { alsoAsked: also_asked }) };
      const definedChange = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      const { deps, actor, params, ifMatch } = call;
      const entry = await entries.changeCertified(
        deps,
        actor,
        { liveLens, warehouse },
        { id: params.id, ifMatch },
        definedChange,
      );
      return { lens: liveLens.name, entry };
    },
    revision: entryRevision,
    view: entryView,
  }),
  operation('DELETE', '/lenses/:name/certified/:id', {
    id: 'deleteCertifiedEntry',
    access: 'curator',
    summary: 'Delete an entry',
    description:
      'svc keeps the traces and receipts that contain the id of the entry. svc removes a file-based entry from its file in the project.',
    params: wire.entryParams,
    ifMatch: true,
    run: async (call) => {
      const liveLens = await readServedLens(call);
      await entries.deleteCertified(call.deps, call.actor, liveLens, { id: call.params.id, ifMatch: call.ifMatch });
    },
  }),
];
