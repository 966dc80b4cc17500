// What happens on this installation: sums, lists, one request in full, exports.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { pageQuery } from '../../../contract/lens.ts';
import * as wire from '../../../contract/mgmt/observe.ts';
import { idParams } from '../../../contract/mgmt/shared.ts';
import type { Deps } from '../../../deps.ts';
import {
  eachRequest,
  findRequests,
  NO_ASKS,
  periodOf,
  readCaller,
  readCallers,
  readKpis,
  readSeries,
} from '../../../domain/observe/observe.ts';
import type { Place, RequestRow } from '../../../domain/observe/request-repository.ts';
import { reviewsOf } from '../../../domain/reviews/review-repository.ts';
import { inPieces } from '../../../platform/http/write-json.ts';
import { isId } from '../../../platform/ids.ts';
import { Problem } from '../../../platform/problem.ts';
import { csvCell, escapeFormula } from '../../http/csv.ts';
import { decodeCursor, encodeCursor, pageOf, unusableCursor } from '../../http/page.ts';
import { stillAdmin } from '../admin-only.ts';
import { reading } from '../route-parts.ts';
import { requestDetailView, requestView, tallyView } from './observe-views.ts';

export function observeRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.get(
    '/observe/requests',
    {
      schema: {
        ...reading('observe', wire.requestList, 'invalid'),
        operationId: 'listRequests',
        summary: 'Requests, newest first',
        description:
          'All asks, with refusals and failures. With `q` or several filters, a page can have fewer items than requested and still have a next page.',
        querystring: wire.requestsQuery,
      },
    },
    async ({ principal, query: { limit, cursor, ...filter } }) => {
      const { rows, next } = await findRequests(deps, principal.orgId, filter, { limit, after: placeIn(cursor) });
      return { items: rows.map(requestView), next_cursor: next && encodeCursor(`${next.at}|${next.requestId}`) };
    },
  );

  app.get(
    '/observe/requests/:request_id',
    {
      schema: {
        ...reading('observe', wire.requestDetail, 'not_found'),
        operationId: 'getRequest',
        summary: 'One request in full',
        description:
          'Question, SQL, steps with times, checks, model calls with costs, guard report, receipt, and reviews with rulings.',
        params: wire.requestParams,
      },
    },
    async ({ principal, params }) => {
      const trace = await deps.traces.find(principal.orgId, params.request_id);
      if (!trace)
        throw new Problem('not_found', 'There is no request with this id. GET /mgmt/observe/requests lists them.', {
          param: 'request_id',
        });
      return requestDetailView(
        trace,
        await deps.tenancy.inTenant(principal.orgId, (db) => reviewsOf(db, trace.requestId)),
      );
    },
  );

  app.get(
    '/observe/kpis',
    {
      schema: {
        ...reading('observe', wire.kpis, 'invalid'),
        operationId: 'getKpis',
        summary: 'Key figures: volume, coverage, confidence, latency, cost, gaps',
        description:
          'By default for the last 30 days, in whole hours. Percentiles and rankings use the newest 10,000 requests of the period. You can filter the sums by caller, lens or surface; if you give several, the first applies.',
        querystring: wire.periodQuery,
      },
    },
    async ({ principal, query: { since, until, ...narrow } }) => {
      const period = periodOf({ since, until }, deps.clock.now());
      const { tally, callers, sample } = await readKpis(deps, principal.orgId, period, narrow);
      const { p50, p95, p99, of, top_questions, top_gaps, slowest } = sample;
      return {
        ...within(period),
        ...tallyView(tally),
        callers,
        latency_ms: { p50, p95, p99, of },
        cost_per_ask: tally.asks === 0 ? null : tally.cost / tally.asks,
        top_questions,
        top_gaps,
        slowest,
      };
    },
  );

  app.get(
    '/observe/timeseries',
    {
      schema: {
        ...reading('observe', wire.series, 'invalid'),
        operationId: 'getTimeSeries',
        summary: 'Key figures by hour or by day',
        description: 'By hour for up to three days, otherwise by day (UTC). Hours without asks are left out.',
        querystring: wire.seriesQuery,
      },
    },
    async ({ principal, query: { since, until, bucket, limit, cursor, ...narrow } }) => {
      const series = await readSeries(
        deps,
        principal.orgId,
        periodOf({ since, until }, deps.clock.now()),
        narrow,
        bucket,
      );
      return {
        bucket: series.bucket,
        ...pageOf(
          series.rows.map(({ at, ...tally }) => ({ at: at.toISOString(), ...tallyView(tally) })),
          { limit, cursor },
        ),
      };
    },
  );

  app.get(
    '/observe/callers',
    {
      schema: {
        ...reading('observe', wire.observedCallerList, 'invalid'),
        operationId: 'listObservedCallers',
        summary: 'Callers, most asks first',
        description: 'Callers, admins and users who asked in the period, with their figures.',
        querystring: pageQuery.extend({ since: wire.periodQuery.shape.since, until: wire.periodQuery.shape.until }),
      },
    },
    async ({ principal, query: { limit, cursor, ...given } }) => {
      const offset = Number(decodeCursor(cursor) ?? '0');
      if (!Number.isSafeInteger(offset) || offset < 0) throw unusableCursor();
      const rows = await readCallers(deps, principal.orgId, periodOf(given, deps.clock.now()), {
        limit: limit + 1,
        offset,
      });
      return {
        items: rows.slice(0, limit).map(({ value, caller, last_at, ...tally }) => ({
          ...{ id: caller?.id ?? null, name: value, groups: caller?.groups ?? [] },
          ...tallyView(tally),
          last_at: last_at.toISOString(),
        })),
        next_cursor: rows.length > limit ? encodeCursor(String(offset + limit)) : null,
      };
    },
  );

  app.get(
    '/observe/callers/:id',
    {
      schema: {
        ...reading('observe', wire.observedCallerDetail, 'not_found', 'invalid'),
        operationId: 'getObservedCaller',
        summary: 'One caller: figures, most frequent questions, latest requests',
        description: 'By id or by name.',
        params: idParams,
        querystring: z.strictObject({ since: wire.periodQuery.shape.since, until: wire.periodQuery.shape.until }),
      },
    },
    async ({ principal, params, query }) => {
      const period = periodOf(query, deps.clock.now());
      const found = await readCaller(deps, principal.orgId, params.id, period);
      if (!found)
        throw new Problem(
          'not_found',
          'No one with this id or name has asked. GET /mgmt/observe/callers lists callers with asks.',
          { param: 'id' },
        );
      return {
        ...{ id: found.caller?.id ?? null, name: found.name, groups: found.caller?.groups ?? [] },
        ...within(period),
        ...tallyView(found.tally ?? NO_ASKS),
        last_at: found.tally?.last_at.toISOString() ?? null,
        top_questions: found.sample.top_questions,
        recent: found.recent.map(requestView),
      };
    },
  );

  app.get(
    '/observe/export',
    {
      schema: {
        ...reading('observe', z.string(), 'invalid'),
        operationId: 'exportRequests',
        summary: 'Export matching requests as CSV or NDJSON',
        description:
          'Same filters and members as the list, streamed. The stream breaks off when the credential is revoked. In CSV, cells that a spreadsheet would read as a formula start with an apostrophe.',
        querystring: wire.exportQuery,
        response: {
          ...reading('observe', z.string(), 'invalid').response,
          200: {
            description: 'One line for each request, newest first',
            content: {
              'text/csv': {
                schema: z
                  .string()
                  .meta({ examples: ['request_id,at,caller\n0192f0c1-…,2026-01-31T09:30:00.000Z,ada\n'] }),
              },
              'application/x-ndjson': {
                schema: z.string().meta({ examples: ['{"request_id": "0192f0c1-…", "caller": "ada"}\n'] }),
              },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { format, ...filter } = request.query;
      const rows = eachRequest(deps, request.principal.orgId, filter, () => stillAdmin(deps, request));
      reply.header('content-disposition', `attachment; filename="requests.${format}"`);
      const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
      const lines = format === 'csv' ? csvLines(rows) : jsonLines(rows);
      return reply.type(`${type}; charset=utf-8`).send(inPieces(lines) as never);
    },
  );
}

async function* jsonLines(rows: AsyncIterable<RequestRow>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(requestView(row))}\n`;
}

async function* csvLines(rows: AsyncIterable<RequestRow>): AsyncGenerator<string> {
  const names = Object.keys(wire.requestSummary.shape) as (keyof ReturnType<typeof requestView>)[];
  yield `${names.join(',')}\n`;
  for await (const row of rows) {
    const view = requestView(row);
    const cells = names.map((name) => view[name]);
    yield `${cells.map((cell) => csvCell(typeof cell === 'string' ? escapeFormula(cell) : cell)).join(',')}\n`;
  }
}

const within = ({ since, until }: { since: Date; until: Date }) => ({
  since: since.toISOString(),
  until: until.toISOString(),
});

function placeIn(cursor: string | undefined): Place | null {
  const place = decodeCursor(cursor);
  if (place === null) return null;
  const [at = '', requestId = ''] = place.split('|');
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(at) || !isId(requestId)) throw unusableCursor();
  return { at, requestId };
}
