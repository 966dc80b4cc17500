import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createDuckdbFile } from '../../../test/support/duckdb-file.ts';
import { lensText } from '../../../test/support/lens-text.ts';
import { connect, createControlDatabase } from '../../../test/support/postgres.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { openDuckDbWarehouse } from '../../engines/duckdb/warehouse/warehouse.ts';
import { systemClock } from '../../platform/clock.ts';
import { createId } from '../../platform/ids.ts';
import { readSecretKeys, SecretKeys } from '../../platform/secret-keys.ts';
import { openPool } from '../../platform/tenancy/database.ts';
import { createOrganization, readAppLogin } from '../../platform/tenancy/migrate.ts';
import { Tenancy } from '../../platform/tenancy/tenant.ts';
import { LensRepository } from '../lenses/lens-repository.ts';
import type { Warehouse } from '../ports.ts';
import { applyProject, planProject } from './apply-project.ts';
import { exportProject } from './deployments.ts';
import type { ProjectDeps } from './project-deps.ts';

const CONFIG = `# how this project is deployed
connections:
  shop: {kind: duckdb, path: ./shop.duckdb}
groups: {sales: {lenses: [shop]}}
`;
const LENS = lensText(`name: shop
connection: shop
datasets:
  orders: main.orders (id integer key, region string auto, customer string auto mask, sales decimal) {description: Order lines.}
metrics:
  revenue: {expression: sum(orders.sales), description: Sales.}
definitions:
  - {term: revenue, meaning: What customers paid., metric: revenue}
grants: {callers: [ada], groups: [sales]}
`);
const CERTIFIED = `- id: by-region
  question: What is revenue by region?
  sql: select region, sum(sales) as revenue from main.orders group by region
`;
const EVALS = `- id: total
  question: What is revenue?
  expect: {value: 60}
`;
const FILES = {
  'svc.config.yaml': CONFIG,
  'lenses/shop/lens.yaml': LENS,
  'lenses/shop/certified/all.yaml': CERTIFIED,
  'lenses/shop/evals/all.yaml': EVALS,
};
let orgId: string;
let gate: Promise<void> = Promise.resolve();
const ownerUrl = await createControlDatabase();
const pool = openPool(readAppLogin(ownerUrl).url);
const tenancy = new Tenancy(pool);
const folder = await temporaryFolder();
await createDuckdbFile(
  join(folder, 'shop.duckdb'),
  `create table orders as select * from (values (1, 'West', 'Ann', 10.00::decimal(10,2)), (2, 'East', 'Bob', 20.00), (3, 'West', 'Cid', 30.00)) t(id, region, customer, sales)`,
);
const deps: ProjectDeps = {
  tenancy,
  secrets: new SecretKeys(readSecretKeys('k'.repeat(40))),
  clock: systemClock,
  operatorVariables: ['OPENAI_API_KEY', 'CORE_PASSWORD'],
  readGrantedVariables: async () => ['CORE_PASSWORD'],
  getOperatorConfig: () => ({
    limits: {
      requests_per_minute: 5,
      asks_in_flight: 32,
      warehouse_timeout_ms: 30_000,
      max_result_bytes: 16_777_216,
    },
  }),
  opener: {
    async open({ config }): Promise<Warehouse> {
      await gate;
      return openDuckDbWarehouse({
        path: join(folder, String((config as { path?: string }).path ?? 'shop.duckdb')),
        label: 'shop',
      });
    },
  },
};
afterAll(() => pool.end());
beforeEach(async () => {
  orgId = await createOrganization(
    ownerUrl,
    `org-${createId().slice(0, 13)}-${Math.floor(Math.random() * 1e6)}`,
    createId(),
  );
});

const applyTestProject = (files: Record<string, string> = FILES, otherOptions: object = {}) =>
  applyProject(deps, { orgId, files, actor: 'tester', fromOperator: false, ...otherOptions });
const planTestProject = (files: Record<string, string>) =>
  planProject(deps, { orgId, files, actor: 'tester', fromOperator: false });
const queryRows = (sql: string) => tenancy.inTenant(orgId, (db) => db.rows(sql));

