// A temporary Trino with the catalogs of a test and two logins: an owner, and a reader with the grants of
// docs/engines/trino.md.
import { type ChildProcess, spawn } from 'node:child_process';
import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { appendFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../support/free-port.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { untilFileEnds } from '../../support/until-file-ends.ts';
import type { Certificate } from '../certificate.ts';
import { ENGINES_FOLDER } from '../engines-folder.ts';
import { javaForTrino, TRINO_FOLDER } from './java.ts';

export const READER = { user: 'reader' };
export const PASSWORD = 'reads: only/over TLS';
const SERVER = join(ENGINES_FOLDER, TRINO_FOLDER);
const START_MS = 240_000;

/** `rules`: the access rules of docs/engines/trino.md. Without them, every login has all rights. */
export interface TrinoSetup {
  catalogs: Readonly<Record<string, Readonly<Record<string, string>>>>;
  rules?: boolean;
  /** With a certificate, the reader needs a password and TLS. */
  certificate?: Certificate;
  /** The number of worker processes. Without them, the coordinator does the work. */
  workers?: number;
}
const RULES = {
  catalogs: [
    { user: 'owner', allow: 'all' },
    { user: 'reader', catalog: 'memory|tpch|postgresql', allow: 'read-only' },
  ],
  tables: [
    { user: 'owner', privileges: ['SELECT', 'INSERT', 'DELETE', 'UPDATE', 'OWNERSHIP'] },
    { user: 'reader', catalog: 'memory', schema: 'shop', privileges: ['SELECT'] },
    { user: 'reader', catalog: 'tpch', schema: 'tiny|sf100', privileges: ['SELECT'] },
    { user: 'reader', catalog: 'postgresql', schema: 'public', table: 'clients', privileges: ['SELECT'] },
  ],
  functions: [{ user: 'owner', privileges: ['EXECUTE', 'GRANT_EXECUTE', 'OWNERSHIP'] }],
  queries: [
    { user: 'owner', allow: ['execute', 'kill', 'view'] },
    { user: 'reader', allow: ['execute'] },
  ],
};

export interface TestTrino {
  port: number;
  /** The port for TLS, or 0 without a certificate. */
  tlsPort: number;
  /** Stops a worker immediately, like the loss of its machine. */
  workers: { id: string; kill(): Promise<void> }[];
  /** Runs SQL directly in Trino, as the owner. */
  owner(sql: string): Promise<unknown[][]>;
  /** The reader's statements since the previous call, with text, source and state. */
  log(): Promise<{ query: string; source: string; state: string }[]>;
}

export async function startTrino(setup: TrinoSetup): Promise<TestTrino> {
  const homeFolder = await temporaryFolder();
  const { certificate, workers: count = 0 } = setup;
  const [port, tlsPort] = [await freePort(), certificate ? await freePort() : 0];
  const uri = `http://127.0.0.1:${port}`;
  const coordinator = join(homeFolder, 'coordinator');
  const alone = { coordinator: 'true', 'node-scheduler.include-coordinator': String(count === 0) };
  await layOut(coordinator, { ...alone, 'http-server.http.port': String(port), 'discovery.uri': uri }, setup);
  if (certificate) await speakTls(coordinator, tlsPort, certificate);
  const nodes = [startNode(coordinator)];
  for (let number = 1; number <= count; number++) {
    const worker = join(homeFolder, `worker${number}`);
    const own = { coordinator: 'false', 'http-server.http.port': String(await freePort()), 'discovery.uri': uri };
    await layOut(worker, own, { ...setup, rules: false });
    nodes.push(startNode(worker));
  }
  untilFileEnds(() => Promise.all(nodes.map(({ kill }) => kill())));
  const until = Date.now() + START_MS;
  /** A node reports that it is ready before its catalogs are. */
  const runAsOwner = async (sql: string): Promise<unknown[][]> => {
    for (;;)
      try {
        return await ask(port, sql);
      } catch (error) {
        if (!String(error).includes('No nodes available') || Date.now() > until) throw error;
        await wait(500);
      }
  };
  const fetchReady = async (): Promise<boolean> => {
    const rows = await runAsOwner(`select count(*) from system.runtime.nodes where state = 'active'`).catch(() => []);
    return Number(rows[0]?.[0]) === nodes.length;
  };
  for (; !(await fetchReady()); await wait(500)) {
    const fallen = nodes.find(({ child }) => child.exitCode !== null);
    if (fallen || Date.now() > until) throw new Error(`Trino did not start: ${(fallen ?? nodes[0]!).said()}`);
  }
  let lastQueryId = '';
  return {
    port,
    tlsPort,
    owner: runAsOwner,
    async log() {
      const rows = await runAsOwner(
        `select query_id, query, source, state from system.runtime.queries where "user" = 'reader' and query_id > '${lastQueryId}' order by query_id`,
      );
      lastQueryId = String(rows.at(-1)?.[0] ?? lastQueryId);
      return rows.map(([, query, source, state]) => ({
        query: String(query),
        source: String(source),
        state: String(state),
      }));
    },
    workers: nodes.slice(1).map(({ kill }, at) => ({ id: `worker${at + 1}`, kill })),
  };
}

interface TrinoNode {
  child: ChildProcess;
  said(): string;
  kill(): Promise<void>;
}
function startNode(homeFolder: string): TrinoNode {
  const java = javaForTrino();
  if (!java) throw new Error('No Java 24 or later is installed.');
  const child = spawn(java, argumentsFor(homeFolder), { cwd: homeFolder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-4_000);
    });
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    child,
    said: () => output,
    kill() {
      child.kill('SIGKILL');
      return exit;
    },
  };
}

