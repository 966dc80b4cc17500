import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Plugin, readPlugin } from '../../src/adapters/plugins.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import type { DialectTools } from '../../src/dialects/dialects.ts';
import type { Warehouse } from '../../src/domain/ports.ts';
import { clickhouseDialect } from '../../src/engines/clickhouse/dialect/dialect.ts';
import { CLICKHOUSE_GRAMMAR } from '../../src/engines/clickhouse/dialect/grammar.ts';
import { pluginChecks } from '../plugin-kit/plugin-checks.ts';
import { runChecks } from '../plugin-kit/run-checks.ts';

import { startTestApp, type TestApp } from '../support/app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A built-in dialect under another name, built with the tools that svc gives to plugins. */
const createDialect = ({ foreign }: DialectTools): Dialect => ({
  ...clickhouseDialect,
  name: 'house',
  ...foreign(CLICKHOUSE_GRAMMAR),
});
const bringing = (changeDialect: (whole: Dialect) => Partial<Dialect>, overrides: Partial<Plugin> = {}): Plugin => ({
  ...overrides,
  dialects: (tools) => {
    const intactDialect = createDialect(tools);
    return [{ ...intactDialect, ...changeDialect(intactDialect) }];
  },
});
const results = (plugin: Plugin) => runChecks(pluginChecks(plugin, {}), () => undefined);
const open = () => Promise.reject(new Error('nobody opens it'));

const BROKEN: [family: string, how: string, changed: (whole: Dialect) => Partial<Dialect>][] = [
  ['reading', 'has too few cases', () => ({ cases: ['select 1'] })],
  ['reading', 'forgets DISTINCT', ({ write }) => ({ write: (query) => write(query).replace('DISTINCT', '') })],
  [
    'refusing',
    'reads the first of two statements',
    ({ read }) => ({ read: (sql, faults) => read(sql.split(';')[0]!, faults) }),
  ],
  [
    'constants',
    'takes a backslash for itself',
    ({ writeExpression }) => ({ writeExpression: (one) => writeExpression(one).replaceAll('\\\\', '\\') }),
  ],
  ['names', 'takes quoted names for strings', ({ quotes }) => ({ quotes: { ...quotes, name: "'" } })],
  [
    'governing',
    'leaves conditions out',
    ({ write }) => ({ write: (query) => write(query).replace(/ WHERE .*\)/, ')') }),
  ],
];

describe('a dialect from a plugin', () => {
  it('passes all checks when it is correct', async () => {
    const checkResults = await results(bringing(() => ({})));
    expect(checkResults.filter(({ ok }) => !ok)).toEqual([]);
    expect(new Set(checkResults.map(({ family }) => family))).toEqual(new Set(BROKEN.map(([family]) => family)));
  });

  it.each(BROKEN)('fails the %s checks when it %s', async (family, _how, changeDialect) => {
    const failed = (await results(bringing(changeDialect))).filter(({ ok }) => !ok);
    expect(failed.map((item) => item.family)).toContain(family);
  });

  it('is usable by the warehouses of the plugin, which can’t use an unknown one', () => {
    const warehouses = [{ kind: 'plugin:click', dialect: 'house', open }];
    expect(readPlugin(bringing(() => ({}), { warehouses })).warehouses).toHaveLength(1);
    expect(() => readPlugin({ warehouses })).toThrow(
      'plugin:click has the dialect house, which neither svc nor the plugin',
    );
  });

  it('is not loaded if it is incomplete, or has the name of a built-in dialect', () => {
    const without = bringing(({ names }) => ({ names: { ...names, lateral: undefined as never } }));
    expect(() => readPlugin(without)).toThrow('the dialect house lacks names.lateral');
    expect(() => readPlugin(bringing(() => ({ name: 'mysql' })))).toThrow('svc already has a dialect mysql');
  });
});

