// Routes for the coverage map: unanswered questions, grouped by cause.

import type { z } from 'zod';
import * as wire from '../../../contract/mgmt/cockpit.ts';
import { runStarted } from '../../../contract/mgmt/shared.ts';
import type { Deps } from '../../../deps.ts';
import { listGaps, refreshGaps, resolveGap, type StoredGap } from '../../../domain/cockpit/gap-map.ts';
import { wireOf } from '../../../platform/http/wire-of.ts';
import { defineOperations } from '../../http/operation.ts';
import { pageByOffset } from '../../http/page.ts';
import { startRun } from '../on-lens.ts';
import { patchView } from './patch-routes.ts';

const operation = defineOperations<Pick<Deps, 'tenancy' | 'lenses' | 'clock' | 'warehouses' | 'runs'>>('cockpit');

export const gapMapRoutes = [
  operation('GET', '/gap-map', {
    id: 'listGaps',
    summary: 'Questions without a good answer, grouped by cause',
    description:
      'Lists the gaps in the newest 10,000 requests, most asked first, with a suggested fix for each. svc refreshes the list if it is older than ten seconds.',
    query: wire.gapQuery,
    result: wire.gapList,
    run: ({ deps, orgId, query: { limit, cursor, ...filter } }) =>
      pageByOffset({ limit, cursor }, (page) => listGaps(deps, orgId, filter, page), gapView),
  }),
  operation('POST', '/gap-map/refresh', {
    id: 'refreshGapMap',
    access: 'curator',
    summary: 'Find gaps now',
    description: 'Follow the run at GET /mgmt/runs/{run_id}. The run removes gaps that the lenses can answer now.',
    status: 202,
    result: runStarted,
    run: (call) =>
      startRun(call, { kind: 'gap_map.refresh', about: { kind: 'gap_map', id: null } }, async () => ({
        gaps: await refreshGaps(call.deps, call.orgId),
      })),
  }),
  operation('POST', '/gap-map/:id/resolve', {
    id: 'resolveGap',
    access: 'curator',
    summary: 'Resolve a gap',
    description: 'With `change`, svc drafts a fix for the lens. A gap opens again if its question comes up again.',
    params: wire.gapParams,
    body: wire.resolveGapBody.meta({ examples: [{ how: 'out_of_scope', note: 'We keep no staff data' }] }),
    result: wire.resolvedGap,
    run: ({ deps, actor, params, body }) => resolveGap(deps, actor, params.id, body),
    view: ({ gap, patch }) => ({ ...gapView(gap), patch: patch && patchView(patch) }),
  }),
];

const gapView = (gap: StoredGap): z.infer<typeof wire.gap> => ({
  ...wireOf(gap),
  suggestion: { ...gap.suggestion, change: gap.suggestion.change as unknown as Record<string, unknown> | null },
});
