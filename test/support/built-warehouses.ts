// Keeps the warehouses that svc builds from files for the whole run. The next app with the same connection copies them.
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { parse } from 'yaml';
import { newId } from '../../src/platform/ids.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** The name of a built warehouse consists of its owner and a fingerprint of its sources. */
export async function takeBuilt(given: { home: string; project: string; orgId: string; config: string | undefined }) {
  const kept = inject('builtWarehouses');
  const own = join(given.home, 'warehouses');
  const { connections = {} } = (parse(given.config ?? '') ?? {}) as { connections?: Record<string, object> };
  const builds = Object.entries(connections).map(([name, connection]) => ({
    prefix: `${hash(`${given.orgId}/${name}`)}-`,
    alike: `${hash(JSON.stringify([given.project, connection]))}-`,
  }));
  const known = await namesIn(kept);
  for (const { prefix, alike } of builds)
    for (const name of known.filter((item) => item.startsWith(alike))) {
      await mkdir(own, { recursive: true, mode: 0o700 });
      await copyFile(join(kept, name), join(own, name.replace(alike, prefix)));
    }
  return async function keep(): Promise<void> {
    for (const { prefix, alike } of builds)
      for (const name of (await namesIn(own)).filter((name) => name.startsWith(prefix) && name.endsWith('.duckdb'))) {
        const target = name.replace(prefix, alike);
        if (known.includes(target)) continue;
        // Renames the copy into place, because another worker may read it.
        const copy = join(kept, newId());
        await copyFile(join(own, name), copy);
        await rename(copy, join(kept, target));
      }
  };
}
