// The time of these tasks can grow faster than the size of the files, so another process handles large files.
import { parseYaml } from '../../../lens/files/yaml-file.ts';
import { Problem } from '../../../platform/problem.ts';
import { WorkerPool } from '../../../platform/schedule/worker-pool.ts';
import { applyPatchToLensFiles, changeDefinitions } from '../../patches/change-files.ts';
import { createPatch, mapSameLines, mergeLines } from './compare-lines.ts';
import { editYaml } from './rewrite-yaml.ts';
import { withoutLiteralSecrets } from './without-secrets.ts';

const FILE_TASKS = {
  parse: (...args: Parameters<typeof parseYaml>) => {
    const { value, ...parsed } = parseYaml(...args);
    // Parsing JSON takes a tenth of the time of a structured clone.
    return { parsed, value: JSON.stringify(value) };
  },
  hide: withoutLiteralSecrets,
  edit: editYaml,
  diff: createPatch,
  merge: mergeLines,
  lines: mapSameLines,
  changeFiles: applyPatchToLensFiles,
  changeDefinitions,
};
type FileTasks = typeof FILE_TASKS;
export type TaskName = keyof FileTasks;

const MAX_INLINE_LENGTH = 8_000; // work on at most this many characters takes about ten milliseconds
const MAX_INLINE_LINES = 100; // the time of a comparison grows with the square or cube of the number of lines
const MAX_TASK_MS = 15_000;

const fileTaskPool = WorkerPool.withSingleProcess('./files-process', import.meta.url);

export const areTextsShort = (...texts: string[]): boolean =>
  texts.reduce((sum, text) => sum + text.length, 0) <= MAX_INLINE_LENGTH;
export const hasFewLines = (...texts: string[]): boolean =>
  areTextsShort(...texts) && texts.every((text) => text.split('\n', MAX_INLINE_LINES + 1).length <= MAX_INLINE_LINES);

export const runFileTaskInline = (name: TaskName, args: unknown[]): unknown =>
  (FILE_TASKS[name] as (...args: unknown[]) => unknown)(...args);

/** Throws `too_large` if the work takes too long. `createTooLongMessage` writes the message. */
export async function runFileTask<Name extends TaskName>(
  orgId: string,
  name: Name,
  { isSmall, createTooLongMessage }: { isSmall: boolean; createTooLongMessage: (limit: string) => string },
  ...args: Parameters<FileTasks[Name]>
): Promise<ReturnType<FileTasks[Name]>> {
  if (isSmall) return runFileTaskInline(name, args) as ReturnType<FileTasks[Name]>;
  const reply = await fileTaskPool.attempt<{ done: ReturnType<FileTasks[Name]> }>(orgId, { name, args }, MAX_TASK_MS);
  if (reply) return reply.done;
  throw new Problem('too_large', createTooLongMessage(`${MAX_TASK_MS / 1000} s`));
}
