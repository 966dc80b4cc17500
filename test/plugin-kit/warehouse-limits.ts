// Checks limits, deadlines and cancellation.
import { assertRefused, assertSame, assertTrue, assertWithin } from './check.ts';
import { ENDLESS_STATEMENT, manyRows } from './statements.ts';
import {
  type FamilyChecks,
  timeoutOf,
  type WarehouseSession,
  type WarehouseUnderTest,
} from './warehouse-under-test.ts';

async function assertStillWorks({ row }: WarehouseSession, target: WarehouseUnderTest): Promise<void> {
  assertSame(
    await assertWithin(timeoutOf(target), 'a small statement afterwards', row('1')),
    ['1'],
    'a small statement afterwards',
  );
}

export const limitChecks: Record<string, FamilyChecks> = {
  limits: {
    'returns at most maxRows rows, and reports that there are more': async ({ fetch }) => {
      const { rows, more, bytesCut } = await fetch(manyRows(5), { maxRows: 100 });
      assertSame([rows.length, more, bytesCut], [100, true, false], 'rows, more and bytesCut of 100 from 100,000');
    },
    'reports more rows only if there are more than maxRows': async ({ fetch }) => {
      const exactly = await fetch(manyRows(2), { maxRows: 100 });
      assertSame([exactly.rows.length, exactly.more], [100, false], 'rows and more of 100 rows with maxRows 100');
      const overLimit = await fetch(manyRows(2), { maxRows: 99 });
      assertSame([overLimit.rows.length, overLimit.more], [99, true], 'rows and more of 100 rows with maxRows 99');
    },
    'stops at maxBytes, returns whole rows only, and reports the cut': async ({ fetch }) => {
      const { rows, bytesCut } = await fetch(manyRows(4, `, '${'x'.repeat(1_000)}' as t`), { maxBytes: 100_000 });
      assertSame(bytesCut, true, 'bytesCut of 10 MB with maxBytes 100,000');
      assertTrue(rows.length <= 100, `${rows.length} rows of 1,000 bytes are more than 100,000 bytes`);
      assertTrue(
        rows.every((cells) => cells[1] === 'x'.repeat(1_000)),
        'a row was cut off',
      );
    },
    'returns an empty result without an error': async ({ fetch }) => {
      const { columns, rows, more } = await fetch('select 1 as n from (select 1 as m) t where m = 2');
      assertSame([columns.length, rows, more], [1, [], false], 'columns, rows and more of an empty result');
    },
  },
  deadline: {
    'ends a statement at timeoutMs with code "timeout", and still works afterwards': async (session, target) => {
      const lateRefusal = assertRefused(session.fetch(ENDLESS_STATEMENT, { timeoutMs: 500 }), 'An endless statement');
      assertSame(
        (await assertWithin(500 + timeoutOf(target), 'an endless statement with timeoutMs 500', lateRefusal)).code,
        'timeout',
        'code',
      );
      await assertStillWorks(session, target);
    },
  },
  canceling: {
    'ends a statement whose signal aborts, and still works afterwards': async (session, target) => {
      const cancellation = new AbortController();
      const endedRefusal = assertRefused(
        session.fetch(ENDLESS_STATEMENT, { signal: cancellation.signal }),
        'A cancelled statement',
      );
      setTimeout(() => cancellation.abort(), 300);
      await assertWithin(300 + timeoutOf(target), 'a statement canceled after 300 ms', endedRefusal);
      await assertStillWorks(session, target);
    },
    'does not start a statement whose signal was aborted before': async (session, target) => {
      const neverRefusal = assertRefused(
        session.fetch(ENDLESS_STATEMENT, { signal: AbortSignal.abort() }),
        'A statement canceled before it started',
      );
      await assertWithin(timeoutOf(target), 'a statement canceled before it started', neverRefusal);
    },
  },
  concurrency: {
    'runs four statements concurrently, each with its own rows': async ({ fetch }) => {
      const answers = await Promise.all([1, 2, 3, 4].map((n) => fetch(`select ${n} as n from (${manyRows(3)}) t`)));
      assertSame(
        answers.map(({ rows }) => [rows.length, ...new Set(rows.flat())]),
        [1, 2, 3, 4].map((n) => [1_000, String(n)]),
        'rows of four statements',
      );
    },
    'ends one statement without ending another': async ({ fetch, row }) => {
      const [fetchResult] = await Promise.all([
        row(`count(*) from (${manyRows(5)}) t`),
        assertRefused(fetch(ENDLESS_STATEMENT, { timeoutMs: 500 }), 'An endless statement'),
      ]);
      assertSame(fetchResult, ['100000'], 'the neighbour');
    },
  },
};
