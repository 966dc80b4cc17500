// A shared entity or definition that came from a file is edited in its file; the lenses that use it are compiled anew.
import { Problem } from '../../platform/problem.ts';
import type { Actor } from '../audit/audited.ts';
import { type ChangedFiles, editProject, type Files } from '../project/edit-project.ts';
import type { ProjectDeps } from '../project/project-deps.ts';
import { editListed, editNamed } from '../project/rewrite-yaml.ts';
import type { SemanticRow } from './semantic-repository.ts';

const FILE: Record<SemanticRow['kind'], string> = {
  entity: 'semantic/entities.yaml',
  definition: 'semantic/definitions.yaml',
};

/** Null body: it leaves its file. */
export async function editSemanticFile(
  deps: { project: ProjectDeps },
  actor: Actor,
  known: SemanticRow,
  body: Record<string, unknown> | null,
): Promise<void> {
  const message = `${body === null ? 'Delete' : 'Change'} ${known.kind} ${known.name}`;
  await editProject(deps.project, actor, (files) => changeIn(files, known, body), { message });
}

function changeIn(
  files: Files,
  { kind, name, body: before }: SemanticRow,
  body: Record<string, unknown> | null,
): ChangedFiles {
  const path = FILE[kind];
  const text = files[path] ?? '';
  const dropped = Object.fromEntries(Object.keys(before).map((member) => [member, undefined]));
  const changed =
    kind === 'entity'
      ? editNamed(text, ['entities', name], body)
      : editListed(text, (item) => item.get('term') === name, body && { ...dropped, ...body });
  if (changed === undefined)
    throw new Problem('conflict', `The ${kind} "${name}" left ${path} at the same moment. Look at it again.`);
  return { [path]: changed };
}
