import { expect, it } from 'vitest';
import { findServer } from '../../adapters/warehouse/connection-config.ts';
import { type AddressRule, resolveAllowedAddress, type ServerAddress } from './resolve-allowed-address.ts';

const createConnection = (changes: Partial<ServerAddress> = {}): ServerAddress => ({
  host: 'db.example',
  port: 5432,
  database: 'core',
  ...changes,
});
const createAddressRule = (addresses: string[], changes: Partial<AddressRule> = {}): AddressRule => ({
  allowed: [],
  fromOperator: false,
  controlDatabase: null,
  resolve: async () => addresses,
  ...changes,
});

it('returns the address that it checked', async () => {
  expect(
    await resolveAllowedAddress(createConnection(), createAddressRule(['93.184.216.34', '2606:2800:220:1::1'])),
  ).toBe('93.184.216.34');
});

it.each([
  '127.0.0.1',
  '10.0.0.1',
  '172.16.3.4',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '::1',
  '::',
  'fd00::1',
  'fe80::1',
  '::ffff:127.0.0.1',
  '::7f00:1',
  '::10.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '224.0.0.1',
])('refuses a name with %s among its addresses', async (address) => {
  await expect(
    resolveAllowedAddress(createConnection(), createAddressRule(['93.184.216.34', address])),
  ).rejects.toMatchObject({
    code: 'invalid',
  });
  await expect(
    resolveAllowedAddress(createConnection(), createAddressRule([address], { fromOperator: true })),
  ).resolves.toBe(address);
});

it.each([['10.0.0.0/8'], ['10.1.2.3'], ['DB.example'], ['::1/128', '10.1.0.0/16']])(
  'allows private addresses that match %s',
  async (...allowedAddresses) => {
    await expect(
      resolveAllowedAddress(createConnection(), createAddressRule(['10.1.2.3'], { allowed: allowedAddresses })),
    ).resolves.toBe('10.1.2.3');
    await expect(
      resolveAllowedAddress(
        createConnection({ host: 'other' }),
        createAddressRule(['192.168.0.1'], { allowed: allowedAddresses }),
      ),
    ).rejects.toMatchObject({ code: 'invalid' });
  },
);

it.each(['2130706433', '0177.0.0.1', '127.1', 'localhost'])('refuses the local address written as %s', async (host) => {
  await expect(
    resolveAllowedAddress(createConnection({ host }), { allowed: [], fromOperator: false, controlDatabase: null }),
  ).rejects.toMatchObject({ code: 'invalid' });
});

it('refuses the control database under every name of its server, for the operator too', async () => {
  const control = (host: string): Partial<AddressRule> => ({
    fromOperator: true,
    controlDatabase: { host, port: 5432, database: 'core' },
    resolve: async (name) => [name === 'db.example' ? '127.0.0.1' : name],
  });
  await expect(resolveAllowedAddress(createConnection(), createAddressRule([], control('::1')))).rejects.toMatchObject({
    message: expect.stringContaining('control database'),
  });
  await expect(
    resolveAllowedAddress(createConnection(), createAddressRule([], control('/run/postgresql'))),
  ).rejects.toMatchObject({
    code: 'invalid',
  });
  await expect(
    resolveAllowedAddress(createConnection({ database: 'sales' }), createAddressRule([], control('::1'))),
  ).resolves.toBe('127.0.0.1');
  await expect(
    resolveAllowedAddress(createConnection({ port: 5433 }), createAddressRule([], control('::1'))),
  ).resolves.toBe('127.0.0.1');
  await expect(
    resolveAllowedAddress(createConnection(), createAddressRule([], control('93.184.216.34'))),
  ).resolves.toBe('127.0.0.1');
});

it('reports unreachable, without the name, if the name doesn’t resolve', async () => {
  const resolve = async () => Promise.reject(new Error('getaddrinfo ENOTFOUND db.example'));
  await expect(resolveAllowedAddress(createConnection(), createAddressRule([], { resolve }))).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.not.stringContaining('db.example'),
  });
  await expect(resolveAllowedAddress(createConnection(), createAddressRule([]))).rejects.toMatchObject({
    code: 'unreachable',
  });
});

it('checks the host of a plugin connection, and assumes the worst for missing members', async () => {
  const server = findServer({ kind: 'plugin:other', host: 'db.example' })!;
  await expect(resolveAllowedAddress(server, createAddressRule(['169.254.169.254']))).rejects.toMatchObject({
    code: 'invalid',
  });
  const controlDatabase = { host: 'db.example', port: 5432, database: 'control' };
  await expect(
    resolveAllowedAddress(server, createAddressRule(['127.0.0.1'], { fromOperator: true, controlDatabase })),
  ).rejects.toMatchObject({ message: expect.stringContaining('control database') });
  expect(findServer({ kind: 'plugin:other', file: 'x' })).toBeNull();
});
