// Versions of a lens. They are immutable; restoring an old one creates a new version.
import { Problem } from '../../platform/problem.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';
import { type Actor, type Audited, runAudited } from '../audit/audited.ts';
import { RefusedProject } from '../project/apply-project.ts';
import { editProject } from '../project/edit-project.ts';
import type { ProjectDeps } from '../project/project-deps.ts';
import { canonicalJson, sha256 } from '../receipts/canonical-json.ts';
import { type CheckedDraft, checkDraft } from './check-draft.ts';
import { deployedLensFiles } from './edit-lens-files.ts';
import * as rows from './lens-draft-repository.ts';
import { getLens, isFromFiles, type LensDeps, requireLens, requireLensToChange } from './lenses.ts';

/** Restores an old version as a new one, after checking it against the current warehouse. */
export async function restoreVersion(
  deps: LensDeps & { project: ProjectDeps },
  actor: Actor,
  name: string,
  version: number,
): Promise<{ version: number; warnings: string[] }> {
  const known = await getLens(deps, actor.orgId, name);
  const { files } = await getVersion(deps, actor.orgId, name, version);
  if (isFromFiles(known)) return restoreInFiles(deps, actor, known, version, files['lens.yaml'] ?? null);
  const checked = await checkDraft(deps, actor.orgId, name, files, { actor });
  if (!checked.lens) throw new RefusedProject(checked.problems, checked.warnings, 'The version was not restored');
  const restored = await runAudited(deps, actor, (db) => restoreIn(db, actor, name, { version, files }, checked));
  return { version: restored, warnings: checked.warnings };
}

/** Restores the meaning of the lens; certified entries and evals don't change. */
async function restoreInFiles(
  deps: LensDeps & { project: ProjectDeps },
  actor: Actor,
  { name, activeVersion }: rows.LensRow,
  version: number,
  text: string | null,
): Promise<{ version: number; warnings: string[] }> {
  const message = `Restore version ${version} of lens ${name}`;
  const { warnings } = await editProject(deps.project, actor, () => ({ [`lenses/${name}/lens.yaml`]: text }), {
    message,
  });
  const restored = await runAudited(deps, actor, async (db) => {
    const { activeVersion: result } = await requireLens(db, name);
    return {
      result: result!,
      ...{ action: 'lens.restore', objectId: name },
      ...{ before: { version: activeVersion }, after: { version: result, restored: version } },
    };
  });
  return { version: restored, warnings };
}

/**
 * Restores within a transaction whose owner writes the audit row. `checked` is the checked draft of the
 * files.
 */
export async function restoreIn(
  db: TenantClient,
  actor: Actor,
  name: string,
  { version, files }: { version: number; files: Record<string, string> },
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
    objectId: name,
    before: { version: before.activeVersion },
    after: { version: result, restored: version },
  };
}

export const listVersions = (deps: LensDeps, orgId: string, name: string, page: RowPage<number>) =>
  deps.tenancy.inTenant(orgId, async (db) => {
    await requireLens(db, name);
    return rows.listVersions(db, name, page);
  });
/** The current files of a lens; for a lens from files, including later certifications and edits. */
export async function currentFiles(
  deps: Pick<LensDeps, 'tenancy'>,
  orgId: string,
  name: string,
): Promise<Record<string, string>> {
  const { version, own } = await deps.tenancy.inTenant(orgId, async (db) => ({
    version: await findServed(db, name, null),
    own: isFromFiles(await requireLens(db, name)) ? await deployedLensFiles(db, name) : null,
  }));
  return own ?? version.files;
}

/** Null: the version in service. */
export function getVersion(
  deps: Pick<LensDeps, 'tenancy'>,
  orgId: string,
  name: string,
  version: number | null,
): Promise<rows.VersionRow> {
  return deps.tenancy.inTenant(orgId, (db) => findServed(db, name, version));
}

async function findServed(db: TenantClient, name: string, version: number | null): Promise<rows.VersionRow> {
  await requireLens(db, name);
  const found = await rows.findVersion(db, name, version);
  if (found) return found;
  throw new Problem(
    'not_found',
    version === null
      ? `Lens "${name}" has no published version.`
      : `Lens "${name}" has no version ${version}. GET /mgmt/lenses/${name}/versions lists those it has.`,
  );
}
