// A caller with the rights that apply to asks: groups, attributes, and all granted lenses.
import type { Caller } from '../../lens/model/lens.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';

export async function effectiveCaller(
  db: TenantClient,
  idOrName: string,
): Promise<{ caller: Caller; lenses: string[] } | null> {
  const row = await db.first<{
    name: string;
    groups: string[];
    attributes: Caller['attributes'];
    lenses: string[];
  }>(
    `select c.name, c.groups, c.attributes, array(select distinct lens from svc.grants g where (g.subject_kind = 'caller' and g.subject = c.name)
       or (g.subject_kind = 'group' and g.subject = any(c.groups))) as lenses
     from svc.callers c where c.id::text = $1 or c.name = $1 limit 1`,
    [idOrName],
  );
  const found = row;
  return found
    ? {
        caller: { name: found.name, groups: found.groups, attributes: found.attributes, superuser: false },
        lenses: found.lenses,
      }
    : null;
}
