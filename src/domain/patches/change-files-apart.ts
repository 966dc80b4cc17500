// A change of files like change-files.ts makes it, of large ones in a thread beside: writing YAML again takes seconds there.
import type { PatchChange } from '../../contract/mgmt/patches.ts';
import { Problem } from '../../platform/problem.ts';
import { WorkerThread } from '../../platform/schedule/worker-thread.ts';
import { changedDefinitions, changedFiles, termOf } from './change-files.ts';
import type { ChangeReply, ChangeRequest } from './change-thread.ts';

const SMALL = 8_000; // characters: some ten milliseconds
const MOST_MS = 15_000;

const module = new URL(`./change-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);
const thread = new WorkerThread<ChangeRequest, ChangeReply>(module);

export async function changedFilesApart(
  orgId: string,
  files: Record<string, string>,
  change: PatchChange,
): Promise<Record<string, string>> {
  const size = Object.values(files).reduce((sum, text) => sum + text.length, 0);
  if (size <= SMALL) return changedFiles(files, change);
  const reply = await apart(orgId, { files, change });
  return 'files' in reply ? reply.files : {};
}

/** Null where the text does not define the term. */
export async function changedDefinitionsApart(
  orgId: string,
  text: string,
  change: PatchChange,
): Promise<string | null> {
  if (text.length <= SMALL || termOf(change) === null) return changedDefinitions(text, change);
  const reply = await apart(orgId, { definitions: text, change });
  return 'definitions' in reply ? reply.definitions : null;
}

async function apart(orgId: string, request: ChangeRequest): Promise<Exclude<ChangeReply, { code: string }>> {
  const reply = await thread.run(orgId, request, MOST_MS);
  if (!reply)
    throw new Problem('too_large', `The files take longer than ${MOST_MS / 1000} s to change. Split the lens.`);
  if ('code' in reply) throw new Problem(reply.code, reply.message, reply.options);
  return reply;
}
