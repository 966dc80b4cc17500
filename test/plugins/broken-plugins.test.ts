import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { builtinEmbedder } from '../../src/adapters/embedder/builtin.ts';
import type { Cell, Embedder, FetchResult, LanguageModel, ModelUsage, Warehouse } from '../../src/domain/ports.ts';
import type { Engine } from '../../src/engines/engine.ts';
import { ENGINES } from '../../src/engines/engines.ts';
import type { GuardedSql } from '../../src/guard/guarded-sql.ts';
import { Problem } from '../../src/platform/problem.ts';
import type { Check } from '../plugin-kit/check.ts';
import { embedderChecks } from '../plugin-kit/embedder-checks.ts';
import { modelChecks } from '../plugin-kit/model-checks.ts';
import { runChecks } from '../plugin-kit/run-checks.ts';
import { warehouseChecks } from '../plugin-kit/warehouse-checks.ts';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const duckdb = ENGINES.find(({ kind }) => kind === 'duckdb')!;
const failuresOf = async (family: string, checks: Check[]): Promise<string[]> => {
  const own = checks.filter((check) => check.family === family);
  expect(own.length).toBeGreaterThan(0);
  const results = await runChecks(own, () => undefined);
  return results.flatMap(({ error }) => (error === undefined ? [] : [error]));
};
const homeFolder = await temporaryFolder();
await createDuckdbFile(
  join(homeFolder, 'lake.duckdb'),
  "create table sales as select 'West' as region, 1 as n union all select 'West', 2 union all select null, 3",
);

const cells = (change: (cell: Cell) => Cell) => (fetched: FetchResult) => ({
  ...fetched,
  rows: fetched.rows.map((row) => row.map(change)),
});
const rewriteStatement = (statement: GuardedSql, from: string | RegExp, to: string): GuardedSql => ({
  ...statement,
  runs: statement.runs.replace(from, to),
});
const throwRelabelled = (_fault: unknown, code: 'internal' | 'upstream', detail?: string) => {
  throw new Problem(code, 'Something went wrong.', { detail });
};
let lastResult: GuardedSql;

