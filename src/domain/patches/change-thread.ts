// The thread in which large files are changed (change-files-apart.ts).
import { parentPort } from 'node:worker_threads';
import type { PatchChange } from '../../contract/mgmt/patches.ts';
import type { ProblemCode } from '../../contract/problem.ts';
import { lessUrgent } from '../../platform/less-urgent.ts';
import { Problem, type ProblemOptions } from '../../platform/problem.ts';
import { changedFiles } from './change-files.ts';

export interface ChangeRequest {
  files: Record<string, string>;
  change: PatchChange;
}
export type ChangeReply =
  | { files: Record<string, string> }
  | { code: ProblemCode; message: string; options: ProblemOptions };

lessUrgent();
parentPort!.on('message', ({ files, change }: ChangeRequest) => {
  let reply: ChangeReply;
  try {
    reply = { files: changedFiles(files, change) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, message, details, param } = error;
    reply = { code, message, options: { details, ...(param !== null && { param }) } };
  }
  parentPort!.postMessage(reply);
});
