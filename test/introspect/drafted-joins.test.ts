// Drafts find undeclared joins, and almost no wrong ones. Uses some of the schemas of npm run drafts:measure.
import { expect, test } from 'vitest';
import { declaredSchemas } from './declared-schema.ts';
import { type Measured, measureJoins, totals } from './measured-joins.ts';

const SOME = ['campus', 'chinook', 'freight', 'insurance', 'oracle_hr', 'stackoverflow', 'star', 'tpch', 'wordpress'];

test.each(['declared', 'stripped'] as const)(
  'drafts at least 85 % of undeclared joins, at least 98 % of them right, with keys %s',
  async (keys) => {
    const all: Measured[] = [];
    for (const schema of declaredSchemas(SOME)) all.push(await measureJoins(schema, keys));
    const { recall, precision } = totals(all);
    expect({ recall, missed: all.flatMap(({ missed }) => missed) }).toMatchObject({
      recall: expect.toSatisfy((share: number) => share >= 0.85),
    });
    expect({ precision, wrong: all.flatMap(({ wrong }) => wrong) }).toMatchObject({
      precision: expect.toSatisfy((share: number) => share >= 0.98),
    });
  },
  120_000,
);

test('drafts no wrong join from quantities, ratings or sort orders', async () => {
  const [campus] = declaredSchemas(['campus']);
  const { wrong } = await measureJoins(campus!, 'declared');
  expect(wrong).toEqual([]);
}, 60_000);
