// The files of a lens: the file tree of a version, and the difference between two versions by file and by meaning.
import { Problem } from '../../platform/problem.ts';
import { diffTexts } from '../project/files/read-files.ts';
import { sha256 } from '../receipts/canonical-json.ts';
import { describeLensChanges, diffLenses, type LensChange } from './lens-diff.ts';
import { getVersion, readCurrentFiles } from './lens-versions.ts';
import type { LensDeps } from './lenses.ts';

export interface VersionDiff {
  from: number;
  to: number;
  summary: string[];
  changes: LensChange[];
  files: { path: string; action: 'added' | 'removed' | 'changed'; diff: string }[];
}

export async function readLensTree(deps: LensDeps, orgId: string, name: string, version: number | null) {
  const lensFiles = await readFilesOf(deps, orgId, name, version);
  const items = Object.entries(lensFiles.files)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => ({ path, bytes: Buffer.byteLength(text), sha256: sha256(text) }));
  return { version: lensFiles.version, items };
}

export async function readLensFile(deps: LensDeps, orgId: string, name: string, path: string, version: number | null) {
  const lensFiles = await readFilesOf(deps, orgId, name, version);
  const text = Object.hasOwn(lensFiles.files, path) ? lensFiles.files[path] : undefined;
  if (text === undefined)
    throw new Problem(
      'not_found',
      `Version ${lensFiles.version} has no file “${path}”. GET /mgmt/lenses/${name}/repo lists its files.`,
    );
  return { version: lensFiles.version, path, text };
}

/** A null version means the current files. */
async function readFilesOf(deps: LensDeps, orgId: string, name: string, version: number | null) {
  const lensVersion = await getVersion(deps, orgId, name, version);
  return version === null ? { ...lensVersion, files: await readCurrentFiles(deps, orgId, name) } : lensVersion;
}

export async function readLensDiff(
  deps: LensDeps,
  orgId: string,
  name: string,
  fromVersion: number,
  toVersion: number | null,
): Promise<VersionDiff> {
  const [before, after] = [
    await getVersion(deps, orgId, name, fromVersion),
    await getVersion(deps, orgId, name, toVersion),
  ];
  const paths = [...new Set([...Object.keys(before.files), ...Object.keys(after.files)])].sort();
  const files: VersionDiff['files'] = [];
  for (const path of paths) {
    const [previous, current] = [before.files[path], after.files[path]];
    if (previous === current) continue;
    const diff = await diffTexts(orgId, {
      from: { path, text: previous ?? '', header: `version ${before.version}` },
      to: { path, text: current ?? '', header: `version ${after.version}` },
    });
    files.push({
      path,
      action: previous === undefined ? 'added' : current === undefined ? 'removed' : 'changed',
      diff,
    });
  }
  return {
    from: before.version,
    to: after.version,
    summary: describeLensChanges(before.compiled, after.compiled),
    changes: diffLenses(before.compiled, after.compiled),
    files,
  };
}
