// A new project with a Trino connection, password and TLS, but no lens, gets its first verified answer. Only the right
// server gets the password.
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { parseConnectionConfig } from '../../../src/adapters/warehouse/connection-config.ts';
import { ENGINES } from '../../../src/engines/engines.ts';
import { unguardedSql } from '../../plugin-kit/statements.ts';
import { type Certificate, createSelfSigned } from '../certificate.ts';
import { ENGINES_FOLDER } from '../engines-folder.ts';
import { NEWCOMER_TABLES, newcomerSuite, openNewcomer } from '../newcomer.ts';
import { PASSWORD, READER, startTrino } from './start-trino.ts';
import { MEMORY, trinoStatements } from './trino-tables.ts';

const certificate: Certificate = createSelfSigned();
const trino = await startTrino({ catalogs: { memory: MEMORY }, certificate });
const kept = ['create schema memory.kept', 'create table memory.kept.notes (note_id integer)'];
for (const sql of [...trinoStatements(NEWCOMER_TABLES), ...kept]) await trino.owner(sql);
const newcomer = await openNewcomer();

const url = (
  place = 'memory/shop',
  {
    login = `${READER.user}:${encodeURIComponent(PASSWORD)}`,
    port = trino.tlsPort,
    query = '',
    host = 'localhost',
  } = {},
): string => `trino://${login}@${host}:${port}/${place}${query || `?sslrootcert=${certificate.file}`}`;
newcomerSuite(newcomer, {
  url: url(),
  secret: PASSWORD,
  wrong: {
    'a wrong password': url(undefined, { login: 'reader:mistyped' }),
    'no password': [url(undefined, { login: 'reader' }), /refused the credentials of the connection/],
    'an unknown certificate authority': url(undefined, { query: '?sslmode=verify-full' }),
    'a certificate for another host': url(undefined, { host: '127.0.0.1' }),
    'TLS although the server doesn’t support it': [
      url(undefined, { port: trino.port }),
      /does not support TLS on the port.*sslmode=disable/,
    ],
    'no TLS although the server requires it': url(undefined, { query: '?sslmode=disable' }),
    'a port without a listener': url(undefined, { port: 1 }),
    'a missing catalog': [url('nowhere/shop'), /no catalog with the configured name/],
    'a missing schema': url('memory/nowhere'),
    'a schema that was not granted': [url('memory/kept'), /shows no table.*has SELECT/],
  },
});

describe('a connection to Trino', () => {
  const openConnection = (overrides: object) =>
    ENGINES.find(({ kind }) => kind === 'trino')!.open(
      parseConnectionConfig('lake', {
        kind: 'trino',
        host: 'localhost',
        catalog: 'memory',
        ...READER,
        password: PASSWORD,
        ...overrides,
      } as never),
      { projectFolder: ENGINES_FOLDER, home: ENGINES_FOLDER, owner: 'test' },
    );
  const queryUser = async (overrides: object): Promise<unknown> => {
    const warehouse = await openConnection(overrides);
    const caps = { maxRows: 1, maxBytes: 1_000, timeoutMs: 20_000 };
    const answer = await warehouse.fetch(unguardedSql('trino', 'select current_user'), caps).then(
      ({ rows }) => rows,
      (problem: { message: string }) => problem.message,
    );
    await warehouse.close();
    return answer;
  };

  it('accepts only certificates of the given authority, unless verify is false', async () => {
    const port = trino.tlsPort;
    expect(await queryUser({ port, ssl: { ca: certificate.cert } })).toEqual([['reader']]);
    expect(await queryUser({ port, ssl: { ca: createSelfSigned().cert } })).toMatch(/unknown authority issued/);
    expect(await queryUser({ port, ssl: true })).toMatch(/unknown authority issued/);
    // The client accepts an unknown certificate only with `verify: false`.
    expect(await queryUser({ port, ssl: { verify: false } })).toEqual([['reader']]);
  });

  it('sends no password without TLS', async () => {
    const heard: (string | undefined)[] = [];
    const listener = createServer((request, response) => {
      heard.push(request.headers.authorization);
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => listener.listen(0, 'localhost', resolve));
    const { port } = listener.address() as { port: number };
    expect(await queryUser({ port, ssl: false })).toMatch(/not those of a Trino server/);
    expect(heard).toEqual([undefined]);
    listener.close();
  });
});
