// Versions of a lens: immutable, and an old one comes back as a new one.
import { Problem } from '../../platform/problem.ts';
import type { TenantClient } from '../../platform/tenant.ts';
import { type Actor, type Audited, audited } from '../audit/audited.ts';
import { RefusedProject } from '../project/apply-project.ts';
import { canonicalJson, sha256 } from '../receipts/canonical-json.ts';
import { type CheckedDraft, checkDraft } from './check-draft.ts';
import { getLens, type LensDeps, refuseFromFiles, requireLens, requireLensToChange } from './keep-lenses.ts';
import * as rows from './lens-draft-repository.ts';

/** An old version again, as a new one: history only grows. Checked against the warehouse as it is now. */
export async function restoreVersion(
  deps: LensDeps,
  actor: Actor,
  name: string,
  version: number,
): Promise<{ version: number; warnings: string[] }> {
  refuseFromFiles(await getLens(deps, actor.orgId, name));
  const { files } = await getVersion(deps, actor.orgId, name, version);
  const checked = await checkDraft(deps, actor.orgId, name, files);
  if (!checked.lens) throw new RefusedProject(checked.problems, checked.warnings, 'The version was not restored');
  const restored = await audited(deps, actor, (db) => restoreIn(db, actor, name, version, files, checked));
  return { version: restored, warnings: checked.warnings };
}

/** The same within somebody's transaction, who keeps the record. `checked` is what the files came to. */
export async function restoreIn(
  db: TenantClient,
  actor: Actor,
  name: string,
  version: number,
  files: Record<string, string>,
  { lens, contentSha256, dictionaries }: CheckedDraft,
): Promise<Audited<number>> {
  const before = await requireLensToChange(db, name);
  const result = await rows.publishVersion(db, before, {
    ...{ files, lens: lens!, dictionaries, actor: actor.name },
    contentSha256: contentSha256 ?? sha256(canonicalJson(files)),
  });
  return {
    result,
    action: 'lens.restore',
    objectKind: 'lens',
    objectId: name,
    before: { version: before.activeVersion },
    after: { version: result, restored: version },
  };
}

export const listVersions = (
  deps: LensDeps,
  orgId: string,
  name: string,
  page: { limit: number; after: number | null },
) =>
  deps.tenancy.inTenant(orgId, async (db) => {
    await requireLens(db, name);
    return rows.listVersions(db, name, page);
  });
/** Null: the version in service. */
export function getVersion(
  deps: LensDeps,
  orgId: string,
  name: string,
  version: number | null,
): Promise<rows.VersionRow> {
  return deps.tenancy.inTenant(orgId, async (db) => {
    await requireLens(db, name);
    const found = await rows.findVersion(db, name, version);
    if (!found)
      throw new Problem(
        'not_found',
        version === null
          ? `Lens "${name}" is not in service; it has no published version.`
          : `Lens "${name}" has no version ${version}. GET /mgmt/lenses/${name}/versions lists those it has.`,
      );
    return found;
  });
}
