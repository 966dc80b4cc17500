// Loads the client of an engine for the first connection of its kind, from svc's own packages or from those of the
// project.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Problem } from '../../platform/problem.ts';

/** `packageSpecifier` is a package with the major version that svc is tested with, such as `name@1`. */
export async function loadClient<Module>(
  kind: string,
  packageSpecifier: string,
  projectFolder: string | undefined,
): Promise<Module> {
  const name = removePackageVersion(packageSpecifier);
  const path = findClientRequire(kind, packageSpecifier, name, projectFolder).resolve(name);
  return (await import(pathToFileURL(path).href)) as Module;
}

/** Returns the same module instance that the package itself uses. */
export function requireClient<Module>(
  kind: string,
  packageSpecifier: string,
  path: string,
  projectFolder: string | undefined,
): Module {
  return findClientRequire(kind, packageSpecifier, path, projectFolder)(path) as Module;
}

const removePackageVersion = (packageSpecifier: string): string => packageSpecifier.replace(/(?<=.)@\d+$/, '');

function findClientRequire(
  kind: string,
  packageSpecifier: string,
  path: string,
  projectFolder: string | undefined,
): NodeJS.Require {
  const baseUrls = [
    import.meta.url,
    ...(projectFolder ? [pathToFileURL(join(projectFolder, 'package.json')).href] : []),
  ];
  for (const baseUrl of baseUrls) {
    const require = createRequire(baseUrl);
    try {
      require.resolve(path);
      return require;
    } catch (error) {
      if ((error as { code?: string }).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw new Problem(
    'invalid',
    `Connections of kind ${kind} need the package ${removePackageVersion(packageSpecifier)}, which is not installed. Install it next to svc or in the project: npm install ${packageSpecifier}`,
  );
}
