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
  const found = await getCandidate(deps, actor.orgId, liveLens, id);
  const { question, variants: alsoAsked, sql } = found;
  const text = { question, alsoAsked, sql, parameters: {}, notes: null, invariants: null };
  const created = await createCertified(deps, actor, { served: liveLens, warehouse }, { ...text, certId });
  const entry = approve
    ? await approveCertified(
        deps,
        actor,
        { served: liveLens, warehouse },
        { id: created.certId, ifMatch: null },
        actor.name,
      )
    : created;
  const decision = { status: 'accepted' as const, certId: entry.certId };
  return { candidate: await decide(deps, actor, found, decision, { cert_id: entry.certId }), entry };
}

export async function dismissCandidate(
  deps: { tenancy: Tenancy },
  actor: Actor,
  liveLens: ServedLens,
  id: string,
  note: string | null,
): Promise<Candidate> {
  const found = await getCandidate(deps, actor.orgId, liveLens, id);
  return decide(deps, actor, found, { status: 'dismissed', certId: found.certId }, { note });
}

function decide(
  deps: { tenancy: Tenancy },
  actor: Actor,
  found: Candidate,
  decision: Pick<Candidate, 'certId'> & { status: 'accepted' | 'dismissed' },
  after: object,
): Promise<Candidate> {
  const accepted = decision.status === 'accepted';
  return runAudited(deps, actor, async (db) => {
    const certId = accepted ? decision.certId : null;
    await decideCandidate(db, found.id, { status: decision.status, certId, by: actor.name });
    return {
      result: { ...found, ...decision, decidedBy: actor.name },
      action: accepted ? 'distill.accept' : 'distill.dismiss',
      ...{ objectKind: 'distill_candidate', objectId: found.id, after },
    };
  });
}
