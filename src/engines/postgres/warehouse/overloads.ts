// What is in `public` beside the built-ins: an operator there that takes the very types of a comparison is chosen
// before the built-in, LIKE and IN among them, and operators have no other way to be told apart. Functions are written
// with pg_catalog, but for those of extensions, which may stand anywhere.
import type pg from 'pg';
import { away } from '../../../adapters/warehouse/faults.ts';
import { POSTGRES_EXTENSION_FUNCTIONS } from '../dialect/functions.ts';

const OWN = `
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

/** An allowed name would mean what no one allowed (G09). */
export async function refuseOverloads(client: pg.ClientBase, timeoutMs: number): Promise<void> {
  const { rows } = await client.query<{ name: string }>({
    text: OWN,
    values: [[...POSTGRES_EXTENSION_FUNCTIONS]],
    query_timeout: timeoutMs,
  } as pg.QueryConfig);
  if (rows.length === 0) return;
  const names = rows.slice(0, 5).map(({ name }) => name);
  throw away(
    null,
    `Its schema public has operators or functions named like built-in ones: ${names.join(', ')}. Move or drop them.`,
  );
}
