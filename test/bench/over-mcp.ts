// (b) The same SQL on the same PostgreSQL over MCP: the `sql` tool of svc and the SQL tools of dbhub and MCP Toolbox,
// with the same client. Only svc authenticates, guards, signs and writes a trace.
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { freePort } from '../support/free-port.ts';
import { NAMED, namedSql } from '../support/ledger.ts';
import type { LedgerStage } from './ledger-stage.ts';
import { alternate, median, quantile, roundTo } from './measure.ts';
import { DBHUB, install, TOOLBOX } from './peers.ts';

interface Side {
  client: Client;
  call: (sql: string) => { name: string; arguments: Record<string, unknown> };
  process?: ChildProcess;
}

export async function measureOverMcp(stage: LedgerStage, rounds: number) {
  const left_out: string[] = [];
  const sides: Record<string, Side> = {};
  try {
    const headers = { authorization: `Bearer ${stage.deployment.callerKey}` };
    sides['svc'] = {
      client: await connect(`${stage.svc.url}/mcp`, headers),
      call: (sql) => ({ name: 'sql', arguments: { lens: 'ledger', sql } }),
    };
    for (const [name, open] of Object.entries({ dbhub: openDbhub, toolbox: openToolbox })) {
      const openedSide = await open(stage.warehouseUrl).catch((fault: Error) => ({ missing: fault.message }));
      if ('missing' in openedSide) left_out.push(`${name}: ${openedSide.missing}`);
      else sides[name] = openedSide;
    }
    const results = [];
    for (const [query, rows] of Object.entries(NAMED)) {
      const sql = namedSql(rows);
      const work = Object.fromEntries(
        Object.entries(sides).map(([name, { client, call }]) => [
          name,
          async () => {
            const startedAt = performance.now();
            const reply = await client.callTool(call(sql));
            const ms = performance.now() - startedAt;
            if (reply.isError || !JSON.stringify(reply).includes('North'))
              throw new Error(`${name}: ${JSON.stringify(reply)}`);
            return ms;
          },
        ]),
      );
      const times = await alternate(rounds, work);
      for (const [name, ms] of Object.entries(times))
        results.push({
          query,
          server: name,
          p50: roundTo(median(ms)),
          p95: roundTo(quantile(ms, 0.95)),
          svc_to_it: roundTo(median(times['svc']!) / median(ms)),
        });
    }
    return { results, left_out };
  } finally {
    for (const { client, process: child } of Object.values(sides)) {
      await client.close().catch(() => undefined);
      if (child) stop(child);
    }
  }
}

async function openDbhub(dsn: string): Promise<Side | { missing: string }> {
  const installed = await install(DBHUB);
  if ('missing' in installed) return installed;
  const port = await freePort();
  const main = join(installed.folder, 'node_modules/@bytebase/dbhub/dist/index.js');
  const args = [main, '--transport', 'http', '--port', String(port), '--dsn', `${dsn}?sslmode=disable`];
  const child = spawn(process.execPath, args, { cwd: installed.folder, stdio: 'ignore', detached: true });
  return openSide(child, port, (sql) => ({ name: 'execute_sql', arguments: { sql } }));
}

async function openToolbox(dsn: string): Promise<Side | { missing: string }> {
  const installed = await install(TOOLBOX);
  if ('missing' in installed) return installed;
  const port = await freePort();
  const at = new URL(dsn);
  const config = join(installed.folder, 'tools.yaml');
  await writeFile(
    config,
    `sources:
  ledger: {kind: postgres, host: ${at.hostname}, port: "${at.port}", database: ${at.pathname.slice(1)}, user: ${at.username}, password: ${at.password}}
tools:
  execute_sql: {kind: postgres-execute-sql, source: ledger, description: Run SQL.}
toolsets:
  all: [execute_sql]
`,
  );
  const main = join(installed.folder, 'node_modules/@toolbox-sdk/server/bin/run.js');
  const args = [main, '--config', config, '--port', String(port), '--log-level', 'ERROR', '--disable-version-check'];
  const child = spawn(process.execPath, args, { cwd: installed.folder, stdio: 'ignore', detached: true });
  return openSide(child, port, (sql) => ({ name: 'execute_sql', arguments: { sql } }));
}

async function openSide(child: ChildProcess, port: number, call: Side['call']): Promise<Side> {
  const until = Date.now() + 60_000;
  for (;;) {
    try {
      return { client: await connect(`http://127.0.0.1:${port}/mcp`), call, process: child };
    } catch (fault) {
      if (child.exitCode !== null || Date.now() > until) {
        stop(child);
        throw fault;
      }
      await sleep(200);
    }
  }
}

/** Stops the whole process group, because a launcher doesn't pass signals on. */
function stop(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, 'SIGTERM');
  } catch {
    // The process has already ended.
  }
}

/** Omits the session's signal that the transport passes to every call, because each call would add a listener to it. */
const fetchWithoutSignal: typeof fetch = (url, init) => fetch(url, { ...init, signal: null });

export async function connect(url: string, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers }, fetch: fetchWithoutSignal }),
  );
  return client;
}
