// The real service over the workshop on three engines, and reference statements on the same data.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { PLAN_EXAMPLES } from '../../src/contract/plan.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { DATABASE, MARIADB_MISSING, READER, startTestMariadb } from '../support/mariadb.ts';
import { connect, connectionTo, createDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { untilFileEnds } from '../support/until-file-ends.ts';
import { workshopLens, workshopStatements } from './workshop.ts';

export type PlanInput = object;
export type Plan = (typeof PLAN_EXAMPLES)[number];
export const ENGINES = ['postgres', 'duckdb', ...(MARIADB_MISSING ? [] : ['mysql'])] as const;
export type Engine = (typeof ENGINES)[number];

export interface PlanStage {
  svc: TestApp;
  /** Runs a reference statement directly on the engine. */
  byHand(engine: Engine, sql: string): Promise<string[][]>;
}

export async function openPlanStage(
  engines: readonly Engine[] = ENGINES,
  change: (lens: string) => string = (lens) => lens,
): Promise<PlanStage> {
  const folder = await temporaryFolder();
  const url = await createDatabase(...workshopStatements('postgres'));
  const client = await connect(url, { types: { getTypeParser: () => (value: string) => value } });
  const path = join(folder, 'workshop.duckdb');
  await createDuckdbFile(path, ...workshopStatements('duckdb'));
  const own = await DuckDBInstance.create(':memory:');
  const duck = await own.connect();
  untilFileEnds(() => duck.closeSync());
  for (const sql of workshopStatements('duckdb')) await duck.run(sql);
  const mariadb = engines.includes('mysql') ? await startTestMariadb() : null;
  await mariadb?.run(...inDatabase(workshopStatements('mysql')));
  const connections = {
    postgres: connectionTo(url),
    duckdb: { kind: 'duckdb', path: './workshop.duckdb' },
    mysql: { kind: 'mysql', host: '127.0.0.1', port: mariadb?.port, database: DATABASE, ...READER },
  };
  const schema = { postgres: 'public.', duckdb: 'main.', mysql: '' };
  await writeFile(join(folder, 'svc.config.yaml'), 'limits: {requests_per_minute: 1000000}\n');
  const svc = await startTestApp({
    project: folder,
    files: {
      'svc.config.yaml': JSON.stringify({
        connections: Object.fromEntries(engines.map((engine) => [engine, connections[engine as keyof typeof schema]])),
        groups: { cards: {} },
      }),
      ...Object.fromEntries(
        engines.map((engine) => [
          `lenses/${engine}/lens.yaml`,
          change(workshopLens(engine, schema[engine as keyof typeof schema])),
        ]),
      ),
    },
  });
  return {
    svc,
    async byHand(engine, sql) {
      const rows =
        engine === 'postgres'
          ? ((await client.query({ text: sql, rowMode: 'array' })).rows as unknown[][])
          : engine === 'duckdb'
            ? (await duck.runAndReadAll(sql)).getRowsJson()
            : await runInShop(mariadb!, sql);
      return rows.map((row) => row.map(cell));
    },
  };
}

const inDatabase = (statements: string[]): string[] => [
  `create database if not exists ${DATABASE}`,
  ...statements.map((sql) => sql.replace(/^(create table|insert into) /, `$1 ${DATABASE}.`)),
];
/** The owner's connection has no default database, so tables need a schema. */
const TABLES = /\b(from|join) (sites|clients|jobs|parts|job_parts|mechanics|skills|mechanic_skills|visits|payments)\b/g;
const runInShop = async (mariadb: { run(sql: string): Promise<unknown[][]> }, sql: string): Promise<unknown[][]> =>
  mariadb.run(sql.replace(TABLES, `$1 ${DATABASE}.$2`));

/** Writes equal values of the three engines and of JSON as the same text. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  if (typeof value === 'boolean') return String(value);
  const text = String(value);
  if (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return String(Number(Number(text).toFixed(4)));
  return text.replace(/^(\d{4}-\d{2}-\d{2})[T ]00:00:00(\.0+)?(Z|\+00)?$/, '$1');
}
export const sortRows = (rows: string[][]): string[] => rows.map((row) => row.join(' | ')).sort();
