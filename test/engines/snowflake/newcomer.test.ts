// A new project with a Snowflake connection but no lens gets its first verified answer, and svc keeps the connection's
// credentials secret.
import { expect, test } from 'vitest';
import { NEWCOMER_TABLES, newcomerSuite, openNewcomer } from '../newcomer.ts';
import { snowflakeStatements } from './snowflake-tables.ts';
import { KEYS, READER, startSnowflake, TOKEN } from './start-snowflake.ts';

const snowflake = await startSnowflake(...snowflakeStatements(NEWCOMER_TABLES));
const newcomer = await openNewcomer();

const url = (place = 'WORKSHOP/SHOP', { password = READER.password, port = snowflake.port } = {}): string =>
  `snowflake://${READER.user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${place}`;
newcomerSuite(newcomer, {
  url: url(),
  secret: READER.password,
  wrong: {
    'a wrong password': url(undefined, { password: 'mistyped' }),
    'a port without a listener': url(undefined, { port: 1 }),
    'a missing database': [url('NOWHERE/SHOP'), /shows no table.*has SELECT/],
    'a missing schema': url('WORKSHOP/NOWHERE'),
  },
});

test('never returns the keys, passphrases and tokens of a connection', async () => {
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
  const createReply = await fetch(`${baseUrl}/mgmt/connections`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'kept', ...config }),
  });
  const visibleText = (await createReply.text()) + (await newcomer.admin('/mgmt/connections'));
  expect(createReply.status).toBe(201);
  expect(visibleText).toContain('"kept"');
  for (const secret of [KEYS.privateKey.split('\n')[1]!, 'a passphrase', TOKEN])
    expect(visibleText).not.toContain(secret);
});
