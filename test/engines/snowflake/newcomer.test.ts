// From a Snowflake and no lens to a first verified answer; and what is kept of the secrets of its connection.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NEWCOMER_TABLES, type Newcomer, newcomerSuite, openNewcomer } from '../newcomer.ts';
import { snowflakeStatements } from './snowflake-tables.ts';
import { KEYS, READER, startSnowflake, type TestSnowflake, TOKEN } from './start-snowflake.ts';

let snowflake: TestSnowflake;
let newcomer: Newcomer;
beforeAll(async () => {
  snowflake = await startSnowflake(...snowflakeStatements(NEWCOMER_TABLES));
  newcomer = await openNewcomer();
}, 300_000);
afterAll(async () => {
  await newcomer?.close();
  await snowflake?.stop();
});

const url = (place = 'WORKSHOP/SHOP', { password = READER.password, port = snowflake.port } = {}): string =>
  `snowflake://${READER.user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${place}`;
newcomerSuite(() => newcomer, {
  url,
  secret: READER.password,
  wrong: [
    {
      what: 'a wrong password',
      url: () => url(undefined, { password: 'mistyped' }),
      says: /refused the credentials of the connection/,
    },
    {
      what: 'a port where nobody listens',
      url: () => url(undefined, { port: 1 }),
      says: /nothing listens on the host and port/,
    },
    { what: 'a database that is not there', url: () => url('NOWHERE/SHOP'), says: /shows no table.*has SELECT/ },
    { what: 'a schema that is not there', url: () => url('WORKSHOP/NOWHERE'), says: /shows no table.*has SELECT/ },
  ],
});

test('15.4: keys, passphrases and tokens of a connection are never shown', async () => {
  const { baseUrl, adminToken } = newcomer.server;
  const config = {
    kind: 'snowflake',
    account: 'local',
    host: '127.0.0.1',
    port: snowflake.port,
    ssl: false,
    database: 'WORKSHOP',
    user: READER.user,
    private_key: KEYS.privateKey,
    private_key_passphrase: 'a passphrase',
    token: TOKEN,
  };
  const made = await fetch(`${baseUrl}/mgmt/connections`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'kept', ...config }),
  });
  const told = (await made.text()) + (await newcomer.admin('/mgmt/connections'));
  expect(made.status).toBe(201);
  expect(told).toContain('"kept"');
  for (const secret of [KEYS.privateKey.split('\n')[1]!, 'a passphrase', TOKEN]) expect(told).not.toContain(secret);
});
