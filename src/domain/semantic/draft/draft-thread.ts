// The thread in which lenses are drafted (draft-apart.ts).
import { parentPort } from 'node:worker_threads';
import { loadDialect } from '../../../dialects/dialects.ts';
import { lowerPriority } from '../../../platform/schedule/lower-priority.ts';
import type { DraftRequest } from './draft-apart.ts';
import { draftLens } from './draft-lens.ts';

lowerPriority();
parentPort!.on('message', async (request: DraftRequest) => {
  await loadDialect(request.dialect);
  parentPort!.postMessage(draftLens(request));
});
