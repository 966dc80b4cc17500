// Keeps the warehouses that svc builds from files for the whole run. The next app with the same connection copies them.
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { parse } from 'yaml';
import { createId } from '../../src/platform/ids.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** The name of a built warehouse consists of its owner and a fingerprint of its sources. */
export async function takeBuilt(appInput: {
  home: string;
  project: string;
  orgId: string;
  config: string | undefined;
}) {
  const sharedFolder = inject('builtWarehouses');
  const ownFolder = join(appInput.home, 'warehouses');
  const { connections = {} } = (parse(appInput.config ?? '') ?? {}) as { connections?: Record<string, object> };
  const builds = Object.entries(connections).map(([name, connection]) => ({
    prefix: `${hash(`${appInput.orgId}/${name}`)}-`,
    alike: `${hash(JSON.stringify([appInput.project, connection]))}-`,
  }));
  const knownNames = await namesIn(sharedFolder);
  for (const { prefix, alike } of builds)
    for (const name of knownNames.filter((item) => item.startsWith(alike))) {
      await mkdir(ownFolder, { recursive: true, mode: 0o700 });
      await copyFile(join(sharedFolder, name), join(ownFolder, name.replace(alike, prefix)));
    }
  return async function keep(): Promise<void> {
    for (const { prefix, alike } of builds)
      for (const name of (await namesIn(ownFolder)).filter(
        (name) => name.startsWith(prefix) && name.endsWith('.duckdb'),
      )) {
        const target = name.replace(prefix, alike);
        if (knownNames.includes(target)) continue;
        // Renames the copy into place, because another worker may read it.
        const copy = join(sharedFolder, createId());
        await copyFile(join(ownFolder, name), copy);
        await rename(copy, join(sharedFolder, target));
      }
  };
}
