// Drafts a patch for a word that svc learned from questions. After a curator approves or rejects the patch, svc doesn't
// propose the word again.
import type { PatchChange } from '../../contract/mgmt/patches.ts';
import type { Principal } from '../identity/principal.ts';
import type { ServedLens } from '../lenses/lens-repository.ts';
import { draftPatch, type PatchDeps } from './patches.ts';

export interface WordProposal {
  requestId: string;
  question: string;
  change: PatchChange;
}

/** Demo visitors can't propose words. */
export async function proposeWord(
  deps: Pick<PatchDeps, 'tenancy' | 'warehouses'>,
  { orgId, demo }: Principal,
  liveLens: ServedLens,
  { requestId, question, change }: WordProposal,
): Promise<void> {
  if (demo) return;
  const existingPatches = await deps.tenancy.inTenant(orgId, (db) =>
    db.run('select 1 from svc.patches where lens = $1 and change = $2::jsonb limit 1', [
      liveLens.name,
      JSON.stringify(change),
    ]),
  );
  if (existingPatches > 0) return;
  const gain = `svc then interprets “${question}” as the language model does, but without a model, and can verify the answer.`;
  const reason =
    change.kind === 'filler_word' ? `Approve this only if “${change.word}” never restricts rows. ${gain}` : gain;
  await draftPatch(deps, { orgId, name: 'svc', requestId }, liveLens, { change, reason });
}
