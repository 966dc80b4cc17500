// The process that changes large files (change-files-in-worker.ts).
import type { PatchChange } from '../../contract/mgmt/patches.ts';
import { serveWorker } from '../../platform/schedule/serve-worker.ts';
import { changedDefinitions, changedFiles } from './change-files.ts';

export type ChangeRequest = { change: PatchChange } & ({ files: Record<string, string> } | { definitions: string });

serveWorker(async (request: ChangeRequest) => ({
  changed:
    'files' in request
      ? changedFiles(request.files, request.change)
      : changedDefinitions(request.definitions, request.change),
}));
