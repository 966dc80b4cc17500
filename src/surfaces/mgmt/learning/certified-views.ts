// Converts a certified entry to the shape of the API.

import type { z } from 'zod';
import type * as wire from '../../../contract/mgmt/certified.ts';
import { type getEntry, entryRevision as revisionOfEntry } from '../../../domain/certified/entries.ts';
import { wireOf } from '../../../platform/http/wire-of.ts';
import type { ResultOf } from '../../http/operation.ts';

interface EntryOfLens {
  lens: string;
  entry: ResultOf<typeof getEntry>;
}

export const entryRevision = ({ entry }: EntryOfLens): string => revisionOfEntry(entry);

export const entryView = ({ lens, entry }: EntryOfLens): z.infer<typeof wire.entry> => ({
  ...wireOf(entry),
  lens,
  dependencies: entry.dependencies && {
    ...entry.dependencies,
    meanings: Object.keys(entry.dependencies.meanings),
  },
});
