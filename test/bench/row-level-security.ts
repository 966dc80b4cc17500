// (e) The cost of row-level security for one tenant's reads from a table of traces. The statements run as the server's
// login, to which policies apply, and as the owner, with the tenant in the WHERE clause.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/adapters/embedded-postgres/start-embedded-postgres.ts';
import { openPool } from '../../src/platform/tenancy/database.ts';
import { migrate, readAppLogin } from '../../src/platform/tenancy/migrate.ts';
import { Tenancy } from '../../src/platform/tenancy/tenant.ts';
import { median, roundTo } from './measure.ts';

const TENANTS = 20;
const READS = {
  'newest 50': 'select request_id, at, outcome from svc.traces where WHO order by at desc, request_id limit 50',
  'newest 50 of a caller':
    "select request_id, at, outcome from svc.traces where WHO and caller = 'caller 3' order by at desc limit 50",
  'counts of the last hour':
    "select outcome, count(*) from svc.traces where WHO and at > '2026-01-01'::timestamptz - interval '1 hour' group by outcome",
};

export async function measureRowLevelSecurity(traces: number, rounds: number) {
  const homeFolder = await mkdtemp(join(tmpdir(), 'svc-bench-rls-'));
  const postgres = await startEmbeddedPostgres({ home: homeFolder, settings: ['fsync=off', 'shared_buffers=256MB'] });
  await migrate(postgres.url);
  const owner = new pg.Client({ connectionString: postgres.url });
  await owner.connect();
  const pool = openPool(readAppLogin(postgres.url).url, { max: 2 });
  const tenancy = new Tenancy(pool);
  const ownerPool = openPool(postgres.url, { max: 2 });
  const unbound = new Tenancy(ownerPool);
  try {
    await owner.query(`insert into svc.organizations (id, name)
      select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'tenant-' || n from generate_series(0, ${TENANTS - 1}) n`);
    await owner.query(
      `insert into svc.traces (org_id, request_id, at, caller, surface, route, lens, status, outcome, confidence, certification,
         total_ms, warehouse_ms, envelope, detail)
       select ('00000000-0000-4000-8000-' || lpad((n % $2)::text, 12, '0'))::uuid, gen_random_uuid(),
         '2026-01-01'::timestamptz - n * interval '1 second', 'caller ' || n % 7, 'v1', 'query', 'superstore', 'answered',
         'answered', 'verified', 'none', 5, 2, '{}', '{}' from generate_series(1, $1::int) n`,
      [traces, TENANTS],
    );
    await owner.query('vacuum analyze svc.traces');
    const org = '00000000-0000-4000-8000-000000000005';
    const results = [];
    for (const [name, sql] of Object.entries(READS)) {
      const policyTimes: number[] = [];
      const ownerTimes: number[] = [];
      const policy = { name: `under ${name}`, text: sql.replace('WHO', 'true'), values: [] };
      const where = { name: `past ${name}`, text: sql.replace('WHO', 'org_id = $1'), values: [org] };
      let [rowsUnder, rowsPast] = [0, 0];
      for (let round = 0; round < rounds + 5; round++) {
        // Both statements run in a transaction with the tenant set. They differ only in how rows are filtered.
        let startedAt = performance.now();
        rowsUnder = (await tenancy.queryInTenant(org, policy)).rows.length;
        const a = performance.now() - startedAt;
        startedAt = performance.now();
        rowsPast = (await unbound.queryInTenant(org, where)).rows.length;
        const b = performance.now() - startedAt;
        if (round < 5) continue;
        policyTimes.push(a);
        ownerTimes.push(b);
      }
      if (rowsUnder !== rowsPast || rowsUnder === 0) throw new Error(`${name}: ${rowsUnder} rows and ${rowsPast} rows`);
      results.push({
        read: name,
        with_rls_p50: roundTo(median(policyTimes), 3),
        without_p50: roundTo(median(ownerTimes), 3),
        ratio: roundTo(median(policyTimes) / median(ownerTimes)),
      });
    }
    return { traces, tenants: TENANTS, results };
  } finally {
    await Promise.all([pool.end(), ownerPool.end()]);
    await owner.end();
    await postgres.stop();
    await rm(homeFolder, { recursive: true, force: true });
    await rm(postgres.dataDir, { recursive: true, force: true });
  }
}
