// Inserts one row of a tenant. The members of `row` are its columns. An array is an array of the database; for a list in a
// JSON column, give its text.
import type { TenantClient } from './tenant.ts';

/** Returns false if `conflict` kept the row from being inserted. */
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
