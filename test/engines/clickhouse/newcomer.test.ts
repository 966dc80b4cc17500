import { type Certificate, selfSigned } from '../certificate.ts';
import { NEWCOMER_TABLES, newcomerSuite, openNewcomer } from '../newcomer.ts';
import { clickhouseStatements } from './clickhouse-tables.ts';
import { DATABASE, READER, startTestClickhouse } from './start-clickhouse.ts';

const certificate: Certificate = selfSigned();
const kept = ['create database kept', 'create table kept.notes (note_id Int32) engine = MergeTree order by note_id'];
const clickhouse = await startTestClickhouse([...clickhouseStatements(NEWCOMER_TABLES), ...kept], certificate);
const newcomer = await openNewcomer();

const url = ({
  password = READER.password,
  host = 'localhost',
  port = clickhouse.port,
  database = DATABASE,
  query = `?sslrootcert=${certificate.file}`,
} = {}): string => `clickhouse://${READER.user}:${encodeURIComponent(password)}@${host}:${port}/${database}${query}`;
newcomerSuite(newcomer, {
  url: url(),
  secret: READER.password,
  wrong: {
    'a wrong password': url({ password: 'mistyped' }),
    'an authority that is not given': url({ query: '?sslmode=verify-full' }),
    'a host that the certificate is not for': url({ host: '127.0.0.1' }),
    'no TLS where the server wants it': url({ query: '?sslmode=disable' }),
    'a port where nobody listens': url({ port: 1 }),
    'a database that is not there': [url({ database: 'nowhere' }), /lacks permission to read its data.*grant SELECT/],
    'a database that was not granted': [url({ database: 'kept' }), /lacks permission to read its data.*grant SELECT/],
    'a host that nobody has': ['clickhouse://reader:x@nowhere.invalid/shop', /resolve the host name of the connection/],
  },
});
