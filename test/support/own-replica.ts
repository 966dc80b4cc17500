// `svc start` in a separate process on the control database of a test, so that it shares nothing with the test process.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECRET_KEY, type TestApp } from './app.ts';
import { freePort } from './free-port.ts';
import { runSvc } from './own-process.ts';
import { untilFileEnds } from './until-file-ends.ts';

export interface OwnReplica {
  url: string;
  child: ChildProcess;
  /** The processor time of the process and its children in milliseconds. */
  burnt(): number;
  threads(): number;
  /** The resident memory. */
  memoryMb(): number;
  collectGarbage(): Promise<void>;
  end(): Promise<void>;
}

const PATIENCE_MS = 120_000;

export async function startOwnReplica(svc: TestApp, project: string): Promise<OwnReplica> {
  const port = await freePort();
  const child = runSvc(['start'], {
    DATABASE_URL: svc.ownerUrl,
    SVC_SECRET_KEY: SECRET_KEY,
    SVC_PROJECT: project,
    SVC_HOME: join(svc.home, 'own'),
    SVC_ALLOWED_ADDRESSES: '127.0.0.0/8,::1,localhost',
    SVC_PORT: String(port),
    SVC_LOG_LEVEL: 'error',
    NODE_OPTIONS: `--import ${new URL('./collect-garbage.mjs', import.meta.url).href}`,
  });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (data: Buffer) => (output += data.toString()));
  const url = `http://127.0.0.1:${port}`;
  const until = Date.now() + PATIENCE_MS;
  while (
    !(await fetch(`${url}/ready`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`svc did not start:\n${output}`);
    await sleep(50);
  }
  const pid = child.pid!;
  return {
    url,
    child,
    burnt: () => [pid, ...childrenOf(pid)].reduce((sum, one) => sum + ticksOf(one) * 10, 0),
    threads: () => readdirSync(`/proc/${pid}/task`).length,
    memoryMb: () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024,
    async collectGarbage() {
      child.kill('SIGUSR2');
      await sleep(1_000);
    },
    end: untilFileEnds(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }),
  };
}

const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );

function ticksOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0; // the process has ended
  }
}
