import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { parseConnectionConfig } from '../../../src/adapters/warehouse/connection-config.ts';
import { ENGINES } from '../../../src/engines/engines.ts';
import type { GuardedSql } from '../../../src/guard/guarded-sql.ts';
import { openEngineStage } from '../engine-stage.ts';
import { findRefusedLegitimate } from '../guard-suite.ts';
import { planSuite } from '../plan-suite.ts';
import { sparkStatements } from './spark-tables.ts';
import { startSpark } from './start-spark.ts';

const WRITES = [
  'drop table shop.jobs',
  'truncate table shop.jobs',
  'insert into shop.jobs select * from shop.jobs',
  'insert overwrite shop.jobs select * from shop.jobs where false',
  'create table shop.x as select 1 as a',
  'create temporary view v as select 1 as a',
  'set spark.sql.ansi.enabled = false',
  'use information_schema',
  'from shop.jobs insert into shop.jobs select *',
  'with x as (select * from shop.jobs) insert into shop.jobs select * from x',
  "insert overwrite directory '/tmp/svc-x' using csv select 1",
  'cache table shop.jobs',
  'begin drop table shop.jobs; end',
  "execute immediate 'drop table shop.jobs'",
  'select 1; drop table shop.jobs',
];

/** Exposes the keys of jobs, because the statements also read them. */
const withKeys = (lens: string): string =>
  lens.replace(
    '      kind: {datatype: string, values: auto}\n',
    '      client_id: {datatype: integer}\n      site_id: {datatype: integer}\n      kind: {datatype: string, values: auto}\n',
  );
const makeConnection = () => ({
  kind: 'databricks' as const,
  host: '127.0.0.1',
  port: spark.port,
  http_path: '/sql/1.0/warehouses/test',
  catalog: 'spark_catalog',
  schema: 'shop',
  token: 'none',
});
const spark = await startSpark();
for (const sql of sparkStatements()) await spark.run(sql);
const client = await readFile(new URL('scripted-client.cjs', import.meta.url), 'utf8');
const stage = await openEngineStage(makeConnection(), 'shop.', withKeys, { '@databricks/sql': client });

planSuite(stage, {
  'the values of each group as one text, some of them only, and their number': /List the values without measures/,
  'the distinct values of each group as one text, and their number': /List the values without measures/,
});

it('allows every legitimate statement, and Spark runs it', async () => {
  expect(await findRefusedLegitimate(stage, 'databricks')).toEqual([]);
}, 300_000);

it('runs nothing but a query with the guard switched off', async () => {
  const adapter = ENGINES.find(({ kind }) => kind === 'databricks')!;
  const warehouse = await adapter.open(parseConnectionConfig('lake', makeConnection()), {
    home: '',
    projectFolder: stage.folder,
    owner: 'test',
  });
  const ran: string[] = [];
  for (const runs of WRITES) {
    const statement = { dialect: 'databricks', sql: runs, runs, parameters: [] } as unknown as GuardedSql;
    await warehouse.fetch(statement, { maxRows: 10, maxBytes: 100_000, timeoutMs: 30_000 }).then(
      () => ran.push(runs),
      () => undefined,
    );
  }
  expect(ran).toEqual([]);
  await warehouse.close();
  const { body } = await stage.svc.post('/v1/sql', { lens: 'workshop', sql: 'select count(*) as n from jobs' });
  expect(body.data).toEqual([{ n: 12 }]);
}, 120_000);