describe('apply', () => {
  test('deploys a whole project, and changes nothing for identical files', async () => {
    const firstApply = await applyTestProject();
    expect(firstApply.version).toBe(1);
    const liveLens = (await new LensRepository(tenancy).find(orgId, 'shop'))!;
    expect(liveLens).toMatchObject({ version: 1, origin: 'file' });
    expect([...liveLens.certified.keys()]).toEqual(['by-region']);
    expect(await queryRows('select lens, subject_kind, subject, origin from svc.grants order by origin')).toEqual([
      { lens: 'shop', subject_kind: 'group', subject: 'sales', origin: 'group_file' },
      { lens: 'shop', subject_kind: 'caller', subject: 'ada', origin: 'lens_file' },
      { lens: 'shop', subject_kind: 'group', subject: 'sales', origin: 'lens_file' },
    ]);
    const secondApply = await applyTestProject();
    expect(secondApply).toMatchObject({ version: 1, deploymentId: firstApply.deploymentId });
    expect(secondApply.changes.every(({ action }) => action === 'none')).toBe(true);
    expect(await queryRows('select version from svc.deployments')).toHaveLength(1);
    expect(await queryRows('select action from svc.audit_log')).toEqual([{ action: 'project.apply' }]);
  });

  test('plans unchanged files although an optional connection can’t be opened', async () => {
    const config = CONFIG.replace('path: ./shop.duckdb', 'files: {orders: {path: orders.csv}}, optional: true');
    const files = { ...FILES, 'svc.config.yaml': config };
    await applyTestProject(files);
    gate = Promise.reject(new Error('An error of the driver.'));
    gate.catch(() => undefined); // this promise rejects before any code awaits it
    const planned = await planTestProject(files).finally(() => {
      gate = Promise.resolve();
    });
    expect(planned.problems).toEqual([]);
  });

  test('reads value dictionaries from the warehouse, but never for masked fields', async () => {
    await applyTestProject();
    expect(await queryRows('select dataset, field, "values", complete from svc.value_dictionaries')).toEqual([
      { dataset: 'orders', field: 'region', values: ['East', 'West'], complete: true },
    ]);
  });

  test('creates a new version only of a lens whose content changed', async () => {
    const config = CONFIG.replace('lenses: [shop]', 'lenses: [shop, other]');
    const otherLens = LENS.replace('name: shop', 'name: other');
    await applyTestProject({ ...FILES, 'svc.config.yaml': config, 'lenses/other/lens.yaml': otherLens });
    const changes = (
      await applyTestProject({
        ...FILES,
        'svc.config.yaml': config,
        'lenses/other/lens.yaml': otherLens.replace('Sales.', 'Sales after discount.'),
      })
    ).changes;
    expect(changes.filter(({ kind, action }) => kind === 'lens' && action === 'update')).toEqual([
      expect.objectContaining({
        name: 'other',
        summary: 'metric revenue: description "Sales." -> "Sales after discount."',
      }),
    ]);
    expect(await queryRows('select name, active_version from svc.lenses order by name')).toEqual([
      { name: 'other', active_version: 2 },
      { name: 'shop', active_version: 1 },
    ]);
  });

  test('removes objects that the files no longer name, and keeps objects created through the API', async () => {
    await applyTestProject();
    await queryRows(
      `insert into svc.connections (org_id, id, name, kind, config, origin) values ('${orgId}', '${createId()}', 'mine', 'duckdb', '{}', 'api') returning id`,
    );
    await applyTestProject({ 'svc.config.yaml': 'connections: {}\n' });
    expect(await new LensRepository(tenancy).find(orgId, 'shop')).toBeNull();
    expect(await queryRows('select status from svc.certified_entries')).toEqual([{ status: 'retired' }]);
    expect(await queryRows('select name, active from svc.connections order by name')).toEqual([
      { name: 'mine', active: true },
      { name: 'shop', active: false },
    ]);
    expect(await queryRows('select from svc.grants')).toHaveLength(0);
    expect(await queryRows('select version from svc.lens_versions')).toHaveLength(1);
    const revertApply = await applyTestProject();
    expect(revertApply.version).toBe(3);
    expect((await new LensRepository(tenancy).find(orgId, 'shop'))!.certified.size).toBe(1);
  });

  test('refuses changed operator-only keys over HTTP, and accepts them from the operator', async () => {
    const config = `${CONFIG}limits: {requests_per_minute: 7}\nserver: {trusted_proxy_hops: 1}\ntelemetry: {otlp_endpoint: "http://collector:4318"}\n`;
    const { problems } = await planTestProject({ ...FILES, 'svc.config.yaml': config });
    expect(problems.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['operator_only', '/server'],
      ['operator_only', '/limits'],
      ['operator_only', '/telemetry'],
    ]);
    expect(
      (await planTestProject({ ...FILES, 'svc.config.yaml': `${CONFIG}limits: {requests_per_minute: 5}\n` })).problems,
    ).toEqual([]);
    expect((await applyTestProject({ ...FILES, 'svc.config.yaml': config }, { fromOperator: true })).version).toBe(1);
  });

  test('stores a literal secret encrypted, exports it as (kept), and reads (kept) as unchanged', async () => {
    const config = `${CONFIG.replace('connections:', 'connections:\n  core: {kind: postgres, host: db, password: "hunter2 is long"} # the core')}`;
    await applyTestProject({ ...FILES, 'svc.config.yaml': config });
    const dump = JSON.stringify([
      await queryRows('select * from svc.connections'),
      await queryRows('select * from svc.deployments'),
      await queryRows('select * from svc.audit_log'),
    ]);
    expect(dump).not.toContain('hunter2');
    const { files: exportedFiles } = await exportProject(deps, orgId);
    expect(exportedFiles['svc.config.yaml']).toBe(config.replace('"hunter2 is long"', '(kept)'));
    expect((await applyTestProject(exportedFiles)).version).toBe(1);
    expect((await applyTestProject({ ...FILES, 'svc.config.yaml': config })).version).toBe(1);
    const rotatedApply = await applyTestProject({ ...FILES, 'svc.config.yaml': config.replace('hunter2', 'hunter3') });
    expect(rotatedApply.changes).toEqual(
      expect.arrayContaining([expect.objectContaining({ kind: 'connection', name: 'core', action: 'update' })]),
    );
  });
});

