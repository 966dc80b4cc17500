import { loadDialect } from '../../../dialects/dialects.ts';
import { serveWorker } from '../../../platform/schedule/serve-worker.ts';
import { type DraftOptions, draftLens } from './draft-lens.ts';

serveWorker(async (options: DraftOptions) => {
  await loadDialect(options.dialect);
  return draftLens(options);
});