describe('a lens on a warehouse with a plugin dialect', () => {
  const ran: string[] = [];
  let rewriteText = (text: string): string => text;
  const columns = [
    { name: 'region', datatype: 'string' as const },
    { name: 'revenue', datatype: 'integer' as const },
  ];
  const warehouse = {
    dialect: 'house',
    async fetch({ runs }: { runs: string }) {
      ran.push(runs);
      return { columns, rows: [['North', '3']], more: false, bytesCut: false };
    },
    describe: async () => columns,
    estimate: async () => ({ rows: 1, cost: null }),
    catalog: async () => [
      {
        ...{ catalog: null, schema: 'shop', table: 'sales', kind: 'table', comment: null, rowEstimate: 1 },
        ...{ primaryKey: [], uniqueKeys: [], foreignKeys: [] },
        columns: [
          { name: 'region', datatype: 'string', nativeType: 'String', nullable: true, comment: null },
          { name: 'amount', datatype: 'integer', nativeType: 'Int64', nullable: true, comment: null },
        ],
      },
    ],
    profile: async () => [],
    test: async () => ({ ok: true, latencyMs: 0, serverVersion: 'memory', readOnly: true }),
    close: async () => undefined,
  } as unknown as Warehouse;

  let project: string;
  let svc: TestApp;
  beforeAll(async () => {
    project = await temporaryFolder();
    const folder = join(project, 'node_modules/svc-click');
    const write = (path: string, text: string) => writeFile(join(project, path), text);
    await mkdir(folder, { recursive: true });
    await mkdir(join(project, 'lenses/sales'), { recursive: true });
    await write(
      'node_modules/svc-click/package.json',
      '{"name": "svc-click", "type": "module", "exports": "./index.js"}',
    );
    await write('node_modules/svc-click/index.js', 'export default globalThis.pluginUnderTest;');
    const warehouses = [{ kind: 'plugin:click', dialect: 'house', open: async () => warehouse }];
    const writes = ({ write }: Dialect): Partial<Dialect> => ({ write: (query) => rewriteText(write(query)) });
    Object.assign(globalThis, { pluginUnderTest: bringing(writes, { warehouses }) });
    await write('svc.config.yaml', 'plugins: [svc-click]\nconnections: {click: {kind: "plugin:click"}}\n');
    await write(
      'lenses/sales/lens.yaml',
      `name: sales\ntitle: Sales\ndescription: Sales.\nconnection: click\ndatasets:\n  sales:\n    source: shop.sales\n    description: Sales.\n    fields: {region: {datatype: string}, amount: {datatype: integer}}\nmetrics:\n  revenue: {expression: "sumIf(sales.amount, sales.amount > 0)", description: Sales.}\n`,
    );
    svc = await startTestApp({ project });
  });

  it('compiles metrics and guards SQL in that dialect', async () => {
    const metrics = await svc.post('/v1/lenses/sales/metrics', { metrics: ['revenue'], dimensions: ['region'] });
    expect(metrics.body).toMatchObject({ status: 'answered', data: [{ region: 'North', revenue: 3 }] });
    expect(ran.at(-1)).toContain('sumIf');
    const sql = "select region, sumIf(amount, region ilike 'n%') as revenue from sales group by region";
    expect((await svc.post('/v1/sql', { lens: 'sales', sql })).body).toMatchObject({ status: 'answered' });
    expect(ran.at(-1)).toContain(
      "sumIf(CAST(1 AS Decimal(76, 0)) * `amount`, `region` ILIKE 'n%') AS `revenue` FROM `shop`.`sales`",
    );
    for (const refusedSql of ['select region from sales final', 'select sleep(3)', `select ${'1, '.repeat(5000)} 1`])
      expect((await svc.post('/v1/sql', { lens: 'sales', sql: refusedSql })).status).toBe(422);
  });

  it('G22: sends no statement in which a value is more than one constant', async () => {
    const value = "x' or '1' = '1";
    const metricsBody = { metrics: ['revenue'], filters: [{ field: 'region', op: 'contains', values: [value] }] };
    expect((await svc.post('/v1/lenses/sales/metrics', metricsBody)).status).toBe(200);
    expect(ran.join()).toContain("x'' or ''1'' = ''1");
    rewriteText = (text) => text.replaceAll("''", "'");
    const refusal = await svc.post('/v1/lenses/sales/metrics', { ...metricsBody, limit: 7 });
    rewriteText = (text) => text;
    expect(refusal.body).toMatchObject({ error: { code: 'guard_refused', details: [{ code: 'literal' }] } });
    expect(ran.join()).not.toContain("x' or '1'");
  });
});
