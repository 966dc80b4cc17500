// A change of files like change-files.ts makes it, of large ones in a thread beside: writing YAML anew takes seconds there.
import type { PatchChange } from '../../contract/mgmt/patches.ts';
import { OwnThread } from '../../platform/own-thread.ts';
import { Problem } from '../../platform/problem.ts';
import { changedFiles } from './change-files.ts';
import type { ChangeReply, ChangeRequest } from './change-thread.ts';

const SMALL = 8_000; // characters: some ten milliseconds
const MOST_MS = 15_000;

const module = new URL(`./change-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);
const thread = new OwnThread<ChangeRequest, ChangeReply>(module);

export async function changedFilesApart(
  orgId: string,
  files: Record<string, string>,
  change: PatchChange,
): Promise<Record<string, string>> {
  const size = Object.values(files).reduce((sum, text) => sum + text.length, 0);
  if (size <= SMALL) return changedFiles(files, change);
  const reply = await thread.run(orgId, { files, change }, MOST_MS);
  if (!reply)
    throw new Problem('too_large', `The files take longer than ${MOST_MS / 1000} s to change. Split the lens.`);
  if ('files' in reply) return reply.files;
  throw new Problem(reply.code, reply.message, reply.options);
}
