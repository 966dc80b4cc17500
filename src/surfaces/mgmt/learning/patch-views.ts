// A drafted fix in the shape of the API.
import type { z } from 'zod';
import type * as wire from '../../../contract/mgmt/patches.ts';
import type { getPatch } from '../../../domain/patches/patches.ts';
import type { Made } from '../../http/operation.ts';

export const patchView = (patch: Made<typeof getPatch>): z.infer<typeof wire.patch> => ({
  id: patch.id,
  lens: patch.lens,
  kind: patch.kind,
  change: patch.change as unknown as Record<string, unknown>,
  reason: patch.reason,
  review_id: patch.reviewId,
  eval_id: patch.evalId,
  gap_id: patch.gapId,
  status: patch.status,
  preview: patch.preview as z.infer<typeof wire.preview> | null,
  outcome: patch.outcome,
  created_by: patch.createdBy,
  decided_by: patch.decidedBy,
  decided_note: patch.decidedNote,
  decided_at: patch.decidedAt?.toISOString() ?? null,
  created_at: patch.createdAt.toISOString(),
  updated_at: patch.updatedAt.toISOString(),
});
