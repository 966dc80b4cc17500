// What is said of each engine that the guard reads by its grammar: its statements are the rows of statements.tsv.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { caseRows } from '../../support/case-rows.ts';

export interface EngineCorpus {
  dialect: string;
  /** A masked whole number and a filter with a backslash, in a dataset's body. */
  noInteger: string;
  west: string;
  /** A statement over the governed table, and what runs. */
  governed: { asked: string; runs: string };
  /** Never asked of the engine, whatever the login may. */
  attacks: readonly string[];
  /** Never refused. */
  legitimate: readonly string[];
  /** With the code of the reason. */
  refused: readonly (readonly [sql: string, code: string])[];
}

const ROWS = readFileSync(join(import.meta.dirname, 'statements.tsv'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t') as [expected: string, engines: string, form: string, parts: string])
  .flatMap(([expected, engines, form, parts]) =>
    parts.split(' ¦ ').map((part) => ({
      expected,
      engines: engines.split(' '),
      sql: form
        .replace('{}', () => part)
        .replaceAll('␤', '\n')
        .replaceAll('␍', '\r'),
    })),
  );

const ENGINES: readonly Pick<EngineCorpus, 'dialect' | 'noInteger' | 'west' | 'governed'>[] = caseRows(
  import.meta.dirname,
  'corpus.jsonl',
);

export const CORPORA: readonly EngineCorpus[] = ENGINES.map((engine) => {
  const rows = ROWS.filter(({ engines }) => engines.includes(engine.dialect));
  const expecting = (what: string) => rows.filter(({ expected }) => expected === what).map(({ sql }) => sql);
  return {
    ...engine,
    attacks: expecting('refused'),
    legitimate: expecting('allowed'),
    refused: rows
      .filter(({ expected }) => expected !== 'refused' && expected !== 'allowed')
      .map(({ sql, expected }) => [sql, expected] as const),
  };
});

export const corpusOf = (dialect: string): EngineCorpus => CORPORA.find((item) => item.dialect === dialect)!;
