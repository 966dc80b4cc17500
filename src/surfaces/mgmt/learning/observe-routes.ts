import { z } from 'zod';
import { pageQuerySchema } from '../../../contract/lens.ts';
import * as wire from '../../../contract/mgmt/observe.ts';
import type { Deps } from '../../../deps.ts';
import * as observe from '../../../domain/observe/observe.ts';
import { toWireObject } from '../../../platform/http/to-wire.ts';
import { isId } from '../../../platform/ids.ts';
import { createOperationFactory, type ResultOf } from '../../http/operation.ts';
import {
  createUnusableCursorProblem,
  decodeCursor,
  encodeCursor,
  readPageByOffset,
  selectPage,
} from '../../http/page.ts';

const defineOperation = createOperationFactory<Pick<Deps, 'tenancy' | 'traces' | 'clock'>>('observe');
const { since, until } = wire.periodQuerySchema.shape;

export const toRequestView = ({
  position: _,
  ...row
}: ResultOf<typeof observe.findRequests>['rows'][number]): z.infer<typeof wire.requestSummarySchema> => ({
  ...toWireObject(row),
  cost: Number(row.cost),
});

/** The schema of the reply picks the members of each group. */
const toAskCountsView = (tally: Omit<ResultOf<typeof observe.readKpis>['tally'], 'callers' | 'last_at' | 'rows'>) => ({
  ...{ asks: tally.asks, cost: tally.cost, status: tally, confidence: tally },
  certification: { ...tally, none: tally.uncertified },
  coverage:
    tally.asks === 0 ? null : Math.round(((tally.answered + tally.clarification) / tally.asks) * 10_000) / 10_000,
  mean_ms: tally.asks === 0 ? null : Math.round((tally.total_ms / tally.asks) * 100) / 100,
});

export const observeRoutes = [
  defineOperation('GET', '/observe/requests', {
    id: 'listRequests',
    summary: 'Requests, newest first',
    description:
      'Lists all asks, including refusals and failures. With `q` or several filters, a page can have fewer items than requested and still have a next page.',
    query: wire.requestsQuerySchema,
    result: wire.requestListSchema,
    run: async ({ deps, orgId, query: { limit, cursor, ...filter } }) => {
      const { rows, nextPosition } = await observe.findRequests(deps, orgId, filter, {
        limit,
        after: parseRequestCursor(cursor),
      });
      return {
        items: rows.map(toRequestView),
        next_cursor: nextPosition && encodeCursor(`${nextPosition.at}|${nextPosition.requestId}`),
      };
    },
  }),
  defineOperation('GET', '/observe/requests/:request_id', {
    id: 'getRequest',
    summary: 'One request in full',
    description:
      'Returns the question, the SQL, the steps with their times, the checks, the model calls with their costs, the guard report, the receipt, and the reviews with their rulings.',
    params: wire.requestParamsSchema,
    result: wire.requestDetailSchema,
    run: ({ deps, orgId, params }) => observe.getRequest(deps, orgId, params.request_id),
    view: ({ trace, reviews }) => ({
      ...trace.envelope,
      ...toWireObject(trace),
      model_calls: trace.modelCalls.map(toWireObject),
      reviews: reviews.map(toWireObject),
    }),
  }),
  defineOperation('GET', '/observe/kpis', {
    id: 'getKpis',
    summary: 'Key figures about volume, coverage, confidence, latency, cost and gaps',
    description:
      'The default period is the last 30 days, in whole hours. Percentiles and rankings use the newest 10,000 requests of the period.',
    query: wire.periodQuerySchema,
    result: wire.kpisSchema,
    run: async ({ deps, orgId, query: { since, until, ...filter } }) => {
      const period = observe.toReportPeriod({ since, until }, deps.clock.now());
      const { tally, sample } = await observe.readKpis(deps, orgId, period, filter);
      return {
        ...toIsoRange(period),
        ...toAskCountsView(tally),
        ...sample,
        callers: tally.callers,
        latency_ms: sample,
        cost_per_ask: tally.asks === 0 ? null : tally.cost / tally.asks,
      };
    },
  }),
  defineOperation('GET', '/observe/timeseries', {
    id: 'getTimeSeries',
    summary: 'Key figures by hour or by day',
    description:
      'By default, svc groups by hour for periods of up to three days, and by day (UTC) for longer periods. svc leaves out hours and days without asks.',
    query: wire.seriesQuerySchema,
    result: wire.seriesSchema,
    run: async ({ deps, orgId, query: { since, until, bucket, limit, cursor, ...filter } }) => {
      const period = observe.toReportPeriod({ since, until }, deps.clock.now());
      const series = await observe.readSeries(deps, orgId, period, filter, bucket);
      const rows = series.rows.map(({ at, ...tally }) => ({ at: at.toISOString(), ...toAskCountsView(tally) }));
      return { bucket: series.bucket, ...selectPage(rows, { limit, cursor }) };
    },
  }),
  defineOperation('GET', '/observe/callers', {
    id: 'listObservedCallers',
    summary: 'Callers, most asks first',
    description: 'Lists callers, admins and users who asked in the period, with their figures.',
    query: pageQuerySchema.extend({ since, until }),
    result: wire.observedCallerListSchema,
    run: ({ deps, orgId, query: { limit, cursor, ...bounds } }) => {
      const period = observe.toReportPeriod(bounds, deps.clock.now());
      return readPageByOffset(
        { limit, cursor },
        (page) => observe.readCallers(deps, orgId, period, page),
        ({ name, caller, last_at, ...tally }) => ({
          ...{ id: caller?.id ?? null, name, groups: caller?.groups ?? [] },
          ...toAskCountsView(tally),
          last_at: last_at.toISOString(),
        }),
      );
    },
  }),
  defineOperation('GET', '/observe/callers/:id', {
    id: 'getObservedCaller',
    summary: 'One caller with its figures, most frequent questions and latest requests',
    description: 'Finds the caller by its id or name.',
    query: z.strictObject({ since, until }),
    result: wire.observedCallerDetailSchema,
    run: async ({ deps, orgId, params, query }) => {
      const period = observe.toReportPeriod(query, deps.clock.now());
      const callerReport = await observe.readCaller(deps, orgId, params.id, period);
      return {
        ...{ id: callerReport.caller?.id ?? null, name: callerReport.name, groups: callerReport.caller?.groups ?? [] },
        ...toIsoRange(period),
        ...toAskCountsView(callerReport.tally),
        last_at: callerReport.tally.last_at?.toISOString() ?? null,
        top_questions: callerReport.sample.top_questions,
        recent: callerReport.recent.map(toRequestView),
      };
    },
  }),
];

const toIsoRange = ({ since, until }: { since: Date; until: Date }) => ({
  since: since.toISOString(),
  until: until.toISOString(),
});

function parseRequestCursor(cursor: string | undefined): Parameters<typeof observe.findRequests>[3]['after'] {
  const position = decodeCursor(cursor);
  if (position === null) return null;
  const [requestedAt = '', requestId = ''] = position.split('|');
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(requestedAt) || !isId(requestId))
    throw createUnusableCursorProblem();
  return { at: requestedAt, requestId };
}
