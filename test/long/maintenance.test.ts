// F14, F15 and F23 with the commands of docs/operations.md: rotate keys while replicas serve, back up and restore a
// database, and run an older build on a newer schema.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, symlink } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { startBalancer } from '../support/balancer.ts';
import { breachesOf, History, TRACES_OF, type TraceOnRecord } from '../support/history.ts';
import { makeLedger } from '../support/ledger.ts';
import { postJson, startLoad, verifyAt } from '../support/load.ts';
import { ROOT } from '../support/own-process.ts';
import { connect, createDatabase } from '../support/postgres.ts';
import { type Deployment, deploy, type Replica } from '../support/replicas.ts';
import { serverTools, startOtherPostgres } from '../support/server-tools.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const METRICS = { path: '/v1/lenses/ledger/metrics', body: { metrics: ['revenue'] } };
const tools = serverTools();
if (!tools) console.log('Backup and restore are not tried: this machine has no PostgreSQL with pg_dump and psql.');

/** The commands under a heading, by block. */
async function commandsUnder(heading: string): Promise<string[]> {
  const text = await readFile(join(ROOT, 'docs/operations.md'), 'utf8');
  const section = text.split(`## ${heading}\n`)[1]!.split('\n## ')[0]!;
  return [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block!);
}

/** Runs a script in its own folder, where `npx svc` is this checkout. */
async function runShell(folder: string, script: string, env: Record<string, string>): Promise<string> {
  const path = [join(folder, 'bin'), ...(tools ? [tools] : []), process.env['PATH']].join(delimiter);
  const shellEnv = { PATH: path, HOME: process.env['HOME'], ...env };
  const npx = `npx() { local command=$1; shift; "$command" "$@"; }\n`;
  const { stdout } = await promisify(execFile)('bash', ['-euc', npx + script], { cwd: folder, env: shellEnv });
  return stdout;
}
const folder = await temporaryFolder();
await promisify(execFile)('mkdir', ['bin'], { cwd: folder });
await symlink(join(ROOT, 'src/svc.cjs'), join(folder, 'bin/svc'));

const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = await connect(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};
const tracesIn = (url: string) => (ids: string[]) =>
  withClient(url, async (client) => (await client.query<TraceOnRecord>(TRACES_OF, [ids])).rows);

describe('F14: rotating SVC_SECRET_KEY under load', () => {
  let deployment: Deployment;
  let controlUrl: string;
  beforeAll(async () => {
    controlUrl = await createDatabase();
    const ledger = await makeLedger(await createDatabase());
    deployment = await deploy(controlUrl, ledger.files, { lenses: ['ledger'] });
  }, 300_000);

  it('keeps every receipt and stored secret usable until the old key is removed', async () => {
    const [block] = await commandsUnder('Rotating SVC_SECRET_KEY');
    const steps = block!.trim().split('\n');
    expect(steps).toHaveLength(4);
    const keys = { OLD: deployment.env['SVC_SECRET_KEY']!, NEW: randomBytes(32).toString('hex') };
    const replicas: Replica[] = [await deployment.start(), await deployment.start()];
    const balancer = await startBalancer(replicas.map(({ url }) => url));
    const history = new History();
    const { orgId, callerKey } = deployment;
    const load = startLoad({
      url: balancer.url,
      orgId,
      tokens: [callerKey],
      lanes: 3,
      history,
      next: () => METRICS,
      pauseMs: 20,
    });
    let list = keys.OLD;
    for (const step of steps) {
      const env = { ...deployment.env, ...keys, SVC_SECRET_KEY: list, SVC_HOME: folder };
      const scriptOutput = await runShell(folder, `${step}\necho "list=$SVC_SECRET_KEY"`, env);
      list = /list=(.*)/.exec(scriptOutput)![1]!;
      if (step.startsWith('npx')) {
        expect(scriptOutput).toMatch(/first key now: 1\./);
        continue;
      }
      // All receipts still verify on a replica that has the old key.
      if (list === keys.NEW) {
        await load.stop();
        const lookups = { traces: tracesIn(controlUrl), verify: verifyAt(balancer.url) };
        expect(await breachesOf(history.served, lookups)).toEqual([]);
      }
      for (const [at, replica] of replicas.entries()) {
        balancer.set(replicas.filter((item) => item !== replica).map(({ url }) => url));
        expect(await replica.end('SIGTERM')).toBe(0);
        replicas[at] = await deployment.start({ SVC_SECRET_KEY: list });
        balancer.set(replicas.map(({ url }) => url));
      }
    }
    expect(Object.keys(history.statuses())).toEqual(['200']);
    expect(load.broken).toEqual({});
    // With only the new key, the warehouse password decrypts and new receipts verify. Receipts of the old key don't
    // verify.
    const freshReply = await postJson<Envelope>(balancer.url + METRICS.path, METRICS.body, callerKey);
    expect(freshReply.status, JSON.stringify(freshReply.body)).toBe(200);
    const verify = verifyAt(balancer.url);
    expect(await verify(freshReply.body.receipt!, callerKey)).toMatchObject({ ok: true });
    expect(await verify(history.served[0]!.body.receipt!, callerKey)).toMatchObject({
      ok: false,
      signature: 'invalid',
    });
  });
});

