// Four schemas of four trades and four ways of naming, drafted as they stand: what a draft must say of them was written
// before it was made (test/introspect/schemas).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

describe.each(['duckdb', 'postgres', 'mysql'] as const)('11.5: over %s', (dialect) => {
  const skipped = dialect === 'mysql' && MARIADB_MISSING;
  let drafting: Drafting;
  beforeAll(async () => {
    if (!skipped) drafting = await startDrafting(SCHEMAS, dialect);
  }, 240_000);
  afterAll(() => drafting?.close());

  test.skipIf(skipped).each(SCHEMAS)(
    `the draft of $name has the joins, keys, dates, sums and words that its tables speak for, and no others${dialect === 'mysql' ? NEEDS_MARIADB : ''}`,
    async (schema) => {
      const found = compare(schema, await drafting.draft(schema));
      if (process.env.FIGURES) console.log(dialect, schema.name, JSON.stringify(found, null, 1));
      expect(found).toEqual(AS_EXPECTED);
    },
    120_000,
  );
});
