import { readSampleRows } from '../../ask/read-sample-rows.ts';
import * as wire from '../../contract/mgmt/lenses.ts';
import { createPagedOperation } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import { isSuperuser } from '../../domain/identity/principal.ts';
import { confirmFacts } from '../../domain/lenses/confirm-facts.ts';
import { getLiveLens } from '../../domain/lenses/get-live-lens.ts';
import { listFacts } from '../../domain/lenses/lens-facts.ts';
import { createOperationFactory } from '../http/operation.ts';
import { selectPage } from '../http/page.ts';

const defineOperation =
  createOperationFactory<Pick<Deps, 'tenancy' | 'warehouses' | 'project' | 'lenses' | 'clock' | 'untracedAsk'>>(
    'lenses (control plane)',
  );

export const factsRoutes = [
  defineOperation('GET', '/lenses/:name/facts', {
    id: 'listFacts',
    summary: 'Facts of a lens and their origin',
    description:
      'Lists inferred facts first, ordered by how many recent answers and sample questions depend on them. Facts that an author wrote are not listed.',
    ...createPagedOperation(wire.factSchema),
    run: async ({ deps, orgId, principal, params, query, createAskContext: askContext }) => {
      const liveLens = await getLiveLens(deps.lenses, orgId, params.name);
      const { items, next_cursor } = selectPage(await listFacts(deps, orgId, liveLens, deps.clock.now()), query);
      if (!isSuperuser(principal)) return { items, next_cursor };
      const rowsOf = await readSampleRows(deps.untracedAsk, askContext(), liveLens, items);
      return {
        items: items.map((fact) => {
          const rows = rowsOf(fact);
          return { ...fact, ...(rows && { sample_rows: rows }) };
        }),
        next_cursor,
      };
    },
  }),
  defineOperation('POST', '/lenses/:name/facts', {
    id: 'confirmFacts',
    access: 'curator',
    summary: 'Confirm or correct facts',
    description:
      'For a lens created through the API, svc publishes a new version. For a file-based lens, svc edits the files: GET /mgmt/project/export shows the edit, and the next apply merges it. Facts that are already confirmed do not change.',
    body: wire.confirmFactsBodySchema.meta({
      examples: [
        { confirm: ['join:orders.customer_no', 'time_field:orders'] },
        { confirm: 'proven_joins' },
        { correct: { 'time_field:orders': 'closed_at', 'aggregation:orders.amount': 'sum' } },
      ],
    }),
    result: wire.confirmationResultSchema,
    fails: ['upstream', 'timeout'],
    respondAsync: 'lens.facts',
    refusesFaultyFiles: true,
    run: async ({ deps, actor, params: { name }, body, signal }) => ({
      lens: name,
      ...(await confirmFacts(deps, actor, name, body, signal)),
    }),
  }),
];
