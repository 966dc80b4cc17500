import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { lensFileSchema } from '../../../contract/files/lens-file.ts';
import type { Datatype } from '../../../contract/warehouse.ts';
import { runWithoutPauses } from '../../../platform/schedule/in-turns.ts';
import type { CatalogTable, ColumnProfile } from '../../ports.ts';
import { readSchemaInSteps } from '../columns/schema-words.ts';
import { draftLens } from './draft-lens.ts';

/** A table with columns such as `id integer key, owner integer -> people.id`. */
const createTable = (name: string, list: string): CatalogTable => {
  const columns = [...list.matchAll(/(?:^|, )([^,]+?) ([a-z]+)( key)?(?: -> (\w+)\.(\w+))?(?=,|$)/g)].map(
    ([, column, datatype, key, table, target]) => ({
      column: column!,
      datatype: datatype as Datatype,
      key,
      table,
      target,
    }),
  );
  return {
    ...{
      catalog: null,
      schema: 'public',
      table: name,
      kind: 'table',
      comment: null,
      uniqueKeys: [],
      rowEstimate: null,
    },
    columns: columns.map(({ column, datatype }) => ({
      ...{ name: column, datatype, nativeType: datatype, nullable: true, comment: null },
    })),
    primaryKey: columns.filter(({ key }) => key).map(({ column }) => column),
    foreignKeys: columns
      .filter(({ table }) => table)
      .map(({ column, table, target }) => ({
        ...{ name: `${name}_${column}`, columns: [column] },
        to: { schema: 'public', table: table!, columns: [target!] },
      })),
  };
};
const createProfile = (tableName: string, column: string, rows: number, distinct: number | null): ColumnProfile => ({
  ...{ table: tableName, column, rows, distinct, nulls: 0, min: null, max: null, sampled: distinct === null },
  values: distinct !== null && distinct <= 200 ? ['x'] : null,
});
const draftTestLens = (tables: CatalogTable[], profiles: ColumnProfile[] = []) => {
  const namedTables = runWithoutPauses(readSchemaInSteps(tables));
  for (const { table: name, column, ...rest } of profiles)
    namedTables.find((item) => item.table === name)!.columns.find((item) => item.name === column)!.profile = {
      table: name,
      column,
      ...rest,
    };
  const lensDraft = draftLens({ name: 'drafted', connection: 'core', dialect: 'postgres', tables: namedTables });
  return { ...lensDraft, lens: lensFileSchema.parse(parse(lensDraft.text)) };
};
const listDraftedFields = ({ lens }: ReturnType<typeof draftTestLens>, dataset: string) => {
  const draftedDataset = lens.datasets[dataset]!;
  return 'source' in draftedDataset ? draftedDataset.fields : {};
};

const fieldsOf = (table: CatalogTable, profiles?: ColumnProfile[]) =>
  listDraftedFields(draftTestLens([table], profiles), table.table);

const STAFF = createTable(
  'employee',
  'employee_id integer key, last_name string, reports_to integer -> employee.employee_id, mentor_id integer -> employee.employee_id, birth_date date, hire_date date, email string, password_hash string, iban string',
);

test('turns references from a table to itself into roles', () => {
  expect(draftTestLens([STAFF]).lens.relationships).toEqual([
    { name: 'manager', from: 'employee.reports_to', to: 'employee.employee_id' },
    { name: 'mentor', from: 'employee.mentor_id', to: 'employee.employee_id' },
  ]);
});

test('turns a key into a role only if its name differs from the name of its table', () => {
  const customer = createTable('customer', 'customer_id integer key, support_rep_id integer -> employee.employee_id');
  const invoice = createTable('invoice', 'customer_id integer -> customer.customer_id');
  expect(
    draftTestLens([customer, invoice, createTable('employee', 'employee_id integer key')]).lens.relationships,
  ).toEqual([
    { name: 'support_rep', from: 'customer.support_rep_id', to: 'employee.employee_id' },
    { from: 'invoice.customer_id', to: 'customer.customer_id' },
  ]);
});

