// The cost of the request log for a tenant with ten thousand traces and one with a million, in one database. Run it
// with: node --import tsx test/bench/observe.ts --rounds N --traces N --json FILE.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import pino from 'pino';
import { startEmbeddedPostgres } from '../../src/adapters/embedded-postgres/start-embedded-postgres.ts';
import { readConfig } from '../../src/config.ts';
import { mintCredential } from '../../src/domain/identity/credential-repository.ts';
import { createId } from '../../src/platform/ids.ts';
import { SecretKeys } from '../../src/platform/secret-keys.ts';
import { openPool } from '../../src/platform/tenancy/database.ts';
import { createOrganization, migrate, readAppLogin } from '../../src/platform/tenancy/migrate.ts';
import { wireService } from '../../src/wire.ts';
import { alternate, median, quantile, roundTo } from './measure.ts';

const FEW = 10_000;
const STATEMENT = 1_000;
/**
 * Thirty days of traces from a few lenses and callers. svc declines a tenth of the asks. Envelopes have the usual size.
 */
const INSERT = `insert into svc.traces (org_id, request_id, at, caller, surface, route, lens, lens_version, question, status, outcome,
    confidence, certification, plan, sql, row_count, cost, total_ms, warehouse_ms, envelope, receipt, detail)
  select $1, gen_random_uuid(), now() - n * interval '30 days' / $4, 'caller ' || n % 20, 'v1', 'query', 'lens ' || n % 5, 1,
    'What was revenue of product ' || n % 997 || '?', s, s, case when s = 'answered' then 'verified' else 'unverified' end,
    case when s = 'answered' then 'assisted' else 'none' end, 'compiled', 'select sum(sales) from orders', 1, 0, 3 + n % 50, 2,
    $5::jsonb || jsonb_build_object('answer', md5(n::text)), null, $6::jsonb
  from generate_series($2::int, $3::int) n, lateral (select case when n % 10 = 0 then 'refused' else 'answered' end) as o(s)`;
const check = { name: 'lens_scope', outcome: 'pass', critical: true, detail: 'Only tables and columns of this lens.' };
const ENVELOPE = {
  ...{ status: 'answered', lens: 'lens 1', lens_version: 1, question: 'What was revenue of product 7?', answer: null },
  ...{ sql: 'select sum(orders.sales) as revenue from main.orders', parameters: null, row_count: 1 },
  columns: [{ name: 'revenue', datatype: 'decimal', unit: 'USD', encoding: 'json' }],
  citations: [{ kind: 'metric', name: 'revenue', lens: 'lens 1', text: 'Sales after discount, before returns.' }],
  checks: Array.from({ length: 9 }, (_, n) => ({ ...check, name: `check_${n}` })),
  ...{ confidence: 'verified', certification: 'assisted', certified_id: null, plan: 'compiled', empty: null },
  scope: { filters: [], time: null, row_policies: [], joins: [], sentence: 'Revenue.' },
  ...{ data_as_of: null, request_id: createId(), receipt: null, clarification: null, suggestions: null, warnings: [] },
  ...{ error: null, timings_ms: { plan: 1, warehouse: 2, compose: 0, total: 3 } },
};
const step = { name: 'plan', started_at: '2026-01-31T09:30:00.000Z', ms: 1, detail: 'compiled' };
const DETAIL = { steps: [step, { ...step, name: 'guard' }, { ...step, name: 'fetch' }], model_calls: [], guard: null };

const READS: Record<string, (id: string) => string> = {
  'newest 50': () => '/observe/requests',
  'by caller': () => '/observe/requests?caller=caller%203',
  'by lens and status': () => '/observe/requests?lens=lens%202&status=refused',
  'by three filters that nothing meets': () => '/observe/requests?caller=caller%203&status=failed&lens=lens%204',
  'text in the question': () => '/observe/requests?q=product%20996',
  'KPIs of 30 days': () => '/observe/kpis',
  'KPIs of a lens': () => '/observe/kpis?lens=lens%202',
  'time series': () => '/observe/timeseries?bucket=day',
  callers: () => '/observe/callers',
  'one caller': () => '/observe/callers/caller%203',
  'one request in full': (id) => `/observe/requests/${id}`,
  'gap map': () => '/gap-map',
};

