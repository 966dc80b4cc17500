// Optimistic concurrency: a thing's state has a tag (ETag); who edits may send the one they read (If-Match), and is
// refused when the thing has changed since.
import { createHash } from 'node:crypto';
import { Problem } from '../problem.ts';
import type { TenantClient } from './tenant.ts';

/** The tag of a state that has no counter of its own. */
export const revisionOf = (state: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(state ?? null))
    .digest('base64url')
    .slice(0, 22);

/** Held until the transaction ends. */
export async function lockForEdit(db: TenantClient, object: string): Promise<void> {
  await db.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`edit ${db.orgId} ${object}`]);
}

/** Reads what is to be edited, alone until the transaction ends, so that of two editors of one state one is refused. */
export async function readForEdit<T>(
  db: TenantClient,
  object: string,
  ifMatch: string | null,
  read: () => Promise<T>,
  revision: (found: T) => string | number | Date,
): Promise<T> {
  await lockForEdit(db, object);
  const found = await read();
  refuseStale(ifMatch, revision(found));
  return found;
}

export function refuseStale(ifMatch: string | null, revision: string | number | Date): void {
  if (ifMatch === null || ifMatch === String(revision instanceof Date ? revision.getTime() : revision)) return;
  throw new Problem(
    'precondition_failed',
    'This has changed since you read it. Read it again, then send its new ETag as If-Match.',
  );
}
