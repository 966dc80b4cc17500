// The process that drafts lenses (draft-in-worker.ts).
import { loadDialect } from '../../../dialects/dialects.ts';
import { serveWorker } from '../../../platform/schedule/serve-worker.ts';
import type { DraftRequest } from './draft-in-worker.ts';
import { draftLens } from './draft-lens.ts';

serveWorker(async (request: DraftRequest) => {
  await loadDialect(request.dialect);
  return draftLens(request);
});
