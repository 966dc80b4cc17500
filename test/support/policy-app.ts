// svc over the probe tables on every available engine, with one lens for each engine and shape of policy.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import mysql from 'mysql2/promise';
import type pg from 'pg';
import { startTestApp, type TestApp } from './app.ts';
import { createDuckdbFile } from './duckdb-file.ts';
import { DATABASE, MARIADB_MISSING, READER, startTestMariadb, type TestMariadb } from './mariadb.ts';
import { ENGINES, type Engine, PROBE_TABLES, probeLens } from './policy-probes.ts';
import { connect, connectionTo, createDatabase } from './postgres.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { untilFileEnds } from './until-file-ends.ts';

export const lensOf = (engine: Engine, shape: string): string => `${engine}-${shape.replaceAll('_', '-')}`;
export const absent = (engine: Engine): boolean => engine === 'mysql' && MARIADB_MISSING;

export interface PolicyApp {
  svc: TestApp;
  lenses: string[];
  files: Record<string, string>;
  /** The engine's execution plan of a statement, on a separate connection. */
  explain: Record<Engine, (sql: string) => Promise<string>>;
  /** The engine's reply to a statement on the bare tables, where nothing is hidden. Null if it fails. */
  bare: Record<Engine, (sql: string) => Promise<string | null>>;
  /** Runs statements as the owner of the Postgres warehouse. */
  owner: pg.Client;
}

export async function startPolicyApp(shapes: string[]): Promise<PolicyApp> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'svc.config.yaml'), 'limits: {requests_per_minute: 1000000}\n');
  await fillDuckdb(join(folder, 'probe.duckdb'));
  await fillDuckdb(join(folder, 'beside.duckdb'));
  const instance = await DuckDBInstance.create(join(folder, 'beside.duckdb'), {
    threads: '1',
    max_temp_directory_size: '0KB',
    memory_limit: '1GB',
  });
  const beside = await instance.connect();
  untilFileEnds(() => {
    beside.disconnectSync();
    instance.closeSync();
  });
  const url = await createDatabase(...PROBE_TABLES, 'analyze');
  const owner = await connect(url);
  const mariadb = MARIADB_MISSING ? null : await startTestMariadb();
  const reader = mariadb && (await fillMariadb(mariadb));
  const config = {
    connections: {
      duckdb: { kind: 'duckdb', path: 'probe.duckdb' },
      postgres: connectionTo(url),
      ...(mariadb && {
        mysql: { kind: 'mysql', host: '127.0.0.1', port: mariadb.port, database: DATABASE, ...READER },
      }),
    },
  };
  const lensFiles = ENGINES.filter((engine) => !absent(engine)).flatMap((engine) =>
    shapes.map((shape) => ({ name: lensOf(engine, shape), text: probeLens(engine, shape) })),
  );
  const files = {
    'svc.config.yaml': JSON.stringify(config),
    ...Object.fromEntries(lensFiles.map(({ name, text }) => [`lenses/${name}/lens.yaml`, text])),
  };
  const svc = await startTestApp({ project: folder, files });
  return {
    svc,
    files,
    lenses: lensFiles.map(({ name }) => name),
    explain: {
      postgres: async (sql) => (await owner.query(`explain ${sql}`)).rows.map((row) => row['QUERY PLAN']).join('\n'),
      duckdb: async (sql) => String((await beside.runAndReadAll(`explain ${sql}`)).getRows()[0]![1]),
      mysql: async (sql) => JSON.stringify((await reader!.query(`explain ${sql}`))[0]),
    },
    bare: {
      postgres: (sql) => owner.query(sql).then(({ rows }) => JSON.stringify(rows), failed),
      duckdb: (sql) => beside.runAndReadAll(sql).then((rows) => JSON.stringify(rows.getRowsJson()), failed),
      mysql: (sql) => reader!.query(sql).then(([rows]) => JSON.stringify(rows), failed),
    },
    owner,
  };
}

const failed = (): null => null;

async function fillDuckdb(path: string): Promise<void> {
  await createDuckdbFile(path, ...PROBE_TABLES, 'checkpoint');
}

async function fillMariadb(mariadb: TestMariadb): Promise<mysql.Connection> {
  for (const statement of PROBE_TABLES)
    await mariadb.run(statement.replace(/^(create table|insert into) (\w+)/, `$1 ${DATABASE}.$2`));
  const reader = await mysql.createConnection({ host: '127.0.0.1', port: mariadb.port, database: DATABASE, ...READER });
  untilFileEnds(() => reader.end());
  return reader;
}
