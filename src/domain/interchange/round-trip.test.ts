import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { lensText } from '../../../test/support/lens-text.ts';
import { exportOssie } from './export-ossie.ts';
import { importMetricflow } from './import-metricflow.ts';
import { type ImportedLens, importOssie } from './import-ossie.ts';
import type { KnownTables } from './known-tables.ts';
import { NO_SHARED_PARTS, readSharedSemantic, withSharedParts } from './shared-semantic.ts';

const toExpressions = (...dialectPairs: [string, string][]) => ({
  dialects: dialectPairs.map(([dialect, expression]) => ({ dialect, expression })),
});
const toAnsi = (expression: string) => toExpressions(['ANSI_SQL', expression]);
/** A model with every construct of both versions of the format, and with members that neither version defines. */
const COMPLETE_MODEL = {
  version: '0.1.1',
  dialects: ['ANSI_SQL', 'SNOWFLAKE'],
  vendors: ['DBT'],
  semantic_model: [
    {
      name: 'Harbour',
      description: '  Ships and their calls.\n',
      ai_context: {
        instructions: 'Prefer tonnage.',
        synonyms: ['port'],
        examples: ['Tonnage last month'],
        tone: 'dry',
      },
      'x-team': 'quay',
      datasets: [
        {
          name: 'calls',
          source: 'harbour.public.calls',
          primary_key: ['ship_id', 'call_no'],
          unique_keys: [['ticket'], ['ship_id', 'berthed_at']],
          description: 'One row per call.',
          ai_context: 'Calls of ships at a berth.',
          fields: [
            { name: 'ship_id', expression: toAnsi('ship_id'), datatype: 'Integer', dimension: { is_time: false } },
            { name: 'call_no', expression: toAnsi('call_no'), datatype: 'Integer' },
            { name: 'pilot_id', expression: toAnsi('pilot_id'), datatype: 'Integer' },
            { name: 'second_pilot_id', expression: toAnsi('second_pilot_id'), datatype: 'Integer' },
            { name: 'planned_on', expression: toAnsi('planned_on'), datatype: 'Date', dimension: { is_time: false } },
            {
              name: 'berthed_at',
              expression: toAnsi('berthed_at'),
              datatype: 'DateTime',
              dimension: { is_time: true },
            },
            { name: 'left_at', expression: toAnsi('left_at'), datatype: 'DateTimeTz', dimension: null },
            { name: 'tide', expression: toAnsi('tide'), datatype: 'Time' },
            { name: 'is_hazardous', expression: toAnsi('is_hazardous'), datatype: 'Boolean' },
            { name: 'depth', expression: toAnsi('depth'), datatype: 'Float' },
            { name: 'papers', expression: toAnsi('papers'), datatype: 'Opaque' },
            {
              name: 'net_tons',
              expression: toExpressions(['SNOWFLAKE', 'gross::NUMBER - tare'], ['ANSI_SQL', 'gross - tare']),
              datatype: 'Decimal',
              label: 'Net tons',
              description: 'Without tare.',
              ai_context: { synonyms: ['cargo'], unit: 't' },
              custom_extensions: [{ vendor_name: 'GOODDATA', data: '{"format": "#,##0"}' }],
            },
          ],
          metrics: [
            { name: 'call_count', expression: toAnsi('count(calls.call_no)'), description: 'Calls.' },
            { name: 'tonnage', expression: toAnsi('avg(calls.net_tons)') },
          ],
          custom_extensions: [{ vendor_name: 'HONEYDEW', data: '{"owner": "quay"}' }],
        },
        {
          name: 'ships',
          source: 'harbour.public.ships',
          primary_key: ['id'],
          fields: [
            { name: 'id', expression: toAnsi('id'), datatype: 'Integer' },
            { name: 'Flag State', expression: toAnsi('flag'), datatype: 'String' },
          ],
        },
        { name: 'pilots', source: 'harbour.public.pilots', primary_key: ['id'] },
        { name: 'open_calls', source: 'select * from calls where left_at is null' },
      ],
      relationships: [
        {
          name: 'call_ship',
          from: 'calls',
          to: 'ships',
          from_columns: ['ship_id'],
          to_columns: ['id'],
          ai_context: { synonyms: ['vessel of a call'] },
          custom_extensions: [{ vendor_name: 'COMMON', data: '{}' }],
        },
        { name: 'Pilot', from: 'calls', to: 'pilots', from_columns: ['pilot_id'], to_columns: ['id'] },
        { name: 'Relief', from: 'calls', to: 'pilots', from_columns: ['second_pilot_id'], to_columns: ['id'] },
        { name: 'open_ship', from: 'open_calls', to: 'ships', from_columns: ['ship_id'], to_columns: ['id'] },
      ],
      metrics: [
        {
          name: 'tonnage',
          expression: toExpressions(['ANSI_SQL', 'sum(calls.net_tons)'], ['TABLEAU', 'SUM([Net])']),
          datatype: 'Decimal',
          description: 'All of it.',
          ai_context: { synonyms: ['cargo weight'], examples: ['tonnage by flag'] },
          custom_extensions: [{ vendor_name: 'DBT', data: '{"meta": 1}' }],
        },
        { name: 'per_ship', expression: toAnsi('sum(calls.net_tons) / sum(ships.crew)') },
      ],
      custom_extensions: [{ vendor_name: 'SALESFORCE', data: '{"id": 1}' }],
    },
  ],
};
const KNOWN_TABLES: KnownTables = {
  dialect: 'duckdb',
  tables: [{ schema: 'main', table: 'calls', columns: [{ name: 'papers', datatype: 'string' }] }],
};

