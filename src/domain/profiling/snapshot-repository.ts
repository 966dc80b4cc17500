// Keeps only the newest catalog, profile or drift report of a subject.
import type { Tenancy, TenantClient } from '../../platform/tenancy/tenant.ts';

export interface StoredSnapshot<Body> {
  body: Body;
  takenAt: Date;
}

export function findSnapshot<Body>(
  deps: { tenancy: Tenancy },
  orgId: string,
  subject: string,
  kind: string,
): Promise<StoredSnapshot<Body> | null> {
  return deps.tenancy.inTenant(orgId, (db) =>
    db.first<StoredSnapshot<Body>>(
      `select body, taken_at as "takenAt" from svc.snapshots where subject = $1 and kind = $2`,
      [subject, kind],
    ),
  );
}

export const saveSnapshot = <Body>(
  deps: { tenancy: Tenancy },
  orgId: string,
  subject: string,
  kind: string,
  body: Body,
): Promise<StoredSnapshot<Body>> => deps.tenancy.inTenant(orgId, (db) => upsertSnapshot(db, subject, kind, body));

/** A lock prevents simultaneous writers from overwriting each other. */
export const mergeSnapshot = <Body>(
  deps: { tenancy: Tenancy },
  orgId: string,
  subject: string,
  kind: string,
  merge: (previousBody: Body | null, now: Date) => Body,
): Promise<StoredSnapshot<Body>> =>
  deps.tenancy.inTenant(orgId, async (db) => {
    const [lockRow] = await db.rows<{ now: Date }>('select now(), pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `${orgId} ${subject} ${kind}`,
    ]);
    const row = await db.first<{ body: Body }>('select body from svc.snapshots where subject = $1 and kind = $2', [
      subject,
      kind,
    ]);
    return upsertSnapshot(db, subject, kind, merge(row?.body ?? null, lockRow!.now));
  });

async function upsertSnapshot<Body>(
  db: TenantClient,
  subject: string,
  kind: string,
  body: Body,
): Promise<StoredSnapshot<Body>> {
  const row = await db.first<{ takenAt: Date }>(
    `insert into svc.snapshots (org_id, subject, kind, body) values ($1, $2, $3, $4)
     on conflict (org_id, subject, kind) do update set body = excluded.body, taken_at = now() returning taken_at as "takenAt"`,
    [db.orgId, subject, kind, JSON.stringify(body)],
  );
  return { body, takenAt: row!.takenAt };
}
