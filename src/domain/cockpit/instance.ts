// What this installation calls itself where nobody has signed in yet: as its one organization (or the demo's) was told to
// by PUT /mgmt/surface or a project, or else as the operator's file says. Several organizations share the operator's.
import type { Tenancy } from '../../platform/tenant.ts';
import { readSurface } from './surface.ts';

export interface Instance {
  name: string;
  tagline: string | null;
}

export async function readInstance(
  deps: { tenancy: Tenancy },
  operator: { name?: string | undefined; tagline?: string | undefined } | undefined,
  demoOrg: string | null,
): Promise<Instance> {
  const own = { name: operator?.name ?? 'svc', tagline: operator?.tagline ?? null };
  try {
    const [one, another] = await deps.tenancy.global<{ id: string }>(
      'select id from svc.organizations where $1::text is null or name = $1 or id::text = $1 limit 2',
      [demoOrg],
    );
    if (!one || another) return own;
    const { name, tagline } = await readSurface(deps, one.id, operator ?? null);
    return { name, tagline };
  } catch {
    return own; // these pages are there while the database is not
  }
}
