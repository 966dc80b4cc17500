// The hash of a lens covers everything that its compiled form depends on.
import type { Project } from '../../../lens/files/read-project.ts';
import { createYieldIfDue } from '../../../platform/schedule/in-turns.ts';
import { isLiteralSecret, mapStrings } from '../../connections/connection-secrets.ts';
import { computeSha256, toCanonicalJson } from '../../receipts/canonical-json.ts';
import type { DesiredConnection, DesiredLens } from '../project-state.ts';

/** Increase this number when the compiler's output changes, so that the next apply compiles all lenses again. */
export const COMPILER_VERSION = 2;

type Files = Record<string, string>;

/** Pauses between files, because a project can have 64 MB. */
export async function hashFiles(files: Files): Promise<Files> {
  const hashes: Files = {};
  const pause = createYieldIfDue();
  for (const [path, text] of Object.entries(files)) {
    hashes[path] = computeSha256(text);
    await pause();
  }
  return hashes;
}

export function readDesiredLenses(
  project: Project,
  files: Files,
  hashes: Files,
  connections: DesiredConnection[],
): DesiredLens[] {
  const folders = new Map<string, [string, string][]>();
  for (const [path, text] of Object.entries(files)) {
    const [, folder, file] = /^lenses\/([^/]+)\/(.+)$/s.exec(path) ?? [];
    if (!folder || !file) continue;
    const folderFiles = folders.get(folder);
    if (folderFiles) folderFiles.push([file, text]);
    else folders.set(folder, [[file, text]]);
  }
  const { definitions, entities } = project;
  const sharedHash = computeSha256(toCanonicalJson({ compiler: COMPILER_VERSION, definitions, entities }));
  // A changed password doesn't require compiling the lens again.
  const withoutSecrets = (config: object) =>
    mapStrings(config, (key, value) => (isLiteralSecret(key, value) ? '' : value));
  const configs = new Map(connections.map(({ name, config }) => [name, toCanonicalJson(withoutSecrets(config))]));
  return project.lenses.map(({ name, path, file }) => {
    const lensFiles = Object.fromEntries(folders.get(name) ?? []);
    const lensHashes = Object.fromEntries(Object.keys(lensFiles).map((key) => [key, hashes[`lenses/${name}/${key}`]]));
    const sourceSha256 = computeSha256(
      toCanonicalJson({ hashed: lensHashes, shared: sharedHash, connection: configs.get(file.connection) ?? null }),
    );
    return { name, path, files: lensFiles, sourceSha256, compiled: null };
  });
}

export function withoutConnections(project: Project, absentNames: string[]): Project {
  if (absentNames.length === 0) return project;
  const lenses = project.lenses.filter(({ file }) => !absentNames.includes(file.connection));
  const names = new Set(lenses.map(({ name }) => name));
  const groups = Object.entries(project.config.groups).map(([group, body]) => [
    group,
    { lenses: body.lenses.filter((lens) => names.has(lens)) },
  ]);
  return { ...project, lenses, config: { ...project.config, groups: Object.fromEntries(groups) } };
}
