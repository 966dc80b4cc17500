// Stage 9, 5: a warehouse may not decide what an allowed name means.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';

let svc: TestApp;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-overloads-'));
  for (const [name, macros] of Object.entries(FILES)) {
    const instance = await DuckDBInstance.create(join(folder, `${name}.duckdb`));
    const connection = await instance.connect();
    await connection.run("create table orders as select 1 as id, 'West' as region");
    for (const macro of macros) await connection.run(macro);
    connection.disconnectSync();
    instance.closeSync();
  }
  svc = await startTestApp({ project: folder, files: {} });
});
afterAll(async () => {
  await svc?.close();
  await rm(folder, { recursive: true, force: true });
});

const FILES: Record<string, string[]> = {
  function: ["create macro LOWER(x) as 'theirs'"],
  operator: ['create macro "+"(a, b) as 7'],
  table: ['create macro range(n) as table select 7 as range'],
  catalog: [
    "create macro lower(x) as 'theirs'",
    "create macro duckdb_functions() as table select 'none' as function_name, true as internal",
  ],
  harmless: ['create macro shout(x) as upper(x)'],
};

it.each(Object.keys(FILES))(
  '9.5, G09: a DuckDB file whose macro stands in for a built-in is not opened: %s',
  async (name) => {
    const lens = `name: odd\nconnection: odd\ndatasets:\n  orders: {source: main.orders, primary_key: [id], fields: {id: {datatype: integer}, region: {datatype: string}}}\n`;
    const files = {
      'svc.config.yaml': `connections:\n  odd: {kind: duckdb, path: ./${name}.duckdb}\n`,
      'lenses/odd/lens.yaml': lens,
    };
    const { body, text } = await svc.post('/mgmt/project/plan', { files }, svc.adminToken);
    if (name === 'harmless') expect(body.problems, text).toEqual([]);
    else expect(text).toMatch(/has macros named like built-in functions: \S/);
  },
);
