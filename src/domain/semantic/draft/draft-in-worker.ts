import { Problem } from '../../../platform/problem.ts';
import { WorkerPool } from '../../../platform/schedule/worker-pool.ts';
import { type DraftOptions, draftLens, type LensDraft } from './draft-lens.ts';

const MAX_INLINE_COLUMNS = 150; // work up to this size takes about twenty milliseconds
const MAX_DRAFT_MS = 60_000;

const draftPool = WorkerPool.withSingleProcess('./draft-process', import.meta.url);

export async function draftInWorker(orgId: string, options: DraftOptions): Promise<LensDraft> {
  if (options.tables.reduce((sum, { columns }) => sum + columns.length, 0) <= MAX_INLINE_COLUMNS)
    return draftLens(options);
  const draft = await draftPool.attempt<LensDraft>(orgId, options, MAX_DRAFT_MS);
  if (draft) return draft;
  throw new Problem(
    'too_large',
    `The draft takes longer than ${MAX_DRAFT_MS / 1000} s. Draft a lens with fewer tables.`,
  );
}
