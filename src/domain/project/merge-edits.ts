// svc drops an edit that the author's files already contain, and merges other edits line by line. If the author changed
// the same lines, the edit is a conflict.
import type { ProjectProblem } from '../../lens/files/project-problem.ts';
import { mapLineNumbers, mergeTexts, readFiles } from './files/read-files.ts';
import type { FileEdit, FileEdits } from './project-state.ts';

type Files = Record<string, string>;
export interface MergedProject {
  files: Files;
  edits: FileEdits;
  problems: ProjectProblem[];
  warnings: string[];
}

export async function mergeEdits(
  orgId: string,
  deployedState: { files: Files; edits: FileEdits } | null,
  authorFiles: Files,
): Promise<MergedProject> {
  const mergedProject: MergedProject = { files: { ...authorFiles }, edits: {}, problems: [], warnings: [] };
  for (const [path, edit] of Object.entries(deployedState?.edits ?? {})) {
    const [editedText, authorText] = [deployedState!.files[path] ?? null, authorFiles[path] ?? null];
    if (authorText === editedText) continue;
    const result = isLensRemoved(path, authorFiles)
      ? { conflictLine: 1 }
      : await mergeFileVersions(orgId, path, { base: edit.base, edited: editedText, theirs: authorText });
    if ('conflictLine' in result) {
      mergedProject.problems.push(createConflictProblem(path, edit, result.conflictLine, authorText === null));
      continue;
    }
    if (result.text === authorText) continue;
    if (result.text === null) delete mergedProject.files[path];
    else mergedProject.files[path] = result.text;
    mergedProject.edits[path] = { ...edit, base: authorText };
    const outcomeText = authorText === edit.base ? 'is kept' : 'was merged into these files';
    mergedProject.warnings.push(
      `${path}: the API edit by ${edit.by} ${outcomeText}. Your files don't contain it. \`svc export DIR\` adds the edit to your files. GET /mgmt/project/edits shows the edit.`,
    );
  }
  return mergedProject;
}

/** A problem that only the merged files have, such as a repeated key, is a conflict. */
export async function moveProblemsToAuthoredLines(
  orgId: string,
  problems: readonly ProjectProblem[],
  { files, edits }: MergedProject,
  authorFiles: Files,
): Promise<ProjectProblem[]> {
  const movedProblems = [...problems];
  let authorProblems: readonly ProjectProblem[] | undefined;
  for (const path of new Set(problems.map((problem) => problem.path))) {
    const [edit, text, otherText] = [edits[path], files[path], authorFiles[path]];
    if (!edit || text === undefined || otherText === undefined || text === otherText) continue;
    authorProblems ??= (await readFiles(orgId, authorFiles)).problems;
    const lineNumbers = problems.map((problem) => (problem.path === path ? problem.line : 1));
    const lines = await mapLineNumbers(orgId, path, { text, otherText }, lineNumbers);
    for (const [index, problem] of problems.entries()) {
      if (problem.path !== path) continue;
      const { code, message, pointer } = problem;
      const line = lines[index]!;
      const isAuthorProblem = authorProblems.some(
        (item) => item.path === path && item.code === code && item.message === message,
      );
      movedProblems[index] =
        isAuthorProblem || !MERGE_PROBLEM_CODES.has(code)
          ? { ...problem, line }
          : { ...createConflictProblem(path, edit, line, false), pointer };
    }
  }
  return movedProblems;
}
const MERGE_PROBLEM_CODES = new Set(['duplicate', 'duplicate_key', 'yaml']);

/** If the author removed the lens, an edit of the file is a conflict. */
function isLensRemoved(path: string, authorFiles: Files): boolean {
  const folder = /^lenses\/[^/]+\//.exec(path)?.[0];
  return folder !== undefined && !Object.hasOwn(authorFiles, `${folder}lens.yaml`) && path !== `${folder}lens.yaml`;
}

/** Null means that the file doesn't exist. `conflictLine` is the position of a conflict. */
export async function mergeFileVersions(
  orgId: string,
  path: string,
  { base, edited, theirs }: { base: string | null; edited: string | null; theirs: string | null },
): Promise<{ text: string | null } | { conflictLine: number }> {
  if (theirs === base) return { text: edited };
  if (base === null || edited === null || theirs === null) return { conflictLine: 1 };
  return mergeTexts(orgId, path, { base, edited, theirs });
}

const createConflictProblem = (path: string, edit: FileEdit, line: number, isRemoved: boolean): ProjectProblem => ({
  path,
  line,
  column: 1,
  pointer: '',
  code: 'conflict',
  message:
    `${edit.by} edited this file through the API at ${edit.at}, and these files ${isRemoved ? 'no longer contain it' : 'conflict with the edit'}. ` +
    `GET /mgmt/project/edits shows the edit. Add it to your files, or discard it with DELETE /mgmt/project/edits?path=${path}.`,
  severity: 'error',
});