const withoutLensFolder = (files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [path.split('/').slice(2).join('/'), text]));
const getLensText = (lens: ImportedLens): string => lens.files[`lenses/${lens.name}/lens.yaml`]!;
/** An exported model without svc's own extension. */
function withForeignParts(text: string) {
  const file = parse(text);
  for (const model of file.semantic_model) {
    model.custom_extensions = model.custom_extensions.filter(
      (extension: { vendor_name: string }) => extension.vendor_name !== 'SVC',
    );
    if (model.custom_extensions.length === 0) delete model.custom_extensions;
  }
  return file;
}
const exportText = (files: Record<string, string>): string => exportOssie(withoutLensFolder(files))!.text;
const importText = async (text: string, knownTables = KNOWN_TABLES): Promise<ImportedLens> =>
  (await importOssie(text, 'core', knownTables))[0]!;

test.each(['0.1.1', '0.2.0.dev0'])(
  'exports an imported Ossie model of version %s with all members',
  async (version) => {
    const model = { ...COMPLETE_MODEL, version };
    const lens = await importText(JSON.stringify(model));
    expect(withForeignParts(exportText(lens.files))).toEqual(model);
    expect(lens.preservedParts).toEqual(
      expect.arrayContaining([
        'Harbour: ai_context',
        'calls: unique_keys',
        'calls.net_tons: expression in SNOWFLAKE',
        'dataset open_calls: its source is a query, not a table',
        expect.stringMatching(/^metric per_ship: /),
      ]),
    );
  },
);

test('imports the parts of an Ossie model that a lens can express, with the tables of the warehouse', async () => {
  const lens = parse(getLensText(await importText(JSON.stringify(COMPLETE_MODEL))));
  expect(lens.datasets.calls).toMatchObject({ source: 'main.calls', time_field: 'berthed_at' });
  expect(lens.datasets.calls.fields.net_tons).toMatchObject({ synonyms: expect.arrayContaining(['Net tons']) });
  expect(lens.datasets.ships.fields.flag_state).toEqual({ datatype: 'string', expression: 'flag' });
  expect(lens.relationships).toEqual([
    { from: 'calls.ship_id', to: 'ships.id' },
    { name: 'Pilot', from: 'calls.pilot_id', to: 'pilots.id' },
    { name: 'Relief', from: 'calls.second_pilot_id', to: 'pilots.id' },
  ]);
  expect(Object.keys(lens.metrics)).toEqual(['tonnage', 'call_count', 'calls_tonnage']);
});

test('exports a change made after the import, and changes nothing else', async () => {
  const lens = await importText(JSON.stringify(COMPLETE_MODEL));
  const changedText = getLensText(lens)
    .replace('Without tare.', 'Cargo alone.')
    .replace('  - {from: calls.ship_id, to: ships.id}\n', '')
    .replace('description: Calls.', 'description: Calls at a berth.');
  const expectedModel = structuredClone(COMPLETE_MODEL) as typeof COMPLETE_MODEL;
  const [model] = expectedModel.semantic_model;
  const calls = model!.datasets[0]!;
  Object.assign(calls.fields!.find(({ name }) => name === 'net_tons')!, { description: 'Cargo alone.' });
  model!.relationships = model!.relationships.filter(({ name }) => name !== 'call_ship');
  calls.metrics = calls.metrics!.filter(({ name }) => name !== 'call_count');
  model!.metrics.push({
    name: 'call_count',
    expression: toAnsi('count(calls.call_no)'),
    description: 'Calls at a berth.',
  } as never);
  expect(withForeignParts(exportText({ ...lens.files, [`lenses/${lens.name}/lens.yaml`]: changedText }))).toEqual(
    expectedModel,
  );
});

