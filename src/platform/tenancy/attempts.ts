// Limits the rate of sign-in and similar attempts for all replicas. svc counts an attempt before it handles the
// attempt, so that parallel attempts all count. Without the database, svc refuses every attempt.
import { createHash } from 'node:crypto';
import { Problem } from '../problem.ts';
import type { Tenancy } from './tenant.ts';

export interface AttemptLimit {
  /** The kind of attempt, such as `login address`. */
  kind: string;
  /** The source of the attempts, such as an address or a user. */
  source: string;
  limit: number;
  windowSeconds: number;
}

const hashBucketName = (limit: Pick<AttemptLimit, 'kind' | 'source'>): string =>
  createHash('sha256').update(`${limit.kind}\n${limit.source}`).digest('base64url');

const COUNT_ATTEMPT_SQL = `insert into svc.attempts (bucket, window_start, taken)
  values ($1, to_timestamp(floor(extract(epoch from now()) / $2) * $2), 1)
  on conflict (bucket, window_start) do update set taken = svc.attempts.taken + 1
  returning taken, extract(epoch from window_start + make_interval(secs => $2) - now())::int as left`;

export async function countAttempt(tenancy: Tenancy, limits: AttemptLimit[], message: string): Promise<void> {
  for (const limit of limits) {
    const [row] = await tenancy.queryGlobal<{ taken: number; left: number }>(COUNT_ATTEMPT_SQL, [
      hashBucketName(limit),
      limit.windowSeconds,
    ]);
    if (row!.taken > limit.limit)
      throw new Problem('rate_limited', message, {
        retryAfter: Math.max(1, row!.left),
        limit: { policy: limit.kind, limit: limit.limit, windowSeconds: limit.windowSeconds },
      });
    if (row!.taken === 1) await deleteOldAttempts(tenancy);
  }
}

export async function resetAttempts(tenancy: Tenancy, limits: AttemptLimit[]): Promise<void> {
  await tenancy.queryGlobal('delete from svc.attempts where bucket = any($1)', [limits.map(hashBucketName)]);
}

/** svc deletes a record one to two days after the action. */
export async function wasActionRecorded(tenancy: Tenancy, action: string, source: string): Promise<boolean> {
  const rows = await tenancy.queryGlobal('select from svc.attempts where bucket = $1', [
    hashBucketName({ kind: action, source }),
  ]);
  return rows.length > 0;
}

export async function recordAction(tenancy: Tenancy, action: string, source: string): Promise<void> {
  await tenancy.queryGlobal(
    "insert into svc.attempts (bucket, window_start, taken) values ($1, date_trunc('day', now()), 0) on conflict do nothing",
    [hashBucketName({ kind: action, source })],
  );
}

/** Returns whether this is the first use. svc keeps the record for two days, so older uses are unknown. */
export async function claimFirstUse(
  tenancy: Tenancy,
  action: string,
  use: { id: string; madeAt: string },
): Promise<boolean> {
  const rows = await tenancy.queryGlobal(
    'insert into svc.attempts (bucket, window_start, taken) values ($1, $2, 1) on conflict do nothing returning taken',
    [hashBucketName({ kind: action, source: use.id }), use.madeAt],
  );
  return rows.length === 1;
}

const deleteOldAttempts = (tenancy: Tenancy): Promise<unknown> =>
  tenancy.queryGlobal("delete from svc.attempts where window_start < now() - interval '2 days'");
