// Reading and writing SQL loses nothing: a text that is read, written and read again has the same tree, and so does any
// generated tree.
import { describe, expect, it } from 'vitest';
import { mysqlTestStatements } from '../../src/engines/mysql/dialect/cases.ts';
import { mysqlDialect } from '../../src/engines/mysql/dialect/dialect.ts';
import { postgresTestStatements } from '../../src/engines/postgres/dialect/cases.ts';
import { postgresDialect } from '../../src/engines/postgres/dialect/dialect.ts';
import { meaningOf, treeOf } from '../support/round-trip.ts';
import { TreeGenerator } from '../support/tree-generator.ts';
import { mysqlProfile, postgresProfile } from '../support/tree-profiles.ts';

const TREES = 500;

describe.each([
  { dialect: postgresDialect, cases: postgresTestStatements, profile: postgresProfile },
  { dialect: mysqlDialect, cases: mysqlTestStatements, profile: mysqlProfile },
])('$dialect.name', ({ dialect, cases, profile }) => {
  it.each(cases)('writes SQL that reads as the same tree: %s', async (sql) => {
    const tree = await treeOf(dialect, sql);
    expect(meaningOf(await treeOf(dialect, dialect.write(tree)))).toEqual(meaningOf(tree));
  });

  it(`writes ${TREES} random trees as SQL that reads as the same trees`, { timeout: 120_000 }, async () => {
    for (let seed = 1; seed <= TREES; seed++) {
      const tree = new TreeGenerator(profile, seed).query(1 + (seed % 5));
      const text = dialect.write(tree);
      expect(meaningOf(await treeOf(dialect, text)), `seed ${seed}: ${text}`).toEqual(meaningOf(tree));
    }
  });
});
