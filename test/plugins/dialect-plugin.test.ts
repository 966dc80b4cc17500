// A plugin may bring the SQL of its engine, and the kit tells when that can't be relied on.
import { describe, expect, it } from 'vitest';
import { pluginChecks } from '../../src/adapters/plugin-kit/plugin-checks.ts';
import { runChecks } from '../../src/adapters/plugin-kit/run-checks.ts';
import { type Plugin, readPlugin } from '../../src/adapters/plugins.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import { clickhouse } from '../dialects/clickhouse/dialect.ts';

const bringing = (changed: (whole: Dialect) => Partial<Dialect>, more: Partial<Plugin> = {}): Plugin => ({
  ...more,
  dialects: (tools) => {
    const whole = clickhouse(tools);
    return [{ ...whole, ...changed(whole) }];
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
  ['constants', 'takes a backslash for itself', ({ quotes }) => ({ quotes: { ...quotes, backslash: 'as it is' } })],
  ['names', 'takes quoted names for strings', ({ quotes }) => ({ quotes: { ...quotes, name: "'" } })],
  [
    'governing',
    'leaves conditions out',
    ({ write }) => ({ write: (query) => write(query).replace(/ WHERE .*\)/, ')') }),
  ],
];

describe('a dialect that a plugin brings', () => {
  it('passes when it is whole', async () => {
    const found = await results(bringing(() => ({})));
    expect(found.filter(({ ok }) => !ok)).toEqual([]);
    expect(new Set(found.map(({ family }) => family))).toEqual(new Set(BROKEN.map(([family]) => family)));
  });

  it.each(BROKEN)('is caught by its %s when it %s', async (family, _how, changed) => {
    const failed = (await results(bringing(changed))).filter(({ ok }) => !ok);
    expect(failed.map((one) => one.family)).toContain(family);
  });

  it('may be what its warehouses speak, and no other may', () => {
    const warehouses = [{ kind: 'plugin:click', dialect: 'clickhouse', open }];
    expect(readPlugin(bringing(() => ({}), { warehouses })).warehouses).toHaveLength(1);
    expect(() => readPlugin({ warehouses })).toThrow(
      'plugin:click speaks clickhouse, which neither svc nor the plugin',
    );
  });

  it('is not loaded when it leaves something unsaid, or takes the name of one of ours', () => {
    const without = bringing(({ names }) => ({ names: { ...names, lateral: undefined as never } }));
    expect(() => readPlugin(without)).toThrow('the dialect clickhouse does not say names.lateral');
    expect(() => readPlugin(bringing(() => ({ name: 'mysql' })))).toThrow("the dialect mysql is svc's own");
  });
});