describe('concurrent applies', () => {
  test('succeed for one of ten, and don’t affect another organization', async () => {
    let openGate = () => {};
    gate = new Promise((resolve) => {
      openGate = resolve;
    });
    const tenApplies = Array.from({ length: 10 }, () =>
      applyTestProject().then(
        () => 'applied',
        (error: { code: string }) => error.code,
      ),
    );
    const otherOrg = await createOrganization(ownerUrl, `other-${createId().slice(0, 13)}`, createId());
    const otherOrgApply = applyProject(deps, { orgId: otherOrg, files: FILES, actor: 'tester', fromOperator: false });
    await Promise.race([Promise.all(tenApplies.slice(1)), new Promise((resolve) => setTimeout(resolve, 2_000))]);
    openGate();
    gate = Promise.resolve();
    const outcomes = await Promise.all(tenApplies);
    expect(outcomes.filter((outcome) => outcome === 'applied')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'conflict')).toHaveLength(9);
    expect((await otherOrgApply).version).toBe(1);
  });

  test('are refused on a second replica by the lock in the database', async () => {
    await tenancy.inTenant(orgId, async (db) => {
      await db.run(`select pg_advisory_xact_lock(hashtextextended('svc project ' || $1, 0))`, [orgId]);
      await expect(applyTestProject()).rejects.toMatchObject({ code: 'conflict' });
    });
    expect((await applyTestProject()).version).toBe(1);
  });

  test('keep the old version and leave no lock if a database session ends during an apply', async () => {
    await applyTestProject();
    let open = () => {};
    let markEntered = () => {};
    const applyStarted = new Promise<void>((resolve) => {
      markEntered = resolve;
    });
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const interruptedDeps = {
      ...deps,
      opener: {
        open: (openRequest: Parameters<typeof deps.opener.open>[0]) => {
          markEntered();
          return deps.opener.open(openRequest);
        },
      },
    };
    const files = { ...FILES, 'lenses/shop/lens.yaml': LENS.replace('Sales.', 'Other.') };
    const killedApply = applyProject(interruptedDeps, { orgId, files, actor: 'tester', fromOperator: false }).catch(
      (error: unknown) => error,
    );
    await applyStarted;
    const owner = await connect(ownerUrl);
    await owner.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()
         and database = (select oid from pg_database where datname = current_database())`,
    );
    await owner.end();
    open();
    gate = Promise.resolve();
    expect(await killedApply).toMatchObject({ code: 'unreachable' });
    expect((await new LensRepository(tenancy).find(orgId, 'shop'))!.version).toBe(1);
    expect((await applyTestProject(files)).version).toBe(2);
  });
});