test('leaves out a column whose name is too long for the guard, and says so', () => {
  const name = 'measured_'.repeat(8);
  const lensDraft = draftTestLens([createTable('probe', `probe_id integer key, ${name} decimal`)]);
  expect(Object.keys(listDraftedFields(lensDraft, 'probe'))).toEqual(['probe_id']);
  expect(lensDraft.left_out).toEqual([`probe.${name} (its name is longer than 63 bytes)`]);
});

test('leaves out secrets, masks payment identifiers, and shows and lists other personal fields', () => {
  const lensDraft = draftTestLens([STAFF]);
  expect(listDraftedFields(lensDraft, 'employee')).not.toHaveProperty('password_hash');
  expect(lensDraft.left_out).toEqual(['employee.password_hash (looks like a secret)']);
  expect(listDraftedFields(lensDraft, 'employee')['iban']).toMatchObject({ mask: true });
  expect(listDraftedFields(lensDraft, 'employee')['email']).toMatchObject({
    mask: false,
    synonyms: ['email address', 'e-mail'],
  });
  expect(lensDraft.personal).toEqual(['employee.last_name', 'employee.birth_date', 'employee.email']);
  expect(lensDraft.text).toContain('employee.birth_date, employee.email.');
});

test('takes the creation date of a row as its time field, never a birthday, a due date or a change', () => {
  const bill = createTable('bill', 'due_date date, updated_at datetime, created_at datetime');
  const person = createTable('person', 'birth_date date');
  const { datasets } = draftTestLens([STAFF, bill, person]).lens;
  expect(datasets['employee']).toMatchObject({ time_field: 'hire_date' });
  expect(datasets['bill']).toMatchObject({ time_field: 'created_at' });
  expect(datasets['person']).not.toHaveProperty('time_field');
});

test('chooses no time field if rows are booked first and begin later', () => {
  const visit = createTable('visit', 'booked_at datetime, starts_at datetime');
  const order = createTable('purchase', 'ordered_on date, shipped_on date');
  const lensDraft = draftTestLens([visit, order]);
  expect(lensDraft.lens.datasets['visit']).not.toHaveProperty('time_field');
  expect(lensDraft.text).toContain('visit.booked_at or starts_at');
  expect(lensDraft.lens.datasets['purchase']).toMatchObject({ time_field: 'ordered_on' });
});

test('gives names a dictionary unless there are too many, and never long texts or emails', () => {
  const track = createTable('track', 'name string, composer string, lyrics_text string, email string');
  const fields = (names: number | null) =>
    fieldsOf(
      track,
      Object.entries({ name: names, composer: 800, lyrics_text: 10, email: 10 }).map(([column, distinct]) =>
        createProfile('track', column, 9000, distinct),
      ),
    );
  expect(fields(3000)).toMatchObject({ name: { values: 'auto' }, composer: { values: 'auto' } });
  expect(fields(3000)['lyrics_text']).not.toHaveProperty('values');
  expect(fields(3000)['email']).not.toHaveProperty('values');
  expect(fields(8000)['name']).not.toHaveProperty('values');
  expect(fields(null)['name']).not.toHaveProperty('values');
});

test('adds the table name to metrics that two tables share, so that their words differ', () => {
  const { metrics } = draftTestLens([
    createTable('invoice', 'total decimal'),
    createTable('track', 'unit_price decimal, milliseconds integer'),
    createTable('invoice_line', 'unit_price decimal'),
  ]).lens;
  expect(Object.keys(metrics)).toEqual([
    ...['invoice_count', 'total_invoice_amount', 'average_invoice_amount'],
    ...['track_count', 'average_track_unit_price', 'total_milliseconds', 'average_milliseconds'],
    ...['invoice_line_count', 'average_invoice_line_unit_price'],
  ]);
  expect(metrics['total_milliseconds']).toMatchObject({ expression: 'sum(track.milliseconds)', unit: 'ms' });
  expect(metrics['total_invoice_amount']).not.toHaveProperty('unit');
});

