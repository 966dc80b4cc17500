import { describe, expect, it } from 'vitest';
import { compareProfiles } from './compare-profiles.ts';
import type { FieldProfile } from './profile-lens.ts';

const createFieldProfile = (change: Partial<FieldProfile> = {}): FieldProfile => ({
  ...{ dataset: 'orders', field: 'region', datatype: 'string', masked: false, rows: 100, nulls: 0, distinct: 2 },
  ...{ min: 'East', max: 'West', values: ['East', 'West'], sampled: false },
  ...change,
});
const listChangeCodes = (before: FieldProfile[], after: FieldProfile[]) =>
  compareProfiles({ lens_version: 1, items: before, faults: [] }, { lens_version: 1, items: after, faults: [] }).map(
    ({ code, severity }) => `${code} ${severity}`,
  );

describe('comparing two profiles', () => {
  it('finds nothing if nothing changed', () =>
    expect(listChangeCodes([createFieldProfile()], [createFieldProfile()])).toEqual([]));
  it('finds added and removed columns', () =>
    expect(
      listChangeCodes(
        [createFieldProfile(), createFieldProfile({ field: 'old' })],
        [createFieldProfile(), createFieldProfile({ field: 'new' })],
      ),
    ).toEqual(['field_gone warning', 'field_added info']));
  it('finds missing rows', () =>
    expect(listChangeCodes([createFieldProfile()], [createFieldProfile({ rows: 50 })])).toEqual(['rows warning']));
  it('finds cells that became empty', () =>
    expect(listChangeCodes([createFieldProfile()], [createFieldProfile({ nulls: 40 })])).toEqual(['nulls warning']));
  it('finds missing values', () =>
    expect(
      listChangeCodes([createFieldProfile()], [createFieldProfile({ values: ['West'], distinct: 1, min: 'West' })]),
    ).toEqual(['distinct info', 'range info', 'values warning']));
});
