// The two processes that are measured: svc as `npm start` runs it, over a copy of the sample project whose limits do not
// bite, and the bare driver over the same data.
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { type OwnProcess, ROOT, startSvc } from '../support/own-process.ts';
import { startChild } from './child.ts';

const LIMITS = {
  requests_per_minute: 100_000_000,
  asks_in_flight: 32,
  warehouse_timeout_ms: 30_000,
  max_result_bytes: 16_777_216,
};

export interface Stage {
  svc: OwnProcess;
  bareUrl: string;
  /** What both hold: table -> select. */
  tables: Record<string, string>;
  /** From the start of the process to the welcome: with an empty home, and again. */
  startUpMs: { first: number; again: number };
  close(): Promise<void>;
}

interface FileSource {
  path: string;
  select?: string;
}

export async function openStage(env: Record<string, string> = {}): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const project = join(folder, 'project');
  const home = join(folder, 'home');
  await mkdir(join(project, 'data'), { recursive: true });
  await cp(join(ROOT, 'lenses'), join(project, 'lenses'), { recursive: true });
  await cp(join(ROOT, 'semantic'), join(project, 'semantic'), { recursive: true });
  const config = parse(await readFile(join(ROOT, 'svc.config.yaml'), 'utf8')) as {
    connections: Record<string, { files: Record<string, FileSource> }>;
  };
  const tables: Record<string, string> = {};
  for (const { files } of Object.values(config.connections)) {
    for (const [table, source] of Object.entries(files)) {
      const copy = join(project, 'data', basename(source.path));
      await copyFile(join(ROOT, source.path), copy);
      tables[table] = (source.select ?? 'select * from source').replace(/\bsource\b/, `'${copy}'`);
      source.path = `./data/${basename(copy)}`;
    }
  }
  await writeFile(join(project, 'svc.config.yaml'), stringify({ ...config, limits: LIMITS }));

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
