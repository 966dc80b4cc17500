// Reads and writes settings of an organization, by name.
import type { TenantClient } from '../../platform/tenancy/tenant.ts';

export const findSetting = <T>(db: TenantClient, name: string): Promise<{ body: T; origin: 'file' | 'api' } | null> =>
  db.first<{ body: T; origin: 'file' | 'api' }>('select body, origin from svc.settings where name = $1', [name]);
