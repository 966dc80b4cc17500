// Decides whether an approved entry can run now. svc checks a suspended entry again at each ask. If the entry's SQL
// runs as before, svc restores the entry. Otherwise the answer states when and why svc suspended the entry.
import type { SuspendedEntry } from '../../domain/lenses/read-certified-library.ts';
import type { CertifiedEntry } from '../../lens/model/lens.ts';
import type { AskDeps } from '../ask-deps.ts';
import type { EarlyEnd, GrantedLens } from '../outcome.ts';

export type EntryStatus =
  | { kind: 'sound' }
  /** The entry's SQL fails. Until the SQL runs again, svc doesn't answer its question in any other way. */
  | { kind: 'failing'; end: EarlyEnd }
  /** The entry's SQL runs, but not as approved, so a person must decide. */
  | { kind: 'doubtful'; message: string };

export async function determineEntryStatus(
  { certifiedWatch, clock }: Pick<AskDeps, 'certifiedWatch' | 'clock'>,
  grantedLens: GrantedLens,
  entry: CertifiedEntry,
): Promise<EntryStatus> {
  const suspension = grantedLens.suspended.get(entry.certId);
  if (!suspension) {
    const suspensionReason = await certifiedWatch?.suspendIfChanged(
      grantedLens.orgId,
      grantedLens,
      entry,
      grantedLens.warehouse,
    );
    return suspensionReason
      ? findSuspendedStatus(entry.certId, suspensionReason.kind, clock.now(), suspensionReason.reason)
      : { kind: 'sound' };
  }
  const { suspendedFor, suspendedAt, reason } = suspension;
  const hasRecovered =
    suspendedFor === 'schema' &&
    (await certifiedWatch?.restoreById(grantedLens.orgId, grantedLens, entry.certId, grantedLens.warehouse));
  return hasRecovered ? { kind: 'sound' } : findSuspendedStatus(entry.certId, suspendedFor, suspendedAt, reason);
}

function findSuspendedStatus(
  certId: string,
  suspendedFor: SuspendedEntry['suspendedFor'],
  since: Date,
  reason: string | null,
): EntryStatus {
  const suspensionText = `svc suspended certified entry ${certId} at ${since.toISOString()}`;
  if (suspendedFor === 'schema') {
    const nextStep =
      'svc tries the SQL again with each ask and restores the entry when the SQL works. Ask an admin or a curator to check the entry.';
    const message = `The approved SQL of certified entry ${certId} no longer runs as it did when it was approved: ${suspensionText}. ${nextStep}`;
    return { kind: 'failing', end: { end: 'certified_failed', certId, message } };
  }
  const cause =
    suspendedFor === 'result'
      ? ', because its result violated its invariants, so svc does not run it.'
      : `, so svc does not run it. ${reason}`;
  return {
    kind: 'doubtful',
    message: `${suspensionText}${cause} An admin or a curator must approve the entry again.`,
  };
}
