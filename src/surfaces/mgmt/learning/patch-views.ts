// Converts a drafted fix to the shape of the API.

import type { z } from 'zod';
import type * as wire from '../../../contract/mgmt/patches.ts';
import type { getPatch } from '../../../domain/patches/patches.ts';
import { wireOf } from '../../../platform/http/wire-of.ts';
import type { ResultOf } from '../../http/operation.ts';

export const patchView = (patch: ResultOf<typeof getPatch>): z.infer<typeof wire.patch> => ({
  ...wireOf(patch),
  change: patch.change as unknown as Record<string, unknown>,
  preview: patch.preview as z.infer<typeof wire.preview> | null,
});
