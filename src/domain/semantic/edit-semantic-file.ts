// Edits a file-based entity or definition in its file, and compiles the lenses that use it again.
import { Problem } from '../../platform/problem.ts';
import type { Actor } from '../audit/audited.ts';
import { type ChangedFiles, editProject, type Files } from '../project/edit-project.ts';
import { editFile } from '../project/files/read-files.ts';
import type { ProjectDeps } from '../project/project-deps.ts';
import type { SemanticRow } from './semantic-repository.ts';

const FILE_OF_KIND: Record<SemanticRow['kind'], string> = {
  entity: 'semantic/entities.yaml',
  definition: 'semantic/definitions.yaml',
};

/** Null body: removes it from the file. */
export async function editSemanticFile(
  deps: { project: ProjectDeps },
  actor: Actor,
  known: SemanticRow,
  body: Record<string, unknown> | null,
): Promise<void> {
  const message = `${body === null ? 'Delete' : 'Change'} ${known.kind} ${known.name}`;
  await editProject(deps.project, actor, (files) => changeIn(actor.orgId, files, known, body), { message });
}

async function changeIn(
  orgId: string,
  files: Files,
  { kind, name, body: before }: SemanticRow,
  body: Record<string, unknown> | null,
): Promise<ChangedFiles> {
  const path = FILE_OF_KIND[kind];
  const text = files[path] ?? '';
  const dropped = Object.fromEntries(Object.keys(before).map((member) => [member, undefined]));
  const edit =
    kind === 'entity'
      ? { at: ['entities', name], members: body }
      : { is: { term: name }, members: body && { ...dropped, ...body } };
  const changed = await editFile(orgId, text, edit);
  if (changed === undefined)
    throw new Problem('conflict', `The ${kind} "${name}" was just removed from ${path}. List them again.`);
  return { [path]: changed };
}
