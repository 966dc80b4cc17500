// Reads the known paths of a project folder into a map from path to text.
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

export const PROJECT_PATH =
  /^(svc\.config\.yaml|semantic\/(definitions|entities)\.yaml|lenses\/[^/]+\/(lens\.yaml|(certified|evals)\/[^/]+\.ya?ml)|boards\/[^/]+\.ya?ml)$/;
const MAX_FILE = 2_000_000;

export async function loadProjectFolder(dir: string): Promise<Record<string, string>> {
  const root = await realpath(dir);
  const files: Record<string, string> = {};
  const read = async (path: string): Promise<void> => {
    if (!PROJECT_PATH.test(path)) return;
    const real = await realpath(join(root, path)).catch(() => null);
    // Ignores links that lead out of the folder.
    if (!real?.startsWith(root + sep)) return;
    const found = await stat(real);
    if (found.isFile() && found.size <= MAX_FILE) files[path] = await readFile(real, 'utf8');
  };
  await read('svc.config.yaml');
  await read('semantic/definitions.yaml');
  await read('semantic/entities.yaml');
  for (const lens of await names(join(root, 'lenses'))) {
    await read(`lenses/${lens}/lens.yaml`);
    for (const corpus of ['certified', 'evals'])
      for (const file of await names(join(root, 'lenses', lens, corpus)))
        await read(`lenses/${lens}/${corpus}/${file}`);
  }
  for (const file of await names(join(root, 'boards'))) await read(`boards/${file}`);
  return files;
}

const names = async (dir: string): Promise<string[]> => (await readdir(dir).catch(() => [] as string[])).sort();
