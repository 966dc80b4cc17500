import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import type { ConnectionConfig } from '../../contract/files/connection-settings.ts';
import type { Warehouse } from '../../domain/ports.ts';
import type { GuardedSql } from '../../guard/guarded-sql.ts';
import { WarehouseRegistry, type WarehouseRegistryOptions } from './warehouse-registry.ts';

let projectFolder: string;
let createdWarehouses: WarehouseRegistry[];
beforeEach(async () => {
  projectFolder = await temporaryFolder();
  await mkdir(join(projectFolder, 'project'));
  await writeFile(join(projectFolder, 'project/a.csv'), 'n\n1\n');
  createdWarehouses = [];
});
afterEach(async () => {
  await Promise.all(createdWarehouses.map((warehouses) => warehouses.close()));
  await rm(projectFolder, { recursive: true });
});

function createWarehouses(options: Partial<WarehouseRegistryOptions> = {}): WarehouseRegistry {
  const warehouses = new WarehouseRegistry({
    projectFolder: join(projectFolder, 'project'),
    home: join(projectFolder, 'home'),
    expand: ({ config }) => config,
    allowedAddresses: [],
    controlDatabase: controlServer,
    ...options,
  });
  createdWarehouses.push(warehouses);
  return warehouses;
}
const filesConnection: ConnectionConfig = { kind: 'duckdb', files: { a: { path: 'a.csv' } }, optional: false };
const controlServer = { host: '127.0.0.1', port: 5432, database: 'svc' };
const serverConnection: ConnectionConfig = { kind: 'postgres', ...controlServer, user: 'reader' };
const open = (warehouses: WarehouseRegistry, config: ConnectionConfig, orgId = 'one', fromOperator = true) =>
  warehouses.open({ orgId, name: 'shop', config, fromOperator });
const fetchValues = async (warehouse: Warehouse, runs = 'select n from a order by n') => {
  const statement = { dialect: 'duckdb', sql: runs, runs, parameters: [] } as unknown as GuardedSql;
  return (await warehouse.fetch(statement, { maxRows: 10, maxBytes: 10_000, timeoutMs: 5_000 })).rows.flat();
};

it('opens a connection once per organization', async () => {
  const warehouses = createWarehouses();
  const [firstWarehouse, repeated, otherWarehouse] = await Promise.all([
    open(warehouses, filesConnection),
    open(warehouses, filesConnection),
    open(warehouses, filesConnection, 'two'),
  ]);
  expect(await open(warehouses, filesConnection)).toBe(firstWarehouse);
  expect(otherWarehouse).not.toBe(firstWarehouse);
  expect(await fetchValues(repeated)).toEqual(['1']);
  expect(await fetchValues(otherWarehouse)).toEqual(['1']);
});

it('opens one connection, regardless of the order of members in its configuration', async () => {
  await writeFile(join(projectFolder, 'project/b.csv'), 'n\n2\n');
  const [a, b] = [{ path: 'a.csv' }, { path: 'b.csv' }];
  const warehouses = createWarehouses();
  const first = await open(warehouses, { kind: 'duckdb', files: { a, b }, optional: false });
  expect(await open(warehouses, { files: { b, a }, optional: false, kind: 'duckdb' })).toBe(first);
});

it('opens a connection again when one of its files changes', async () => {
  const warehouses = createWarehouses();
  expect(await fetchValues(await open(warehouses, filesConnection))).toEqual(['1']);
  await writeFile(join(projectFolder, 'project/a.csv'), 'n\n1\n2\n');
  await sleep(2_100);
  expect(await fetchValues(await open(warehouses, filesConnection))).toEqual(['1', '2']);
});

it('runs statements again after the connection was idle', async () => {
  const warehouse = await open(createWarehouses({ idleMs: 50 }), filesConnection);
  expect(await fetchValues(warehouse)).toEqual(['1']);
  await sleep(150);
  expect(await fetchValues(warehouse)).toEqual(['1']);
});

it('returns not_found for a connection with a missing file', async () => {
  const absent: ConnectionConfig = { kind: 'duckdb', files: { a: { path: 'none.csv' } }, optional: true };
  await expect(open(createWarehouses(), absent)).rejects.toMatchObject({ code: 'not_found' });
});

it('refuses the control database, and private addresses in connections from HTTP', async () => {
  const other = { ...serverConnection, database: 'core' };
  for (const [config, fromOperator, message] of [
    [serverConnection, true, 'control database'],
    [other, false, 'private'],
  ] as const)
    await expect(open(createWarehouses(), config, 'one', fromOperator)).rejects.toMatchObject({
      ...{ code: 'invalid', message: expect.stringContaining(message) },
    });
  await expect(open(createWarehouses(), other)).resolves.toMatchObject({ dialect: 'postgres' });
});

it('names every fault of a connection', async () => {
  const faulty = { kind: 'postgres', host: '/var/run/postgresql', port: 'none' };
  await expect(open(createWarehouses(), faulty)).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringMatching(
      /^(?=.*port: must be )(?=.*host: must be )(?=.*database: Required)(?=.*user: Required)/,
    ),
  });
});

it('lets a busy connection use only its own slots', async () => {
  let release = () => {};
  const hold = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = {
    kind: 'plugin:slow',
    dialect: 'duckdb' as const,
    open: async () => ({ dialect: 'duckdb', fetch: () => hold, close: async () => undefined }) as unknown as Warehouse,
  };
  const warehouses = createWarehouses({ pluginEngines: [slow], concurrency: 3, processes: 2, waitMs: 50 });
  const busy = await warehouses.open({
    orgId: 'one',
    name: 'slow',
    config: { kind: 'plugin:slow' },
    fromOperator: true,
  });
  const first = fetchValues(busy).catch(() => null);
  await expect(fetchValues(busy)).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.stringContaining('warehouse is busy'),
  });
  expect(await fetchValues(await open(warehouses, filesConnection))).toEqual(['1']);
  release();
  await first;
});
