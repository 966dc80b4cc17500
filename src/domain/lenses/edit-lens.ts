// Edits a lens: its lens.yaml in the project, or all files of a lens created through the API, as a new version.
import type { LensFile } from '../../contract/files/lens-file.ts';
import { Problem } from '../../platform/problem.ts';
import { type Actor, runAudited } from '../audit/audit-log.ts';
import { editProject } from '../project/edit-project.ts';
import { editFile, readLensFile } from '../project/files/read-files.ts';
import type { YamlAssignment } from '../project/files/rewrite-yaml.ts';
import type { ProjectDeps } from '../project/project-deps.ts';
import { requireValidDraft } from './check-draft.ts';
import * as rows from './lens-draft-repository.ts';
import { getVersion } from './lens-versions.ts';
import { type Files, getLens, isFromFiles, type LensDeps, requireLensToChange } from './lenses.ts';

export type EditLensDeps = LensDeps & { project: ProjectDeps };
export interface LensEditResult {
  version: number;
  warnings: string[];
}
interface LensEdit {
  message: string;
  action: string;
  after: Record<string, unknown>;
  /** The response if the edited lens has problems. It states that nothing has changed. */
  refusal: string;
  /** True if the edit replaces the whole lens, so that it doesn't matter which version came before. */
  replacesAll?: boolean;
}

export async function editLens(
  deps: EditLensDeps,
  actor: Actor,
  name: string,
  change: (files: Files) => Files | Promise<Files>,
  { message, action, after, refusal, replacesAll }: LensEdit,
): Promise<LensEditResult> {
  const lensRow = await getLens(deps, actor.orgId, name);
  const baseVersion = lensRow.activeVersion;
  const entry = { action, objectKind: 'lens', objectId: name, before: { version: baseVersion } };
  if (isFromFiles(lensRow)) {
    const path = `lenses/${name}/lens.yaml`;
    const editFiles = async (files: Files) => {
      const changedLens = await change({ 'lens.yaml': files[path] ?? '' });
      return { [path]: changedLens['lens.yaml'] ?? null };
    };
    const { warnings } = await editProject(deps.project, actor, editFiles, { message });
    return runAudited(deps, actor, async (db) => {
      const version = (await rows.findLensRow(db, name))!.activeVersion!;
      return { ...entry, result: { version, warnings }, after: { ...after, version } };
    });
  }
  const files = await change(
    baseVersion === null ? {} : (await getVersion(deps, actor.orgId, name, baseVersion)).files,
  );
  const draft = await requireValidDraft(deps, actor.orgId, name, files, { actor, refusal });
  return runAudited(deps, actor, async (db) => {
    const lens = await requireLensToChange(db, name);
    if (lens.activeVersion !== baseVersion && !replacesAll)
      throw new Problem('conflict', `Version ${lens.activeVersion} was just published. Try again.`);
    const version = await rows.publishVersion(db, lens, { ...draft, files, actor: actor.name });
    const result = { version, warnings: draft.warnings };
    return { ...entry, result, before: { version: lens.activeVersion }, after: { ...after, version } };
  });
}

/** Assigns values in lens.yaml, and leaves the rest of the file unchanged. */
export const editLensFile = (
  deps: EditLensDeps,
  actor: Actor,
  name: string,
  assign: (file: LensFile) => YamlAssignment[] | Promise<YamlAssignment[]>,
  edit: Omit<LensEdit, 'refusal'>,
): Promise<LensEditResult> => {
  const editFiles = async (files: Files): Promise<Files> => {
    const text = files['lens.yaml'] ?? '';
    const { value: file } = await readLensFile(actor.orgId, name, text);
    if (!file) throw new Problem('conflict', 'svc can’t read lens.yaml. Correct the file.');
    const changedText = await editFile(actor.orgId, text, { set: await assign(file) });
    return { ...files, 'lens.yaml': changedText ?? text };
  };
  return editLens(deps, actor, name, editFiles, { ...edit, refusal: 'The lens was not changed' });
};

/** Restoring a version doesn't change certified entries and evals from files. */
export async function restoreVersion(
  deps: EditLensDeps,
  actor: Actor,
  name: string,
  version: number,
): Promise<LensEditResult> {
  const { files } = await getVersion(deps, actor.orgId, name, version);
  return editLens(deps, actor, name, () => files, {
    message: `Restore version ${version} of lens ${name}`,
    action: 'lens.restore',
    after: { restored: version },
    refusal: 'The version was not restored',
    replacesAll: true,
  });
}
