// Sends the questions to the real service over three lenses, and compares verified answers with SQL by hand.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type pg from 'pg';
import { readSuiteLoadStatements } from '../../src/cli/suite-load.ts';
import type { Envelope } from '../../src/contract/ask.ts';
import { compareResults, containsResult, type ResultRow } from '../../src/domain/evals/compare-results.ts';
import { toResultRows } from '../../src/domain/evals/judge-case.ts';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { connect, connectionTo, createDatabase } from '../support/postgres.ts';
import { untilFileEnds } from '../support/until-file-ends.ts';
import type { WordQuestion } from './word-questions.ts';

const SUITES = join(import.meta.dirname, '../suites');

export interface Asked {
  one: WordQuestion;
  envelope: Envelope;
  /** Verified, but none of the right answers. */
  wrong: boolean;
}
export interface WordsBench {
  svc: TestApp;
  ask(lens: string, q: string, choices?: Record<string, string>): Promise<Envelope>;
  /** True if the rows equal those of one of the statements. */
  isTrue(one: WordQuestion, envelope: Envelope): Promise<boolean>;
  run(all: readonly WordQuestion[]): Promise<Asked[]>;
}

export async function startWordsBench(): Promise<WordsBench> {
  const load = async (suite: string): Promise<pg.Client & { url: string }> => {
    const url = await createDatabase();
    const client = await connect(url, { types: { getTypeParser: () => (text: string) => text } });
    for (const { sql } of await readSuiteLoadStatements(join(SUITES, suite))) await client.query(sql);
    return Object.assign(client, { url });
  };
  const [saas, bikes] = [await load('saas'), await load('bikes')];
  const lens = 'lenses/saas/lens.yaml';
  const sample = await loadProjectFolder('.');
  const connections = `connections:\n  suite: ${JSON.stringify(connectionTo(saas.url))}\n  drafted: ${JSON.stringify(connectionTo(bikes.url))}`;
  const svc = await startTestApp({
    project: '.',
    files: {
      ...sample,
      'svc.config.yaml': sample['svc.config.yaml']!.replace('connections:', connections),
      [lens]: await readFile(join(SUITES, 'saas', lens), 'utf8'),
    },
  });
  await svc.publishLens('drafted', (await svc.draftLens('drafted')).text);
  const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
  untilFileEnds(() => duckdb.closeSync());
  const rowsBySql = new Map<string, ResultRow[]>();
  const fetchRowsByHand = async ({ world }: WordQuestion, sql: string): Promise<ResultRow[]> => {
    const cachedRows = rowsBySql.get(`${world.lens} ${sql}`);
    if (cachedRows) return cachedRows;
    const rows =
      world.engine === 'duckdb'
        ? ((await duckdb.runAndReadAll(sql)).getRowsJson() as ResultRow[])
        : (await (world.lens === 'saas' ? saas : bikes).query({ text: sql, rowMode: 'array' })).rows;
    rowsBySql.set(`${world.lens} ${sql}`, rows);
    return rows;
  };
  const isTrue: WordsBench['isTrue'] = async (one, envelope) => {
    const actual = toResultRows(envelope);
    for (const sql of one.truths) {
      const expected = await fetchRowsByHand(one, sql);
      if (compareResults({ rows: expected, ordered: false }, { rows: actual }).equal) return true;
      if (containsResult(expected, actual)) return true;
    }
    return false;
  };
  const ask: WordsBench['ask'] = async (lens, q, choices) =>
    (await svc.post<Envelope>(`/v1/lenses/${lens}/query`, { q, ...(choices && { choices }) }, svc.adminToken)).body;
  return {
    svc,
    ask,
    isTrue,
    async run(all) {
      const asked: Asked[] = [];
      for (const item of all) {
        const envelope = await ask(item.world.lens, item.q);
        const verified = envelope.status === 'answered' && envelope.confidence === 'verified';
        asked.push({ one: item, envelope, wrong: verified && !(await isTrue(item, envelope)) });
      }
      return asked;
    },
  };
}
