import { type Certificate, createSelfSigned } from '../certificate.ts';
import { NEWCOMER_TABLES, newcomerSuite, openNewcomer } from '../newcomer.ts';
import { clickhouseStatements } from './clickhouse-tables.ts';
import { DATABASE, READER, startTestClickhouse } from './start-clickhouse.ts';

const certificate: Certificate = createSelfSigned();
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
    'an unknown certificate authority': url({ query: '?sslmode=verify-full' }),
    'a certificate for another host': url({ host: '127.0.0.1' }),
    'no TLS although the server requires it': url({ query: '?sslmode=disable' }),
    'a port without a listener': url({ port: 1 }),
    'a missing database': [url({ database: 'nowhere' }), /lacks permission to read the data.*grant SELECT/],
    'a database that was not granted': [url({ database: 'kept' }), /lacks permission to read the data.*grant SELECT/],
    'an unknown host': ['clickhouse://reader:x@nowhere.invalid/shop', /resolve the host name of the connection/],
  },
});