test('gives a billing country the synonym “country”, unless the table has another country', () => {
  const synonyms = (columns: string) =>
    listDraftedFields(draftTestLens([createTable('invoice', columns)]), 'invoice')['billing_country']!.synonyms;
  expect(synonyms('billing_country string')).toEqual(['country']);
  expect(synonyms('billing_country string, shipping_country string')).toEqual([]);
});

test('keeps column names with capitals and spaces, and gives them words', () => {
  const lensDraft = draftTestLens([createTable('InvoiceLine', 'InvoiceLineId integer key, Unit Price decimal')]);
  expect(lensDraft.lens.datasets['invoice_line']).toMatchObject({
    source: 'public.InvoiceLine',
    primary_key: ['InvoiceLineId'],
  });
  expect(listDraftedFields(lensDraft, 'invoice_line')['unit_price']).toMatchObject({
    expression: '"Unit Price"',
    synonyms: ['price'],
  });
});

test('gives columns the synonyms that people use', () => {
  const synonyms = (columns: string, column: string) =>
    listDraftedFields(draftTestLens([createTable('guest', columns)]), 'guest')[column]!.synonyms;
  expect(synonyms('date_arrived date', 'date_arrived')).toEqual([
    ...['arrived date', 'arrival date', 'date of arrival', 'arriving date'],
  ]);
  expect(synonyms('working_on string', 'working_on')).toEqual([]);
  expect(synonyms('cost_of_stay decimal', 'cost_of_stay')).toEqual(['stay cost', 'cost']);
  expect(synonyms('cost_of_stay decimal, extra_cost decimal', 'cost_of_stay')).toEqual(['stay cost']);
  expect(synonyms('cell_number string', 'cell_number')).toContain('mobile phone');
  expect(synonyms('cell_number string', 'cell_number')).toContain('phone number');
  expect(synonyms('cell_number string, home_phone string', 'cell_number')).not.toContain('phone number');
  expect(synonyms('state_province string', 'state_province')).toEqual(['state', 'province']);
  expect(synonyms('other_guest_details string', 'other_guest_details')).toEqual(['guest details']);
});

test('gives a table the last word of its name as a synonym, unless the word belongs to another table', () => {
  const namesOf = (name: string, columns: string, ...otherTables: CatalogTable[]) =>
    draftTestLens([createTable(name, columns), ...otherTables]).lens.datasets[name]!;
  const orders = createTable('orders', 'id integer key');
  expect(namesOf('customer_orders', 'order_id integer key')).toMatchObject({ synonyms: ['orders'] });
  expect(namesOf('customer_orders', 'order_id integer key', orders)).toMatchObject({ synonyms: [] });
  expect(namesOf('student_course', 'id integer key, course_id integer')).toMatchObject({ synonyms: [] });
  expect(namesOf('order_items', 'id integer key')).toMatchObject({ synonyms: [] });
  expect(namesOf('ref_regions', 'id integer key')).toMatchObject({ synonyms: ['regions'] });
});

test('turns a yes-or-no text into a boolean if all its values are known', () => {
  const stays = createTable('stays', 'paid_yn string, open_flag string, mood_flag string');
  const storedProfile = (column: string, values: string[] | null): ColumnProfile => ({
    ...createProfile('stays', column, 10, values?.length ?? null),
    values,
  });
  const fields = fieldsOf(stays, [
    storedProfile('paid_yn', ['N', 'Y']),
    storedProfile('open_flag', ['0']),
    storedProfile('mood_flag', ['Y', 'maybe']),
  ]);
  expect(fields['paid_yn']).toMatchObject({ datatype: 'boolean', expression: '"paid_yn" = \'Y\'', synonyms: ['paid'] });
  expect(fields['open_flag']).toMatchObject({ datatype: 'boolean', expression: '"open_flag" = \'1\'' });
  expect(fields['mood_flag']).toMatchObject({ datatype: 'string' });
});

/** The number of distinct values by column. `emptyColumn` is empty in 2,000 rows. */
const filledProfiles = (tableName: string, rows: number, columns: Record<string, number>, emptyColumn?: string) =>
  Object.entries(columns).map(([column, distinct]) => ({
    ...createProfile(tableName, column, rows, distinct),
    nulls: column === emptyColumn ? 2000 : 0,
  }));

