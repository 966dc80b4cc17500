// Edits a certified entry in its project file.
import type { Actor } from '../audit/audited.ts';
import { editInFile } from '../project/edit-project.ts';
import type { Members } from '../project/files/rewrite-yaml.ts';
import type { ProjectDeps } from '../project/project-deps.ts';
import type { EntryText, StoredEntry } from './entry-repository.ts';

/** Throws `conflict` if the entry in the file isn't the one that the caller saw. */
export const editEntryFile = (
  deps: { project: ProjectDeps },
  actor: Actor,
  { path, certId, question, sql }: StoredEntry,
  members: Members,
  message: string,
): Promise<void> =>
  editInFile(
    deps.project,
    actor,
    path!,
    { is: { id: certId, question, sql }, members },
    {
      message,
      lostMessage: `Certified entry ${certId} was just changed in ${path} by someone else. Read it again, then repeat your edit.`,
    },
  );

/** The members of an entry in the format of its file, without empty members. */
export const entryMembers = ({ question, alsoAsked, sql, parameters, notes }: EntryText): Record<string, unknown> => ({
  question,
  also_asked: alsoAsked.length > 0 ? alsoAsked : undefined,
  sql,
  parameters: Object.keys(parameters).length > 0 ? parameters : undefined,
  notes: notes ?? undefined,
});
