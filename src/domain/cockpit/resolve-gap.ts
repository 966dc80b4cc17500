// Resolves a gap with a drafted change to its lens, or by a person's decision.

import { Problem } from '../../platform/problem.ts';
import type { Actor } from '../audit/audited.ts';
import { getServedLens } from '../lenses/get-served-lens.ts';
import type { NewPatch, Patch } from '../patches/patch-repository.ts';
import { draftPatch, type PatchDeps } from '../patches/patches.ts';
import { type GapDeps, getGap, markResolved, type StoredGap } from './gap-map.ts';

export async function resolveGap(
  deps: GapDeps & Pick<PatchDeps, 'warehouses'>,
  actor: Actor,
  id: string,
  { how, note, change }: { how: string; note?: string | null | undefined; change?: NewPatch['change'] | undefined },
): Promise<{ gap: StoredGap; patch: Patch | null }> {
  const gap = await getGap(deps, actor.orgId, id);
  let patch: Patch | null = null;
  if (change) {
    if (!gap.lens)
      throw new Problem(
        'invalid',
        'No lens is close to this gap, so svc can’t draft a fix. Draft a new lens instead.',
        { param: 'change' },
      );
    const liveLens = await getServedLens(deps.lenses, actor.orgId, gap.lens);
    patch = await draftPatch(deps, actor, liveLens, { change, gapId: gap.id, reason: note });
  }
  const resolution = { how: change ? 'patched' : how, note: note ?? null, patchId: patch?.id ?? null };
  return { gap: await markResolved(deps, actor, gap.id, resolution), patch };
}
