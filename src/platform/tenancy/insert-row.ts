// Inserts one row of a tenant. The members of `row` are its columns. A JavaScript array becomes a PostgreSQL array. For
// a list in a JSON column, pass JSON text.
import type { TenantClient } from './tenant.ts';

/** Returns false if `conflict` prevented the insert. */
export async function insertRow(
  db: TenantClient,
  table: string,
  row: Record<string, unknown>,
  conflict = '',
): Promise<boolean> {
  const entries = Object.entries({ org_id: db.orgId, ...row });
  const [names, placeholders] = [entries.map(([name]) => name), entries.map((_, index) => `$${index + 1}`)];
  return (
    (await db.run(
      `insert into svc.${table} (${names.join(', ')}) values (${placeholders.join(', ')}) ${conflict}`,
      entries.map(([, value]) => value ?? null),
    )) === 1
  );
}
