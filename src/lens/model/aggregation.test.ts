import { expect, test } from 'vitest';
import type { Datatype } from '../../contract/warehouse.ts';
import { inferAdditivity } from './aggregation.ts';
import { expandAbbreviations } from './name-words.ts';

const inferTestAdditivity = (
  name: string,
  options: { type?: Datatype; comment?: string; unit?: string; table?: string; key?: string[]; beside?: string[] } = {},
) =>
  inferAdditivity(
    {
      name,
      datatype: options.type ?? 'decimal',
      synonyms: [],
      description: options.comment ?? null,
      unit: options.unit ?? null,
    },
    {
      name: options.table ?? 'things',
      primaryKey: options.key ?? ['id'],
      fields: [name, ...(options.beside ?? [])].map((item) => ({
        name: item,
        datatype: /_(?:dt|on|at|date|day|end)$|^(?:day|as_of)$/.test(item) ? ('date' as const) : ('decimal' as const),
      })),
    },
  ).how;

test.each(
  `line_amt qty revenue order_count total_price number_of_guests hours_worked distance_km duration_min freight_amt unpaid_total
   energy_kwh usg_kwh salary purchase_price tax discount_amount cost_total spend_eur review_count`.split(/\s+/),
)('adds up %s', (name) => expect(inferTestAdditivity(name)).toBe('sum'));
test.each(
  `unit_price std_cost list_price tax_rate disc_pct avg_order_value temp_c dew_point mpg top_speed uv_index soil_ph bmi csat_score
   interest_rate salary_min yield_per_ha price_eur_kwh latency_ms heart_rate gpa market_share battery_lvl close median_age ltv
   total_fertility_rate max_temp conversion_ratio`.split(/\s+/),
)('averages %s and never adds it up', (name) => expect(inferTestAdditivity(name)).toBe('average'));
test.each(['year', 'model_year', 'latitude', 'zip', 'line_no', 'customer_id', 'postal_cd', 'rank', 'sales_order_no'])(
  'doesn’t treat %s as a measure',
  (name) => expect(inferTestAdditivity(name, { type: 'integer' })).toBe('none'),
);
test.each(['displ', 'weight', 'margin', 'x1', 'fancy', 'response_time', 'value'])(
  'chooses no aggregation for %s',
  (name) => expect(inferTestAdditivity(name)).toBe('unknown'),
);

test('adds up a level over entities, but not over time', () => {
  const level = { table: 'account_months', key: ['account_id', 'month_end'], beside: ['account_id', 'month_end'] };
  for (const name of ['balance', 'qty_on_hand', 'headcount', 'open_tickets', 'mrr'])
    expect(inferTestAdditivity(name, level)).toBe('latest');
  expect(inferTestAdditivity('deposits', { ...level, type: 'integer' })).toBe('sum');
  // The name could mean all customers at the end of each month, or the new customers in each month.
  expect(inferTestAdditivity('customers', { ...level, type: 'integer' })).toBe('unknown');
  expect(inferTestAdditivity('customers', { type: 'integer' })).toBe('sum');
  expect(inferTestAdditivity('balance', { table: 'accounts', beside: ['opened_on'] })).toBe('sum');
});

test('also uses units, comments and neighboring fields, and chooses no aggregation if in doubt', () => {
  expect(inferTestAdditivity('x1', { unit: '°C' })).toBe('average');
  expect(inferTestAdditivity('x1', { unit: 'EUR/kWh' })).toBe('average');
  expect(inferTestAdditivity('x1', { unit: 'EUR' })).toBe('sum');
  expect(inferTestAdditivity('amount', { unit: '%' })).toBe('average');
  expect(inferTestAdditivity('x1', { comment: 'Average revenue per user in EUR' })).toBe('average');
  expect(inferTestAdditivity('x1', { comment: 'Number of items per order' })).toBe('sum');
  expect(inferTestAdditivity('x1', { comment: 'Cumulative since the meter was installed', beside: ['read_on'] })).toBe(
    'unknown',
  );
  expect(inferTestAdditivity('purchase_price', { beside: ['list_price'] })).toBe('average');
});

test('doesn’t expand a name that every JavaScript object has as a member', () => {
  expect(expandAbbreviations('constructor_pts')).toBe('constructor pts');
});
