// Real `svc start` processes on one control database, as in production: migrated and bootstrapped by command, with a
// project applied over HTTP and one caller with a key.
import { type ChildProcess, execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';
import { ROOT, runSvc } from './own-process.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { untilFileEnds } from './until-file-ends.ts';

const run = promisify(execFile);
const PATIENCE_MS = 120_000;
/** The operator's file of the replicas. It keeps test keys below their rate limit. */
const OPERATOR = 'limits: {requests_per_minute: 100000000}\n';

export interface Replica {
  url: string;
  child: ChildProcess;
  /** The output so far, for error messages. */
  output(): string;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export interface Tenant {
  orgId: string;
  adminToken: string;
  /** The key of a caller who may use the lenses. */
  callerKey: string;
}

export interface Deployment extends Tenant {
  env: Record<string, string>;
  start(env?: Record<string, string>): Promise<Replica>;
  /** Runs a command of svc with this deployment's environment. Returns its standard output. */
  command(args: string[], env?: Record<string, string>): Promise<string>;
  /** Adds an organization with its own project, applied through a running replica. */
  addTenant(url: string, name: string, files: Record<string, string>, lenses: string[]): Promise<Tenant>;
}

export async function deploy(
  databaseUrl: string,
  files: Record<string, string>,
  { lenses, env: extraEnv = {} }: { lenses: string[]; env?: Record<string, string> },
): Promise<Deployment> {
  const homeFolder = await temporaryFolder();
  await writeFile(join(homeFolder, 'svc.config.yaml'), OPERATOR);
  const env = {
    DATABASE_URL: databaseUrl,
    SVC_SECRET_KEY: randomBytes(32).toString('hex'),
    SVC_PROJECT: homeFolder,
    SVC_ALLOWED_ADDRESSES: '127.0.0.0/8,::1,localhost',
    ...extraEnv,
  };
  const running = new Set<Replica>();
  let count = 0;
  const command = async (args: string[], overrides: Record<string, string> = {}) => {
    const { stdout } = await run(process.execPath, [join(ROOT, 'src/svc.cjs'), ...args], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env, SVC_HOME: homeFolder, ...overrides },
    });
    return stdout;
  };
  const start = async (overrides: Record<string, string> = {}): Promise<Replica> => {
    const port = await freePort();
    const child = runSvc(['start'], {
      ...env,
      SVC_HOME: join(homeFolder, `replica-${count++}`),
      SVC_PORT: String(port),
      ...overrides,
    });
    const outputs: string[] = [];
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (data: Buffer) => outputs.push(data.toString()));
    const replica: Replica = {
      url: `http://127.0.0.1:${port}`,
      child,
      output: () => outputs.join(''),
      async end(signal) {
        if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
        const exited = once(child, 'exit');
        child.kill(signal);
        await exited;
        return child.exitCode;
      },
    };
    running.add(replica);
    child.once('exit', () => running.delete(replica));
    await becomesReady(replica);
    return replica;
  };
  const addTenant: Deployment['addTenant'] = async (url, name, ofFiles, ofLenses) => {
    const made = JSON.parse(await command(['bootstrap', '--org', name, '--json'])) as Record<string, string>;
    const adminToken = made['admin_token']!;
    await apply(url, adminToken, ofFiles);
    const grants = ofLenses.flatMap((lens) => ['--lens', lens]);
    const minted = await command(['key', 'create', '--caller', 'load', '--org', name, ...grants, '--json']);
    return { orgId: made['org_id']!, adminToken, callerKey: (JSON.parse(minted) as { key: string }).key };
  };
  untilFileEnds(() => Promise.all([...running].map((replica) => replica.end('SIGKILL'))));
  await command(['migrate']);
  const first = await start();
  const tenant = await addTenant(first.url, 'default', files, lenses);
  await first.end('SIGTERM');
  return { ...tenant, env, start, command, addTenant };
}

async function apply(url: string, token: string, files: Record<string, string>): Promise<void> {
  const reply = await fetch(`${url}/mgmt/project/apply`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ files }),
  });
  if (!reply.ok) throw new Error(`apply: ${reply.status} ${await reply.text()}`);
}

async function becomesReady({ url, child, output }: Replica): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const reply = await fetch(`${url}/ready`).catch(() => null);
    if (reply?.status === 200) return;
    if (child.exitCode !== null || Date.now() > until)
      throw new Error(`a replica did not become ready: ${await reply?.text()}\n${output()}`);
    await sleep(50);
  }
}
