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

describe('two profiles differ in', () => {
  it('nothing when nothing moved', () => expect(codes([field()], [field()])).toEqual([]));
  it('columns that came and went', () =>
    expect(codes([field(), field({ field: 'old' })], [field(), field({ field: 'new' })])).toEqual([
      'field_gone warning',
      'field_added info',
    ]));
  it('rows that vanished', () => expect(codes([field()], [field({ rows: 50 })])).toEqual(['rows warning']));
  it('cells that became empty', () => expect(codes([field()], [field({ nulls: 40 })])).toEqual(['nulls warning']));
  it('values that went', () =>
    expect(codes([field()], [field({ values: ['West'], distinct: 1, min: 'West' })])).toEqual([
      'distinct info',
      'range info',
      'values warning',
    ]));
});
