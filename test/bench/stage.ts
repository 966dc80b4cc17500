// The two measured processes over the same data: svc as `npm start` runs it, with a copy of the sample project without
// low limits, and the bare driver.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OwnProcess, startSvc } from '../support/own-process.ts';
import { unlimitedSample } from '../support/unlimited-sample.ts';
import { startChild } from './child.ts';

export interface Stage {
  svc: OwnProcess;
  bareUrl: string;
  /** Tables of both processes: name -> select. */
  tables: Record<string, string>;
  /** The time until the welcome message, with an empty SVC_HOME and then with an existing one. */
  startUpMs: { first: number; again: number };
  close(): Promise<void>;
}

/** `program` replaces the bundle that `npm start` runs. */
export async function openStage(env: Record<string, string> = {}, program?: string): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const homeFolder = join(folder, 'home');
  const { project, tables } = await unlimitedSample(folder);
  const measureTime = async () => {
    const startedAt = performance.now();
    const svc = await startSvc(homeFolder, { SVC_PROJECT: project, ...env }, program);
    return { svc, ms: performance.now() - startedAt };
  };
  const first = await measureTime();
  await first.svc.end('SIGTERM');
  const { svc, ms: restartMs } = await measureTime();
  const bareServer = await startChild('bare-server.ts', { BARE_TABLES: JSON.stringify(tables) });
  return {
    svc,
    bareUrl: bareServer.url,
    tables,
    startUpMs: { first: first.ms, again: restartMs },
    async close() {
      bareServer.stop();
      await svc.end('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
