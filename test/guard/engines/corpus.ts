// Test data for each engine whose SQL the guard parses with its own grammar. The statements are in statements.tsv.
import { caseRows, statementRows } from '../../support/case-rows.ts';

export interface EngineCorpus {
  dialect: string;
  /** A mask for an integer, and a filter that contains a backslash, as SQL in the body of a dataset. */
  noInteger: string;
  west: string;
  /** A statement over the governed table, and the SQL that runs. */
  governed: { asked: string; runs: string };
  /** The engine never gets these, whatever rights the login has. */
  attacks: readonly string[];
  /** The guard never refuses these. */
  legitimate: readonly string[];
  /** The guard refuses these with the given code. */
  refused: readonly (readonly [sql: string, code: string])[];
}

const ROWS = statementRows(import.meta.dirname, 'statements.tsv');
const ENGINES: readonly Pick<EngineCorpus, 'dialect' | 'noInteger' | 'west' | 'governed'>[] = caseRows(
  import.meta.dirname,
  'corpus.jsonl',
);

export const CORPORA: readonly EngineCorpus[] = ENGINES.map((engine) => {
  const rows = ROWS.filter(({ engines }) => engines.includes(engine.dialect));
  const expecting = (expectation: string) =>
    rows.filter(({ expected }) => expected === expectation).map(({ sql }) => sql);
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
