// Creates lenses with a first draft, and unpublishes lenses. Edits of file-based lenses go to their files.
import { nearestNames } from '../../lens/files/project-problem.ts';
import { Problem } from '../../platform/problem.ts';
import { lockForEdit } from '../../platform/tenancy/revision.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { Tenancy, TenantClient } from '../../platform/tenancy/tenant.ts';
import { type Actor, runAudited } from '../audit/audited.ts';
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
  const similarNames = nearestNames(name, await listLensNames(db));
  const hint = similarNames.length > 0 ? `Did you mean ${similarNames.join(' or ')}?` : 'GET /mgmt/lenses lists them.';
  throw new Problem('not_found', `There is no lens "${name}". ${hint}`);
}
/** Locks the lens until the transaction ends, so that the second of two simultaneous changes sees the first. */
export async function requireLensToChange(db: TenantClient, name: string): Promise<rows.LensRow> {
  await lockForEdit(db, `lens ${name}`);
  return requireLens(db, name);
}
export const getLens = (deps: LensDeps, orgId: string, name: string): Promise<rows.LensRow> =>
  deps.tenancy.inTenant(orgId, (db) => requireLens(db, name));
export const listLenses = (
  deps: LensDeps,
  orgId: string,
  page: RowPage,
  lensNames: readonly string[] | null = null,
): Promise<rows.LensRow[]> => deps.tenancy.inTenant(orgId, (db) => rows.listLensRows(db, page, lensNames));

export const isFromFiles = ({ origin, activeVersion }: rows.LensRow): boolean =>
  origin === 'file' && activeVersion !== null;

/** svc serves the lens once its draft has been published. */
export function createLens(
  deps: LensDeps,
  actor: Actor,
  newLens: { name: string; files: Files; message?: string | null },
): Promise<rows.Draft> {
  return runAudited(deps, actor, async (db) => {
    if (!(await rows.insertLensRow(db, newLens.name))) {
      throw new Problem(
        'conflict',
        `There is already a lens "${newLens.name}". Create a draft of it: POST /mgmt/lenses/${newLens.name}/drafts.`,
        { param: 'name' },
      );
    }
    const result = await rows.insertDraft(db, {
      lens: newLens.name,
      baseVersion: null,
      files: newLens.files,
      message: newLens.message ?? null,
      actor: actor.name,
    });
    return { result, action: 'lens.create', objectId: newLens.name, after: { draft_id: result.id } };
  });
}

export async function deleteLens(deps: LensDeps & { project: ProjectDeps }, actor: Actor, name: string): Promise<void> {
  const storedLens = await getLens(deps, actor.orgId, name);
  if (isFromFiles(storedLens)) await removeFiles(deps.project, actor, name);
  await runAudited(deps, actor, async (db) => {
    const lens = isFromFiles(storedLens) ? storedLens : await requireLensToChange(db, name);
    await rows.takeOutOfService(db, lens.id);
    return { result: null, action: 'lens.delete', objectId: name, before: { version: lens.activeVersion } };
  });
}

const removeFiles = (deps: ProjectDeps, actor: Actor, name: string) =>
  editProject(
    deps,
    actor,
    (files) =>
      Object.fromEntries(
        Object.keys(files)
          .filter((path) => path.startsWith(`lenses/${name}/`))
          .map((path) => [path, null]),
      ),
    { message: `Take lens ${name} out of service` },
  );
