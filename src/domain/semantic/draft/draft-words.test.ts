// Tests the words that a draft uses for columns and tables with technical names.
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Datatype } from '../../../contract/warehouse.ts';
import { runWithoutPauses } from '../../../platform/schedule/in-turns.ts';
import type { CatalogTable } from '../../ports.ts';
import { readSchemaInSteps } from '../columns/schema-words.ts';
import { draftLens } from './draft-lens.ts';

const createTable = (name: string, columns: Record<string, Datatype>, key: string[] = []): CatalogTable => ({
  ...{ catalog: null, schema: 'public', table: name, kind: 'table', comment: null, primaryKey: key },
  ...{ uniqueKeys: [], foreignKeys: [], rowEstimate: null },
  columns: Object.entries(columns).map(([column, datatype]) => ({
    ...{ name: column, datatype, nativeType: datatype, nullable: true, comment: null },
  })),
});
const createNamedTables = (tables: CatalogTable[]) => runWithoutPauses(readSchemaInSteps(tables));
const draft = (...tables: CatalogTable[]) => {
  const lensDraft = draftLens({
    name: 'drafted',
    connection: 'core',
    dialect: 'postgres',
    tables: createNamedTables(tables),
  });
  return { ...lensDraft, lens: parse(lensDraft.text) };
};

test('describes rows with the singular of their table name', () => {
  const { lens } = draft(
    ...['movies', 'series', 'cookies', 'statuses', 'addresses', 'people'].map((name) =>
      createTable(name, { id: 'integer' }),
    ),
  );
  const descriptions = Object.values(lens.datasets as Record<string, { description: string }>).map(
    (dataset) => dataset.description,
  );
  expect(descriptions).toEqual(
    ['movie', 'series', 'cookie', 'status', 'address', 'person'].map((item) => `One row per ${item}.`),
  );
  expect(lens.metrics.movie_count.synonyms).toEqual(['number of movies']);
});

test('expands abbreviated column names, but doesn’t read a preposition as an abbreviation', () => {
  const { lens, sample_questions } = draft(
    createTable(
      'categories',
      {
        cat_id: 'integer',
        cat_nm: 'string',
        cat_typ_cd: 'string',
        as_of_dt: 'date',
        line_amt: 'decimal',
        ord_sts_cd: 'string',
      },
      ['cat_id'],
    ),
  );
  const { fields } = lens.datasets.categories;
  expect(fields.cat_nm.synonyms).toEqual(['category name']);
  expect(fields.cat_typ_cd.synonyms).toEqual(['category type code']);
  expect(fields.line_amt.synonyms).toEqual(['line amount']);
  expect(fields.ord_sts_cd.synonyms).toEqual(['order status code']);
  expect(fields.as_of_dt.synonyms).not.toContain('as');
  expect(sample_questions.join()).not.toMatch(/\bnm\b|by category name/);
});

test('reads a unit from a header, ignores a scaling unit, and makes no measure of years', () => {
  const { lens } = draft(
    createTable('bookings', {
      ...({ 'Amount (EUR)': 'decimal', 'Weight [kg]': 'decimal', 'Fee (€)': 'decimal', temp_c: 'decimal' } as const),
      ...({ 'Revenue (EUR thousands)': 'decimal', price_eur_kwh: 'decimal', model_year: 'integer' } as const),
    }),
  );
  const { fields } = lens.datasets.bookings;
  expect(fields.amount_eur).toMatchObject({ unit: 'EUR', expression: '"Amount (EUR)"', synonyms: ['amount'] });
  expect(fields.weight_kg).toMatchObject({ unit: 'kg' });
  expect(fields.fee).toMatchObject({ unit: 'EUR' });
  expect(fields.temp_c).toMatchObject({ unit: '°C', aggregation: 'average' });
  expect(fields.revenue_eur_thousands).not.toHaveProperty('unit');
  expect(fields.price_eur_kwh).toMatchObject({ unit: 'EUR/kWh', aggregation: 'average' });
  expect(fields.model_year).toMatchObject({ aggregation: 'none' });
  expect(Object.keys(lens.metrics).join()).not.toMatch(/year|total_temp/);
});

test('names text columns that look like dates or numbers, with the conversion to write', () => {
  const storedProfile = (column: string, values: string[]) => ({
    ...{ table: 'visits', column, rows: 2, nulls: 0, distinct: 2, min: null, max: null, values, sampled: false },
  });
  const values = {
    day: ['01/02/2025', '03/04/2025'],
    price: ['1,234', '5,678'],
    city: ['Rome', 'Oslo'],
    version: ['1.2.3', '1.2.4'],
  };
  const tables = createNamedTables([
    createTable('visits', { day: 'string', price: 'string', city: 'string', version: 'string' }),
  ]);
  for (const column of tables[0]!.columns)
    column.profile = storedProfile(column.name, values[column.name as keyof typeof values]);
  const { text } = draftLens({ name: 'drafted', connection: 'core', dialect: 'duckdb', tables });
  expect(text).toMatch(/^# Text columns that look like dates or numbers: visits\.day, visits\.price\. .*strptime/m);
});
