// Edits file-based objects by API. Deploys the edited project, and keeps the edit separate from the author's files.
// Lists show the edit as a diff, and the next apply merges it (merge-edits.ts).
import type { Report } from '../../lens/compile/checked-warehouse.ts';
import { Problem } from '../../platform/problem.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { Actor } from '../audit/audited.ts';
import { applyProject } from './apply-project.ts';
import { findDeployment } from './deployment-repository.ts';
import { editFile } from './files/read-files.ts';
import type { YamlEdit } from './files/rewrite-yaml.ts';
import { unifiedDiff } from './files/unified-diff.ts';
import { requireAccessKept } from './keeps-access.ts';
import type { Applied, ProjectDeps } from './project-deps.ts';
import type { FileEdits } from './project-state.ts';

export type Files = Record<string, string>;
/** Maps paths in the project to new contents. Null deletes the file. */
export type ChangedFiles = Record<string, string | null>;
export interface EditResult {
  message: string;
  report?: Report | undefined;
}

/**
 * Throws `conflict` if the project has changed in the meantime, and RefusedProject if the edited files have problems.
 */
export async function editProject(
  deps: ProjectDeps,
  actor: Actor,
  change: (deployed: Files) => ChangedFiles | Promise<ChangedFiles>,
  { message, report }: EditResult,
): Promise<Applied & { diff: string; files: Files }> {
  const last = await deps.tenancy.inTenant(actor.orgId, (db) => findDeployment(db, null));
  if (!last) throw new Problem('conflict', 'No project has been applied yet, so there are no files to edit.');
  const changed = await change(last.files);
  if (actor.keepsAccess) await requireAccessKept(actor.orgId, last.files, changed);
  const editedAt = deps.clock.now().toISOString();
  const edits = { ...last.edits };
  for (const [path, text] of Object.entries(changed)) {
    const base = edits[path] ? edits[path].base : (last.files[path] ?? null);
    if (text === base) delete edits[path];
    else edits[path] = { base, by: actor.name, at: editedAt, message };
  }
  const applied = await applyEdited(
    deps,
    actor,
    withChanges(last.files, changed),
    { edits, after: last.version },
    { message, report },
  );
  return { ...applied, diff: await unifiedDiff(actor.orgId, last.files, changed, ''), files: existingFiles(changed) };
}

/** Edits one object in its file. Throws `conflict` with the message `lost` if the file no longer has the object. */
export async function editInFile(
  deps: ProjectDeps,
  actor: Actor,
  path: string,
  edit: YamlEdit,
  { message, lost }: { message: string; lost: string },
): Promise<void> {
  const change = async (files: Files) => {
    const changed = await editFile(actor.orgId, files[path] ?? '', edit);
    if (changed === undefined) throw new Problem('conflict', lost);
    return { [path]: changed };
  };
  await editProject(deps, actor, change, { message });
}

export interface ProjectEdit {
  path: string;
  action: 'added' | 'changed' | 'removed';
  editedBy: string;
  editedAt: string;
  message: string | null;
  diff: string;
}

/** The edits that the author's files lack, each as a diff, by path. */
export async function listEdits(
  deps: Pick<ProjectDeps, 'tenancy'>,
  orgId: string,
  page: RowPage,
): Promise<ProjectEdit[]> {
  const last = await deps.tenancy.inTenant(orgId, (db) => findDeployment(db, null));
  const listed = Object.entries(last?.edits ?? {})
    .filter(([path]) => page.after === null || path > page.after)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, page.limit);
  const found: ProjectEdit[] = [];
  for (const [path, { base, by, at, message }] of listed) {
    const text = last!.files[path] ?? null;
    found.push({
      ...{ path, editedBy: by, editedAt: at, message },
      action: base === null ? 'added' : text === null ? 'removed' : 'changed',
      diff: await unifiedDiff(orgId, base === null ? {} : { [path]: base }, { [path]: text }, ''),
    });
  }
  return found;
}

/** A null path restores all files. */
export async function dropEdits(deps: ProjectDeps, actor: Actor, path: string | null): Promise<Applied> {
  const last = await deps.tenancy.inTenant(actor.orgId, (db) => findDeployment(db, null));
  const dropped = Object.entries(last?.edits ?? {}).filter(([one]) => path === null || one === path);
  if (!last || dropped.length === 0)
    throw new Problem(
      'not_found',
      path === null ? 'There are no API edits.' : `${path} has no API edits. GET /mgmt/project/edits lists all edits.`,
      { param: 'path' },
    );
  const back = Object.fromEntries(dropped.map(([one, { base }]) => [one, base]));
  const edits = Object.fromEntries(Object.entries(last.edits).filter(([one]) => !Object.hasOwn(back, one)));
  const message = `Discard API edits in ${Object.keys(back).join(', ')}`;
  return applyEdited(deps, actor, withChanges(last.files, back), { edits, after: last.version }, { message });
}

const applyEdited = (
  deps: ProjectDeps,
  actor: Actor,
  files: Files,
  edited: { edits: FileEdits; after: number },
  outcome: { message: string; report?: Report | undefined },
): Promise<Applied> =>
  applyProject(deps, {
    ...{ orgId: actor.orgId, actor: actor.name, requestId: actor.requestId, files, edited, ...outcome },
    // An edit changes lenses and shared semantics, never svc.config.yaml.
    ...{ fromOperator: false, ignoreOperatorKeys: true },
  });

const withChanges = (files: Files, changed: ChangedFiles): Files => existingFiles({ ...files, ...changed });
const existingFiles = (files: ChangedFiles): Files =>
  Object.fromEntries(Object.entries(files).filter((entry): entry is [string, string] => entry[1] !== null));