export async function measureObserving(traces: number, rounds: number) {
  const homeFolder = await mkdtemp(join(tmpdir(), 'svc-bench-observe-'));
  const postgres = await startEmbeddedPostgres({
    home: homeFolder,
    settings: ['fsync=off', 'full_page_writes=off', 'max_wal_size=4GB'],
  });
  await migrate(postgres.url);
  const owner = new pg.Client({ connectionString: postgres.url });
  await owner.connect();
  const pool = openPool(readAppLogin(postgres.url).url, { max: 4 });
  const config = readConfig({
    SVC_HOME: homeFolder,
    SVC_PROJECT: homeFolder,
    SVC_LOG_LEVEL: 'silent',
    DATABASE_URL: postgres.url,
  });
  const service = await wireService({
    config,
    pool,
    log: pino({ level: 'silent' }),
    keys: new SecretKeys([]),
    controlDatabase: postgres.url,
  });
  service.state.address = 'http://127.0.0.1:8080';
  try {
    const fill = async (orgId: string, from: number, to: number, traceTotal: number) => {
      for (let at = from; at <= to; at += STATEMENT)
        await owner.query(INSERT, [
          orgId,
          at,
          Math.min(to, at + STATEMENT - 1),
          traceTotal,
          JSON.stringify(ENVELOPE),
          JSON.stringify(DETAIL),
        ]);
      await owner.query('vacuum analyze svc.traces, svc.trace_tallies');
    };
    const tenant = async (name: string) => {
      const orgId = await createOrganization(postgres.url, name, createId());
      const { token } = await service.deps.tenancy.inTenant(orgId, (db) =>
        mintCredential(db, { kind: 'admin_token', label: 'bench' }),
      );
      return { orgId, token };
    };
    type Tenant = Awaited<ReturnType<typeof tenant>> & { first: string };
    const read = async ({ token, first }: Tenant, path: (id: string) => string) => {
      const startedAt = performance.now();
      const url = `/mgmt${path(first)}`;
      const reply = await service.app.inject({ url, headers: { authorization: `Bearer ${token}` } });
      if (reply.statusCode !== 200) throw new Error(`${url}: ${reply.statusCode} ${reply.payload.slice(0, 300)}`);
      return performance.now() - startedAt;
    };
    const filled = async (name: string, rows: number): Promise<Tenant> => {
      const made = await tenant(name);
      await fill(made.orgId, 1, rows, rows);
      const oldest = 'select request_id as id from svc.traces where org_id = $1 order by at limit 1';
      return { ...made, first: (await owner.query<{ id: string }>(oldest, [made.orgId])).rows[0]!.id };
    };
    const sides = { few: await filled('small', FEW), many: await filled('large', traces) };
    const results = [];
    for (const [name, path] of Object.entries(READS)) {
      // The sides alternate, so that other load on the machine affects both.
      const times = await alternate(
        rounds,
        { few: () => read(sides.few, path), many: () => read(sides.many, path) },
        500,
      );
      const [few, many] = [median(times.few), median(times.many)];
      results.push({
        read: name,
        of_10k_ms: roundTo(few),
        [`of_${traces}_ms`]: roundTo(many),
        p95_ms: roundTo(quantile(times.many, 0.95)),
        ratio: roundTo(many / few),
      });
    }
    return results;
  } finally {
    await service.app.close();
    await service.close();
    await pool.end();
    await owner.end();
    await postgres.stop();
    await rm(homeFolder, { recursive: true, force: true });
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '20' },
      traces: { type: 'string', default: '1000000' },
      json: { type: 'string' },
    },
  });
  const reads = await measureObserving(Number(values.traces), Number(values.rounds));
  console.table(reads);
  if (values.json) await writeFile(values.json, JSON.stringify({ reads }, null, 2));
}
