import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { Failure } from './terminal/failure.ts';

/** The keys of `files` are paths relative to the folder. */
export async function writeFiles(folder: string, files: Record<string, string>): Promise<void> {
  const root = resolve(folder);
  for (const [path, text] of Object.entries(files)) {
    const target = resolve(root, path);
    if (!target.startsWith(root + sep)) throw new Failure(`${path} is not inside ${folder}, so svc does not write it.`);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  }
}
