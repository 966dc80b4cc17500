// Reads the known paths of a project folder into a map from path to text.
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

export const PROJECT_PATH_PATTERN =
  /^(svc\.config\.yaml|semantic\/(definitions|entities)\.yaml|lenses\/[^/]+\/(lens\.yaml|(certified|evals)\/[^/]+\.ya?ml)|boards\/[^/]+\.ya?ml)$/;
const MAX_FILE_BYTES = 2_000_000;

export async function loadProjectFolder(dir: string): Promise<Record<string, string>> {
  const root = await realpath(dir);
  const files: Record<string, string> = {};
  const readPath = async (path: string): Promise<void> => {
    if (!PROJECT_PATH_PATTERN.test(path)) return;
    const realFilePath = await realpath(join(root, path)).catch(() => null);
    // Ignores links to files outside the project folder.
    if (!realFilePath?.startsWith(root + sep)) return;
    const fileStat = await stat(realFilePath);
    if (fileStat.isFile() && fileStat.size <= MAX_FILE_BYTES) files[path] = await readFile(realFilePath, 'utf8');
  };
  await readPath('svc.config.yaml');
  await readPath('semantic/definitions.yaml');
  await readPath('semantic/entities.yaml');
  for (const lens of await listNames(join(root, 'lenses'))) {
    await readPath(`lenses/${lens}/lens.yaml`);
    for (const corpus of ['certified', 'evals'])
      for (const file of await listNames(join(root, 'lenses', lens, corpus)))
        await readPath(`lenses/${lens}/${corpus}/${file}`);
  }
  for (const file of await listNames(join(root, 'boards'))) await readPath(`boards/${file}`);
  return files;
}

const listNames = async (dir: string): Promise<string[]> => (await readdir(dir).catch(() => [] as string[])).sort();
