// Creates the cache key for a caller's view of the data. Callers who see different rows never share a cached value.
import { attributesIn } from '../lens/model/sql-words.ts';
import type { GrantedLens } from './outcome.ts';

export const viewKey = ({ lens, caller }: GrantedLens): string =>
  caller.superuser || lens.rowPolicies.length === 0
    ? 'all'
    : JSON.stringify([
        caller.groups.toSorted(),
        Object.entries(caller.attributes).sort(),
        // A policy can read the name of the caller. Otherwise, callers with the same attributes see the same rows.
        lens.rowPolicies.some(({ filter }) => attributesIn(filter).includes('name')) ? caller.name : null,
      ]);
