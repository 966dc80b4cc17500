import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDuckdbFile } from '../../../test/support/duckdb-file.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { openDuckDbWarehouse } from '../../engines/duckdb/warehouse/warehouse.ts';
import { readProject } from '../files/read-project.ts';
import { checkAgainstWarehouse } from './check-against-warehouse.ts';
import { compileLens } from './compile-lens.ts';

const LENS = `name: shop
connection: c
datasets:
  orders:
    source: main.orders
    fields:
      id: {datatype: integer}
      day: {datatype: integer}
      half: {expression: "amount / 2", datatype: float}
  people:
    source: main.people
    fields:
      code: {datatype: string}
relationships:
  - {from: orders.code, to: people.code}
metrics:
  n: {expression: sum(orders.id)}
`;

test('checks columns, types and the uniqueness of joined keys in the warehouse, with line numbers', async () => {
  const dir = await temporaryFolder();
  const path = join(dir, 'shop.duckdb');
  await createDuckdbFile(
    path,
    "create table orders as select 1 as id, date '2016-01-01' as day, 2.0 as amount, 'a' as code",
    "create table people as select 'a' as code union all select 'a'",
  );
  const warehouse = await openDuckDbWarehouse({ path, label: 'shop.duckdb' });
  const check = async (text: string) => {
    const { project } = readProject({
      'svc.config.yaml': 'connections: {c: {kind: duckdb, path: shop.duckdb}}',
      'lenses/shop/lens.yaml': text,
    });
    const source = project.lenses[0]!;
    const { lens } = await compileLens(source, { ...project, dialect: 'duckdb' });
    return (await checkAgainstWarehouse(lens!, warehouse, source.problemAt)).map(({ line, code }) => `${line} ${code}`);
  };
  try {
    expect(await check(LENS.replace('main.orders', 'main.ordrs'))).toEqual(['5 unknown_name']);
    expect(await check(LENS.replace('      id:', '      idd:').replace('orders.id', 'orders.idd'))).toEqual([
      '7 unknown_name',
    ]);
    expect(await check(LENS)).toEqual(['8 datatype']);
    expect(await check(LENS.replace('day: {datatype: integer}', 'day: {datatype: date}'))).toEqual(['15 fan_out']);
    expect(await check(LENS.replace('amount / 2', 'amount / day'))).toContain('9 expression');
  } finally {
    await warehouse.close();
  }
});
