// Converts lenses and drafts to the shape of the API.

import type { z } from 'zod';
import type * as wire from '../../contract/mgmt/lenses.ts';
import type { getLens } from '../../domain/lenses/lenses.ts';
import { wireOf } from '../../platform/http/wire-of.ts';
import type { ResultOf } from '../http/operation.ts';

export const lensView = ({ activeVersion, ...row }: ResultOf<typeof getLens>): z.infer<typeof wire.lensRow> => ({
  ...wireOf(row),
  version: activeVersion,
});
