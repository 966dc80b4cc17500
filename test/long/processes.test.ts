// F01, F15, F20 and kill -9: processes that end during work. Part of `npm run faults`.
import { once } from 'node:events';
import { connect as connectTo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import type { Receipt } from '../../src/contract/receipt.ts';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { findPendingMigrations, migrate } from '../../src/platform/tenancy/migrate.ts';
import { SHOP } from '../support/app.ts';
import { type OwnProcess, runSvc, startSvc } from '../support/own-process.ts';
import { clusterUrl, connect, createControlDatabase, createDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const KILLS = Number(process.env['SVC_FAULT_ROUNDS'] ?? 5);
const homeFolder = await temporaryFolder();

const call = async (svc: OwnProcess, path: string, body: object, token = svc.callerKey) => {
  const reply = await fetch(`${svc.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: reply.status, body: await reply.json() };
};
const ask = (svc: OwnProcess) => call(svc, '/v1/lenses/shop/metrics', { metrics: ['revenue'] });

/** Asks on four lanes until the process ends. Collects every receipt that arrives. */
async function askUntilGone(svc: OwnProcess, receipts: Receipt[]): Promise<{ refused: number; broken: number }> {
  const seen = { refused: 0, broken: 0 };
  const runLoop = async () => {
    while (svc.child.exitCode === null && svc.child.signalCode === null) {
      try {
        const { status, body } = await ask(svc);
        if (status === 200) receipts.push((body as Envelope).receipt!);
        else seen.refused++;
      } catch {
        seen.broken++;
        await sleep(20);
      }
    }
  };
  await Promise.all([runLoop(), runLoop(), runLoop(), runLoop()]);
  return seen;
}

describe('the embedded service', () => {
  it('starts again after kill -9 at any moment, and every issued receipt still verifies', async () => {
    const receipts: Receipt[] = [];
    for (let round = 0; round < KILLS; round++) {
      const svc = await startSvc(homeFolder, { SVC_PROJECT: SHOP });
      const asking = askUntilGone(svc, receipts);
      await sleep(200 + Math.random() * 1_000);
      await svc.end('SIGKILL');
      await asking;
    }
    const svc = await startSvc(homeFolder, { SVC_PROJECT: SHOP });
    expect((await ask(svc)).status).toBe(200);
    expect(receipts.length).toBeGreaterThan(KILLS);
    for (const receipt of receipts) {
      const { body } = await call(svc, '/v1/verify-receipt', receipt);
      expect(body).toMatchObject({ ok: true, signature: 'valid', trace_found: true, mismatches: [] });
    }
    expect(await svc.end('SIGTERM')).toBe(0);
  });

  it('F20: answers the accepted asks after SIGTERM under load, and exits with 0', async () => {
    const svc = await startSvc(homeFolder, { SVC_PROJECT: SHOP });
    const receipts: Receipt[] = [];
    const statuses: number[] = [];
    // Requests that are open when the signal arrives, each on its own connection.
    const openRequests = Array.from({ length: 24 }, async () => {
      const { status, body } = await ask(svc);
      statuses.push(status);
      if (status === 200) receipts.push((body as Envelope).receipt!);
    });
    await sleep(30);
    const startedAt = performance.now();
    const code = svc.end('SIGTERM');
    await Promise.all(openRequests);
    expect(await code).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(statuses).toEqual(Array.from({ length: 24 }, () => 200));
    const restartedSvc = await startSvc(homeFolder, { SVC_PROJECT: SHOP });
    for (const receipt of receipts)
      expect((await call(restartedSvc, '/v1/verify-receipt', receipt)).body).toMatchObject({ ok: true });
    await restartedSvc.end('SIGTERM');
  });

  it('F20: answers a request that arrives on an open connection after SIGTERM, and closes the connection', async () => {
    const svc = await startSvc(homeFolder, { SVC_PROJECT: SHOP });
    const body = JSON.stringify({ metrics: ['revenue'] });
    const { hostname, port } = new URL(svc.baseUrl);
    const socket = connectTo({ host: hostname, port: Number(port) });
    let replies = '';
    socket.on('data', (data) => (replies += data.toString()));
    const isClosed = once(socket, 'close');
    const headers = `Host: ${hostname}\r\nAuthorization: Bearer ${svc.callerKey}\r\nContent-Type: application/json\r\n`;
    const request = `POST /v1/lenses/shop/metrics HTTP/1.1\r\n${headers}Content-Length: ${body.length}\r\n\r\n`;
    socket.write(request + body.slice(0, 5));
    await sleep(300);
    const code = svc.end('SIGTERM');
    await sleep(1_000);
    socket.write(body.slice(5) + request + body);
    await isClosed;
    expect(replies.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
    expect(replies).toMatch(/connection: close/i);
    expect(await code).toBe(0);
  });

  it('F01: serves entirely the old or the new version after kill -9 during an apply', async () => {
    const files = await loadProjectFolder(SHOP);
    const operatorKeys =
      /^(instance|models|server|plugins|limits|sign_in|demo|typed_decisions|telemetry|retention):.*\n/gm;
    files['svc.config.yaml'] = files['svc.config.yaml']!.replace(operatorKeys, '');
    const lens = files['lenses/shop/lens.yaml']!;
    let factor = 1;
    for (let round = 0; round < KILLS; round++) {
      const svc = await startSvc(homeFolder, { SVC_PROJECT: SHOP });
      const before = (await ask(svc)).body as Envelope;
      const next = factor + 1;
      files['lenses/shop/lens.yaml'] = lens.replace('sum(orders.sales)', `sum(orders.sales * ${next})`);
      const applying = call(svc, '/mgmt/project/apply', { files }, svc.adminToken).catch(() => null);
      await sleep(Math.random() * 400);
      await svc.end('SIGKILL');
      await applying;
      const restartedSvc = await startSvc(homeFolder, { SVC_PROJECT: SHOP });
      const after = (await ask(restartedSvc)).body as Envelope;
      const revenue = Number(after.data![0]!['revenue']);
      const old = Number(before.data![0]!['revenue']);
      expect([old, 961.5 * next]).toContain(revenue);
      if (revenue === old) expect(after.lens_version).toBe(before.lens_version);
      // The lock ended with the process, so the same apply works at once.
      const retried = await call(restartedSvc, '/mgmt/project/apply', { files }, restartedSvc.adminToken);
      expect(retried.status, JSON.stringify(retried.body)).toBe(200);
      expect(Number(((await ask(restartedSvc)).body as Envelope).data![0]!['revenue'])).toBeCloseTo(961.5 * next, 6);
      factor = next;
      await restartedSvc.end('SIGTERM');
    }
  });
});

describe('migrations', () => {
  it('F15: complete the schema after kills at random moments and two concurrent starts', async () => {
    const url = await createDatabase();
    for (let round = 0; round < KILLS; round++) {
      const child = runSvc(['migrate'], { DATABASE_URL: url });
      const exited = once(child, 'exit');
      await sleep(700 + Math.random() * 900);
      child.kill('SIGKILL');
      await exited;
    }
    await Promise.all([migrate(url), migrate(url)]);
    const client = await connect(url);
    const { rows } = await client.query<{ id: string }>('select id from public.svc_migrations');
    expect(await findPendingMigrations(rows.map(({ id }) => id))).toEqual([]);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    await client.end();
  });

  it('F23: apply nothing to a copy of the database, which keeps its tables, policies and grants', async () => {
    const original = await createControlDatabase();
    const readCatalog = async (url: string) => {
      const client = await connect(url);
      const { rows } = await client.query(`
        select c.relname, c.relrowsecurity, c.relforcerowsecurity, c.relacl::text as grants,
          (select json_agg(json_build_array(p.polname, p.polcmd, pg_get_expr(p.polqual, p.polrelid),
             pg_get_expr(p.polwithcheck, p.polrelid)) order by p.polname) from pg_policy p where p.polrelid = c.oid) as policies
        from pg_class c where c.relnamespace = 'svc'::regnamespace and c.relkind = 'r' order by 1`);
      await client.end();
      return rows;
    };
    const admin = await connect(clusterUrl());
    const name = new URL(original).pathname.slice(1);
    const copy = `${name}_restored`;
    await admin.query(`create database ${copy} template ${name}`);
    try {
      const restored = Object.assign(new URL(original), { pathname: `/${copy}` }).href;
      expect(await migrate(restored)).toEqual({ applied: [] });
      expect(await readCatalog(restored)).toEqual(await readCatalog(original));
    } finally {
      await admin.query(`drop database ${copy} with (force)`);
      await admin.end();
    }
  });
});
