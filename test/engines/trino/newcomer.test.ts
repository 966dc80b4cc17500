// From a Trino that wants a password over TLS, and no lens, to a first verified answer; and to whom the password is shown.
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unguarded } from '../../../src/adapters/plugin-kit/statements.ts';
import { readConnection } from '../../../src/adapters/warehouse/connection-config.ts';
import { ENGINES } from '../../../src/engines/engines.ts';
import { type Certificate, selfSigned } from '../certificate.ts';
import { ENGINES_FOLDER } from '../engines-folder.ts';
import { NEWCOMER_TABLES, type Newcomer, newcomerSuite, openNewcomer } from '../newcomer.ts';
import { PASSWORD, READER, startTrino, type TestTrino } from './start-trino.ts';
import { MEMORY, trinoStatements } from './trino-tables.ts';

let certificate: Certificate;
let trino: TestTrino;
let newcomer: Newcomer;
beforeAll(async () => {
  certificate = selfSigned();
  trino = await startTrino({ catalogs: { memory: MEMORY }, certificate });
  const kept = ['create schema memory.kept', 'create table memory.kept.notes (note_id integer)'];
  for (const sql of [...trinoStatements(NEWCOMER_TABLES), ...kept]) await trino.owner(sql);
  newcomer = await openNewcomer();
}, 300_000);
afterAll(async () => {
  await newcomer?.close();
  await trino?.stop();
});

const url = (
  place = 'memory/shop',
  {
    login = `${READER.user}:${encodeURIComponent(PASSWORD)}`,
    port = trino.tlsPort,
    query = '',
    host = 'localhost',
  } = {},
): string => `trino://${login}@${host}:${port}/${place}${query || `?sslrootcert=${certificate.file}`}`;
newcomerSuite(() => newcomer, {
  url,
  secret: PASSWORD,
  wrong: [
    {
      what: 'a wrong password',
      url: () => url(undefined, { login: 'reader:mistyped' }),
      says: /refused the credentials of the connection/,
    },
    {
      what: 'no password',
      url: () => url(undefined, { login: 'reader' }),
      says: /refused the credentials of the connection/,
    },
    {
      what: 'an authority that is not given',
      url: () => url(undefined, { query: '?sslmode=verify-full' }),
      says: /unknown authority issued.*sslrootcert=FILE/,
    },
    {
      what: 'a host that the certificate is not for',
      url: () => url(undefined, { host: '127.0.0.1' }),
      says: /certificate of the warehouse is for another host/,
    },
    {
      what: 'TLS where the server speaks none',
      url: () => url(undefined, { port: trino.port }),
      says: /does not support TLS on the port.*sslmode=disable/,
    },
    {
      what: 'no TLS where the server wants it',
      url: () => url(undefined, { query: '?sslmode=disable' }),
      says: /check port and ssl/,
    },
    {
      what: 'a port where nobody listens',
      url: () => url(undefined, { port: 1 }),
      says: /nothing listens on the host and port/,
    },
    { what: 'a catalog that is not there', url: () => url('nowhere/shop'), says: /no catalog of the configured name/ },
    { what: 'a schema that is not there', url: () => url('memory/nowhere'), says: /shows no table.*has SELECT/ },
    { what: 'a schema that was not granted', url: () => url('memory/kept'), says: /shows no table.*has SELECT/ },
  ],
});

describe('15.3 the way to a Trino', () => {
  const opened = (more: object) =>
    ENGINES.find(({ kind }) => kind === 'trino')!.open(
      readConnection('lake', {
        kind: 'trino',
        host: 'localhost',
        catalog: 'memory',
        ...READER,
        password: PASSWORD,
        ...more,
      } as never),
      { projectFolder: ENGINES_FOLDER, home: ENGINES_FOLDER, owner: 'test' },
    );
  const asked = async (more: object): Promise<unknown> => {
    const warehouse = await opened(more);
    const caps = { maxRows: 1, maxBytes: 1_000, timeoutMs: 20_000 };
    const answer = await warehouse.fetch(unguarded('trino', 'select current_user'), caps).then(
      ({ rows }) => rows,
      (problem: { message: string }) => problem.message,
    );
    await warehouse.close();
    return answer;
  };

  it('15.3: takes a certificate of the authority that was given, and of no other', async () => {
    const port = trino.tlsPort;
    expect(await asked({ port, ssl: { ca: certificate.cert } })).toEqual([['reader']]);
    expect(await asked({ port, ssl: { ca: selfSigned().cert } })).toMatch(/unknown authority issued/);
    expect(await asked({ port, ssl: true })).toMatch(/unknown authority issued/);
    // Only where that is said.
    expect(await asked({ port, ssl: { verify: false } })).toEqual([['reader']]);
  });

  it('15.3: shows its password to nobody without TLS', async () => {
    const heard: (string | undefined)[] = [];
    const listener = createServer((request, response) => {
      heard.push(request.headers.authorization);
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => listener.listen(0, 'localhost', resolve));
    const { port } = listener.address() as { port: number };
    expect(await asked({ port, ssl: false })).toMatch(/not those of a Trino server/);
    expect(heard).toEqual([undefined]);
    listener.close();
  });
});
