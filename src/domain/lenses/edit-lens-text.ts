// Edits the lens.yaml of a lens: in its project file, or as a new version of a lens created by API.
import { Problem } from '../../platform/problem.ts';
import { type Actor, runAudited } from '../audit/audited.ts';
import { RefusedProject } from '../project/apply-project.ts';
import { editProject } from '../project/edit-project.ts';
import type { ProjectDeps } from '../project/project-deps.ts';
import { checkDraft } from './check-draft.ts';
import * as rows from './lens-draft-repository.ts';
import { getVersion } from './lens-versions.ts';
import { getLens, isFromFiles, type LensDeps, requireLensToChange } from './lenses.ts';

export type EditLensDeps = LensDeps & { project: ProjectDeps };
export interface LensEditResult {
  version: number;
  warnings: string[];
}
interface Edit {
  message: string;
  /** The action in the audit log. */
  action: string;
  after: Record<string, unknown>;
}

export async function editLensText(
  deps: EditLensDeps,
  actor: Actor,
  name: string,
  change: (text: string) => Promise<string>,
  { message, action, after }: Edit,
): Promise<LensEditResult> {
  const known = await getLens(deps, actor.orgId, name);
  const entry = { action, objectKind: 'lens', objectId: name, before: { version: known.activeVersion } };
  if (isFromFiles(known)) {
    const path = `lenses/${name}/lens.yaml`;
    const edit = async (files: Record<string, string>) => ({ [path]: await change(files[path] ?? '') });
    const { warnings } = await editProject(deps.project, actor, edit, { message });
    return runAudited(deps, actor, async (db) => {
      const version = (await rows.findLensRow(db, name))!.activeVersion!;
      return { ...entry, result: { version, warnings }, after: { ...after, version } };
    });
  }
  const base = await getVersion(deps, actor.orgId, name, null);
  const files = { ...base.files, 'lens.yaml': await change(base.files['lens.yaml'] ?? '') };
  const checked = await checkDraft(deps, actor.orgId, name, files, { actor });
  if (!checked.lens) throw new RefusedProject(checked.problems, checked.warnings, 'The lens was not changed');
  return runAudited(deps, actor, async (db) => {
    const lens = await requireLensToChange(db, name);
    if (lens.activeVersion !== base.version)
      throw new Problem('conflict', `Version ${lens.activeVersion} was just published. Try again.`);
    const version = await rows.publishVersion(db, lens, {
      ...{ files, lens: checked.lens!, dictionaries: checked.dictionaries, actor: actor.name },
      contentSha256: checked.contentSha256!,
    });
    return { ...entry, result: { version, warnings: checked.warnings }, after: { ...after, version } };
  });
}
