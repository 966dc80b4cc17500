// The gap map: questions that nothing answers well, by what was missing.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import * as wire from '../../../contract/mgmt/cockpit.ts';
import { runStarted } from '../../../contract/mgmt/shared.ts';
import type { Deps } from '../../../deps.ts';
import { getGap, listGaps, refreshGaps, resolveGap, type StoredGap } from '../../../domain/cockpit/gap-map.ts';
import { getServedLens } from '../../../domain/lenses/get-served-lens.ts';
import { draftPatch } from '../../../domain/patches/keep-patches.ts';
import type { Patch } from '../../../domain/patches/patch-repository.ts';
import { Problem } from '../../../platform/problem.ts';
import { decodeCursor, encodeCursor, unusableCursor } from '../../http/page.ts';
import { runOnce } from '../../http/run-once.ts';
import { actorOf, changing, reading } from '../route-parts.ts';
import { patchView } from './patch-views.ts';

const STALE_MS = 10_000;

export function gapMapRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const tag = 'cockpit';

  app.get(
    '/gap-map',
    {
      schema: {
        ...reading(tag, wire.gapList, 'invalid'),
        operationId: 'listGaps',
        summary: 'Questions without a good answer, grouped by cause',
        description:
          'From the newest 10,000 requests, most asked first, each with a suggested fix. svc refreshes the list if it is older than ten seconds.',
        querystring: wire.gapQuery,
      },
    },
    async ({ principal, query: { limit, cursor, ...filter } }) => {
      const offset = Number(decodeCursor(cursor) ?? '0');
      if (!Number.isSafeInteger(offset) || offset < 0) throw unusableCursor();
      const read = () =>
        deps.tenancy.inTenant(principal.orgId, (db) => listGaps(db, filter, { limit: limit + 1, offset }));
      let rows = await read();
      if (offset === 0 && !rows.some(({ refreshedAt }) => Date.now() - refreshedAt.getTime() < STALE_MS)) {
        await refreshGaps(deps, principal.orgId);
        rows = await read();
      }
      return {
        items: rows.slice(0, limit).map(gapView),
        next_cursor: rows.length > limit ? encodeCursor(String(offset + limit)) : null,
      };
    },
  );

  app.post(
    '/gap-map/refresh',
    {
      schema: {
        ...changing(tag, 202, runStarted),
        operationId: 'refreshGapMap',
        summary: 'Find gaps now',
        description: 'Follow the run at GET /mgmt/runs/{run_id}. It removes gaps that the lenses can answer now.',
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const actor = actorOf(request);
        const asked = { kind: 'gap_map.refresh', about: { kind: 'gap_map', id: null } };
        const run_id = await deps.runs.start(actor, asked, async () => ({
          gaps: await refreshGaps(deps, actor.orgId),
        }));
        return { status: 202, body: { run_id } };
      }),
  );

  app.post(
    '/gap-map/:id/resolve',
    {
      schema: {
        ...changing(tag, 200, wire.resolvedGap, 'not_found'),
        operationId: 'resolveGap',
        summary: 'Resolve a gap',
        description: 'With `change`, svc drafts a fix for the lens. A gap opens again if its question comes up again.',
        params: wire.gapParams,
        body: wire.resolveGap.meta({ examples: [{ how: 'out_of_scope', note: 'We keep no staff data' }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const { how, note, change } = request.body;
        const gap = await getGap(deps, request.principal.orgId, request.params.id);
        let patch: Patch | null = null;
        if (change) {
          if (!gap.lens)
            throw new Problem(
              'invalid',
              'No lens is close to this gap, so svc can’t draft a fix. Draft a new lens instead.',
              { param: 'change' },
            );
          patch = await draftPatch(
            deps,
            actorOf(request),
            await getServedLens(deps.lenses, request.principal.orgId, gap.lens),
            { change, gapId: gap.id, reason: note },
          );
        }
        const resolved = await resolveGap(deps, actorOf(request), gap.id, {
          how: change ? 'patched' : how,
          note: note ?? null,
          patchId: patch?.id ?? null,
        });
        return { status: 200, body: { ...gapView(resolved), patch: patch && patchView(patch) } };
      }),
  );
}

const gapView = ({ lastAt, refreshedAt, suggestion, ...gap }: StoredGap): z.infer<typeof wire.gap> => ({
  ...gap,
  suggestion: { text: suggestion.text, change: suggestion.change as unknown as Record<string, unknown> | null },
  last_at: lastAt.toISOString(),
  refreshed_at: refreshedAt.toISOString(),
});
