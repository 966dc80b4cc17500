// Edits of file-based lenses go to their files.
import { findClosestNames } from '../../platform/closest-names.ts';
import { createId } from '../../platform/ids.ts';
import { Problem } from '../../platform/problem.ts';
import { lockForEdit } from '../../platform/tenancy/revision.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import { type Tenancy, type TenantClient, withOwnTransaction } from '../../platform/tenancy/tenant.ts';
import { type Actor, runAudited } from '../audit/audit-log.ts';
import { listLensNames } from '../identity/grant-repository.ts';
import type { WarehouseDirectory } from '../ports.ts';
import { editProject } from '../project/edit-project.ts';
import type { ProjectDeps } from '../project/project-deps.ts';
import * as rows from './lens-draft-repository.ts';

export interface LensDeps {
  tenancy: Tenancy;
  warehouses: WarehouseDirectory;
}
export type Files = Record<string, string>;

export async function requireLens(db: TenantClient, name: string): Promise<rows.LensRow> {
  const lensRow = await rows.findLensRow(db, name);
  if (lensRow) return lensRow;
  const similarNames = findClosestNames(name, await listLensNames(db));
  const hint =
    similarNames.length > 0 ? `Did you mean ${similarNames.join(' or ')}?` : 'GET /mgmt/lenses lists the lenses.';
  throw new Problem('not_found', `There is no lens "${name}". ${hint}`);
}
/** Locks the lens until the transaction ends, so that the second of two simultaneous changes sees the first. */
export async function requireLensToChange(db: TenantClient, name: string): Promise<rows.LensRow> {
  await lockForEdit(db, `lens ${name}`);
  return requireLens(db, name);
}
export const getLens = withOwnTransaction(requireLens);

/** Lists all lenses if `lensNames` is null. */
export const listLenses = withOwnTransaction((db, page: RowPage, lensNames: readonly string[] | null) =>
  db.rows<rows.LensRow>(
    `${rows.SELECT_LENS} where ($2::text is null or l.name > $2) and ($3::text[] is null or l.name = any($3)) order by l.name limit $1`,
    [page.limit, page.after, lensNames],
  ),
);

export const isFromFiles = ({ origin, activeVersion }: rows.LensRow): boolean =>
  origin === 'file' && activeVersion !== null;

/** svc serves the lens once its draft has been published. */
export function createLens(
  deps: LensDeps,
  actor: Actor,
  { name, files, message = null }: { name: string; files: Files; message?: string | null },
): Promise<rows.LensDraft> {
  return runAudited(deps, actor, async (db) => {
    // A lens that is no longer served can be created again.
    const insertedCount = await db.run(
      `insert into svc.lenses (org_id, id, name, origin) values ($1, $2, $3, 'api')
       on conflict (org_id, name) do update set origin = 'api', source_sha256 = null where svc.lenses.active_version is null`,
      [db.orgId, createId(), name],
    );
    if (insertedCount === 0)
      throw new Problem(
        'conflict',
        `There is already a lens "${name}". Create a draft of it: POST /mgmt/lenses/${name}/drafts.`,
        { param: 'name' },
      );
    const draft = { lens: name, baseVersion: null, files, message, createdBy: actor.name };
    const result = await rows.insertDraft(db, draft);
    return { result, action: 'lens.create', objectId: name, after: { draft_id: result.id } };
  });
}

export async function deleteLens(deps: LensDeps & { project: ProjectDeps }, actor: Actor, name: string): Promise<void> {
  const storedLens = await getLens(deps, actor.orgId, name);
  const isFile = isFromFiles(storedLens);
  if (isFile) {
    const removeFiles = (files: Files) => {
      const paths = Object.keys(files).filter((path) => path.startsWith(`lenses/${name}/`));
      return Object.fromEntries(paths.map((path) => [path, null]));
    };
    await editProject(deps.project, actor, removeFiles, { message: `Take lens ${name} out of service` });
  }
  await runAudited(deps, actor, async (db) => {
    const lens = isFile ? storedLens : await requireLensToChange(db, name);
    await db.run('update svc.lenses set active_version = null, updated_at = clock_timestamp() where id = $1', [
      lens.id,
    ]);
    return { result: undefined, action: 'lens.delete', objectId: name, before: { version: lens.activeVersion } };
  });
}
