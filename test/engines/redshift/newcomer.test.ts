import { connect, connectionTo, createDatabase } from '../../support/postgres.ts';
import { startTestRedshift } from '../../support/redshift.ts';
import { NEWCOMER_TABLES, newcomerSuite, openNewcomer } from '../newcomer.ts';
import { redshiftStatements } from './redshift-tables.ts';

const PASSWORD = 'reads: only';
const database = await createDatabase();
const login = connectionTo(database);
const owner = await connect(database);
for (const sql of redshiftStatements(NEWCOMER_TABLES)) await owner.query(sql);
const redshift = await startTestRedshift(database);
const grants = ['create role reader', 'create role stranger'].map((role) => `${role} login password '${PASSWORD}'`);
for (const sql of [
  ...grants,
  'grant usage on schema shop to reader',
  'grant select on all tables in schema shop to reader',
])
  await owner.query(sql);
await owner.end();
const newcomer = await openNewcomer();

const url = ({
  user = 'reader',
  password = PASSWORD,
  port = redshift.port,
  database = login.database,
  query = '',
} = {}) => `redshift://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}${query}`;
newcomerSuite(newcomer, {
  url: url(),
  secret: PASSWORD,
  wrong: {
    'a wrong password': url({ password: 'mistyped' }),
    'a port without a listener': url({ port: 1 }),
    'a missing database': url({ database: 'nowhere' }),
    'a login without any grant': url({ user: 'stranger' }),
    'TLS although the server doesn’t support it': url({ query: '?sslmode=require' }),
  },
});
