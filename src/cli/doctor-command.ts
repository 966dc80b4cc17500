// Each line of the output shows one finding and the next step.
import { once } from 'node:events';
import { access, constants, mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { readConfig } from '../config.ts';
import { readCredentials } from '../home.ts';
import { loadProjectFolder } from '../lens/files/load-project-folder.ts';
import { readClientEnvironment } from './client-environment.ts';
import { Failure } from './terminal/failure.ts';
import { colorText, printResult } from './terminal/print.ts';

interface DoctorFinding {
  what: string;
  ok: boolean;
  says: string;
}
type Readiness = { checks: Record<string, { status: string; detail?: string }> };

const MIN_NODE_MAJOR = 20;
const ANSWER_TIMEOUT_MS = 5_000;

export async function runDoctorCommand(options: { json?: boolean }): Promise<void> {
  const findings = [
    await runDoctorCheck('Node.js', describeNode),
    await runDoctorCheck('SVC_HOME', checkHomeFolder),
    await runDoctorCheck('Settings', describeSettings),
    await runDoctorCheck('Project', describeProject),
    ...(await checkServer()),
  ];
  printResult(
    options,
    findings,
    findings.map(
      ({ what, ok, says }) => `${ok ? colorText('green', 'ok  ') : colorText('red', 'fail')}  ${what}: ${says}`,
    ),
  );
  const failureCount = findings.filter(({ ok }) => !ok).length;
  if (failureCount > 0) throw new Failure(`${failureCount} of ${findings.length} checks failed.`);
}

async function runDoctorCheck(what: string, describe: () => string | Promise<string>): Promise<DoctorFinding> {
  try {
    return { what, ok: true, says: await describe() };
  } catch (fault) {
    return { what, ok: false, says: (fault as Error).message };
  }
}

function describeNode(): string {
  const summary = `${process.versions.node} on ${process.platform} ${process.arch}`;
  if (Number(process.versions.node.split('.')[0]) >= MIN_NODE_MAJOR) return summary;
  throw new Failure(`${summary}. Install Node ${MIN_NODE_MAJOR} or newer.`);
}

async function checkHomeFolder(): Promise<string> {
  const { home } = readClientEnvironment();
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    await access(home, constants.W_OK);
  } catch (fault) {
    throw new Failure(`${(fault as Error).message}. Set SVC_HOME to a folder that you own.`);
  }
  return `svc can write to ${home}`;
}

const describeSettings = (): string =>
  readConfig().databaseUrl ? 'control database in DATABASE_URL' : 'embedded control database';

async function describeProject(): Promise<string> {
  const { project: folder } = readClientEnvironment();
  const files = Object.keys(await loadProjectFolder(folder));
  const lenses = files.filter((path) => path.endsWith('/lens.yaml')).length;
  return `${files.length} files, ${lenses} lenses. To check them, run: npx svc check ${folder}`;
}

async function checkServer(): Promise<DoctorFinding[]> {
  const { home, baseUrl } = readClientEnvironment();
  const base = baseUrl ?? (await readCredentials(home).catch(() => null))?.base_url ?? null;
  if (base === null) return [await runDoctorCheck('Server', describePort)];
  try {
    const reply = await fetch(`${base}/ready`, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    const { checks } = (await reply.json()) as Readiness;
    return Object.entries(checks).map(([name, { status, detail }]) => ({
      what: `Server, ${name}`,
      ok: status === 'ok' || status === 'off',
      says: detail ? `${status}: ${detail}` : status,
    }));
  } catch {
    if (baseUrl === null) return [await runDoctorCheck('Server', describePort)];
    return [{ what: 'Server', ok: false, says: `no server is responding at ${base}. Check SVC_BASE_URL.` }];
  }
}

/** svc checks the port only if no server is running. */
async function describePort(): Promise<string> {
  const { port } = readClientEnvironment();
  const probe = createServer().listen(port, '127.0.0.1');
  await once(probe, 'listening').catch(() => {
    throw new Failure(`not running, and port ${port} is in use. Set SVC_PORT to another port.`);
  });
  probe.close();
  return 'not running. Start it with: npx svc start';
}
