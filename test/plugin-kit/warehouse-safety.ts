// Checks safety without the guard: a statement can't write anything, and errors reveal nothing.
import { randomUUID } from 'node:crypto';
import type { ConnectionConfig } from '../../src/contract/files/connection-settings.ts';
import type { Datatype } from '../../src/contract/warehouse.ts';
import { assertRefused, assertSame, assertTrue, assertWithin } from './check.ts';
import { castTo, tableName, unguardedSql } from './statements.ts';
import {
  type FamilyChecks,
  FETCH_LIMITS,
  pickTable,
  type WarehouseSession,
  type WarehouseUnderTest,
} from './warehouse-under-test.ts';

const CANARY = 'svccanary';

async function assertRefusesWrite(session: WarehouseSession, sql: string): Promise<void> {
  const { code } = await assertWithin(20_000, sql, assertRefused(session.fetch(sql), sql));
  assertSame(code, 'upstream', `code of the refusal of ${sql}`);
}

const READ_ONLY_CHECKS: FamilyChecks = {
  'refuses to create a table, even with the guard switched off': async (session) => {
    const table = `svc_conformance_${randomUUID().slice(0, 8)}`;
    await assertRefusesWrite(session, `create table ${table} as select 1 as n`);
    const exists = (await session.warehouse.catalog()).some((item) => item.table === table);
    assertTrue(!exists, `the table ${table} was created: drop it`);
  },
  'refuses to change rows, even if no row would change': async (session, { table }) => {
    const name = tableName(session.warehouse.dialect, pickTable(await session.warehouse.catalog(), table));
    await assertRefusesWrite(session, `delete from ${name} where 1 = 0`);
    await assertRefusesWrite(session, `insert into ${name} select * from ${name} where 1 = 0`);
  },
  'refuses a second statement, and a statement that ends the transaction': async (session) => {
    await assertRefusesWrite(session, 'select 1; select 2');
    await assertRefusesWrite(session, 'commit');
    await assertRefusesWrite(session, 'rollback');
  },
};

const ERROR_CHECKS: FamilyChecks = {
  'reports a name that does not exist with code "upstream" and the engine’s reason in `detail`': async ({ fetch }) => {
    const { code, errorText: message } = await assertRefused(
      fetch('select svc_no_such_column from (select 1 as n) t'),
      'An unknown column',
    );
    assertSame(code, 'upstream', 'code');
    assertTrue(message.includes('svc_no_such_column'), `the error does not say which name was wrong: ${message}`);
  },
  'keeps values out of its messages': async ({ warehouse: { dialect }, fetch }) => {
    const pendingFetch = fetch(`select ${castTo(dialect, 'integer' satisfies Datatype, `'${CANARY}'`)} as n`);
    // In MySQL, this cast doesn't fail, because MySQL converts any string to a number.
    if (dialect === 'mysql') return void (await pendingFetch);
    const { code, errorText: message } = await assertRefused(pendingFetch, 'A cast of a text to a number');
    assertSame(code, 'upstream', 'code');
    assertTrue(!message.includes(CANARY), `the error contains a value: ${message}`);
  },
};

/** Checks for connections with a host, because only a host can be unreachable. */
const reachabilityChecks = (connection: ConnectionConfig): FamilyChecks =>
  !('host' in connection)
    ? {}
    : {
        'reports "unreachable" for a closed port, without the host, the user or the password': async (
          _session,
          { adapter, context },
        ) => {
          const attemptOpen = async () => {
            const unreachable = await adapter.open({ ...connection, port: 1 } as ConnectionConfig, context);
            try {
              await unreachable.fetch(unguardedSql(adapter.dialect, 'select 1'), {
                ...FETCH_LIMITS,
                timeoutMs: 20_000,
              });
            } finally {
              await unreachable.close();
            }
          };
          const { code, errorText: message } = await assertWithin(
            30_000,
            'a closed port',
            assertRefused(attemptOpen(), 'A closed port'),
          );
          assertSame(code, 'unreachable', 'code');
          for (const key of ['host', 'user', 'password']) {
            const secret = (connection as Record<string, unknown>)[key];
            if (typeof secret === 'string' && secret.length > 3)
              assertTrue(!message.split(' ').includes(secret), `the error contains the ${key}`);
          }
        },
      };

const CLOSING_CHECKS: FamilyChecks = {
  'refuses statements after close(), and accepts a second close()': async ({ warehouse, fetch }) => {
    await warehouse.close();
    await assertWithin(
      10_000,
      'a statement after close()',
      assertRefused(fetch('select 1'), 'A statement after close()'),
    );
    await assertWithin(10_000, 'closing twice', warehouse.close());
  },
};

export const safetyChecks = ({ connection }: WarehouseUnderTest): Record<string, FamilyChecks> => ({
  'read-only': READ_ONLY_CHECKS,
  errors: { ...ERROR_CHECKS, ...reachabilityChecks(connection) },
  closing: CLOSING_CHECKS,
});
