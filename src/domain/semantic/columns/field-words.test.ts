import { expect, test } from 'vitest';
import { findColumnUnit } from './field-words.ts';

test.each([
  ['volume_in_m3', 'm³'],
  ['volume_out_m3', 'm³'],
  ['energy_kwh', 'kWh'],
  ['price_eur_kwh', 'EUR/kWh'],
  ['price_per_m3', null],
  ['cost_per_km', null],
])('the unit of %s is %s', (column, unit) => expect(findColumnUnit(column)).toBe(unit));
