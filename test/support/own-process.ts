// The real `svc start` in a separate process and home, which a test can kill.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { untilFileEnds } from './until-file-ends.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SVC = join(ROOT, 'src/svc.cjs');

export interface OwnProcess {
  child: ChildProcess;
  baseUrl: string;
  callerKey: string;
  adminToken: string;
  /** Sends a signal and waits for the end. Returns the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export function runSvc(args: string[], env: Record<string, string>, cwd = ROOT, program = SVC): ChildProcess {
  return spawn(process.execPath, [program, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], SVC_LOG_LEVEL: 'warn', SVC_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export async function startSvc(
  homeFolder: string,
  env: Record<string, string> = {},
  program?: string,
): Promise<OwnProcess> {
  const child = runSvc(['start'], { SVC_HOME: homeFolder, ...env }, ROOT, program);
  untilFileEnds(() => child.kill('SIGKILL'));
  let output = '';
  child.stdout!.on('data', (data: Buffer) => {
    output += data.toString();
  });
  child.stderr!.on('data', (data: Buffer) => {
    output += data.toString();
  });
  const until = Date.now() + 180_000;
  // The welcome message appears after the credentials are written and the port is open.
  while (!output.includes('curl ')) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`svc did not start:\n${output}`);
    await sleep(20);
  }
  const credentials = JSON.parse(await readFile(join(homeFolder, 'credentials.json'), 'utf8')) as Record<
    string,
    string
  >;
  return {
    child,
    baseUrl: credentials['base_url']!,
    callerKey: credentials['caller_key']!,
    adminToken: credentials['admin_token']!,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
      return child.exitCode;
    },
  };
}

/** Runs a command of `svc`. Returns its exit code and output. */
export async function svcSays(
  args: string[],
  env: Record<string, string>,
  cwd = ROOT,
): Promise<{ code: number | null; out: string; said: string }> {
  const child = runSvc(args, env, cwd);
  let output = '';
  let said = '';
  child.stdout!.on('data', (data: Buffer) => {
    output += data.toString();
    said += data.toString();
  });
  child.stderr!.on('data', (data: Buffer) => (said += data.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, out: output, said };
}
