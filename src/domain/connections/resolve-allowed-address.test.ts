import { expect, it } from 'vitest';
import { findServer } from '../../adapters/warehouse/connection-config.ts';
import { type AddressRule, resolveAllowedAddress, type ServerAddress } from './resolve-allowed-address.ts';

const server: ServerAddress = { host: 'db.example', port: 5432, database: 'core' };
const check = (addresses: string[], rule: Partial<AddressRule> = {}, changes: Partial<ServerAddress> = {}) =>
  resolveAllowedAddress(
    { ...server, ...changes },
    { allowed: [], fromOperator: false, controlDatabase: null, resolve: async () => addresses, ...rule },
  );
const invalid = { code: 'invalid' };

it('returns the address that it checked', async () => {
  expect(await check(['93.184.216.34', '2606:2800:220:1::1'])).toBe('93.184.216.34');
});

it.each(
  `127.0.0.1 10.0.0.1 172.16.3.4 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 ::1 :: fd00::1 fe80::1 ::ffff:127.0.0.1
   ::7f00:1 ::10.0.0.1 64:ff9b::7f00:1 2002:7f00:1:: 224.0.0.1`.split(/\s+/),
)('refuses a name with %s among its addresses', async (address) => {
  await expect(check(['93.184.216.34', address])).rejects.toMatchObject(invalid);
  await expect(check([address], { fromOperator: true })).resolves.toBe(address);
});

it.each([['10.0.0.0/8'], ['10.1.2.3'], ['DB.example'], ['::1/128', '10.1.0.0/16']])(
  'allows private addresses that match %s',
  async (...allowed) => {
    await expect(check(['10.1.2.3'], { allowed })).resolves.toBe('10.1.2.3');
    await expect(check(['192.168.0.1'], { allowed }, { host: 'other' })).rejects.toMatchObject(invalid);
  },
);

it.each(['2130706433', '0177.0.0.1', '127.1', 'localhost'])('refuses the local address written as %s', async (host) => {
  const rule = { allowed: [], fromOperator: false, controlDatabase: null };
  await expect(resolveAllowedAddress({ ...server, host }, rule)).rejects.toMatchObject(invalid);
});

it('refuses the control database under every name of its server, for the operator too', async () => {
  const checkBeside = (host: string, changes: Partial<ServerAddress> = {}) => {
    const controlDatabase = { host, port: 5432, database: 'core' };
    const resolve = async (name: string) => [name === 'db.example' ? '127.0.0.1' : name];
    return check([], { fromOperator: true, controlDatabase, resolve }, changes);
  };
  await expect(checkBeside('::1')).rejects.toMatchObject({ message: expect.stringContaining('control database') });
  await expect(checkBeside('/run/postgresql')).rejects.toMatchObject(invalid);
  await expect(checkBeside('::1', { database: 'sales' })).resolves.toBe('127.0.0.1');
  await expect(checkBeside('::1', { port: 5433 })).resolves.toBe('127.0.0.1');
  await expect(checkBeside('93.184.216.34')).resolves.toBe('127.0.0.1');
});

it('reports unreachable, without the name, if the name doesn’t resolve', async () => {
  const resolve = async () => Promise.reject(new Error('getaddrinfo ENOTFOUND db.example'));
  const message = expect.not.stringContaining('db.example');
  await expect(check([], { resolve })).rejects.toMatchObject({ code: 'unreachable', message });
  await expect(check([])).rejects.toMatchObject({ code: 'unreachable' });
});

it('checks the host of a plugin connection, and assumes the worst for missing members', async () => {
  const found = findServer({ kind: 'plugin:other', host: 'db.example' })!;
  const rule = (address: string) => ({ allowed: [], fromOperator: false, resolve: async () => [address] });
  await expect(
    resolveAllowedAddress(found, { ...rule('169.254.169.254'), controlDatabase: null }),
  ).rejects.toMatchObject(invalid);
  const controlDatabase = { host: 'db.example', port: 5432, database: 'control' };
  await expect(
    resolveAllowedAddress(found, { ...rule('127.0.0.1'), fromOperator: true, controlDatabase }),
  ).rejects.toMatchObject({ message: expect.stringContaining('control database') });
  expect(findServer({ kind: 'plugin:other', file: 'x' })).toBeNull();
});
