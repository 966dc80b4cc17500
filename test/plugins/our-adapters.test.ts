// Our own adapters, embedders and model keep every promise of the kit that a plugin's author runs.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtinEmbedder } from '../../src/adapters/embedder/builtin.ts';
import { openAiEmbedder } from '../../src/adapters/embedder/openai.ts';
import { openAiModel } from '../../src/adapters/language-model/openai.ts';
import { embedderChecks } from '../../src/adapters/plugin-kit/embedder-checks.ts';
import { modelChecks } from '../../src/adapters/plugin-kit/model-checks.ts';
import { runChecks } from '../../src/adapters/plugin-kit/run-checks.ts';
import { warehouseChecks } from '../../src/adapters/plugin-kit/warehouse-checks.ts';
import { readConnection } from '../../src/adapters/warehouse/connection-config.ts';
import type { ConnectionConfig } from '../../src/contract/files/connection-words.ts';
import { ENGINES } from '../../src/engines/engines.ts';
import { duckdbFile } from '../support/duckdb-file.ts';
import {
  DATABASE,
  MARIADB_MISSING,
  NEEDS_MARIADB,
  READER,
  startTestMariadb,
  type TestMariadb,
} from '../support/mariadb.ts';
import { type ModelProvider, startModelProvider } from '../support/model-provider.ts';
import { connectionTo, startTestPostgres, type TestPostgres } from '../support/postgres.ts';

const TABLES = [
  'create table sales (id int primary key, region varchar(20), amount decimal(10,2), sold date, note varchar(40))',
  "insert into sales values (1,'West',1.10,'2024-02-29',null),(2,'West',2.20,'2024-03-01','it''s'),(3,'East',3.30,null,'漢字')",
];

let home: string;
let postgres: TestPostgres;
let mariadb: TestMariadb | undefined;
let provider: ModelProvider;
const connections: Record<string, ConnectionConfig> = {};
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-kit-'));
  await duckdbFile(join(home, 'lake.duckdb'), ...TABLES);
  connections['duckdb'] = { kind: 'duckdb', path: 'lake.duckdb' };

  postgres = await startTestPostgres();
  const url = new URL(await postgres.createDatabase(...TABLES));
  connections['postgres'] = connectionTo(url);
  if (!MARIADB_MISSING) {
    mariadb = await startTestMariadb();
    await mariadb.run(...TABLES.map((statement) => statement.replace(/(table|into) sales/, `$1 ${DATABASE}.sales`)));
    connections['mysql'] = { kind: 'mysql', host: '127.0.0.1', port: mariadb.port, database: DATABASE, ...READER };
  }
  provider = await startModelProvider();
});
afterAll(async () => {
  await provider.close();
  await mariadb?.stop();
  await postgres.stop();
  await rm(home, { recursive: true, force: true });
});

/** Others pass it where their engines are: test/engines. */
const HERE = ENGINES.filter(({ kind }) => ['duckdb', 'postgres', 'mysql'].includes(kind));
describe.each(HERE)('the $kind adapter', (adapter) => {
  const missing = adapter.kind === 'mysql' && MARIADB_MISSING;
  it.skipIf(missing)(`passes every check of the kit${missing ? NEEDS_MARIADB : ''}`, { timeout: 120_000 }, async () => {
    const connection = readConnection(adapter.kind, connections[adapter.kind]!);
    const context = { projectFolder: home, home, owner: 'kit' };
    const results = await runChecks(warehouseChecks({ adapter, connection, context, table: 'sales' }), () => undefined);
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    expect(new Set(results.map(({ family }) => family)).size).toBe(15);
  });
});

it.each([
  ['builtin', () => builtinEmbedder],
  ['openai', () => openAiEmbedder({ model: 'text-embedding-3-small', baseUrl: provider.baseUrl, apiKey: 'k' })],
])('the %s embedder passes every check of the kit', async (_name, make) => {
  const results = await runChecks(embedderChecks(make), () => undefined);
  expect(results.filter(({ ok }) => !ok)).toEqual([]);
});

it('the openai model passes every check of the kit', async () => {
  const entry = {
    provider: 'openai',
    model: 'gpt-5-mini',
    baseUrl: provider.baseUrl,
    apiKey: 'k',
    price: { input: 1, output: 2 },
  };
  const results = await runChecks(
    modelChecks(() => openAiModel({ entry: 'fast', ...entry })),
    () => undefined,
  );
  expect(results.filter(({ ok }) => !ok)).toEqual([]);
});
