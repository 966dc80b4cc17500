// The thread in which lenses are drafted (draft-apart.ts).
import { parentPort } from 'node:worker_threads';
import { loadDialect } from '../../../dialects/dialects.ts';
import { lessUrgent } from '../../../platform/schedule/less-urgent.ts';
import type { DraftRequest } from './draft-apart.ts';
import { draftLens } from './draft-lens.ts';

lessUrgent();
parentPort!.on('message', async (request: DraftRequest) => {
  await loadDialect(request.dialect);
  parentPort!.postMessage(draftLens(request));
});
