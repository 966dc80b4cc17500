// Opens a ticket with a caller's meaning of a term. If a reviewer accepts the ticket, the proposed meaning becomes a
// patch. Proposing the same meaning again opens no second ticket.
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import type { Principal } from '../identity/principal.ts';
import { insertReview } from './review-repository.ts';

export interface MeaningProposal {
  requestId: string;
  lens: string;
  term: string;
  meaning: string;
}

/** Demo visitors can't propose definitions. */
export async function proposeDefinition(
  tenancy: Tenancy,
  { orgId, name, callerId, demo }: Principal,
  { requestId, lens, term, meaning }: MeaningProposal,
): Promise<void> {
  if (demo) return;
  await tenancy.inTenant(orgId, async (db) => {
    const isKnown = await db.run(
      `select 1 from svc.reviews where lens = $1 and status in ('open', 'in_review')
         and correction ->> 'term' = $2 and correction ->> 'definition' = $3 limit 1`,
      [lens, term, meaning],
    );
    if (isKnown > 0) return;
    await insertReview(db, {
      requestId,
      lens,
      raisedBy: name,
      raisedByCaller: callerId,
      note: `The caller answered the clarification about “${term}”.`,
      correction: { term, definition: meaning },
    });
  });
}
