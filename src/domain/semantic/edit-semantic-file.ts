// Edits a file-based entity or definition in its file, and recompiles the lenses that use it.
import type { Actor } from '../audit/audited.ts';
import { editInFile } from '../project/edit-project.ts';
import type { ProjectDeps } from '../project/project-deps.ts';
import { SEMANTIC_FILES } from '../project/project-state.ts';
import type { SemanticRow } from './semantic-repository.ts';

/** A null body removes the object from the file. */
export async function editSemanticFile(
  deps: { project: ProjectDeps },
  actor: Actor,
  { kind, name, body: before }: SemanticRow,
  body: Record<string, unknown> | null,
): Promise<void> {
  const path = SEMANTIC_FILES[kind];
  const dropped = Object.fromEntries(Object.keys(before).map((member) => [member, undefined]));
  const edit =
    kind === 'entity'
      ? { at: ['entities', name], members: body }
      : { is: { term: name }, members: body && { ...dropped, ...body } };
  await editInFile(deps.project, actor, path, edit, {
    message: `${body === null ? 'Delete' : 'Change'} ${kind} ${name}`,
    lost: `The ${kind} "${name}" was just removed from ${path}. List them again.`,
  });
}
