import { describe, expect, it } from 'vitest';
import { compareProfiles } from './compare-profiles.ts';
import type { FieldProfile } from './profile-lens.ts';

const field = (change: Partial<FieldProfile> = {}): FieldProfile => ({
  ...{ dataset: 'orders', field: 'region', datatype: 'string', masked: false, rows: 100, nulls: 0, distinct: 2 },
  ...{ min: 'East', max: 'West', values: ['East', 'West'], sampled: false },
  ...change,
});
const codes = (before: FieldProfile[], after: FieldProfile[]) =>
  compareProfiles({ lens_version: 1, items: before, faults: [] }, { lens_version: 1, items: after, faults: [] }).map(
    ({ code, severity }) => `${code} ${severity}`,
  );

describe('comparing two profiles', () => {
  it('finds nothing if nothing changed', () => expect(codes([field()], [field()])).toEqual([]));
  it('finds added and removed columns', () =>
    expect(codes([field(), field({ field: 'old' })], [field(), field({ field: 'new' })])).toEqual([
      'field_gone warning',
      'field_added info',
    ]));
  it('finds missing rows', () => expect(codes([field()], [field({ rows: 50 })])).toEqual(['rows warning']));
  it('finds cells that became empty', () =>
    expect(codes([field()], [field({ nulls: 40 })])).toEqual(['nulls warning']));
  it('finds missing values', () =>
    expect(codes([field()], [field({ values: ['West'], distinct: 1, min: 'West' })])).toEqual([
      'distinct info',
      'range info',
      'values warning',
    ]));
});
