// What the data of a lens looks like, how that moved, and which joins it speaks for.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { pageQuery } from '../../../contract/lens.ts';
import * as wire from '../../../contract/mgmt/profiling.ts';
import { lensParams, runStarted } from '../../../contract/mgmt/shared.ts';
import type { Deps } from '../../../deps.ts';
import { getServedLens } from '../../../domain/lenses/get-served-lens.ts';
import { compareProfiles } from '../../../domain/profiling/compare-profiles.ts';
import { findJoinCandidates, type JoinCandidate } from '../../../domain/profiling/join-candidates.ts';
import { type LensProfile, profileLens, profileSubject } from '../../../domain/profiling/profile-lens.ts';
import { findSnapshot, saveSnapshot } from '../../../domain/profiling/snapshot-repository.ts';
import { pageOf } from '../../http/page.ts';
import { changing, reading } from '../route-parts.ts';
import { startLensRun } from '../start-lens-run.ts';

const PROFILE_MS = 600_000;

export function profilingRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const tag = 'profiling';

  app.get(
    '/lenses/:name/profile',
    {
      schema: {
        ...reading(tag, wire.profile, 'not_found', 'invalid'),
        operationId: 'getLensProfile',
        summary: 'The newest profile of a lens',
        description: 'Statistics and frequent values of its columns; only counts for masked ones.',
        params: lensParams,
        querystring: pageQuery,
      },
    },
    async ({ principal, params, query }) => {
      const served = await getServedLens(deps.lenses, principal.orgId, params.name);
      const found = await findSnapshot<LensProfile>(deps, principal.orgId, profileSubject(served), 'profile');
      return {
        lens: served.name,
        lens_version: found?.body.lens_version ?? null,
        taken_at: found?.takenAt.toISOString() ?? null,
        ...pageOf(found?.body.items ?? [], query),
        faults: found?.body.faults ?? [],
      };
    },
  );

  app.post(
    '/lenses/:name/profile',
    {
      schema: {
        ...changing(tag, 202, runStarted, 'not_found'),
        operationId: 'profileLens',
        summary: 'Profile the columns of a lens',
        description:
          'Samples large tables, and refreshes the dictionaries of the lens. Follow the run at GET /mgmt/runs/{run_id}.',
        params: lensParams,
        body: wire.profileBody.meta({ examples: [{}, { sample_rows: 10_000 }] }),
      },
    },
    (request, reply) =>
      startLensRun(deps, request, reply, { kind: 'lens.profile', timeoutMs: PROFILE_MS }, async (served, run) => {
        const { orgId } = request.principal;
        const warehouse = await deps.warehouses.get(orgId, served.lens.connection);
        const options = { sampleRows: request.body.sample_rows, signal: run.signal };
        const { items, faults } = await profileLens(deps, orgId, served, warehouse, options, run.report);
        await deps.dictionaries.refresh(orgId, served.name);
        return { lens: served.name, columns: items.length, faults };
      }),
  );

  app.get(
    '/lenses/:name/profile-drift',
    {
      schema: {
        ...reading(tag, wire.profileDrift, 'not_found', 'invalid'),
        operationId: 'getProfileDrift',
        summary: 'Changes between the last two profiles',
        description: 'In columns, rows, empty cells, distinct values, ranges, and values of small columns.',
        params: lensParams,
        querystring: pageQuery,
      },
    },
    async ({ principal, params, query }) => {
      const served = await getServedLens(deps.lenses, principal.orgId, params.name);
      const subject = profileSubject(served);
      const now = await findSnapshot<LensProfile>(deps, principal.orgId, subject, 'profile');
      const before = await findSnapshot<LensProfile & { taken_at: string }>(
        deps,
        principal.orgId,
        subject,
        'profile-before',
      );
      return {
        lens: served.name,
        from: before?.body.taken_at ?? null,
        to: now?.takenAt.toISOString() ?? null,
        ...pageOf(now && before ? compareProfiles(before.body, now.body) : [], query),
      };
    },
  );

  app.get(
    '/lenses/:name/join-candidates',
    {
      schema: {
        ...reading(tag, wire.joinCandidates, 'not_found', 'invalid'),
        operationId: 'listJoinCandidates',
        summary: 'Join candidates',
        description: 'From the last search, best first, with declared joins.',
        params: lensParams,
        querystring: pageQuery,
      },
    },
    async ({ principal, params, query }) => {
      const served = await getServedLens(deps.lenses, principal.orgId, params.name);
      const found = await findSnapshot<JoinCandidate[]>(
        deps,
        principal.orgId,
        profileSubject(served),
        'join-candidates',
      );
      return { lens: served.name, taken_at: found?.takenAt.toISOString() ?? null, ...pageOf(found?.body ?? [], query) };
    },
  );

  app.post(
    '/lenses/:name/join-candidates',
    {
      schema: {
        ...changing(tag, 202, runStarted, 'not_found'),
        operationId: 'findJoinCandidates',
        summary: 'Find joins between the datasets of a lens',
        description:
          'Compares values of column pairs with similar names and data types, within limits. Follow the run at GET /mgmt/runs/{run_id}.',
        params: lensParams,
      },
    },
    (request, reply) =>
      startLensRun(
        deps,
        request,
        reply,
        { kind: 'lens.join_candidates', timeoutMs: PROFILE_MS },
        async (served, { report, signal }) => {
          const { orgId } = request.principal;
          const warehouse = await deps.warehouses.get(orgId, served.lens.connection);
          const found = await findJoinCandidates(served.lens, warehouse, report, signal);
          await saveSnapshot(deps, orgId, profileSubject(served), 'join-candidates', found);
          return { lens: served.name, candidates: found.length };
        },
      ),
  );
}
