// Records a person's decision on a question that svc proposed for certification.
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { type Actor, runAudited } from '../audit/audited.ts';
import type { ServedLens } from '../lenses/lens-repository.ts';
import type { Warehouse } from '../ports.ts';
import { type Candidate, decideCandidate, getCandidate } from './distill.ts';
import { approveCertified, createCertified, type EntryDeps } from './entries.ts';
import type { StoredEntry } from './entry-repository.ts';

export async function acceptCandidate(
  deps: EntryDeps,
  actor: Actor,
  liveLens: ServedLens,
  warehouse: Warehouse,
  { id, certId, approve }: { id: string; certId?: string | undefined; approve: boolean },
): Promise<{ candidate: Candidate; entry: StoredEntry }> {
  const candidate = await getCandidate(deps, actor.orgId, liveLens, id);
  const { question, variants: alsoAsked, sql } = candidate;
  const text = { question, alsoAsked, sql, parameters: {}, notes: null, invariants: null };
  const createdEntry = await createCertified(deps, actor, { liveLens, warehouse }, { ...text, certId });
  const entry = approve
    ? await approveCertified(
        deps,
        actor,
        { liveLens, warehouse },
        { id: createdEntry.certId, ifMatch: null },
        actor.name,
      )
    : createdEntry;
  const decision = { status: 'accepted' as const, certId: entry.certId };
  return { candidate: await saveDecision(deps, actor, candidate, decision, { cert_id: entry.certId }), entry };
}

export async function dismissCandidate(
  deps: { tenancy: Tenancy },
  actor: Actor,
  liveLens: ServedLens,
  id: string,
  note: string | null,
): Promise<Candidate> {
  const candidate = await getCandidate(deps, actor.orgId, liveLens, id);
  return saveDecision(deps, actor, candidate, { status: 'dismissed', certId: candidate.certId }, { note });
}

function saveDecision(
  deps: { tenancy: Tenancy },
  actor: Actor,
  candidate: Candidate,
  decision: Pick<Candidate, 'certId'> & { status: 'accepted' | 'dismissed' },
  auditedAfter: object,
): Promise<Candidate> {
  const isAccepted = decision.status === 'accepted';
  return runAudited(deps, actor, async (db) => {
    const certId = isAccepted ? decision.certId : null;
    await decideCandidate(db, candidate.id, { status: decision.status, certId, by: actor.name });
    return {
      result: { ...candidate, ...decision, decidedBy: actor.name },
      action: isAccepted ? 'distill.accept' : 'distill.dismiss',
      ...{ objectKind: 'distill_candidate', objectId: candidate.id, after: auditedAfter },
    };
  });
}
