// Operations on versions of a lens, which are immutable.
import { Problem } from '../../platform/problem.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';
import { readDeployedLensFiles } from './edit-lens-files.ts';
import * as rows from './lens-draft-repository.ts';
import { isFromFiles, type LensDeps, requireLens } from './lenses.ts';

export const listVersions = (deps: LensDeps, orgId: string, name: string, page: RowPage<number>) =>
  deps.tenancy.inTenant(orgId, async (db) => {
    await requireLens(db, name);
    return rows.listVersions(db, name, page);
  });
/** The current files of a lens. The files of a file-based lens include later certifications and edits. */
export async function readCurrentFiles(
  deps: Pick<LensDeps, 'tenancy'>,
  orgId: string,
  name: string,
): Promise<Record<string, string>> {
  const { version, own: deployedFiles } = await deps.tenancy.inTenant(orgId, async (db) => ({
    version: await requireVersion(db, name, null),
    own: isFromFiles(await requireLens(db, name)) ? await readDeployedLensFiles(db, name) : null,
  }));
  return deployedFiles ?? version.files;
}

/** A null version means the served version. */
export function getVersion(
  deps: Pick<LensDeps, 'tenancy'>,
  orgId: string,
  name: string,
  version: number | null,
): Promise<rows.VersionRow> {
  return deps.tenancy.inTenant(orgId, (db) => requireVersion(db, name, version));
}

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
