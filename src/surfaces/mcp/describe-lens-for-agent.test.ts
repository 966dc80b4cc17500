// Tests the size of the description of 200 drafted tables, each with eleven fields, two joins and six metrics.
import { describe, expect, it } from 'vitest';
import { describedLensSchema as shape } from '../../contract/mcp-tools.ts';
import type { LiveLens } from '../../domain/lenses/lens-repository.ts';
import type { Caller, LensDataset, LensField, LensMetric } from '../../lens/model/lens.ts';
import { runWithoutPauses } from '../../platform/schedule/in-turns.ts';
import { describeLensForAgent } from './describe-lens-for-agent.ts';
import { writeLensText } from './lens-text.ts';

const KB = 1_024;
const DATASET_COUNT = 200;
const NAME_WORDS = ['invoice', 'payment', 'shipment', 'contract', 'employee', 'inventory', 'campaign', 'warehouse'];
const createTestName = (index: number): string => `${NAME_WORDS[index % 8]}_${NAME_WORDS[(index >> 3) % 8]}_${index}`;

const createField = (name: string, overrides: Partial<LensField> = {}): LensField => ({
  ...{ name, datatype: 'string', description: `The ${name} of the row, as the system of entry has it.`, synonyms: [] },
  ...{ unit: null, masked: false, expression: null, dictionary: null, dictionaryFromWarehouse: false, ...overrides },
});
const createMetric = (home: string, name: string, column: string | null, fn: string): LensMetric => ({
  ...{ name, description: `${fn} of ${column ?? home}.`, synonyms: [`${fn} ${home}`], unit: null, datatype: 'decimal' },
  ...{ expression: column ? `${fn}(${home}.${column})` : 'count(*)', filter: null, timeField: null, home },
  references: { fields: column ? [{ dataset: home, field: column }] : [], metrics: [], aggregates: [fn] },
});
const createDataset = (name: string): LensDataset => ({
  ...{ name, source: { catalog: null, schema: 'main', table: name }, description: `Rows of ${name}.`, synonyms: [] },
  ...{ primaryKey: [`${name}_id`], timeField: 'created_on' },
  fields: [
    ...[
      createField(`${name}_id`),
      createField('created_on', { datatype: 'date' }),
      createField('customer_number'),
      createField('remarks'),
    ],
    createField('status', { dictionary: { values: [{ value: 'open', synonyms: [] }], complete: true } }),
    ...['gross_amount', 'net_amount', 'quantity'].map((item) =>
      createField(item, { datatype: 'decimal', unit: 'EUR' }),
    ),
    ...[createField('parent_id'), createField('owner_id'), createField('bank_account', { masked: true })],
  ],
});

function createLiveLens(count: number): LiveLens {
  const names = Array.from({ length: count }, (_, index) => createTestName(index));
  const join = (index: number, columns: string[], role: string | null) => {
    const target = names[(index * 7 + columns[0]!.length) % count]!;
    const to = { dataset: target, columns: [`${target}_id`] };
    return { role: role ?? target, named: role !== null, from: { dataset: names[index]!, columns }, to };
  };
  const lens = {
    ...{ name: 'wide', title: 'Wide', description: 'Many tables.', connection: 'c', dialect: 'duckdb', model: null },
    ...{ maxRowsToCompose: 50, maxRowsToReturn: 1_000, timezone: 'UTC', dataAsOf: null, freshFor: null },
    ...{ definitions: [], rowPolicies: [], sampleQuestions: [] },
    datasets: names.map(createDataset),
    relationships: names.flatMap((_, index) => [join(index, ['parent_id'], null), join(index, ['owner_id'], 'owner')]),
    metrics: names.flatMap((home) => [
      createMetric(home, `${home}_count`, null, 'count'),
      ...['gross_amount', 'net_amount'].flatMap((column) => [
        createMetric(home, `total_${home}_${column}`, column, 'sum'),
        createMetric(home, `average_${home}_${column}`, column, 'avg'),
      ]),
      createMetric(home, `turnover_${home}`, 'net_amount', 'sum'),
    ]),
  };
  return { lens, version: 1, certified: new Map() } as unknown as LiveLens;
}

const TEST_CALLER: Caller = { name: 'ada', groups: [], attributes: {}, superuser: false };
const wideLens = createLiveLens(DATASET_COUNT);
const describeLens = (describeRequest: Parameters<typeof describeLensForAgent>[2], lens = wideLens) => {
  const body = runWithoutPauses(describeLensForAgent(lens, TEST_CALLER, describeRequest, null, new Date('2026-01-05')));
  expect(shape.safeParse(body).error).toBeUndefined();
  const text = writeLensText(body);
  return { body, text, bytes: Math.max(Buffer.byteLength(text), Buffer.byteLength(JSON.stringify(body))) };
};

describe('a lens of 200 tables', () => {
  it('fits its names in 12 KB and a summary of each table in 60 KB, as text and as structure', () => {
    const names = describeLens({ detail: 'names' });
    const summary = describeLens({ detail: 'summary' });
    for (const { body } of [names, summary]) {
      expect(body.schema.datasets).toHaveLength(DATASET_COUNT);
      expect(body.next_cursor).toBeNull();
    }
    expect(names.bytes).toBeLessThanOrEqual(12 * KB);
    expect(summary.bytes).toBeLessThanOrEqual(60 * KB);
    const [firstDataset] = summary.body.schema.datasets;
    expect(firstDataset).toMatchObject({ joins: [expect.any(String), expect.stringMatching(/^owner: owner_id -> /)] });
    expect(firstDataset!.metric_names).toEqual([`turnover_${createTestName(0)}`]);
  });

  it('is described by its names by default, and a small lens by summaries', () => {
    expect(describeLens({}).body.detail).toBe('names');
    expect(describeLens({}, createLiveLens(20)).body.detail).toBe('summary');
  });

  it('returns any one table in full in one call', () => {
    for (const { name } of wideLens.lens.datasets) {
      const { body, bytes } = describeLens({ dataset: name });
      expect([body.detail, body.next_cursor, body.schema.datasets[0]!.fields!.length]).toEqual(['full', null, 11]);
      expect(body.schema.datasets[0]!.metrics).toHaveLength(6);
      expect(bytes).toBeLessThan(6 * KB);
    }
  });

  it('says that a search matches nothing', () => {
    const { body, text } = describeLens({ search: 'xyzzy' });
    expect(body.schema.datasets).toEqual([]);
    expect(text).toContain('No name, description or value of this lens matches');
  });

  it('returns all tables in full in pages of limited size', () => {
    const seenNames: string[] = [];
    let cursor: string | undefined;
    do {
      const { body, bytes } = describeLens({ detail: 'full', cursor });
      expect(bytes).toBeLessThan(16 * KB);
      seenNames.push(...body.schema.datasets.map(({ name }) => name));
      cursor = body.next_cursor ?? undefined;
    } while (cursor && seenNames.length < 2 * DATASET_COUNT);
    expect([new Set(seenNames).size, seenNames.length]).toEqual([DATASET_COUNT, DATASET_COUNT]);
  });
});
