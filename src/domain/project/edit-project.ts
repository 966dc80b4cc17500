// An API edit of a file-based object deploys the edited project. svc stores the edit separately from the author's
// files, and merges it at the next apply (merge-edits.ts).
import type { ProgressReporter } from '../../lens/compile/checked-warehouse.ts';
import { Problem } from '../../platform/problem.ts';
import { mapInParallel } from '../../platform/schedule/in-parallel.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { Actor } from '../audit/audit-log.ts';
import { applyProject } from './apply-project.ts';
import { type Deployment, findLastDeployment } from './deployment-repository.ts';
import { editFile, writeUnifiedDiff } from './files/read-files.ts';
import type { YamlEdit } from './files/rewrite-yaml.ts';
import type { AppliedDeployment, ProjectDeps } from './project-deps.ts';
import type { FileEdits } from './project-state.ts';
import { requireUnchangedAccess } from './require-unchanged-access.ts';

export type Files = Record<string, string>;
/** Maps paths in the project to new contents. Null deletes the file. */
export type ChangedFiles = Record<string, string | null>;
export interface EditOptions {
  message: string;
  report?: ProgressReporter | undefined;
}

/** Throws `conflict` if the project has changed in the meantime, and ProjectRefusal if the files have problems. */
export async function editProject(
  deps: ProjectDeps,
  actor: Actor,
  change: (deployedFiles: Files) => ChangedFiles | Promise<ChangedFiles>,
  options: EditOptions,
): Promise<AppliedDeployment & { diff: string; files: Files }> {
  const lastDeployment = await deps.tenancy.inTenant(actor.orgId, (db) => findLastDeployment(db));
  if (!lastDeployment) throw new Problem('conflict', 'No project has been applied yet, so there are no files to edit.');
  const { files } = lastDeployment;
  const changedFiles = await change(files);
  if (actor.keepsAccess) await requireUnchangedAccess(actor.orgId, files, changedFiles);
  const at = deps.clock.now().toISOString();
  const edits = { ...lastDeployment.edits };
  for (const [path, text] of Object.entries(changedFiles)) {
    const base = edits[path] ? edits[path].base : (files[path] ?? null);
    if (text === base) delete edits[path];
    else edits[path] = { base, by: actor.name, at, message: options.message };
  }
  const applyResult = await applyEdits(deps, actor, lastDeployment, { changedFiles, edits }, options);
  const diff = await writeUnifiedDiff(actor.orgId, files, changedFiles, '');
  return { ...applyResult, diff, files: omitDeletedFiles(changedFiles) };
}

/** Throws `conflict` with the message `lostMessage` if the file no longer contains the object. */
export async function editProjectFile(
  deps: ProjectDeps,
  actor: Actor,
  path: string,
  edit: YamlEdit,
  { message, lostMessage }: { message: string; lostMessage: string },
): Promise<void> {
  const editFileAtPath = async (files: Files) => {
    const changedText = await editFile(actor.orgId, files[path] ?? '', edit);
    if (changedText === undefined) throw new Problem('conflict', lostMessage);
    return { [path]: changedText };
  };
  await editProject(deps, actor, editFileAtPath, { message });
}

/** The list contains only edits that the author's files don't contain. */
export async function listProjectEdits(deps: Pick<ProjectDeps, 'tenancy'>, orgId: string, page: RowPage) {
  const lastDeployment = await deps.tenancy.inTenant(orgId, (db) => findLastDeployment(db));
  const editEntries = Object.entries(lastDeployment?.edits ?? {})
    .filter(([path]) => page.after === null || path > page.after)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, page.limit);
  return mapInParallel(editEntries, 1, async ([path, { base, by: editedBy, at: editedAt, message }]) => {
    const text = lastDeployment!.files[path] ?? null;
    const action = base === null ? ('added' as const) : text === null ? ('removed' as const) : ('changed' as const);
    const diff = await writeUnifiedDiff(orgId, base === null ? {} : { [path]: base }, { [path]: text }, '');
    return { path, action, editedBy, editedAt, message, diff };
  });
}

/** If `path` is null, discards the edits of all files. */
export async function discardEdits(deps: ProjectDeps, actor: Actor, path: string | null): Promise<AppliedDeployment> {
  const lastDeployment = await deps.tenancy.inTenant(actor.orgId, (db) => findLastDeployment(db));
  const droppedEdits = Object.entries(lastDeployment?.edits ?? {}).filter(
    ([editPath]) => path === null || editPath === path,
  );
  if (!lastDeployment || droppedEdits.length === 0)
    throw new Problem(
      'not_found',
      path === null ? 'There are no API edits.' : `${path} has no API edits. GET /mgmt/project/edits lists all edits.`,
      { param: 'path' },
    );
  const changedFiles = Object.fromEntries(droppedEdits.map(([editPath, { base }]) => [editPath, base]));
  const edits = Object.fromEntries(
    Object.entries(lastDeployment.edits).filter(([editPath]) => !Object.hasOwn(changedFiles, editPath)),
  );
  const message = `Discard API edits in ${Object.keys(changedFiles).join(', ')}`;
  return applyEdits(deps, actor, lastDeployment, { changedFiles, edits }, { message });
}

const applyEdits = (
  deps: ProjectDeps,
  actor: Actor,
  { files, version }: Deployment,
  { changedFiles, edits }: { changedFiles: ChangedFiles; edits: FileEdits },
  options: EditOptions,
): Promise<AppliedDeployment> =>
  applyProject(deps, {
    ...{ orgId: actor.orgId, actor: actor.name, requestId: actor.requestId, ...options },
    files: omitDeletedFiles({ ...files, ...changedFiles }),
    edited: { edits, baseVersion: version },
    // An edit changes lenses and shared semantics, never svc.config.yaml.
    ...{ fromOperator: false, ignoreOperatorKeys: true },
  });

const omitDeletedFiles = (files: ChangedFiles): Files =>
  Object.fromEntries(Object.entries(files).filter((entry): entry is [string, string] => entry[1] !== null));