test('uses the latest value of a level if entities repeat over time, but not if each row is a new entity', () => {
  const daily = createTable('balances', 'account_no string, day date, seats integer, balance decimal');
  const profiles = filledProfiles('balances', 300, { account_no: 10, day: 30, seats: 20, balance: 280 });
  expect(fieldsOf(daily, profiles)['balance']).toMatchObject({ aggregation: 'latest' });
  const thingTable = createTable(
    'subscriptions',
    'subscription_id integer key, account_no string, started_on date, balance decimal, seats integer',
  );
  const distinct = { subscription_id: 300, account_no: 290, started_on: 250, balance: 40, seats: 60 };
  const fields = fieldsOf(thingTable, filledProfiles('subscriptions', 300, distinct));
  for (const name of ['balance', 'seats']) expect(fields[name]?.aggregation, name).not.toBe('latest');
});

test('never chooses a mostly empty date as the time field, and says why', () => {
  const leads = createTable('leads', 'lead_id integer key, created_at datetime, converted_at datetime');
  const distinct = { lead_id: 3000, created_at: 2900, converted_at: 900 };
  const lensDraft = draftTestLens([leads], filledProfiles('leads', 3000, distinct, 'converted_at'));
  expect(lensDraft.lens.datasets['leads']).toMatchObject({ time_field: 'created_at' });
  expect(lensDraft.text).toMatch(/created_at is never empty; not converted_at, empty in 2000 of 3000 rows/);
  const alone = createTable('visits', 'visit_id integer key, converted_at datetime');
  const sparse = filledProfiles('visits', 3000, { visit_id: 3000, converted_at: 900 }, 'converted_at');
  expect(draftTestLens([alone], sparse).lens.datasets['visits']).not.toHaveProperty('time_field');
});

test('leaves words such as “export” out of a table name', () => {
  const called = (...names: string[]) =>
    Object.keys(draftTestLens(names.map((name) => createTable(name, 'id integer key, city string'))).lens.datasets);
  expect(called('deals_export_2024_25')).toEqual(['deals']);
  expect(called('Export of Leads 2024-03')).toEqual(['leads']);
  expect(called('sales_q3_2025', 'sales_q4_2025')).toEqual(['sales_q3_2025', 'sales_q4_2025']);
  expect(called('orders', 'orders_copy')).toEqual(['orders', 'orders_copy']);
});

test('gives the value of a code only synonyms that no other value has', () => {
  const bookings = createTable('booking', 'booking_id integer key, state_code string');
  bookings.columns[1]!.comment = 'O = open, X = done, F = done';
  const stored = { ...createProfile('booking', 'state_code', 9, 4), values: ['O', 'X', 'F', 'Open'] };
  expect(listDraftedFields(draftTestLens([bookings], [stored]), 'booking')['state_code']!.values).toEqual([
    { value: 'O', synonyms: [] },
    { value: 'X', synonyms: [] },
    { value: 'F', synonyms: [] },
    'Open',
  ]);
});

test('describes rows with the singular of their table name', () => {
  const names = ['movies', 'series', 'cookies', 'statuses', 'addresses', 'people'];
  const { lens } = draftTestLens(names.map((name) => createTable(name, 'id integer')));
  expect(Object.values(lens.datasets).map((dataset) => 'description' in dataset && dataset.description)).toEqual(
    ['movie', 'series', 'cookie', 'status', 'address', 'person'].map((item) => `One row per ${item}.`),
  );
  expect(lens.metrics['movie_count']!.synonyms).toEqual(['number of movies']);
});

test('describes the rows of a table that keeps old versions', () => {
  const columns = 'client_key integer key, client_no string, valid_from date, valid_to date';
  const describeRows = (distinctCount: number) => {
    const { lens } = draftTestLens(
      [createTable('clients', columns)],
      [createProfile('clients', 'client_no', 9, distinctCount)],
    );
    return (lens.datasets['clients'] as { description: string }).description;
  };
  expect([describeRows(4), describeRows(9)]).toEqual(['One row per client version.', 'One row per client.']);
});

