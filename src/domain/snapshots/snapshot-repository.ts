// The newest catalog, profile or drift report of a subject; taken again on demand.
import type { Tenancy } from '../../platform/tenant.ts';

export interface Snapshot<Body> {
  body: Body;
  takenAt: Date;
}

export function findSnapshot<Body>(
  deps: { tenancy: Tenancy },
  orgId: string,
  subject: string,
  kind: string,
): Promise<Snapshot<Body> | null> {
  return deps.tenancy.inTenant(orgId, async (db) => {
    const { rows } = await db.query<Snapshot<Body>>(
      `select body, taken_at as "takenAt" from svc.snapshots where subject = $1 and kind = $2`,
      [subject, kind],
    );
    return rows[0] ?? null;
  });
}

export function saveSnapshot<Body>(
  deps: { tenancy: Tenancy },
  orgId: string,
  subject: string,
  kind: string,
  body: Body,
): Promise<Snapshot<Body>> {
  return deps.tenancy.inTenant(orgId, async (db) => {
    const { rows } = await db.query<{ takenAt: Date }>(
      `insert into svc.snapshots (org_id, subject, kind, body) values ($1, $2, $3, $4)
       on conflict (org_id, subject, kind) do update set body = excluded.body, taken_at = now() returning taken_at as "takenAt"`,
      [orgId, subject, kind, JSON.stringify(body)],
    );
    return { body, takenAt: rows[0]!.takenAt };
  });
}