test('names the members that a model file lacks', async () => {
  await expect(importOssie('foo: 1', 'core', KNOWN_TABLES)).rejects.toThrow(
    'This is not an Ossie model. version: Required. semantic_model: Required.',
  );
  await expect(
    importOssie(JSON.stringify({ ...COMPLETE_MODEL, semantic_model: {} }), 'core', KNOWN_TABLES),
  ).rejects.toThrow('semantic_model: must be a list, not an object');
});

const LENS = lensText(`name: shop
title: Corner shop
description: Orders of the shop.
connection: core
max_rows_to_return: 50
timezone: Europe/Berlin
fresh_for: P400D
data_as_of: {field: orders.ordered_on}
datasets:
  orders:
    source: '"Sales Data".orders'
    description: One row per order.
    synonyms: [purchases]
    primary_key: [id]
    time_field: ordered_on
    fields:
      id: {datatype: integer}
      amount: {datatype: decimal, unit: EUR, description: Net., synonyms: [value]}
      double: {datatype: decimal, expression: amount * 2}
      region: {datatype: string, values: [{value: North, synonyms: [top]}, South]}
      city: {datatype: string, values: auto}
      email: {datatype: string, mask: true}
      ordered_on: {datatype: date}
  buyers: main.buyers (name string) {primary_key: [buyer no]}
  stock: {entity: stock}
relationships:
  - {name: customer, from: orders.buyer, to: 'buyers."buyer no"'}
metrics:
  revenue: {expression: sum(orders.amount), unit: EUR, filter: orders.amount > 0, time_field: orders.ordered_on}
  order_count: {expression: count(*), dataset: orders, synonyms: [orders placed]}
definitions:
  - term: margin
    senses:
      - {key: a, label: A, meaning: First., metric: revenue}
      - {key: b, label: B, meaning: Second., metric: order_count}
row_policies:
  - {name: own, dataset: orders, filter: "orders.region = {caller.region}", groups: [field]}
grants: {callers: [ada], groups: [field]}
sample_questions: [What was revenue?]
`);
const FILES = {
  'lenses/shop/lens.yaml': LENS,
  'lenses/shop/certified/core.yaml':
    '- {id: north, question: Revenue in the north?, sql: "select 1 as one", status: approved, approved_by: ada, approved_at: \'2024-01-01\'}\n',
  'lenses/shop/evals/core.yaml': '- {id: e1, question: What was revenue?, expect: {status: answered}}\n',
};

test('exports, imports and exports a lens with all its files to the same bytes', async () => {
  const firstExport = exportText(FILES);
  const reimported = await importText(firstExport, { dialect: 'postgres', tables: [] });
  expect(exportText(reimported.files)).toBe(firstExport);
  expect(Object.keys(reimported.files)).toEqual(Object.keys(FILES));
});

test('keeps all content of a lens through export and import', async () => {
  const { parseYamlFile } = await import('../../lens/files/yaml-file.ts');
  const reimported = await importText(exportText(FILES), { dialect: 'postgres', tables: [] });
  const parseLens = (text: string) => parseYamlFile('lens', 'lens.yaml', text);
  expect(parseLens(getLensText(reimported)).problems).toEqual([]);
  expect(parseLens(getLensText(reimported)).value).toEqual(withSharedParts(parseLens(LENS).value!, NO_SHARED_PARTS));
});

const SHARED_FILES = {
  'semantic/definitions.yaml': `# Approved by finance.
- {term: turnover, meaning: "Money taken in.", metric: revenue}
- {term: churn, meaning: "Of another lens.", metric: churned}
- {term: MARGIN, meaning: "The lens words this itself."}
`,
  'semantic/entities.yaml': `entities:
  stock: {source: main.stock, primary_key: [id], fields: {id: {datatype: integer}, left: {datatype: decimal, unit: kg}}}
  trucks: {source: main.trucks, fields: {id: {datatype: integer}}}
`,
};

test('exports the shared entities and definitions that a lens uses as its own parts', async () => {
  const text = exportOssie(withoutLensFolder(FILES), readSharedSemantic(SHARED_FILES))!.text;
  expect(text).not.toMatch(/churn|trucks|The lens words this/);
  const reimported = await importText(text, { dialect: 'postgres', tables: [] });
  const lens = parse(getLensText(reimported));
  expect(lens.datasets.stock).toEqual({
    ...{ source: 'main.stock', primary_key: ['id'] },
    fields: { id: { datatype: 'integer' }, left: { datatype: 'decimal', unit: 'kg', mask: false } },
  });
  expect(lens.definitions).toContainEqual(expect.objectContaining({ term: 'turnover', metric: 'revenue' }));
  expect(exportOssie(withoutLensFolder(reimported.files))!.text).toBe(text);
});

