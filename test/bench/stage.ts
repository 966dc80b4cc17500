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

export async function openStage(env: Record<string, string> = {}): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const home = join(folder, 'home');
  const { project, tables } = await unlimitedSample(folder);
  const timed = async () => {
    const started = performance.now();
    const svc = await startSvc(home, { SVC_PROJECT: project, ...env });
    return { svc, ms: performance.now() - started };
  };
  const first = await timed();
  await first.svc.end('SIGTERM');
  const { svc, ms: again } = await timed();
  const bare = await startChild('bare-server.ts', { BARE_TABLES: JSON.stringify(tables) });
  return {
    svc,
    bareUrl: bare.url,
    tables,
    startUpMs: { first: first.ms, again },
    async close() {
      bare.stop();
      await svc.end('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
