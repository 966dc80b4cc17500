// Drafts of four schemas with different naming conventions. The expected content of each draft is in
// test/introspect/schemas.
import { beforeAll, describe, expect, test } from 'vitest';
import { MARIADB_MISSING, NEEDS_MARIADB } from '../support/mariadb.ts';
import { compare, type Drafting, startDrafting } from './schemas/drafting.ts';
import { FREIGHT } from './schemas/freight.ts';
import { SCHOOL } from './schemas/school.ts';
import { UTILITY } from './schemas/utility.ts';
import { VETERINARY } from './schemas/veterinary.ts';

const SCHEMAS = [VETERINARY, FREIGHT, UTILITY, SCHOOL];
const AS_EXPECTED = {
  ...{ joinsMissing: [], joinsExtra: [], undecided: [], keys: [], dates: [], adds: [], persons: [], codes: [] },
  words: [],
};

describe.each(['duckdb', 'postgres', 'mysql'] as const)('drafts from %s', (dialect) => {
  const skipped = dialect === 'mysql' && MARIADB_MISSING;
  let drafting: Drafting;
  beforeAll(async () => {
    if (!skipped) drafting = await startDrafting(SCHEMAS, dialect);
  }, 240_000);

  test.skipIf(skipped).each(SCHEMAS)(
    `drafts exactly the expected joins, keys, dates, sums and words of $name${dialect === 'mysql' ? NEEDS_MARIADB : ''}`,
    async (schema) => {
      const found = compare(schema, await drafting.draft(schema));
      expect(found).toEqual(AS_EXPECTED);
    },
    120_000,
  );

  test.skipIf(skipped)(
    'are published unchanged, answer questions over joins, and don’t confuse hires in a year with staff in a year',
    async () => {
      const { app } = drafting;
      const { text } = await drafting.draft(UTILITY);
      const publish = async (name: string, yaml: string) => {
        const publishReply = await app.publishLens(name, yaml.replace(/^name: .*$/m, `name: ${name}`));
        expect(publishReply.body).toMatchObject({ version: 1, warnings: [] });
      };
      await publish('untouched', text);
      await publish('utility', text.replaceAll('origin: inferred', 'origin: confirmed'));
      const ask = async (q: string, lens = 'utility') =>
        (await app.post(`/v1/lenses/${lens}/query`, { q }, app.adminToken)).body;
      const joinQuestion = 'How many employees are there by department name?';
      expect(await ask(joinQuestion, 'untouched')).toMatchObject({ status: 'answered', confidence: 'partial' });
      expect(await ask(joinQuestion)).toMatchObject({ confidence: 'verified' });
      expect(await ask('How many employees were there in 2023?')).not.toMatchObject({ confidence: 'verified' });
      // The date when a customer record or a meter was created doesn't say whether it existed in a given year.
      for (const q of ['How many customers in 2024?', 'number of meters in 2024', 'customers by month in 2024'])
        expect([q, (await ask(q)).confidence]).not.toEqual([q, 'verified']);
      expect(await ask('How many customers were created in 2024?')).toMatchObject({ confidence: 'verified' });
      expect(await ask('How many employees were hired in 2023?')).toMatchObject({ confidence: 'verified' });
      expect(text).toMatch(/kind: time_field, of: emp, says: HIRE_DT, .*evidence: "when it begins; .*not TERM_DT/);
      expect(text).toMatch(
        /says: emp\.EMP_NO, .*evidence: "all 4 values are in \w+\.EMP_NO, which is unique in 20 rows/i,
      );
    },
  );
});
