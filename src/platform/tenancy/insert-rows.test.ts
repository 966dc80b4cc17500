import { expect, it } from 'vitest';
import { insertRows, upsertRows } from './insert-rows.ts';
import type { TenantClient } from './tenant.ts';

function createRecorder() {
  const statements: { sql: string; rows: unknown[] }[] = [];
  const db = {
    orgId: 'o',
    async run(sql: string, [rows]: [string]) {
      statements.push({ sql, rows: JSON.parse(rows) as unknown[] });
      return statements.at(-1)!.rows.length;
    },
  } as unknown as TenantClient;
  return { db, statements };
}

it('writes no statement without rows', async () => {
  const { db, statements } = createRecorder();
  expect(await insertRows(db, 'evals', [])).toBe(0);
  expect(statements).toEqual([]);
});

it('splits large rows into several statements, each with the organization', async () => {
  const { db, statements } = createRecorder();
  const rows = Array.from({ length: 5 }, (_, index) => ({ id: index, text: 'x'.repeat(1_500_000) }));
  expect(await insertRows(db, 'evals', rows)).toBe(5);
  expect(statements.map((statement) => statement.rows.length)).toEqual([3, 2]);
  expect(statements[1]!.rows[0]).toMatchObject({ id: 3, org_id: 'o' });
});

it('keeps the id and the key of an existing row, and ignores an organization in a row', async () => {
  const { db, statements } = createRecorder();
  await upsertRows(db, 'evals', ['lens_id'], [{ id: 'i', lens_id: 'l', question: 'q' }], ', updated_at = now()');
  expect(statements[0]!.sql).toContain(
    'on conflict ("org_id", "lens_id") do update set "question" = excluded."question", updated_at = now()',
  );
  const { db: other, statements: otherStatements } = createRecorder();
  await insertRows(other, 'evals', [{ org_id: 'another', id: 'i' }]);
  expect(otherStatements[0]!.rows).toEqual([{ org_id: 'o', id: 'i' }]);
});