it('F15: serves on the schema of a newer build', async () => {
  const controlUrl = await createDatabase();
  const ledger = await makeLedger(await createDatabase());
  const deployment = await deploy(controlUrl, ledger.files, { lenses: ['ledger'] });
  // Changes as in a migration of a newer build: another id, a column with a default, and a table.
  await withClient(controlUrl, async (client) => {
    await client.query(`insert into public.svc_migrations (id) values ('9999_from_a_newer_build');
        alter table svc.traces add column from_a_newer_build int not null default 0;
        create table svc.from_a_newer_build (org_id uuid not null); call svc.protect('svc.from_a_newer_build')`);
  });
  const replica = await deployment.start();
  expect((await fetch(`${replica.url}/ready`)).status).toBe(200);
  const reply = await postJson<Envelope>(replica.url + METRICS.path, METRICS.body, deployment.callerKey);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  expect(JSON.parse(await deployment.command(['migrate', '--json']))).toEqual({ applied: [] });
});

describe.skipIf(!tools)('F23: backup and restore', () => {
  it('keep receipts, policies, forced row-level security and grants', async () => {
    const otherPostgres = await startOtherPostgres(tools!);
    const urlOf = (database: string) => Object.assign(new URL(otherPostgres), { pathname: `/${database}` }).href;
    await withClient(otherPostgres, (client) => client.query('create database control'));
    const ledger = await makeLedger(await createDatabase());
    const deployment = await deploy(urlOf('control'), ledger.files, { lenses: ['ledger'] });
    const replica = await deployment.start();
    const history = new History();
    for (let turn = 0; turn < 5; turn++)
      history.add(
        deployment.orgId,
        deployment.callerKey,
        await postJson<Envelope>(replica.url + METRICS.path, METRICS.body, deployment.callerKey),
      );
    await replica.end('SIGTERM');

    const [backup, restore] = await commandsUnder('Backup and restore');
    const restored = urlOf('svc_restored');
    const env = { ...deployment.env, MAINTENANCE_URL: otherPostgres, NEW_DATABASE_URL: restored, SVC_HOME: folder };
    await runShell(folder, backup!, env);
    await runShell(folder, restore!, env);

    expect(await withClient(restored, catalogOf)).toEqual(await withClient(urlOf('control'), catalogOf));
    const again = await deployment.start({ DATABASE_URL: restored });
    history.add(
      deployment.orgId,
      deployment.callerKey,
      await postJson<Envelope>(again.url + METRICS.path, METRICS.body, deployment.callerKey),
    );
    expect(history.statuses()).toEqual({ 200: 6 });
    const lookups = { traces: tracesIn(restored), verify: verifyAt(again.url) };
    expect(await breachesOf(history.served, lookups)).toEqual([]);
  });
});

/** Tables with grants and policies, without the login that belongs to one database. */
async function catalogOf(client: pg.Client): Promise<unknown[]> {
  const { rows } = await client.query(`
    select c.relname, c.relrowsecurity, c.relforcerowsecurity,
      (select array_agg(g.grantee || ' ' || g.privilege_type order by 1) from information_schema.role_table_grants g
        where g.table_schema = 'svc' and g.table_name = c.relname) as grants,
      (select json_agg(json_build_array(p.polname, p.polcmd, p.polpermissive, pg_get_expr(p.polqual, p.polrelid),
         pg_get_expr(p.polwithcheck, p.polrelid)) order by p.polname) from pg_policy p where p.polrelid = c.oid) as policies
    from pg_class c where c.relnamespace = 'svc'::regnamespace and c.relkind in ('r', 'p') order by 1`);
  return rows;
}
