import type { z } from 'zod';
import { distillLens } from '../../../ask/distill-lens.ts';
import * as wire from '../../../contract/mgmt/certified.ts';
import { runStartResponse } from '../../../contract/mgmt/shared.ts';
import type { Deps } from '../../../deps.ts';
import {
  acceptCandidate,
  type Candidate,
  dismissCandidate,
  listCandidates,
} from '../../../domain/certified/distill.ts';
import { toWireObject } from '../../../platform/http/to-wire.ts';
import { createOperationFactory } from '../../http/operation.ts';
import { createIdOrder } from '../../http/page.ts';
import { type LensScope, loadLensScope, withWarehouse } from '../lens-scope.ts';
import { toEntryView } from './certified-routes.ts';

type RouteDeps = Pick<Deps, 'tenancy' | 'lenses' | 'warehouses' | 'project' | 'clock' | 'runs' | 'untracedAsk'>;
const defineOperation = createOperationFactory<RouteDeps, LensScope>('distill', 'control', loadLensScope);

const toCandidateView = (candidate: Candidate, { liveLens }: LensScope): z.infer<typeof wire.candidateSchema> => ({
  lens: liveLens.name,
  ...toWireObject(candidate),
});

export const distillRoutes = [
  defineOperation('POST', '/lenses/:name/distill', {
    id: 'distill',
    access: 'curator',
    summary: 'Find questions to certify',
    description:
      'Searches the newest requests for questions that recur, or whose answers were confirmed or corrected. Different wordings of one question form one candidate. svc skips questions whose answer depends on the current day. Follow the run at GET /mgmt/runs/{run_id}.',
    body: wire.distillBodySchema.meta({ examples: [{}, { min_asks: 5 }] }),
    ...runStartResponse,
    run: async ({ deps, actor, principal, liveLens, body }) => ({
      run_id: await distillLens(deps, actor, principal, liveLens, { minAsks: body.min_asks }),
    }),
  }),
  defineOperation('GET', '/lenses/:name/distill/candidates', {
    id: 'listDistillCandidates',
    summary: 'Questions found to certify',
    description: 'Lists each question with its SQL, its other wordings and the evidence.',
    query: wire.candidateQuerySchema,
    result: wire.candidateListSchema,
    orderBy: createIdOrder('id'),
    run: ({ deps, orgId, liveLens, query, page }) => listCandidates(deps, orgId, liveLens, query, page),
    view: toCandidateView,
  }),
  defineOperation('POST', '/lenses/:name/distill/candidates/:id/accept', {
    id: 'acceptDistillCandidate',
    access: 'curator',
    summary: 'Certify a candidate',
    description: 'Approves the candidate with its other wordings as an entry, or stores it as a draft.',
    params: wire.candidateParamsSchema,
    body: wire.acceptCandidateBodySchema.meta({ examples: [{}, { approve: false }] }),
    result: wire.acceptedCandidateSchema,
    fails: ['upstream', 'timeout'],
    run: async (call) => {
      const target = await withWarehouse(call);
      const { candidate, entry } = await acceptCandidate(call.deps, call.actor, target, call.params.id, call.body);
      return { ...toCandidateView(candidate, call), entry: toEntryView(entry, call) };
    },
  }),
  defineOperation('POST', '/lenses/:name/distill/candidates/:id/dismiss', {
    id: 'dismissDistillCandidate',
    access: 'curator',
    summary: 'Dismiss a candidate',
    description: 'svc does not propose the same question again.',
    params: wire.candidateParamsSchema,
    body: wire.dismissCandidateBodySchema.meta({ examples: [{ note: 'Asked by a test' }] }),
    result: wire.candidateSchema,
    run: ({ deps, actor, liveLens, params, body: { note = null } }) =>
      dismissCandidate(deps, actor, liveLens, params.id, note),
    view: toCandidateView,
  }),
];
