// Refuses databases that replace built-in operators or functions. PostgreSQL prefers an operator in `public` to a
// built-in operator if its types match a comparison exactly.
import type pg from 'pg';
import { createUnreachableProblem } from '../../../adapters/warehouse/faults.ts';
import { POSTGRES_EXTENSION_FUNCTIONS } from '../dialect/functions.ts';

const SELECT_OWN_NAMES = `
  select distinct o.oprname::text as name from pg_catalog.pg_operator o
  join pg_catalog.pg_operator b on b.oprname = o.oprname and b.oprnamespace = 'pg_catalog'::pg_catalog.regnamespace
  where o.oprnamespace = pg_catalog.to_regnamespace('public') and not exists (
    select from pg_catalog.pg_depend d
    where d.classid = 'pg_catalog.pg_operator'::pg_catalog.regclass and d.objid = o.oid and d.deptype = 'e')
  union
  select p.proname::text from pg_catalog.pg_proc p
  where p.pronamespace = pg_catalog.to_regnamespace('public') and p.proname = any ($1) and not exists (
    select from pg_catalog.pg_depend d
    where d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass and d.objid = p.oid and d.deptype = 'e')
  order by 1`;

export async function refuseOverloads(client: pg.ClientBase, timeoutMs: number): Promise<void> {
  const { rows } = await client.query<{ name: string }>({
    text: SELECT_OWN_NAMES,
    values: [[...POSTGRES_EXTENSION_FUNCTIONS]],
    query_timeout: timeoutMs,
  } as pg.QueryConfig);
  if (rows.length === 0) return;
  const names = rows.slice(0, 5).map(({ name }) => name);
  throw createUnreachableProblem(
    null,
    `The schema public of the warehouse has its own versions of operators or functions that svc allows: ${names.join(', ')}. Move or drop them.`,
  );
}