const BROKEN: [family: string, how: string, broken: (whole: Warehouse) => Partial<Warehouse>][] = [
  [
    'values',
    'rounds large integers',
    (warehouse) => ({
      fetch: (...given) =>
        warehouse
          .fetch(...given)
          .then(cells((cell) => (typeof cell === 'string' && /^-?\d+$/.test(cell) ? String(Number(cell)) : cell))),
    }),
  ],
  [
    'values',
    'takes the empty text for null',
    (whole) => ({ fetch: (...given) => whole.fetch(...given).then(cells((cell) => (cell === '' ? null : cell))) }),
  ],
  [
    'parameters',
    'binds parameters in the order they were sent',
    (warehouse) => ({
      fetch: (statement, options) =>
        warehouse.fetch({ ...statement, parameters: (options.parameters ?? []).map(({ name }) => name) }, options),
    }),
  ],
  [
    'dialect',
    'begins weeks on Sunday',
    (warehouse) => ({
      fetch: (statement, options) =>
        warehouse.fetch(
          rewriteStatement(
            statement,
            /cast\(date_trunc\('week', (.*?)\) as date\)/gi,
            "cast(date_trunc('week', $1) - interval 1 day as date)",
          ),
          options,
        ),
    }),
  ],
  [
    'dialect',
    'compares without case',
    (whole) => ({
      fetch: (statement, options) => whole.fetch(rewriteStatement(statement, / like /gi, ' ilike '), options),
    }),
  ],
  [
    'limits',
    'never says that there is more',
    (whole) => ({ fetch: (...given) => whole.fetch(...given).then((fetched) => ({ ...fetched, more: false })) }),
  ],
  [
    'limits',
    'ignores maxBytes',
    (whole) => ({ fetch: (statement, options) => whole.fetch(statement, { ...options, maxBytes: 1e9 }) }),
  ],
  [
    'deadline',
    'calls a timeout by another name',
    (whole) => ({ fetch: (...given) => whole.fetch(...given).catch((fault) => throwRelabelled(fault, 'upstream')) }),
  ],
  [
    'canceling',
    'does not listen to the signal',
    (warehouse) => ({
      fetch: (statement, { signal, ...options }) => warehouse.fetch(statement, { ...options, timeoutMs: 3_500 }),
    }),
  ],
  [
    'concurrency',
    'mixes up statements under way',
    (warehouse) => ({
      fetch: async (statement, options) => {
        lastResult = statement;
        await sleep(20);
        return warehouse.fetch(lastResult, { ...options, timeoutMs: Math.min(options.timeoutMs, 2_000) });
      },
    }),
  ],
  [
    'read-only',
    'lets a DELETE through',
    (warehouse) => ({
      fetch: (statement, options) => (/^delete/.test(statement.runs) ? NOTHING : warehouse.fetch(statement, options)),
    }),
  ],
  [
    'read-only',
    'runs the first of two statements',
    (whole) => ({ fetch: (statement, options) => whole.fetch(rewriteStatement(statement, /;.*/, ''), options) }),
  ],
  [
    'errors',
    'fails without a code of the ports',
    (whole) => ({ fetch: (...given) => whole.fetch(...given).catch((fault) => throwRelabelled(fault, 'internal')) }),
  ],
  [
    'errors',
    'repeats the statement with its values',
    (warehouse) => ({
      fetch: (statement, options) =>
        warehouse.fetch(statement, options).catch((fault) => throwRelabelled(fault, 'upstream', statement.runs)),
    }),
  ],
  ['closing', 'goes on after close()', () => ({ close: async () => undefined })],
  ['describe', 'describes nothing', () => ({ describe: async () => [] })],
  [
    'describe',
    'runs the statement to describe it',
    (warehouse) => ({
      describe: async (statement) =>
        (await warehouse.fetch(statement, { maxRows: 1, maxBytes: 1e6, timeoutMs: 5_000 })).columns,
    }),
  ],
  ['estimate', 'estimates less than nothing', () => ({ estimate: async () => ({ rows: -1, cost: null }) })],
  [
    'catalog',
    'takes every column for text',
    (warehouse) => ({
      catalog: async () =>
        (await warehouse.catalog()).map((table) => ({
          ...table,
          columns: table.columns.map((column) => ({ ...column, datatype: 'string' as const })),
        })),
    }),
  ],
  [
    'catalog',
    'names keys of columns that are not there',
    (whole) => ({ catalog: async () => (await whole.catalog()).map((table) => ({ ...table, primaryKey: ['id'] })) }),
  ],
  [
    'profile',
    'counts no nulls',
    (warehouse) => ({
      profile: async (...given) => (await warehouse.profile(...given)).map((told) => ({ ...told, nulls: 0 })),
    }),
  ],
  [
    'profile',
    'makes values up',
    (warehouse) => ({
      profile: async (...given) => (await warehouse.profile(...given)).map((told) => ({ ...told, values: ['North'] })),
    }),
  ],
  [
    'adapter',
    'may write, by its own account',
    (whole) => ({ test: async () => ({ ...(await whole.test()), readOnly: false }) }),
  ],
  ['adapter', 'speaks another dialect than it says', () => ({ dialect: 'mysql' })],
];
const NOTHING = Promise.resolve({ columns: [], rows: [], more: false, bytesCut: false });

