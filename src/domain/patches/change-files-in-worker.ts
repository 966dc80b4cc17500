// Changes files like change-files.ts. Large files are changed in a separate process, because writing YAML can
// take seconds.
import type { PatchChange } from '../../contract/mgmt/patches.ts';
import { Problem } from '../../platform/problem.ts';
import { WorkerPool } from '../../platform/schedule/worker-pool.ts';
import { changedDefinitions, changedFiles, termOf } from './change-files.ts';
import type { ChangeRequest } from './change-process.ts';

const MAX_INLINE_LENGTH = 8_000; // characters, which take about ten milliseconds
const MAX_MS = 15_000;

const pool = WorkerPool.ofOne(
  new URL(`./change-process${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
);

export async function changeFilesInWorker(
  orgId: string,
  files: Record<string, string>,
  change: PatchChange,
): Promise<Record<string, string>> {
  const size = Object.values(files).reduce((sum, text) => sum + text.length, 0);
  if (size <= MAX_INLINE_LENGTH) return changedFiles(files, change);
  return changeInWorker(orgId, { files, change });
}

/** Null if the text doesn't define the term. */
export async function changeDefinitionsInWorker(
  orgId: string,
  text: string,
  change: PatchChange,
): Promise<string | null> {
  if (text.length <= MAX_INLINE_LENGTH || termOf(change) === null) return changedDefinitions(text, change);
  return changeInWorker(orgId, { definitions: text, change });
}

async function changeInWorker<Changed>(orgId: string, request: ChangeRequest): Promise<Changed> {
  const reply = await pool.attempt<{ changed: Changed }>(orgId, request, MAX_MS);
  if (reply) return reply.changed;
  throw new Problem('too_large', `The files take longer than ${MAX_MS / 1000} s to change. Split the lens.`);
}
