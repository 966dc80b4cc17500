// From the wire of a SQL Server, which duckdb-server.ts speaks, and no lens, to a first verified answer.
import { afterAll, beforeAll } from 'vitest';
import { NEWCOMER_TABLES, type Newcomer, newcomerSuite, openNewcomer } from '../newcomer.ts';
import { PASSWORD, startSqlserver } from './duckdb-server.ts';
import type { TdsServer } from './tds-server.ts';

let sqlserver: TdsServer;
let newcomer: Newcomer;
beforeAll(async () => {
  sqlserver = await startSqlserver(NEWCOMER_TABLES);
  newcomer = await openNewcomer();
}, 300_000);
afterAll(async () => {
  await newcomer?.close();
  await sqlserver?.stop();
});

const url = ({ user = 'svc', password = PASSWORD, port = sqlserver.port, database = 'shop', query = '' } = {}) =>
  `sqlserver://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}${query}`;
newcomerSuite(() => newcomer, {
  url,
  secret: PASSWORD,
  wrong: [
    {
      what: 'a wrong password',
      url: () => url({ password: 'mistyped' }),
      says: /refused the credentials of the connection/,
    },
    { what: 'a port where nobody listens', url: () => url({ port: 1 }), says: /nothing listens on the host and port/ },
    {
      what: 'a database that is not there',
      url: () => url({ database: 'nowhere' }),
      says: /no database of the configured name/,
    },
    { what: 'a login without any grant', url: () => url({ user: 'stranger' }), says: /shows no table.*has SELECT/ },
    {
      what: 'a login that may write',
      url: () => url({ user: 'writer' }),
      says: /may do more than read.*db_datareader/,
    },
    {
      what: 'TLS where the server speaks none',
      url: () => url({ query: '?sslmode=require' }),
      says: /does not support TLS on the port/,
    },
  ],
});
