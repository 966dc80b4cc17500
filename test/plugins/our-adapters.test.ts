import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtinEmbedder } from '../../src/adapters/embedder/builtin.ts';
import { createOpenAiEmbedder } from '../../src/adapters/embedder/openai.ts';
import { createOpenAiModel } from '../../src/adapters/language-model/openai.ts';
import { parseConnectionConfig } from '../../src/adapters/warehouse/connection-config.ts';
import type { ConnectionConfig } from '../../src/contract/files/connection-settings.ts';
import { ENGINES } from '../../src/engines/engines.ts';
import { embedderChecks } from '../plugin-kit/embedder-checks.ts';
import { modelChecks } from '../plugin-kit/model-checks.ts';
import { runChecks } from '../plugin-kit/run-checks.ts';
import { warehouseChecks } from '../plugin-kit/warehouse-checks.ts';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { DATABASE, MARIADB_MISSING, NEEDS_MARIADB, READER, startTestMariadb } from '../support/mariadb.ts';
import { startModelProvider } from '../support/model-provider.ts';
import { connectionTo, createDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const TABLES = [
  'create table sales (id int primary key, region varchar(20), amount decimal(10,2), sold date, note varchar(40))',
  "insert into sales values (1,'West',1.10,'2024-02-29',null),(2,'West',2.20,'2024-03-01','it''s'),(3,'East',3.30,null,'漢字')",
];

const homeFolder = await temporaryFolder();
await createDuckdbFile(join(homeFolder, 'lake.duckdb'), ...TABLES);
const connections: Record<string, ConnectionConfig> = {
  duckdb: { kind: 'duckdb', path: 'lake.duckdb' },
  postgres: connectionTo(await createDatabase(...TABLES)),
};
if (!MARIADB_MISSING) {
  const { port, run } = await startTestMariadb();
  await run(...TABLES.map((statement) => statement.replace(/(table|into) sales/, `$1 ${DATABASE}.sales`)));
  connections['mysql'] = { kind: 'mysql', host: '127.0.0.1', port, database: DATABASE, ...READER };
}
const provider = await startModelProvider();

/** The other adapters pass the kit in test/engines. */
const HERE = ENGINES.filter(({ kind }) => ['duckdb', 'postgres', 'mysql'].includes(kind));
describe.each(HERE)('the $kind adapter', (adapter) => {
  const isMissing = adapter.kind === 'mysql' && MARIADB_MISSING;
  it.skipIf(isMissing)(
    `passes every check of the kit${isMissing ? NEEDS_MARIADB : ''}`,
    { timeout: 120_000 },
    async () => {
      const connection = parseConnectionConfig(adapter.kind, connections[adapter.kind]!);
      const context = { projectFolder: homeFolder, home: homeFolder, owner: 'kit' };
      const results = await runChecks(
        warehouseChecks({ adapter, connection, context, table: 'sales' }),
        () => undefined,
      );
      expect(results.filter(({ ok }) => !ok)).toEqual([]);
      expect(new Set(results.map(({ family }) => family)).size).toBe(15);
    },
  );
});

it.each([
  ['builtin', () => builtinEmbedder],
  ['openai', () => createOpenAiEmbedder({ model: 'text-embedding-3-small', baseUrl: provider.baseUrl, apiKey: 'k' })],
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
    modelChecks(() => createOpenAiModel({ entry: 'fast', ...entry })),
    () => undefined,
  );
  expect(results.filter(({ ok }) => !ok)).toEqual([]);
});
