// Lenses and drafts in the shape of the API.
import type { z } from 'zod';
import type * as wire from '../../contract/mgmt/lenses.ts';
import type { getDraft } from '../../domain/lenses/lens-drafts.ts';
import type { getLens } from '../../domain/lenses/lenses.ts';
import type { Made } from '../http/operation.ts';

export const lensView = (row: Made<typeof getLens>): z.infer<typeof wire.lensRow> => ({
  name: row.name,
  title: row.title,
  origin: row.origin,
  version: row.activeVersion,
  last_version: row.lastVersion,
  connection: row.connection,
  certified_count: row.certifiedCount,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});
export const draftView = (draft: Made<typeof getDraft>): z.infer<typeof wire.draft> => ({
  id: draft.id,
  lens: draft.lens,
  base_version: draft.baseVersion,
  status: draft.status,
  published_version: draft.publishedVersion,
  message: draft.message,
  files: draft.files,
  revision: draft.revision,
  created_by: draft.createdBy,
  created_at: draft.createdAt.toISOString(),
  updated_at: draft.updatedAt.toISOString(),
});