describe('a broken warehouse adapter', () => {
  const context = () => ({ projectFolder: homeFolder, home: homeFolder, owner: 'kit' });
  const connection = { kind: 'duckdb' as const, path: 'lake.duckdb' };
  const checksOf = (adapter: Engine) => warehouseChecks({ adapter, connection, context: context(), patienceMs: 2_000 });

  it.each(BROKEN)('fails the %s checks when it %s', { timeout: 120_000 }, async (family, _how, breakWarehouse) => {
    const adapter: Engine = {
      ...duckdb,
      async open(...openArguments) {
        const whole = await duckdb.open(...openArguments);
        return { ...whole, ...breakWarehouse(whole) };
      },
    };
    expect(await failuresOf(family, checksOf(adapter))).not.toEqual([]);
  });
  it('has a case for every family of checks', () => {
    expect(new Set(BROKEN.map(([family]) => family))).toEqual(new Set(checksOf(duckdb).map(({ family }) => family)));
  });
});

const embedder = (embed: Embedder['embed']): Embedder => ({ name: 'broken', embed });
const BROKEN_EMBEDDERS: [family: string, how: string, make: () => Embedder][] = [
  [
    'vectors',
    'is not of unit length',
    () =>
      embedder(async (texts) => (await builtinEmbedder.embed(texts)).map((vector) => vector.map((value) => value * 2))),
  ],
  ['batches', 'turns the order round', () => embedder(async (texts) => (await builtinEmbedder.embed(texts)).reverse())],
  [
    'meaning',
    'takes all texts for one',
    () => embedder(async (texts) => builtinEmbedder.embed(texts.map(() => 'one'))),
  ],
  [
    'stability',
    'depends on chance',
    () =>
      embedder(async (texts) =>
        builtinEmbedder.embed(texts.map((text) => `${text} ${Math.random()} ${Math.random()}`)),
      ),
  ],
];
describe('a broken embedder', () => {
  it.each(BROKEN_EMBEDDERS)('fails the %s checks when it %s', async (family, _how, make) => {
    expect(await failuresOf(family, embedderChecks(make))).not.toEqual([]);
  });
  it('has a case for every family of checks', () => {
    const families = embedderChecks(() => builtinEmbedder).map(({ family }) => family);
    expect(new Set(BROKEN_EMBEDDERS.map(([family]) => family))).toEqual(new Set(families));
  });
});

const usage: ModelUsage = { entry: 'fast', model: 'm', tokensIn: 1, tokensOut: 1, cost: null, ms: 1, outcome: 'ok' };
const intactModel: LanguageModel = {
  entry: 'fast',
  provider: 'p',
  model: 'm',
  decide: async () => ({ value: { year: 2016 }, usage }),
  write: async () => ({ text: 'Hello.', usage }),
};
const writeSlowly: LanguageModel['write'] = async () => {
  await sleep(3_000);
  return { text: 'Hello.', usage };
};
const BROKEN_MODELS: [family: string, how: string, broken: Partial<LanguageModel>][] = [
  ['identity', 'does not name its model', { model: '' }],
  ['decide', 'answers JSON as text', { decide: async () => ({ value: '{"year": 2016}', usage }) }],
  ['write', 'answers nothing', { write: async () => ({ text: ' ', usage }) }],
  [
    'usage',
    'does not count tokens',
    { write: async () => ({ text: 'Hello.', usage: { ...usage, tokensIn: Number.NaN } }) },
  ],
  ['deadline', 'takes its time', { write: writeSlowly }],
  ['canceling', 'does not listen to the signal', { write: writeSlowly }],
];
describe('a broken model', () => {
  it.each(BROKEN_MODELS)('fails the %s checks when it %s', async (family, _how, breakModel) => {
    expect(
      await failuresOf(
        family,
        modelChecks(() => ({ ...intactModel, ...breakModel }), 1_000),
      ),
    ).not.toEqual([]);
  });
  it('passes when intact, and has a case for every family of checks', async () => {
    const results = await runChecks(
      modelChecks(() => intactModel),
      () => undefined,
    );
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    expect(new Set(BROKEN_MODELS.map(([family]) => family))).toEqual(new Set(results.map(({ family }) => family)));
  });
});