const properties = (of: Readonly<Record<string, string>>): string =>
  Object.entries(of)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');

async function layOut(
  homeFolder: string,
  ownSettings: Readonly<Record<string, string>>,
  { catalogs, rules = true }: TrinoSetup,
): Promise<void> {
  await mkdir(join(homeFolder, 'etc', 'catalog'), { recursive: true });
  await mkdir(join(homeFolder, 'plugin'));
  const files: Record<string, string> = {
    'config.properties': properties({
      ...ownSettings,
      'plugin.dir': join(homeFolder, 'plugin'),
      'query.max-memory': '512MB',
      'query.max-memory-per-node': '400MB',
      'query.max-history': '20000',
      'query.min-expire-age': '60m',
    }),
    'log.properties': 'io.trino=ERROR\n',
    'rules.json': JSON.stringify(RULES),
    ...(rules && {
      'access-control.properties': 'access-control.name=file\nsecurity.config-file=etc/rules.json\n',
    }),
  };
  for (const [name, of] of Object.entries(catalogs)) files[`catalog/${name}.properties`] = properties(of);
  for (const [name, text] of Object.entries(files)) await writeFile(join(homeFolder, 'etc', name), text);
  const connectors = Object.values(catalogs).map((of) => of['connector.name']!);
  // The connector of postgresql needs a type from the geospatial plugin.
  for (const connector of new Set([...connectors, ...(connectors.includes('postgresql') ? ['geospatial'] : [])]))
    await symlink(join(SERVER, 'plugin', connector), join(homeFolder, 'plugin', connector));
}

/** The owner still connects over HTTP without a password, as a process on the same machine may. */
async function speakTls(homeFolder: string, port: number, { key, cert }: Certificate): Promise<void> {
  const etc = (name: string): string => join(homeFolder, 'etc', name);
  const salt = randomBytes(16);
  const hash = pbkdf2Sync(PASSWORD, salt, 1_000, 64, 'sha1');
  await writeFile(etc('keystore.pem'), key + cert);
  await writeFile(etc('passwords'), `${READER.user}:1000:${salt.toString('hex')}:${hash.toString('hex')}\n`);
  await writeFile(
    etc('password-authenticator.properties'),
    properties({ 'password-authenticator.name': 'file', 'file.password-file': etc('passwords') }),
  );
  await appendFile(
    etc('config.properties'),
    properties({
      'http-server.https.enabled': 'true',
      'http-server.https.port': String(port),
      'http-server.https.keystore.path': etc('keystore.pem'),
      'http-server.authentication.type': 'PASSWORD',
      'http-server.authentication.allow-insecure-over-http': 'true',
      'internal-communication.shared-secret': 'of this test',
    }),
  );
  await symlink(
    join(SERVER, 'plugin', 'password-authenticators'),
    join(homeFolder, 'plugin', 'password-authenticators'),
  );
}

const argumentsFor = (homeFolder: string): string[] => [
  '-Xmx2G',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-Djdk.attach.allowAttachSelf=true',
  '-XX:+EnableDynamicAgentLoading',
  '--add-modules=jdk.incubator.vector',
  '--sun-misc-unsafe-memory-access=allow',
  '-Dnode.environment=test',
  `-Dnode.id=${basename(homeFolder)}`,
  `-Dnode.data-dir=${join(homeFolder, 'data')}`,
  '-Dlog.levels-file=etc/log.properties',
  '-Dconfig=etc/config.properties',
  '-cp',
  join(SERVER, 'lib', '*'),
  'io.trino.server.TrinoServer',
];

async function ask(port: number, sql: string): Promise<unknown[][]> {
  const headers = { 'x-trino-user': 'owner', 'x-trino-client-capabilities': 'PARAMETRIC_DATETIME' };
  let reply = await fetch(`http://127.0.0.1:${port}/v1/statement`, { method: 'POST', headers, body: sql });
  const rows: unknown[][] = [];
  for (;;) {
    const page = (await reply.json()) as { data?: unknown[][]; nextUri?: string; error?: { message: string } };
    if (page.error) throw new Error(`${sql.slice(0, 200)}\n${page.error.message}`);
    rows.push(...(page.data ?? []));
    if (!page.nextUri) return rows;
    reply = await fetch(page.nextUri);
  }
}
