// A state and a period: when it came to be so, when it began, or how it is now.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const states = ['draft', 'active', 'paid', 'terminated'];
const letting = lens('letting', {
  datasets: [
    dataset(
      'flats',
      ['flat_id'],
      [
        field('flat_id', 'integer'),
        field('max_reading', 'decimal'),
        field('town', 'string', { values: ['Graz', 'Linz'] }),
      ],
    ),
    dataset(
      'leases',
      ['lease_id'],
      [
        field('lease_id', 'integer'),
        field('begins_on', 'date'),
        field('terminated_on', 'date'),
        field('rent', 'decimal'),
        field('months', 'integer'),
        field('status', 'string', { values: states }),
        field('kind', 'string', { values: ['furnished', 'bare'] }),
      ],
      { timeField: 'begins_on' },
    ),
    dataset(
      'bills',
      ['bill_id'],
      [
        field('bill_id', 'integer'),
        field('issued_on', 'date'),
        field('paid_on', 'date'),
        field('amount', 'decimal'),
        field('status', 'string', { values: states }),
      ],
      { timeField: 'issued_on' },
    ),
    dataset(
      'tenants',
      ['tenant_id'],
      [field('tenant_id', 'integer'), field('tenant_name', 'string'), field('joined_on', 'date')],
    ),
    dataset(
      'readings',
      ['flat_id', 'taken_on'],
      [field('flat_id', 'integer'), field('taken_on', 'date'), field('reading', 'decimal')],
      { timeField: 'taken_on' },
    ),
  ],
  metrics: [],
  relationships: [
    relation('leases', 'flat_id', 'flats', 'flat_id'),
    relation('leases', 'tenant_id', 'tenants', 'tenant_id'),
    relation('readings', 'flat_id', 'flats', 'flat_id'),
    relation('bills', 'lease_id', 'leases', 'lease_id'),
  ],
});
const read = (question: string) =>
  readQuestion({ question, lens: letting, choices: {}, now: new Date('2024-06-30T12:00:00Z') });

test.each([
  ['paid bills in 2023', 'in 2023', ['bills.issued_on', 'bills.paid_on']],
  ['number of paid bills by month', 'by month', ['bills.issued_on', 'bills.paid_on']],
  ['total amount of paid bills per year', 'per year', ['bills.issued_on', 'bills.paid_on']],
  ['how many terminated leases in 2023', 'in 2023', ['leases.begins_on', 'leases.terminated_on']],
  ['terminated leases by month', 'by month', ['leases.begins_on', 'leases.terminated_on']],
])('asks which date is meant: %s', (question, term, options) => {
  const reading = read(question);
  expect(reading).toMatchObject({ kind: 'clarification', clarification: { term } });
  if (reading.kind === 'clarification')
    expect(reading.clarification.options.map((one) => (typeof one === 'string' ? one : one.key))).toEqual(options);
});

test.each([
  ['number of active leases on 2023-06-30', '"active" is as it is now'],
  ['active leases by month', '"active" is as it is now'],
  ['number of leases in 2023', 'what began before and still lasted'],
  ['number of furnished leases in 2023', 'what began before and still lasted'],
])('tells that what holds is not what began: %s', (question, doubt) => {
  const reading = read(question);
  expect(reading).toMatchObject({ kind: 'intent', doubt: expect.stringContaining(doubt) });
});

test.each([
  ['number of leases terminated in 2023', 'count(leases) | time leases.terminated_on 2023-01-01..2024-01-01'],
  ['number of bills paid in 2023', 'count(bills) | time bills.paid_on 2023-01-01..2024-01-01'],
  ['number of bills issued in 2023', 'count(bills) | time bills.issued_on 2023-01-01..2024-01-01'],
  ['number of active leases', 'count(leases) | where leases.status = active'],
  // Each period is of the verb before it.
  [
    'tenants who joined after 2021 and terminated a lease in 2023',
    'list tenants | by tenants.tenant_name | where some leases (leases.terminated_on >= 2023-01-01 & leases.terminated_on < 2024-01-01) & tenants.joined_on >= 2022-01-01',
  ],
  // A month is no number of months.
  ['leases terminated per month', 'count(leases) | by leases.terminated_on.month'],
  ['number of readings by flat', 'count(readings) | by flats.flat_id | key flats'],
])('is sure where the words say it: %s', (question, brief) => {
  const reading = read(question);
  expect(reading).toMatchObject({ kind: 'intent', doubt: null });
  if (reading.kind === 'intent') expect(intentBrief(reading.intent)).toBe(brief);
});

test.each(['reading by flat', 'readings by flat', 'reading per month'])('does not count amounts: %s', (question) => {
  expect(read(question)).toMatchObject({ kind: 'refused', message: expect.stringContaining('is an amount, too') });
});

test.each([
  ['who earns the most', 'earns'],
  ['total bills by month', 'total bills'],
  ['months per lease', 'lease'],
])('asks for a number by its name: %s', (question, words) => {
  const reading = read(question);
  expect(reading.kind).toBe('refused');
  if (reading.kind === 'refused') expect(reading.words.join(' ').toLowerCase()).toContain(words);
});

test('asks whether a maximum is the field called so or the highest of another', () => {
  expect(read('max reading by town')).toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('is a field'),
  });
});

const freight = lens('freight', {
  datasets: [
    dataset(
      'orders',
      ['order_id'],
      [
        field('order_id', 'integer'),
        field('ordered_on', 'date'),
        field('status', 'string', { values: ['open', 'shipped'] }),
        field('customer', 'string', { values: ['Acme', 'Bolt'] }),
      ],
      { timeField: 'ordered_on' },
    ),
    dataset('shipments', ['shipment_id'], [field('shipment_id', 'integer'), field('shipped_on', 'date')], {
      timeField: 'shipped_on',
    }),
  ],
  metrics: [],
  relationships: [relation('shipments', 'order_id', 'orders', 'order_id')],
});
test.each([
  ['orders not shipped', 'refused'],
  ['orders that were shipped', 'refused'],
  ['shipped orders', 'intent'],
  ['orders without shipments', 'intent'],
  ['orders shipped in 2023', 'intent'],
  ['customers who ordered in 2022 and 2023', 'refused'],
  ['number of customers in 2022 and 2023', 'refused'],
  ['customers who ordered in 2022 or 2023', 'intent'],
  ['number of customers by year in 2022 and 2023', 'intent'],
  ['number of orders in 2022 and 2023', 'intent'],
])('%s: %s', (question, kind) => {
  const reading = readQuestion({ question, lens: freight, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  expect(reading.kind).toBe(kind);
});
