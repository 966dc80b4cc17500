// Reads the newest profile of a lens, the changes since the previous profile, and possible joins.
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import type { ServedLens } from '../lenses/lens-repository.ts';
import { compareProfiles } from './compare-profiles.ts';
import type { JoinCandidate } from './join-candidates.ts';
import { type LensProfile, profileSubject } from './profile-lens.ts';
import { findSnapshot, saveSnapshot } from './snapshot-repository.ts';

interface Deps {
  tenancy: Tenancy;
}

export const readLensProfile = (deps: Deps, orgId: string, liveLens: ServedLens) =>
  findSnapshot<LensProfile>(deps, orgId, profileSubject(liveLens), 'profile');

export async function readProfileDrift(deps: Deps, orgId: string, liveLens: ServedLens) {
  const currentSnapshot = await readLensProfile(deps, orgId, liveLens);
  const subject = profileSubject(liveLens);
  const previousSnapshot = await findSnapshot<LensProfile & { taken_at: string }>(
    deps,
    orgId,
    subject,
    'profile-before',
  );
  return {
    from: previousSnapshot?.body.taken_at ?? null,
    to: currentSnapshot?.takenAt.toISOString() ?? null,
    changes: currentSnapshot && previousSnapshot ? compareProfiles(previousSnapshot.body, currentSnapshot.body) : [],
  };
}

export const readJoinCandidates = (deps: Deps, orgId: string, liveLens: ServedLens) =>
  findSnapshot<JoinCandidate[]>(deps, orgId, profileSubject(liveLens), 'join-candidates');

export const saveJoinCandidates = (deps: Deps, orgId: string, liveLens: ServedLens, candidates: JoinCandidate[]) =>
  saveSnapshot(deps, orgId, profileSubject(liveLens), 'join-candidates', candidates);
