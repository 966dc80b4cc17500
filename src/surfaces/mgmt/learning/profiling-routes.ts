import { pageQuerySchema } from '../../../contract/lens.ts';
import * as wire from '../../../contract/mgmt/profiling.ts';
import { runStartResponse } from '../../../contract/mgmt/shared.ts';
import type { Deps } from '../../../deps.ts';
import { readProfileDrift } from '../../../domain/profiling/compare-profiles.ts';
import { findJoinCandidates, readJoinCandidates } from '../../../domain/profiling/join-candidates.ts';
import { profileLens, readLensProfile } from '../../../domain/profiling/profile-lens.ts';
import { createOperationFactory } from '../../http/operation.ts';
import { selectPage } from '../../http/page.ts';
import { type LensScope, loadLensScope, startLensRun, withWarehouse } from '../lens-scope.ts';

type RouteDeps = Pick<Deps, 'tenancy' | 'lenses' | 'warehouses' | 'dictionaries' | 'runs'>;
const defineOperation = createOperationFactory<RouteDeps, LensScope>('profiling', 'control', loadLensScope);
const PROFILE_TIMEOUT_MS = 600_000;

export const profilingRoutes = [
  defineOperation('GET', '/lenses/:name/profile', {
    id: 'getLensProfile',
    summary: 'The newest profile of a lens',
    description:
      'Returns statistics and frequent values of the columns of the lens. For masked columns, returns only counts.',
    query: pageQuerySchema,
    result: wire.lensProfileSchema,
    run: async ({ deps, orgId, liveLens, query }) => {
      const profile = await readLensProfile(deps, orgId, liveLens);
      return {
        lens: liveLens.name,
        lens_version: profile?.body.lens_version ?? null,
        taken_at: profile?.takenAt.toISOString() ?? null,
        ...selectPage(profile?.body.items ?? [], query),
        faults: profile?.body.faults ?? [],
      };
    },
  }),
  defineOperation('POST', '/lenses/:name/profile', {
    id: 'profileLens',
    access: 'curator',
    summary: 'Profile the columns of a lens',
    description:
      'svc reads a sample of large tables, and refreshes the dictionaries of the lens. Follow the run at GET /mgmt/runs/{run_id}.',
    body: wire.lensProfileBodySchema.meta({ examples: [{}, { sample_rows: 10_000 }] }),
    ...runStartResponse,
    run: (call) =>
      startLensRun(call, { kind: 'lens.profile', timeoutMs: PROFILE_TIMEOUT_MS }, async ({ report, signal }) => {
        const { deps, orgId } = call;
        const { liveLens, warehouse } = await withWarehouse(call);
        const options = { sampleRows: call.body.sample_rows, signal, report };
        const { items, faults } = await profileLens(deps, orgId, liveLens, warehouse, options);
        await deps.dictionaries.refresh(orgId, liveLens.name);
        return { lens: liveLens.name, columns: items.length, faults };
      }),
  }),
  defineOperation('GET', '/lenses/:name/profile-drift', {
    id: 'getProfileDrift',
    summary: 'Changes between the last two profiles',
    description:
      'Lists changes in columns, rows, empty cells, distinct values, ranges, and values of columns with few values.',
    query: pageQuerySchema,
    result: wire.profileDriftSchema,
    run: async ({ deps, orgId, liveLens, query }) => {
      const { changes, ...times } = await readProfileDrift(deps, orgId, liveLens);
      return { lens: liveLens.name, ...times, ...selectPage(changes, query) };
    },
  }),
  defineOperation('GET', '/lenses/:name/join-candidates', {
    id: 'listJoinCandidates',
    summary: 'Join candidates',
    description: 'Lists the joins that the last search found, best first, including declared joins.',
    query: pageQuerySchema,
    result: wire.joinCandidatesSchema,
    run: async ({ deps, orgId, liveLens, query }) => {
      const snapshot = await readJoinCandidates(deps, orgId, liveLens);
      return {
        lens: liveLens.name,
        taken_at: snapshot?.takenAt.toISOString() ?? null,
        ...selectPage(snapshot?.body ?? [], query),
      };
    },
  }),
  defineOperation('POST', '/lenses/:name/join-candidates', {
    id: 'findJoinCandidates',
    access: 'curator',
    summary: 'Find joins between the datasets of a lens',
    description:
      'Compares values of column pairs with similar names and data types, within limits. Follow the run at GET /mgmt/runs/{run_id}.',
    ...runStartResponse,
    run: (call) =>
      startLensRun(call, { kind: 'lens.join_candidates', timeoutMs: PROFILE_TIMEOUT_MS }, async (run) => {
        const { deps, orgId } = call;
        const { liveLens, warehouse } = await withWarehouse(call);
        const candidates = await findJoinCandidates(deps, orgId, liveLens, warehouse, run);
        return { lens: liveLens.name, candidates: candidates.length };
      }),
  }),
];
