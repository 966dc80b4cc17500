// The real service over lenses whose tables are in one DuckDB file.
import { join } from 'node:path';
import type { Envelope } from '../../src/contract/ask.ts';
import { startTestApp } from './app.ts';
import { createDuckdbFile } from './duckdb-file.ts';
import { lensText } from './lens-text.ts';
import { temporaryFolder } from './temporary-folder.ts';

const memberOf = (lens: string, member: string): string => new RegExp(`^${member}: (\\w+)$`, 'm').exec(lens)![1]!;

/** The lenses are texts for `lensText`. `ask` sends a question to the first lens, unless it names another. */
export async function startDuckdbLens(lenses: readonly [string, ...string[]], ...statements: string[]) {
  const project = await temporaryFolder();
  await createDuckdbFile(join(project, 'tables.duckdb'), ...statements);
  const connection = `{${memberOf(lenses[0], 'connection')}: {kind: duckdb, path: ./tables.duckdb}}`;
  const lensFiles = lenses.map((text) => [`lenses/${memberOf(text, 'name')}/lens.yaml`, lensText(text)]);
  const files = { 'svc.config.yaml': `connections: ${connection}`, ...Object.fromEntries(lensFiles) };
  const svc = await startTestApp({ project, files });
  const ask = async (q: string, lens = memberOf(lenses[0], 'name')): Promise<Envelope> =>
    (await svc.post<Envelope>(`/v1/lenses/${lens}/query`, { q })).body;
  return { svc, ask };
}
