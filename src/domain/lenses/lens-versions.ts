// Versions of a lens are immutable.
import type { z } from 'zod';
import type * as wire from '../../contract/mgmt/lenses.ts';
import { Problem, requireFound } from '../../platform/problem.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import { type TenantClient, withOwnTransaction } from '../../platform/tenancy/tenant.ts';
import { findLastDeployment } from '../project/deployment-repository.ts';
import { diffTexts } from '../project/files/read-files.ts';
import { computeSha256 } from '../receipts/canonical-json.ts';
import { describeLensChanges, diffLenses } from './lens-diff.ts';
import * as rows from './lens-draft-repository.ts';
import { type Files, isFromFiles, type LensDeps, requireLens } from './lenses.ts';

export const listVersions = withOwnTransaction(async (db, name: string, page: RowPage<number>) => {
  await requireLens(db, name);
  return db.rows<Omit<rows.VersionRow, 'files' | 'compiled'>>(
    `select ${rows.VERSION_COLUMNS} from svc.lens_versions v join svc.lenses l on l.id = v.lens_id
     where l.name = $1 and ($3::int is null or v.version < $3) order by v.version desc limit $2`,
    [name, page.limit, page.after],
  );
});

/** A null version means the served version. */
async function requireVersion(db: TenantClient, name: string, version: number | null): Promise<rows.VersionRow> {
  await requireLens(db, name);
  const versionRow = await rows.findVersion(db, name, version);
  if (versionRow) return versionRow;
  throw new Problem(
    'not_found',
    version === null
      ? `Lens "${name}" has no published version.`
      : `Lens "${name}" has no version ${version}. GET /mgmt/lenses/${name}/versions lists its versions.`,
  );
}

export const getVersion = withOwnTransaction(requireVersion);

/** The files include certified entries and evals. */
export const readDeployedLensFiles = async (db: TenantClient, name: string): Promise<Files> =>
  selectFilesBelow(`lenses/${name}/`, (await findLastDeployment(db))?.files ?? {});

export const selectFilesBelow = (prefix: string, files: Files): Files =>
  Object.fromEntries(
    Object.entries(files)
      .filter(([path]) => path.startsWith(prefix))
      .map(([path, text]) => [path.slice(prefix.length), text]),
  );

/** The files of a file-based lens include later certifications and edits. */
export const readCurrentFiles = withOwnTransaction(async (db, name: string) => (await findFiles(db, name, null)).files);

/** A null version means the current files. */
async function findFiles(db: TenantClient, name: string, version: number | null): Promise<rows.VersionRow> {
  const lensVersion = await requireVersion(db, name, version);
  if (version !== null || !isFromFiles(await requireLens(db, name))) return lensVersion;
  return { ...lensVersion, files: await readDeployedLensFiles(db, name) };
}

export const readLensTree = withOwnTransaction(async (db, name: string, version: number | null) => {
  const lensFiles = await findFiles(db, name, version);
  const items = Object.entries(lensFiles.files)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => ({ path, bytes: Buffer.byteLength(text), sha256: computeSha256(text) }));
  return { version: lensFiles.version, items };
});

export const readLensFile = withOwnTransaction(async (db, name: string, path: string, version: number | null) => {
  const lensFiles = await findFiles(db, name, version);
  const text = Object.hasOwn(lensFiles.files, path) ? lensFiles.files[path] : undefined;
  const message = `Version ${lensFiles.version} has no file “${path}”. GET /mgmt/lenses/${name}/repo lists its files.`;
  return { version: lensFiles.version, path, text: requireFound(text, message) };
});

type VersionDiff = Omit<z.infer<typeof wire.versionDiffSchema>, 'lens'>;

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
