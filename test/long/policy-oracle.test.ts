// G20, all of it: every statement that can tell of a hidden row, under every shape of policy, on every engine, by SQL. The
// statements are found anew on tables that nothing hides, so that a new version of an engine is asked what it can tell.
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { absent, lensOf, type PolicyApp, startPolicyApp } from '../support/policy-app.ts';
import { differences, SHAPES } from '../support/policy-oracle.ts';
import { asGuess, ENGINES, knownProbes, PROBE_TABLES, probesOf, RIGHT, WRONG } from '../support/policy-probes.ts';

let app: PolicyApp;
let asker: string;
beforeAll(async () => {
  app = await startPolicyApp(SHAPES);
  const attributes = { region: 'West', level: 1 };
  asker = (await app.svc.mintCaller({ name: 'wendy', lenses: app.lenses, attributes })).key;
});
afterAll(() => app?.close());

it.each(ENGINES.filter((engine) => !absent(engine)))(
  '9.1 to 9.3: %s tells nothing, under any shape',
  async (engine) => {
    const probes = await knownProbes(engine);
    const asked = SHAPES.flatMap((shape) => probes.map((probe) => ({ probe, lens: lensOf(engine, shape) })));
    expect((await differences(app.svc, asker, asked)).different).toEqual([]);
  },
);

it('9.3: the functions and operators of DuckDB that tell where nothing hides are those that are known', async () => {
  const options = { threads: '1', max_temp_directory_size: '0KB', memory_limit: '1GB' };
  const connection = await (await DuckDBInstance.create(':memory:', options)).connect();
  for (const statement of PROBE_TABLES) await connection.run(statement);
  const answer = (sql: string): Promise<string | null> =>
    connection.runAndReadAll(sql).then(
      (rows) => JSON.stringify(rows.getRowsJson()),
      () => null,
    );
  const telling = new Set<string>();
  const known = new Set(await knownProbes('duckdb'));
  const unknown: string[] = [];
  for (const { name, sql } of probesOf('duckdb')) {
    if (telling.has(name)) continue;
    const right = await answer(asGuess(sql, RIGHT));
    const wrong = await answer(asGuess(sql, WRONG));
    if (right === wrong) continue;
    telling.add(name);
    if (!known.has(sql)) unknown.push(sql);
  }
  expect(unknown).toEqual([]);
});