test('keeps what other tools add to a shared entity, and the name and description of the model', async () => {
  const file = parse(exportOssie(withoutLensFolder(FILES), readSharedSemantic(SHARED_FILES))!.text);
  const [model] = file.semantic_model;
  const expression = toExpressions(['SNOWFLAKE', 'LEFT_KG'], ['ANSI_SQL', 'left']);
  model.datasets.find(({ name }: { name: string }) => name === 'stock').fields[1].expression = expression;
  const extension = model.custom_extensions[0];
  const data = JSON.parse(extension.data);
  extension.data = JSON.stringify({ ...data, lens: { ...data.lens, name: 'other', description: 'Other.' } });
  const reimported = await importText(JSON.stringify(file), { dialect: 'postgres', tables: [] });
  expect(parse(getLensText(reimported))).toMatchObject({ name: 'shop', description: 'Orders of the shop.' });
  const changedFiles = withoutLensFolder(reimported.files);
  changedFiles['lens.yaml'] = changedFiles['lens.yaml']!.replace('One row per order.', 'Orders.');
  const { datasets } = parse(exportOssie(changedFiles)!.text).semantic_model[0];
  expect(datasets.find(({ name }: { name: string }) => name === 'stock').fields[1].expression).toEqual(expression);
});

test('exports a metric once if it replaces a refused metric, even if the import stored no base model', async () => {
  const file = structuredClone(COMPLETE_MODEL) as typeof COMPLETE_MODEL;
  const [model] = file.semantic_model;
  model!.datasets[0]!.metrics!.push({
    name: 'crew_count',
    expression: toAnsi('sum(calls.net_tons) / sum(ships.crew)'),
  });
  const lens = await importText(JSON.stringify(file));
  const text = getLensText(lens).replace('\nmetrics:\n', '\nmetrics:\n  crew_count: {expression: sum(calls.depth)}\n');
  const PREFIX = '# Kept by svc import for svc export --ossie: ';
  const [body, comment] = text.split(PREFIX) as [string, string];
  const { base: _base, ...ossie } = JSON.parse(comment).ossie;
  for (const lensYaml of [text, `${body}${PREFIX}${JSON.stringify({ ossie })}\n`]) {
    const exported = withForeignParts(exportOssie({ 'lens.yaml': lensYaml })!.text).semantic_model[0];
    expect(exported['x-team']).toBe('quay');
    expect(JSON.stringify(exported).match(/"crew_count"/g)).toHaveLength(1);
  }
});

const METRICFLOW_FILE = `models:
  - {name: calls, columns: [{name: tons, description: Cargo in tons.}]}
semantic_models:
  - name: calls
    model: ref('calls')
    description: |
      Calls of
      ships.
    defaults: {agg_time_dimension: berthed_at}
    entities:
      - {name: call, type: primary, expr: call_id}
      - {name: ship, type: foreign, expr: ship_id}
    dimensions:
      - {name: berthed_at, type: time, type_params: {time_granularity: day}}
      - {name: left_at, type: time}
      - {name: berth, type: categorical, expr: upper(berth)}
      - {name: is_hazardous, type: categorical}
    measures:
      - {name: tons, agg: sum}
      - {name: calls, agg: count, expr: 1}
      - {name: berths, agg: count_distinct, expr: berth}
      - {name: hazards, agg: sum_boolean, expr: is_hazardous}
      - {name: median_tons, agg: median, expr: tons}
      - {name: p90_tons, agg: percentile, expr: tons, agg_params: {percentile: 0.9}}
      - {name: departures, agg: count, expr: call_id, agg_time_dimension: left_at}
      - {name: moored, agg: sum, expr: tons, non_additive_dimension: {name: berthed_at, window_choice: max}}
      - {name: afloat, agg: sum, expr: crew, non_additive_dimension: {name: berthed_at, window_choice: max}, create_metric: true}
      - {name: heaviest, agg: max, expr: tons, create_metric: true}
  - name: ships
    model: ref('ships')
    entities: [{name: ship, type: primary, expr: id}]
    dimensions: [{name: flag, type: categorical}, {name: berth, type: categorical}]
metrics:
  - {name: tonnage, label: Cargo, description: All., type: simple, type_params: {measure: tons}}
  - {name: call_count, type: simple, type_params: {measure: {name: calls}}}
  - {name: berth_count, type: simple, type_params: {measure: berths}}
  - {name: hazard_count, type: simple, type_params: {measure: hazards}}
  - {name: median_tonnage, type: simple, type_params: {measure: median_tons}}
  - {name: p90, type: simple, type_params: {measure: p90_tons}}
  - {name: departures, type: simple, type_params: {measure: departures}}
  - {name: moored, type: simple, type_params: {measure: moored}}
  - {name: dutch, type: simple, type_params: {measure: tons}, filter: "{{ Dimension('ship__flag') }} = 'NL'"}
  - {name: at_a, type: simple, type_params: {measure: tons}, filter: ["{{ Dimension('call__berth') }} = 'A'", "{{Dimension('call__is_hazardous')}}"]}
  - {name: at_b, type: simple, type_params: {measure: {name: tons, filter: "{{ Dimension('call__berth') }} = 'B'"}}}
  - {name: january, type: simple, type_params: {measure: tons}, filter: "{{ TimeDimension('call__berthed_at', 'month') }} = '2024-01-01'"}
  - {name: strange, type: simple, type_params: {measure: tons}, filter: "{{ Dimension('crew__size') }} > 3"}
  - {name: per_call, type: ratio, type_params: {numerator: tonnage, denominator: call_count}}
  - {name: dutch_share, type: ratio, type_params: {numerator: {name: tonnage, filter: "{{ Dimension('ship__flag') }} = 'NL'"}, denominator: tonnage}}
  - {name: twice, type: derived, type_params: {expr: 2 * t, metrics: [{name: tonnage, alias: t}]}}
  - {name: growth, type: derived, type_params: {expr: now - before, metrics: [{name: tonnage, alias: now}, {name: tonnage, alias: before, offset_window: 1 month}]}}
  - {name: running, type: cumulative, type_params: {measure: tons}}
saved_queries:
  - {name: monthly, query_params: {metrics: [tonnage]}}
`;

