// A certified entry in the shape of the API.
import type { z } from 'zod';
import type * as wire from '../../../contract/mgmt/certified.ts';
import { type getEntry, entryRevision as revisionOfEntry } from '../../../domain/certified/entries.ts';
import type { Made } from '../../http/operation.ts';

interface EntryOfLens {
  lens: string;
  entry: Made<typeof getEntry>;
}

export const entryRevision = ({ entry }: EntryOfLens): string => revisionOfEntry(entry);

export const entryView = ({ lens, entry }: EntryOfLens): z.infer<typeof wire.entry> => ({
  cert_id: entry.certId,
  lens,
  question: entry.question,
  also_asked: entry.alsoAsked,
  sql: entry.sql,
  parameters: entry.parameters,
  approved_by: entry.approvedBy,
  approved_at: entry.approvedAt,
  status: entry.status,
  status_reason: entry.statusReason,
  notes: entry.notes,
  origin: entry.origin,
  path: entry.path,
  invariants: entry.invariants,
  dependencies: entry.dependencies && {
    tables: entry.dependencies.tables,
    columns: entry.dependencies.columns,
    meanings: Object.keys(entry.dependencies.meanings),
  },
  last_check: entry.lastCheck,
  created_at: entry.createdAt.toISOString(),
  updated_at: entry.updatedAt.toISOString(),
});
