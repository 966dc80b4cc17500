// Builds `dist` if it is outdated, and lets tests load `dist` with Node.js. Vitest's loader takes four times as long in
// each worker, and its code runs more slowly. Coverage is measured with Vitest's loader.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build, transformWithOxc } from 'vite';
import type { Plugin } from 'vitest/config';

const ROOT = join(import.meta.dirname, '../../');
const SOURCE = join(ROOT, 'src/');
const BUILT = join(ROOT, 'dist/');
const IS_SOURCE = /(?<!\.test)\.ts$/;

const builtFile = (source: string) => join(BUILT, source.slice(SOURCE.length).replace(/ts$/, 'js'));
const sourcesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));

/** Removes the types from every file. `tsc` needs half a minute for this, because it also checks the types. */
async function bringUpToDate(): Promise<void> {
  const sources = sourcesIn(SOURCE);
  const builtAt = statSync(join(BUILT, 'bundle/cli.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const inputs = [...sources, ...sourcesIn(join(ROOT, 'test/plugin-kit'))];
  if (inputs.every((file) => statSync(file).mtimeMs < builtAt)) return;
  const options = { sourcemap: false, target: 'es2023', typescript: { rewriteImportExtensions: true } } as const;
  for (const file of sources.filter((name) => IS_SOURCE.test(name))) {
    const { code } = await transformWithOxc(readFileSync(file, 'utf8'), file, options);
    mkdirSync(dirname(builtFile(file)), { recursive: true });
    writeFileSync(builtFile(file), code);
  }
  await build({ configFile: join(ROOT, 'vite.bundle.config.ts'), logLevel: 'warn' });
}

let measuresCoverage = false;
export const builtSource: Plugin = {
  name: 'svc:built-source',
  enforce: 'pre',
  configResolved({ test }) {
    measuresCoverage = test?.coverage?.enabled ?? false;
    return bringUpToDate();
  },
  resolveId(specifier, importer) {
    if (measuresCoverage || !importer || !specifier.startsWith('.')) return;
    const file = resolve(dirname(importer), specifier);
    if (file.startsWith(SOURCE) && IS_SOURCE.test(file) && existsSync(file))
      return { id: builtFile(file), external: true };
  },
};
