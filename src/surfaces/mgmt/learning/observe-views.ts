// Converts traces to the shape of the API.

import type { z } from 'zod';
import type * as wire from '../../../contract/mgmt/observe.ts';
import type { findRequests, getRequest, readKpis } from '../../../domain/observe/observe.ts';
import { wireOf } from '../../../platform/http/wire-of.ts';
import type { ResultOf } from '../../http/operation.ts';

export const requestView = ({
  place: _,
  ...row
}: ResultOf<typeof findRequests>['rows'][number]): z.infer<typeof wire.requestSummary> => ({
  ...wireOf(row),
  cost: Number(row.cost),
});

export const requestDetailView = ({
  trace,
  reviews,
}: ResultOf<typeof getRequest>): z.infer<typeof wire.requestDetail> => ({
  request_id: trace.requestId,
  at: trace.at,
  route: trace.route,
  question: trace.envelope.question,
  sql: trace.sql,
  status: trace.envelope.status,
  outcome: trace.outcome,
  cost: trace.cost,
  caller: trace.caller,
  surface: trace.surface,
  client: trace.client,
  lens: trace.envelope.lens,
  lens_version: trace.envelope.lens_version,
  envelope: trace.envelope,
  steps: trace.steps,
  checks: trace.envelope.checks,
  model_calls: trace.modelCalls.map(wireOf),
  guard: trace.guard,
  receipt: trace.receipt,
  reviews: reviews.map(wireOf),
});

const shareOf = (part: number, total: number): number | null => (total === 0 ? null : roundToFourPlaces(part / total));
const roundToFourPlaces = (value: number): number => Math.round(value * 10_000) / 10_000;
export const tallyView = (tally: Omit<ResultOf<typeof readKpis>['tally'], 'callers' | 'last_at' | 'rows'>) => ({
  asks: tally.asks,
  status: {
    answered: tally.answered,
    clarification: tally.clarification,
    refused: tally.refused,
    uncovered: tally.uncovered,
    failed: tally.failed,
  },
  confidence: { verified: tally.verified, partial: tally.partial, unverified: tally.unverified },
  certification: {
    certified: tally.certified,
    assisted: tally.assisted,
    none: tally.uncertified,
    certified_failed: tally.certified_failed,
  },
  coverage: shareOf(tally.answered + tally.clarification, tally.asks),
  cost: tally.cost,
  mean_ms: tally.asks === 0 ? null : Math.round((tally.total_ms / tally.asks) * 100) / 100,
});
