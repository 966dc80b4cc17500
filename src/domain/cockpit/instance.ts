// What this installation calls itself: as the organization of whoever asks was told to by PUT /mgmt/surface or a project,
// or else as the operator's file says. Where no one has signed in yet, the one organization (or the demo's) names it;
// several share the operator's name.
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { readSurface } from './surface.ts';

export interface Instance {
  name: string;
  tagline: string | null;
}

export async function readInstance(
  deps: { tenancy: Tenancy },
  operator: { name?: string | undefined; tagline?: string | undefined } | undefined,
  demoOrg: string | null,
  /** Of whoever is known; absent: no one is. */
  orgId?: string,
): Promise<Instance> {
  const own = { name: operator?.name ?? 'svc', tagline: operator?.tagline ?? null };
  try {
    if (orgId !== undefined) return await namedBy(orgId);
    const [one, another] = await deps.tenancy.global<{ id: string }>(
      'select id from svc.organizations where $1::text is null or name = $1 or id::text = $1 limit 2',
      [demoOrg],
    );
    if (!one || another) return own;
    return await namedBy(one.id);
  } catch {
    return own; // these pages are there while the database is not
  }

  async function namedBy(org: string): Promise<Instance> {
    const { name, tagline } = await readSurface(deps, org, operator ?? null);
    return { name, tagline };
  }
}
