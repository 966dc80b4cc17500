import { NEWCOMER_TABLES, newcomerSuite, openNewcomer } from '../newcomer.ts';
import { PASSWORD, startSqlserver } from './duckdb-server.ts';

const sqlserver = await startSqlserver(NEWCOMER_TABLES);
const newcomer = await openNewcomer();

const url = ({ user = 'svc', password = PASSWORD, port = sqlserver.port, database = 'shop', query = '' } = {}) =>
  `sqlserver://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}${query}`;
newcomerSuite(newcomer, {
  url: url(),
  secret: PASSWORD,
  wrong: {
    'a wrong password': url({ password: 'mistyped' }),
    'a port without a listener': url({ port: 1 }),
    'a missing database': url({ database: 'nowhere' }),
    'a login without any grant': url({ user: 'stranger' }),
    'a login that may write': [url({ user: 'writer' }), /can do more than read.*db_datareader/],
    'TLS although the server doesn’t support it': url({ query: '?sslmode=require' }),
  },
});
