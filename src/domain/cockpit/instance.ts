// The name and tagline of this installation. The reader's organization sets them with PUT /mgmt/surface or in its
// project. Otherwise the operator's file sets them. Before sign-in, svc shows those of the demo organization or,
// without a demo, those of the only organization. If there are several organizations and no demo, svc shows those in
// the operator's file.
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { readInstanceSetting } from './surface.ts';

export interface Instance {
  name: string;
  tagline: string | null;
}

export async function readInstance(
  deps: { tenancy: Tenancy },
  operator: { name?: string | undefined; tagline?: string | undefined } | undefined,
  demoOrg: string | null,
  /** The organization of the reader. Absent before sign-in. */
  orgId?: string,
): Promise<Instance> {
  const fallback = { name: operator?.name ?? 'svc', tagline: operator?.tagline ?? null };
  try {
    if (orgId !== undefined) return await readInstanceOf(orgId);
    const [organization, secondOrganization] = await deps.tenancy.queryGlobal<{ id: string }>(
      'select id from svc.organizations where $1::text is null or name = $1 or id::text = $1 limit 2',
      [demoOrg],
    );
    if (!organization || secondOrganization) return fallback;
    return await readInstanceOf(organization.id);
  } catch {
    return fallback; // the pages before sign-in also work without the database
  }

  async function readInstanceOf(org: string): Promise<Instance> {
    const { name, tagline } = await readInstanceSetting(deps, org, operator ?? null);
    return { name, tagline };
  }
}
