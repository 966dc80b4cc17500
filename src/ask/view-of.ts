// Whom an caller sees the data like: what is remembered of the data for one is served to no one who sees other rows.
import { attributesIn } from '../lens/model/sql-words.ts';
import type { GrantedLens } from './outcome.ts';

export const viewOf = ({ lens, asker }: GrantedLens): string =>
  asker.superuser || lens.rowPolicies.length === 0
    ? 'all'
    : JSON.stringify([
        asker.groups.toSorted(),
        Object.entries(asker.attributes).sort(),
        // A policy may read the name of the caller; otherwise all with the same attributes see the same.
        lens.rowPolicies.some(({ filter }) => attributesIn(filter).includes('name')) ? asker.name : null,
      ]);