test('expands abbreviated column names, but doesn’t read a preposition as an abbreviation', () => {
  const lensDraft = draftTestLens([
    createTable(
      'categories',
      'cat_id integer key, cat_nm string, cat_typ_cd string, as_of_dt date, line_amt decimal, ord_sts_cd string',
    ),
  ]);
  const fields = listDraftedFields(lensDraft, 'categories');
  expect(fields['cat_nm']!.synonyms).toEqual(['category name']);
  expect(fields['cat_typ_cd']!.synonyms).toEqual(['category type code']);
  expect(fields['line_amt']!.synonyms).toEqual(['line amount']);
  expect(fields['ord_sts_cd']!.synonyms).toEqual(['order status code']);
  expect(fields['as_of_dt']!.synonyms).not.toContain('as');
  expect(lensDraft.sample_questions.join()).not.toMatch(/\bnm\b|by category name/);
});

test('reads a unit from a header, ignores a scaling unit, and makes no measure of years', () => {
  const lensDraft = draftTestLens([
    createTable(
      'bookings',
      'Amount (EUR) decimal, Weight [kg] decimal, Fee (€) decimal, temp_c decimal, Revenue (EUR thousands) decimal, price_eur_kwh decimal, model_year integer',
    ),
  ]);
  const fields = listDraftedFields(lensDraft, 'bookings');
  expect(fields['amount_eur']).toMatchObject({ unit: 'EUR', expression: '"Amount (EUR)"', synonyms: ['amount'] });
  expect(fields['weight_kg']).toMatchObject({ unit: 'kg' });
  expect(fields['fee']).toMatchObject({ unit: 'EUR' });
  expect(fields['temp_c']).toMatchObject({ unit: '°C', aggregation: 'average' });
  expect(fields['revenue_eur_thousands']).not.toHaveProperty('unit');
  expect(fields['price_eur_kwh']).toMatchObject({ unit: 'EUR/kWh', aggregation: 'average' });
  expect(fields['model_year']).toMatchObject({ aggregation: 'none' });
  expect(Object.keys(lensDraft.lens.metrics).join()).not.toMatch(/year|total_temp/);
});

test('names text columns that look like dates or numbers, with the conversion to write', () => {
  const values = {
    day: ['01/02/2025', '03/04/2025'],
    price: ['1,234', '5,678'],
    city: ['Rome', 'Oslo'],
    version: ['1.2.3', '1.2.4'],
  };
  const visits = createTable('visits', 'day string, price string, city string, version string');
  const profiles = Object.entries(values).map(([column, stored]) => ({
    ...createProfile('visits', column, 2, 2),
    values: stored,
  }));
  const { text } = draftTestLens([visits], profiles);
  expect(text).toMatch(/^# Text columns that look like dates or numbers: visits\.day, visits\.price\. .*strptime/m);
});

test('asks no sample question about a measure whose name ends with a preposition', () => {
  const { sample_questions } = draftTestLens(
    [createTable('parts', 'part_id integer key, critical string, quantity_per decimal, weight decimal')],
    [createProfile('parts', 'critical', 90, 2)],
  );
  expect(sample_questions).toContain('What is the average weight of parts by critical?');
});

test('asks sample questions about the tables that refer to others, and groups by no flag', () => {
  const profiles = [
    { ...createProfile('branches', 'free_entry', 60, 2), values: ['Y', 'N'] },
    { ...createProfile('visits', 'status', 90, 3), values: ['booked', 'held', 'missed'] },
  ];
  const { sample_questions } = draftTestLens(
    [
      createTable('branches', 'branch_id integer key, free_entry string'),
      createTable('visits', 'visit_id integer key, branch_id integer -> branches.branch_id, status string'),
    ],
    profiles,
  );
  expect(sample_questions).toEqual([
    'How many visits are there by status?',
    'How many visits are there?',
    'How many branches are there?',
  ]);
});
