// An editor sends the tag that it read (ETag, If-Match). svc refuses the edit if the object has changed since then.
import { createHash } from 'node:crypto';
import { Problem } from '../problem.ts';
import type { TenantClient } from './tenant.ts';

export interface EditTarget {
  id: string;
  ifMatch: string | null;
}

/** The tag of an object that has no version counter. */
export const computeRevision = (state: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(state ?? null))
    .digest('base64url')
    .slice(0, 22);

/** The lock lasts until the transaction ends. */
export async function lockForEdit(db: TenantClient, object: string): Promise<void> {
  await db.run('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`edit ${db.orgId} ${object}`]);
}

/** Locks the object until the transaction ends, so that only one of two concurrent editors succeeds. */
export async function readForEdit<T>(
  db: TenantClient,
  object: string,
  ifMatch: string | null,
  readObject: () => Promise<T>,
  revision: (found: T) => string | number | Date,
): Promise<T> {
  await lockForEdit(db, object);
  const found = await readObject();
  refuseStale(ifMatch, revision(found));
  return found;
}

export function refuseStale(ifMatch: string | null, revision: string | number | Date): void {
  if (ifMatch === null || ifMatch === String(revision instanceof Date ? revision.getTime() : revision)) return;
  throw new Problem(
    'precondition_failed',
    'The object has changed since you read it. Read it again, then send its new ETag as If-Match.',
  );
}
