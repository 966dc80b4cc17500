// Facts of a lens: what a draft inferred, on what evidence, and a person's word that it is right.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { pageQuery } from '../../contract/lens.ts';
import * as wire from '../../contract/mgmt/facts.ts';
import { lensParams, listOf, runStarted } from '../../contract/mgmt/shared.ts';
import type { Deps } from '../../deps.ts';
import { isSuperuser } from '../../domain/identity/principal.ts';
import { confirmFacts } from '../../domain/lenses/confirm-facts.ts';
import { getServedLens } from '../../domain/lenses/get-served-lens.ts';
import { type ListedFact, listFacts } from '../../domain/lenses/lens-facts.ts';
import type { ServedLens } from '../../domain/lenses/lens-repository.ts';
import { joinFor } from '../../lens/model/facts.ts';
import type { Lens, LensFact } from '../../lens/model/lens.ts';
import { inParallel } from '../../platform/schedule/in-parallel.ts';
import { disconnectSignal } from '../http/disconnect-signal.ts';
import { pageOf } from '../http/page.ts';
import { runOnce } from '../http/run-once.ts';
import { refusedResponse, replyIfRefused } from './refuse-with-problems.ts';
import { orRun, preferHeader } from './respond-async.ts';
import { actorOf, changing, reading } from './route-parts.ts';

const TAG = 'lenses (control plane)';
const ROWS_MS = 5_000; // for the rows of one page
const COLUMNS = 4;

export function factsRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.get(
    '/lenses/:name/facts',
    {
      schema: {
        ...reading(TAG, listOf(wire.fact), 'not_found', 'invalid'),
        operationId: 'listFacts',
        summary: 'Where the facts of a lens come from',
        description:
          'Inferred facts first, ordered by how many recent answers and sample questions depend on them. Facts that an author wrote are not listed.',
        params: lensParams,
        querystring: pageQuery,
      },
    },
    async (request, reply) => {
      const { principal, params, query } = request;
      const served = await getServedLens(deps.lenses, principal.orgId, params.name);
      const page = pageOf(await listFacts(deps, principal.orgId, served, deps.clock.now()), query);
      const rowsOf = isSuperuser(principal) ? await sampleRows(deps, request, reply, served, page.items) : () => null;
      return {
        items: page.items.map((fact) => {
          const rows = rowsOf(fact);
          return { ...fact, ...(rows && { sample_rows: rows }) };
        }),
        next_cursor: page.next_cursor,
      };
    },
  );

  const schema = changing(TAG, 200, wire.factsConfirmed, 'not_found', 'upstream', 'timeout');
  app.post(
    '/lenses/:name/facts',
    {
      schema: {
        ...schema,
        response: { ...schema.response, 202: runStarted, ...refusedResponse },
        headers: preferHeader,
        operationId: 'confirmFacts',
        summary: 'Confirm or correct facts',
        description:
          'Edits the lens: svc publishes a new version, or edits the files of a file-based lens, which GET /mgmt/project/export shows and the next apply merges. Facts that are already confirmed do not change.',
        params: lensParams,
        body: wire.confirmFactsBody.meta({
          examples: [
            { confirm: ['join:orders.customer_no', 'time_field:orders'] },
            { confirm: 'proven_joins' },
            { correct: { 'time_field:orders': 'closed_at', 'aggregation:orders.amount': 'sum' } },
          ],
        }),
      },
    },
    (request, reply) =>
      replyIfRefused(request, reply, () =>
        runOnce(deps, request, reply, () =>
          orRun(deps, request, reply, 'lens.facts', async ({ signal }) => ({
            lens: request.params.name,
            ...(await confirmFacts(
              deps,
              actorOf(request),
              request.params.name,
              request.body,
              signal ?? disconnectSignal(reply),
            )),
          })),
        ),
      ),
  );
}

type Rows = NonNullable<wire.Fact['sample_rows']>;

/** Two rows for each fact, as an admin would be answered; facts of the same columns share a read. */
async function sampleRows(
  deps: Deps,
  { principal, id: requestId }: FastifyRequest,
  reply: FastifyReply,
  served: ServedLens,
  facts: readonly ListedFact[],
): Promise<(fact: ListedFact) => Rows | null> {
  const signal = AbortSignal.any([disconnectSignal(reply), AbortSignal.timeout(ROWS_MS)]);
  const context = { principal, requestId, surface: 'mgmt' as const, client: null, signal };
  const ask = deps.sideAsk(served);
  const listings = new Map(
    facts.flatMap((fact) => {
      const listing = listingOf(served.lens, fact);
      return listing ? [[JSON.stringify(listing), listing] as const] : [];
    }),
  );
  const read = await inParallel(
    [...listings],
    3,
    async ([key, { rows, dimensions }]): Promise<[string, Rows | null]> => {
      if (signal.aborted) return [key, null];
      const body = { rows, dimensions, limit: 2, format: 'structured' as const };
      const found = await ask.metrics(context, served.name, body).catch(() => null);
      return [key, found?.data ?? null];
    },
  );
  const found = new Map(read);
  return (fact) => found.get(JSON.stringify(listingOf(served.lens, fact))) ?? null;
}

/** The columns that a fact is about, and what tells its rows apart. */
function listingOf(lens: Lens, fact: LensFact): { rows: string; dimensions: string[] } | null {
  const [name = '', own = ''] = fact.of.split(', ')[0]!.split('.');
  const fieldsOf = (dataset: string, columns: readonly string[]): string[] => {
    const fields = lens.datasets.find((one) => one.name === dataset)?.fields ?? [];
    const told = [...columns, ...fields.filter(({ datatype }) => datatype === 'string').map((field) => field.name)];
    return [...new Set(told)].filter((column) => fields.some((field) => field.name === column));
  };
  const dataset = lens.datasets.find((one) => one.name === name);
  if (!dataset) return null;
  if (fact.kind === 'join') {
    const join = joinFor(lens, fact);
    if (!join) return null;
    const { from, to, role } = join;
    const many = fieldsOf(name, from.columns).slice(0, from.columns.length);
    const one = fieldsOf(to.dataset, to.columns).slice(0, to.columns.length + 1);
    return {
      rows: name,
      dimensions: [...many.map((field) => `${name}.${field}`), ...one.map((field) => `${role}.${field}`)],
    };
  }
  const first = fact.kind === 'key' || fact.kind === 'time_field' ? fact.says.split(', ') : [own];
  const shown = fieldsOf(name, [...first, ...dataset.primaryKey]).slice(0, Math.max(COLUMNS, first.length));
  return shown.length > 0 ? { rows: name, dimensions: shown.map((field) => `${name}.${field}`) } : null;
}
