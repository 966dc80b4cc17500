// From a ClickHouse that speaks TLS, and no lens, to a first verified answer.
import { afterAll, beforeAll } from 'vitest';
import { type Certificate, selfSigned } from '../certificate.ts';
import { NEWCOMER_TABLES, type Newcomer, newcomerSuite, openNewcomer } from '../newcomer.ts';
import { clickhouseStatements } from './clickhouse-tables.ts';
import { DATABASE, READER, startTestClickhouse, type TestClickhouse } from './start-clickhouse.ts';

let certificate: Certificate;
let clickhouse: TestClickhouse;
let newcomer: Newcomer;
beforeAll(async () => {
  certificate = selfSigned();
  const kept = ['create database kept', 'create table kept.notes (note_id Int32) engine = MergeTree order by note_id'];
  clickhouse = await startTestClickhouse([...clickhouseStatements(NEWCOMER_TABLES), ...kept], certificate);
  newcomer = await openNewcomer();
}, 300_000);
afterAll(async () => {
  await newcomer?.close();
  await clickhouse?.stop();
});

const url = ({
  password = READER.password,
  host = 'localhost',
  port = clickhouse.port,
  database = DATABASE,
  query = `?sslrootcert=${certificate.file}`,
} = {}): string => `clickhouse://${READER.user}:${encodeURIComponent(password)}@${host}:${port}/${database}${query}`;
newcomerSuite(() => newcomer, {
  url,
  secret: READER.password,
  wrong: [
    {
      what: 'a wrong password',
      url: () => url({ password: 'mistyped' }),
      says: /refused the credentials of the connection/,
    },
    {
      what: 'an authority that is not given',
      url: () => url({ query: '?sslmode=verify-full' }),
      says: /unknown authority issued.*sslrootcert=FILE/,
    },
    {
      what: 'a host that the certificate is not for',
      url: () => url({ host: '127.0.0.1' }),
      says: /certificate of the warehouse is for another host/,
    },
    {
      what: 'no TLS where the server wants it',
      url: () => url({ query: '?sslmode=disable' }),
      says: /check port and ssl/,
    },
    {
      what: 'a port where nobody listens',
      url: () => url({ port: 1 }),
      says: /nothing listens on the host and port/,
    },
    {
      what: 'a database that is not there',
      url: () => url({ database: 'nowhere' }),
      says: /lacks permission to read its data.*grant SELECT/,
    },
    {
      what: 'a database that was not granted',
      url: () => url({ database: 'kept' }),
      says: /lacks permission to read its data.*grant SELECT/,
    },
    {
      what: 'a host that nobody has',
      url: () => 'clickhouse://reader:x@nowhere.invalid/shop',
      says: /resolve the host name of the connection/,
    },
  ],
});
