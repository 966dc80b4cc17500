// svc doctor: checks the requirements for starting svc and the state of a running server. Each line of the output shows
// one finding and the next step.
import { access, constants, mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { styleText } from 'node:util';
import { readConfig } from '../config.ts';
import { readCredentials } from '../home.ts';
import { loadProjectFolder } from '../lens/files/load-project-folder.ts';
import { readClientEnvironment } from './client-environment.ts';
import { Failure } from './terminal/failure.ts';

interface Finding {
  what: string;
  ok: boolean;
  says: string;
}
type Readiness = { checks: Record<string, { status: string; detail?: string }> };

const MIN_NODE_MAJOR = 20;
const ANSWER_TIMEOUT_MS = 5_000;

export async function doctorCommand({ json }: { json?: boolean }): Promise<void> {
  const findings = [
    checkNodeVersion(),
    await checkHomeFolder(),
    await checkSettings(),
    await checkProject(),
    ...(await checkServer()),
  ];
  if (json) console.log(JSON.stringify(findings, null, 2));
  else
    for (const { what, ok, says } of findings)
      console.log(`${ok ? styleText('green', 'ok  ') : styleText('red', 'fail')}  ${what}: ${says}`);
  const failureCount = findings.filter(({ ok }) => !ok).length;
  if (failureCount > 0) throw new Failure(`${failureCount} of ${findings.length} checks failed.`);
}

function checkNodeVersion(): Finding {
  const isSupported = Number(process.versions.node.split('.')[0]) >= MIN_NODE_MAJOR;
  const summary = `${process.versions.node} on ${process.platform} ${process.arch}`;
  return {
    what: 'Node.js',
    ok: isSupported,
    says: isSupported ? summary : `${summary}. Install Node ${MIN_NODE_MAJOR} or newer.`,
  };
}

async function checkHomeFolder(): Promise<Finding> {
  const { home } = readClientEnvironment();
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    await access(home, constants.W_OK);
    return { what: 'SVC_HOME', ok: true, says: `svc can write to ${home}` };
  } catch (fault) {
    return { what: 'SVC_HOME', ok: false, says: `${(fault as Error).message}. Set SVC_HOME to a folder that you own.` };
  }
}

async function checkSettings(): Promise<Finding> {
  try {
    const { databaseUrl } = readConfig();
    const summary = databaseUrl ? 'control database of DATABASE_URL' : 'embedded control database';
    return { what: 'Settings', ok: true, says: summary };
  } catch (fault) {
    return { what: 'Settings', ok: false, says: (fault as Error).message };
  }
}

async function checkProject(): Promise<Finding> {
  const { project: folder } = readClientEnvironment();
  try {
    const files = Object.keys(await loadProjectFolder(folder));
    const lenses = files.filter((path) => path.endsWith('/lens.yaml')).length;
    return {
      what: 'Project',
      ok: true,
      says: `${files.length} files, ${lenses} lenses. npx svc plan ${folder} checks them.`,
    };
  } catch (fault) {
    return { what: 'Project', ok: false, says: (fault as Error).message };
  }
}

async function checkServer(): Promise<Finding[]> {
  const { home, baseUrl } = readClientEnvironment();
  const base = baseUrl ?? (await readCredentials(home).catch(() => null))?.base_url ?? null;
  if (base === null) return [await checkPort()];
  try {
    const reply = await fetch(`${base}/ready`, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    const { checks } = (await reply.json()) as Readiness;
    return Object.entries(checks).map(([name, { status, detail }]) => ({
      what: `Server, ${name}`,
      ok: status === 'ok' || status === 'off',
      says: detail ? `${status}: ${detail}` : status,
    }));
  } catch {
    if (baseUrl !== null)
      return [{ what: 'Server', ok: false, says: `no server is responding at ${base}. Check SVC_BASE_URL.` }];
    return [await checkPort()];
  }
}

/** Checks whether the port is free. This check runs only if no server is running. */
async function checkPort(): Promise<Finding> {
  const { port } = readClientEnvironment();
  const isFree = await new Promise<boolean>((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
  return {
    what: 'Server',
    ok: isFree,
    says: isFree
      ? 'not running. Start it with: npx svc start'
      : `not running, and port ${port} is in use. Set SVC_PORT to another port.`,
  };
}
