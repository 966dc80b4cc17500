// Clients that only some connections need: loaded when their kind is first opened, from svc's own packages or the project's.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Problem } from '../../platform/problem.ts';

/** `wanted`: a package, with the major version that was tried: `name@1`. */
export async function loadClient<Module>(
  kind: string,
  wanted: string,
  projectFolder: string | undefined,
): Promise<Module> {
  const name = wanted.replace(/(?<=.)@\d+$/, '');
  const places = [import.meta.url, ...(projectFolder ? [pathToFileURL(join(projectFolder, 'package.json')).href] : [])];
  for (const place of places) {
    try {
      return (await import(pathToFileURL(createRequire(place).resolve(name)).href)) as Module;
    } catch (error) {
      if ((error as { code?: string }).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw new Problem(
    'invalid',
    `Connections of kind ${kind} need the package ${name}, which is not installed. Install it beside svc or in the project: npm install ${wanted}`,
  );
}
