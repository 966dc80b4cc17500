// Reads and changes large files in a separate process, because the work can take seconds.
import { Problem } from '../../../platform/problem.ts';
import { WorkerPool } from '../../../platform/schedule/worker-pool.ts';
import type { FileTasks } from './files-process.ts';

export const MAX_INLINE_LENGTH = 8_000; // characters; processing them takes about ten milliseconds
const MAX_TASK_MS = 15_000; // for one file

const pool = WorkerPool.withSingleProcess('./files-process', import.meta.url);

/** Returns null if the work took too long. */
export const runInFilesProcess = <Name extends keyof FileTasks>(
  orgId: string,
  name: Name,
  ...args: Parameters<FileTasks[Name]>
): Promise<{ done: ReturnType<FileTasks[Name]> } | null> => pool.attempt(orgId, { name, given: args }, MAX_TASK_MS);

/** Returns the result, or throws a problem with this message if the work exceeded the time limit. */
export function requireInTime<Done>(reply: { done: Done } | null, message: (limit: string) => string): Done {
  if (reply) return reply.done;
  throw new Problem('too_large', message(TIME_LIMIT));
}
export const TIME_LIMIT = `${MAX_TASK_MS / 1000} s`;
