// Edits a certified entry from a file in that file.
import { Problem } from '../../platform/problem.ts';
import type { Actor } from '../audit/audited.ts';
import { type ChangedFiles, editProject, type Files } from '../project/edit-project.ts';
import { editFile } from '../project/files/read-files.ts';
import type { Members } from '../project/files/rewrite-yaml.ts';
import type { ProjectDeps } from '../project/project-deps.ts';
import type { EntryText, StoredEntry } from './entry-repository.ts';

/** Throws `conflict` if the file no longer has the text that the caller saw. */
export async function editEntryFile(
  deps: { project: ProjectDeps },
  actor: Actor,
  known: StoredEntry,
  members: Members,
  message: string,
): Promise<void> {
  await editProject(deps.project, actor, (files) => changeIn(actor.orgId, files, known, members), { message });
}

async function changeIn(
  orgId: string,
  files: Files,
  { path, certId, question, sql }: StoredEntry,
  members: Members,
): Promise<ChangedFiles> {
  const text = path === null ? undefined : files[path];
  const changed = text && (await editFile(orgId, text, { is: { id: certId, question, sql }, members }));
  if (text === undefined || changed === undefined)
    throw new Problem(
      'conflict',
      `Certified entry ${certId} was just changed in ${path} by someone else. Read it again, then repeat your edit.`,
    );
  return { [path!]: changed };
}

/** The members of an entry as written in a file, without empty ones. */
export const entryMembers = ({ question, alsoAsked, sql, parameters, notes }: EntryText): Record<string, unknown> => ({
  question,
  also_asked: alsoAsked.length > 0 ? alsoAsked : undefined,
  sql,
  parameters: Object.keys(parameters).length > 0 ? parameters : undefined,
  notes: notes ?? undefined,
});
