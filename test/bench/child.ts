// A child process of the benchmark that prints its address on its first line.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '../support/own-process.ts';

export interface Child {
  process: ChildProcess;
  url: string;
  stop(): void;
}

export async function startChild(script: string, env: Record<string, string>): Promise<Child> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(ROOT, 'test/bench', script)], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const died = once(child, 'exit').then(() => {
    throw new Error(`${script} ended before it listened`);
  });
  const [data] = (await Promise.race([once(child.stdout!, 'data'), died])) as [Buffer];
  died.catch(() => undefined);
  return { process: child, url: data.toString().trim(), stop: () => void child.kill('SIGTERM') };
}
