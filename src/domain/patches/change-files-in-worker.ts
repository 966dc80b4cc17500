// Changes the same files as change-files.ts, but uses a separate process for large files.
import type { PatchChange } from '../../contract/mgmt/patches.ts';
import { MAX_INLINE_LENGTH, requireInTime, runInFilesProcess } from '../project/files/in-files-process.ts';
import { changeDefinitions, changeFiles, termOf } from './change-files.ts';

export async function changeFilesInWorker(
  orgId: string,
  files: Record<string, string>,
  change: PatchChange,
): Promise<Record<string, string>> {
  const size = Object.values(files).reduce((sum, text) => sum + text.length, 0);
  if (size <= MAX_INLINE_LENGTH) return changeFiles(files, change);
  return requireInTime(await runInFilesProcess(orgId, 'changeFiles', files, change), tooLargeMessage);
}

/** Returns null if the file doesn't define the term. */
export async function changeDefinitionsInWorker(
  orgId: string,
  text: string,
  change: PatchChange,
): Promise<string | null> {
  if (text.length <= MAX_INLINE_LENGTH || termOf(change) === null) return changeDefinitions(text, change);
  return requireInTime(await runInFilesProcess(orgId, 'changeDefinitions', text, change), tooLargeMessage);
}

const tooLargeMessage = (limit: string): string => `The files take longer than ${limit} to change. Split the lens.`;
