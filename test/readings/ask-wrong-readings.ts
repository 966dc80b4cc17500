// Sends questions that invite misinterpretation to the real service, and compares the answers with reference SQL.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Envelope } from '../../src/contract/ask.ts';
import { compareResults, type ResultRow } from '../../src/domain/evals/compare-results.ts';
import { toResultRows } from '../../src/domain/evals/judge-case.ts';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { connect, connectionTo, createDatabase } from '../support/postgres.ts';
import type { WrongReading } from './wrong-readings.ts';

export interface ReadingsBench {
  svc: TestApp;
  ask(one: Pick<WrongReading, 'lens' | 'q' | 'region'>, choices?: Record<string, string>): Promise<Envelope>;
  rows(sql: string): Promise<ResultRow[]>;
  /** True if the rows equal those of one of the statements. */
  agrees(envelope: Envelope, gold: string[]): Promise<boolean>;
}

export async function startReadingsBench(): Promise<ReadingsBench> {
  const url = await createDatabase();
  const owner = await connect(url, { types: { getTypeParser: () => (text: string) => text } });
  await owner.query("set timezone = 'UTC'");
  await owner.query(await readFile(join(import.meta.dirname, 'load.sql'), 'utf8'));
  const files = await loadProjectFolder(import.meta.dirname);
  const connections = { warehouse: connectionTo(url) };
  const config = JSON.stringify({ connections, groups: { rep: {} } });
  const svc = await startTestApp({ files: { ...files, 'svc.config.yaml': config } });
  const keys = new Map<string, string>();
  for (const region of ['North', 'West']) {
    const lenses = ['trade'];
    const mintedCaller = await svc.mintCaller({
      name: `rep-${region}`,
      lenses,
      groups: ['rep'],
      attributes: { region },
    });
    keys.set(region, mintedCaller.key);
  }
  const rows = async (sql: string): Promise<ResultRow[]> => (await owner.query({ text: sql, rowMode: 'array' })).rows;
  return {
    svc,
    rows,
    async ask({ lens, q, region }, choices) {
      const body = { q, ...(choices && { choices }) };
      return (await svc.post<Envelope>(`/v1/lenses/${lens}/query`, body, region && keys.get(region))).body;
    },
    async agrees(envelope, gold) {
      for (const sql of gold)
        if (compareResults({ rows: await rows(sql), ordered: false }, { rows: toResultRows(envelope) }).equal)
          return true;
      return false;
    },
  };
}