test.each(['postgres', 'duckdb'] as const)(
  'imports MetricFlow on %s with unchanged meaning, and lists the parts without a counterpart',
  async (dialect) => {
    const columns = ['call_id', 'ship_id', 'berth', 'tons', 'is_hazardous', 'berthed_at', 'left_at'];
    const lens = await importMetricflow([METRICFLOW_FILE], {
      name: 'harbour',
      connection: 'core',
      schema: null,
      knownTables: {
        dialect,
        tables: [{ schema: 'main', table: 'calls', columns: columns.map((name) => ({ name, datatype: null })) }],
      },
    });
    const { metrics, datasets } = parse(getLensText(lens));
    const expressionsOf = Object.fromEntries(
      Object.entries(metrics as Record<string, { expression: string; filter?: string }>).map(
        ([name, { expression, filter }]) => [name, filter ? `${expression} | ${filter}` : expression],
      ),
    );
    expect(expressionsOf).toEqual({
      tonnage: 'sum(calls.tons)',
      call_count: 'count(*)',
      berth_count: 'count(distinct calls.berth_column)',
      hazard_count: 'sum(case when calls.is_hazardous then 1 else 0 end)',
      median_tonnage: 'percentile_cont(0.5) within group (order by calls.tons)',
      p90: 'percentile_cont(0.9) within group (order by calls.tons)',
      departures: 'count(calls.call_id)',
      dutch: "sum(calls.tons) | ships.flag = 'NL'",
      at_a: "sum(calls.tons) | (calls.berth = 'A') and (calls.is_hazardous)",
      at_b: "sum(calls.tons) | calls.berth = 'B'",
      per_call: 'metric(tonnage) * 1.0 / nullif(metric(call_count), 0)',
      twice: '2 * metric(tonnage)',
      heaviest: 'max(calls.tons)',
      afloat: 'sum(calls.crew)',
    });
    expect(metrics.departures.time_field).toBe('calls.left_at');
    expect(datasets.calls).toMatchObject({
      ...{ source: 'main.calls', description: 'Calls of ships.', primary_key: ['call_id'], time_field: 'berthed_at' },
      fields: { tons: { description: 'Cargo in tons.' }, berth_column: { expression: 'berth' } },
    });
    expect(lens.preservedParts.map((line) => line.split(':')[0])).toEqual([
      'metric moored',
      'metric january',
      'metric strange',
      'metric dutch_share',
      'metric growth',
      'metric running',
      'saved query monthly',
    ]);
    const [model] = parse(exportText(lens.files)).semantic_model;
    const dbtExtension = model.custom_extensions.find(
      (extension: { vendor_name: string }) => extension.vendor_name === 'DBT',
    );
    expect(JSON.parse(dbtExtension.data)).toEqual({ metricflow: [parse(METRICFLOW_FILE)] });
  },
);
