import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { exportOssie } from './export-ossie.ts';
import { importOssie } from './import-ossie.ts';
import type { KnownTables } from './known-tables.ts';

const UNKNOWN: KnownTables = { dialect: 'postgres', tables: [] };

const toAnsi = (expression: string) => ({ dialects: [{ dialect: 'ANSI_SQL', expression }] });
const MODEL = {
  version: '0.2.0.dev0',
  semantic_model: [
    {
      name: 'retail',
      ai_context: { instructions: 'Prefer revenue.', synonyms: ['shop'] },
      datasets: [
        {
          name: 'sales',
          source: 'shop.public.sales',
          primary_key: ['id'],
          unique_keys: [['ticket']],
          ai_context: { synonyms: ['receipts'] },
          fields: [
            { name: 'id', expression: toAnsi('id'), datatype: 'Integer' },
            { name: 'store_id', expression: toAnsi('store_id'), datatype: 'Integer' },
            { name: 'net', expression: toAnsi('gross - discount'), datatype: 'Decimal', label: 'Net value' },
          ],
        },
        {
          name: 'stores',
          source: 'shop.public.stores',
          primary_key: ['id'],
          fields: [{ name: 'id', expression: toAnsi('id'), datatype: 'Integer' }],
        },
      ],
      relationships: [
        { name: 'sales_to_stores', from: 'sales', to: 'stores', from_columns: ['store_id'], to_columns: ['id'] },
      ],
      metrics: [
        {
          name: 'net_value',
          expression: {
            dialects: [
              { dialect: 'ANSI_SQL', expression: 'sum(sales.net)' },
              { dialect: 'SNOWFLAKE', expression: 'SUM(sales.net)::NUMBER' },
            ],
          },
          description: 'Net.',
        },
        { name: 'density', expression: toAnsi('sum(sales.net) / sum(stores.area)') },
      ],
      custom_extensions: [{ vendor_name: 'SALESFORCE', data: '{"id": 1}' }],
    },
  ],
};
const withForeignParts = (text: string) => {
  const [model] = parse(text).semantic_model;
  return {
    ...model,
    custom_extensions: model.custom_extensions.filter(
      ({ vendor_name }: { vendor_name: string }) => vendor_name !== 'SVC',
    ),
  };
};

test('imports an Ossie model, lists the parts that a lens can’t express, and exports the original model', async () => {
  const [lens] = await importOssie(JSON.stringify(MODEL), 'core', UNKNOWN);
  const text = lens!.files['lenses/retail/lens.yaml']!;
  expect(text).toContain('net: {datatype: decimal, synonyms: [Net value], expression: gross - discount}');
  expect(text).toContain('{from: sales.store_id, to: stores.id}');
  expect(lens!.preservedParts).toEqual(
    expect.arrayContaining([
      'retail: ai_context',
      'sales: unique_keys',
      'retail: extension of SALESFORCE',
      'net_value: expression in SNOWFLAKE',
      expect.stringContaining('metric density: sum(stores'),
    ]),
  );
  expect(withForeignParts(exportOssie({ 'lens.yaml': text })!.text)).toEqual(MODEL.semantic_model[0]);
});

test('exports a change made after the import, and the rest as imported', async () => {
  const [lens] = await importOssie(JSON.stringify(MODEL), 'core', UNKNOWN);
  const text = lens!.files['lenses/retail/lens.yaml']!.replace('description: Net.', 'description: Net of discount.');
  const { metrics, datasets } = withForeignParts(exportOssie({ 'lens.yaml': text })!.text);
  expect(metrics[0]).toMatchObject({ name: 'net_value', description: 'Net of discount.' });
  expect(datasets[0].unique_keys).toEqual([['ticket']]);
});

test('names the members that a model file lacks', async () => {
  await expect(importOssie('foo: 1', 'core', UNKNOWN)).rejects.toThrow(
    'This is not an Ossie model. version: Required. semantic_model: Required.',
  );
  await expect(importOssie(JSON.stringify({ ...MODEL, semantic_model: {} }), 'core', UNKNOWN)).rejects.toThrow(
    'semantic_model: must be a list, not an object',
  );
});
