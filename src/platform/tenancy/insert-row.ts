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
  const given = Object.entries({ org_id: db.orgId, ...row });
  const [names, places] = [given.map(([name]) => name), given.map((_, at) => `$${at + 1}`)];
  return (
    (await db.run(
      `insert into svc.${table} (${names.join(', ')}) values (${places.join(', ')}) ${conflict}`,
      given.map(([, value]) => value ?? null),
    )) === 1
  );
}
