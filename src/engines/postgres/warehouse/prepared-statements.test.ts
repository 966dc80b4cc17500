import { afterAll, describe, expect, it } from 'vitest';
import { connect, createDatabase } from '../../../../test/support/postgres.ts';
import type { GuardedSql } from '../../../guard/guarded-sql.ts';
import { createStatementName } from './prepared-statements.ts';
import { openPostgresWarehouse } from './warehouse.ts';

const FETCH_LIMITS = { maxRows: 10, maxBytes: 1_000_000, timeoutMs: 10_000 };
const PREPARED_QUERY = "select statement from pg_prepared_statements where name like 'svc%' order by 1";
const url = new URL(await createDatabase());
const owner = await connect(url.href);
await owner.query(`
    create table shelf (id int, label text); insert into shelf values (1, 'a'), (2, 'b');
    create function lose() returns int language plpgsql as $$ begin execute 'deallocate all'; return 1; end $$`);
const warehouse = await openPostgresWarehouse({
  ...{ host: url.hostname, port: Number(url.port), database: url.pathname.slice(1), ssl: false },
  ...{ user: decodeURIComponent(url.username), password: decodeURIComponent(url.password), maxConnections: 1 },
});
afterAll(() => warehouse.close());

const fetchRows = async (runs: string, value?: string) => {
  const statement = { dialect: 'postgres', runs, parameters: value === undefined ? [] : ['id'] };
  const parameters = [{ name: 'id', datatype: 'integer' as const, value: value ?? null }];
  return (await warehouse.fetch(statement as unknown as GuardedSql, { ...FETCH_LIMITS, parameters })).rows;
};
const runThrice = async (runs: string) => {
  for (let time = 0; time < 3; time++) await fetchRows(runs);
};

describe('a repeated statement', () => {
  it('stays prepared on its session, and takes the values of each ask', async () => {
    const text = 'select label from public.shelf where id = $1';
    for (const [id, label] of [
      ['1', 'a'],
      ['2', 'b'],
      ['1', 'a'],
      ['3', undefined],
    ] as const)
      expect(await fetchRows(text, id)).toEqual(label ? [[label]] : []);
    expect(await fetchRows(PREPARED_QUERY)).toContainEqual([text]);
  });

  it('returns the current rows and columns of the table', async () => {
    const text = 'select * from public.shelf where id = 1';
    await runThrice(text);
    await owner.query("update shelf set label = '7' where id = 1");
    expect(await fetchRows(text)).toEqual([['1', '7']]);
    await owner.query('alter table shelf alter label type numeric(4, 1) using ascii(label), add more text');
    for (let time = 0; time < 3; time++) expect(await fetchRows(text)).toEqual([['1', '55.0', null]]);
  });

  it('is parsed each time if its meaning depends on the day', async () => {
    const text = "select 1 where date 'TODAY' > date '2020-01-01'";
    await runThrice(text);
    expect(await fetchRows(PREPARED_QUERY)).not.toContainEqual([text]);
    for (const datedStatement of [
      "'yesterday'",
      "E'\\x74oday'",
      "U&'to!0064ay' uescape '!'",
      "'to'\n'day'",
      "'12:00 Europe/Rome'",
    ])
      expect(createStatementName(`select ${datedStatement}`), datedStatement).toBeNull();
    expect(createStatementName("select sum(a) from t where b = 'West' and c >= date '2016-01-01'")).not.toBeNull();
  });

  it('is answered on a session that lost the prepared statement', async () => {
    const text = 'select id from public.shelf order by id';
    await runThrice(text);
    await runThrice('select public.lose()');
    for (let time = 0; time < 3; time++) expect(await fetchRows(text)).toEqual([['1'], ['2']]);
  });
});
