// The thread in which large files are changed (change-files-apart.ts).
import { parentPort } from 'node:worker_threads';
import type { PatchChange } from '../../contract/mgmt/patches.ts';
import type { ProblemCode } from '../../contract/problem.ts';
import { Problem, type ProblemOptions } from '../../platform/problem.ts';
import { lowerPriority } from '../../platform/schedule/lower-priority.ts';
import { changedDefinitions, changedFiles } from './change-files.ts';

export type ChangeRequest = { change: PatchChange } & ({ files: Record<string, string> } | { definitions: string });
export type ChangeReply =
  | { files: Record<string, string> }
  | { definitions: string | null }
  | { code: ProblemCode; message: string; options: ProblemOptions };

lowerPriority();
parentPort!.on('message', (request: ChangeRequest) => {
  let reply: ChangeReply;
  try {
    reply =
      'files' in request
        ? { files: changedFiles(request.files, request.change) }
        : { definitions: changedDefinitions(request.definitions, request.change) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, message, details, param } = error;
    reply = { code, message, options: { details, ...(param !== null && { param }) } };
  }
  parentPort!.postMessage(reply);
});
