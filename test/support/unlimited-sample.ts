// A copy of the sample project with high limits, for clients that ask as fast as they can.
import { copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { ROOT } from './own-process.ts';

const LIMITS = {
  requests_per_minute: 100_000_000,
  asks_in_flight: 32,
  warehouse_timeout_ms: 30_000,
  max_result_bytes: 16_777_216,
};

interface FileSource {
  path: string;
  select?: string;
}

/** The project folder, and for each table the SELECT over its files. */
export async function unlimitedSample(folder: string): Promise<{ project: string; tables: Record<string, string> }> {
  const project = join(folder, 'project');
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
  return { project, tables };
}
