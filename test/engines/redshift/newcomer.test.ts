// From the words of Redshift, spoken by a PostgreSQL that was given them, and no lens, to a first verified answer.
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { connectionTo, startTestPostgres, type TestPostgres } from '../../support/postgres.ts';
import { startTestRedshift, type TestRedshift } from '../../support/redshift.ts';
import { NEWCOMER_TABLES, type Newcomer, newcomerSuite, openNewcomer } from '../newcomer.ts';
import { redshiftStatements } from './redshift-tables.ts';

let postgres: TestPostgres;
let redshift: TestRedshift;
let newcomer: Newcomer;
let login: ReturnType<typeof connectionTo>;
const PASSWORD = 'reads: only';
beforeAll(async () => {
  postgres = await startTestPostgres();
  const database = await postgres.createDatabase();
  login = connectionTo(database);
  const owner = new pg.Client({ connectionString: database });
  await owner.connect();
  for (const sql of redshiftStatements(NEWCOMER_TABLES)) await owner.query(sql);
  redshift = await startTestRedshift(database);
  const grants = ['create role reader', 'create role stranger'].map((role) => `${role} login password '${PASSWORD}'`);
  for (const sql of [
    ...grants,
    'grant usage on schema shop to reader',
    'grant select on all tables in schema shop to reader',
  ])
    await owner.query(sql);
  await owner.end();
  newcomer = await openNewcomer();
}, 300_000);
afterAll(async () => {
  await newcomer?.close();
  await redshift?.close();
  await postgres?.stop();
});

const url = ({
  user = 'reader',
  password = PASSWORD,
  port = redshift.port,
  database = login.database,
  query = '',
} = {}) => `redshift://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}${query}`;
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
      what: 'TLS where the server speaks none',
      url: () => url({ query: '?sslmode=require' }),
      says: /does not support TLS on the port/,
    },
  ],
});
