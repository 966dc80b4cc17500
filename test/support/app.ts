// The real service over its own database, with a project applied over HTTP. Requests go in through `inject`, or over a
// socket after `listen`. The tests mock no part of svc.
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, InjectOptions } from 'fastify';
import pg from 'pg';
import pino from 'pino';
import { type OperatorFile, readConfig } from '../../src/config.ts';
import type { Deps } from '../../src/deps.ts';
import { createCaller, findCaller } from '../../src/domain/identity/caller-repository.ts';
import { mintCredential } from '../../src/domain/identity/credential-repository.ts';
import { replaceApiGrantsOfCaller } from '../../src/domain/identity/grant-repository.ts';
import { applyProject } from '../../src/domain/project/apply-project.ts';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { createId } from '../../src/platform/ids.ts';
import { readSecretKeys, SecretKeys } from '../../src/platform/secret-keys.ts';
import { openPool } from '../../src/platform/tenancy/database.ts';
import { createOrganization, readAppLogin } from '../../src/platform/tenancy/migrate.ts';
import { wireService } from '../../src/wire.ts';
import { takeBuilt } from './built-warehouses.ts';
import { createControlDatabase } from './postgres.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { toolCall } from './tool-call.ts';
import { untilFileEnds } from './until-file-ends.ts';

export const SHOP = fileURLToPath(new URL('../fixtures/shop', import.meta.url));
const MCP_HEADERS = { accept: 'application/json, text/event-stream', host: '127.0.0.1:8080' };
export const SECRET_KEY = 'the first test key has over 32 bytes';

export interface TestTenant {
  orgId: string;
  adminToken: string;
  /** The key of a caller with a grant to every lens of the project. */
  callerKey: string;
  mintCaller(caller: {
    name: string;
    lenses?: string[];
    groups?: string[];
    attributes?: Record<string, string | number | boolean>;
    expiresAt?: Date;
  }): Promise<{ id: string; key: string; keyId: string }>;
  mintAdmin(label?: string): Promise<string>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever shape the reply has
type Json = any;

export interface Reply<Body = Json> {
  status: number;
  headers: Record<string, string | number | string[] | undefined>;
  text: string;
  /** The JSON body, typed as the test expects. */
  body: Body;
}

export interface ToolResult<Body> {
  content: { text: string }[];
  structuredContent: Body;
  isError?: boolean;
}

export interface TestApp extends TestTenant {
  app: FastifyInstance;
  deps: Deps;
  ownerUrl: string;
  home: string;
  get<Body = Json>(path: string, token?: string | null, headers?: Record<string, string>): Promise<Reply<Body>>;
  post<Body = Json>(
    path: string,
    body: unknown,
    token?: string | null,
    headers?: Record<string, string>,
  ): Promise<Reply<Body>>;
  send<Body = Json>(options: InjectOptions & { token?: string | null }): Promise<Reply<Body>>;
  /** Sends a request to the control plane as its admin. The path begins below /mgmt. */
  admin<Body = Json>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    payload?: object,
    headers?: Record<string, string>,
  ): Promise<Reply<Body>>;
  /** Calls a tool over MCP as the caller. */
  callTool<Body = Json>(name: string, toolArguments: object): Promise<ToolResult<Body>>;
  /** Adds an organization with its own project, by default with the same files. */
  addTenant(name: string, files?: Record<string, string>): Promise<TestTenant>;
  /** Waits until the run ends, and returns it. */
  runEnds(id: string): Promise<Json>;
  /** Drafts a lens from a connection. Returns the successful run and the text of the lens. */
  draftLens(connection: string, more?: object): Promise<{ run: Json; text: string }>;
  /** Creates a lens with this text through the API and publishes it. Returns the last reply. */
  publishLens(name: string, text: string): Promise<Reply>;
  /** Runs SQL as the owner of the database, without row-level security. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Starts another replica on the same database. */
  replica(env?: Record<string, string>): Promise<FastifyInstance>;
  listen(): Promise<string>;
  /** Closes the app early. By default, the end of the test file closes it. */
  close(): Promise<void>;
}

export interface TestAppOptions {
  /** Receives each log line of every level. */
  onLog?: (line: string) => void;
  /** The project folder (SVC_PROJECT). */
  project?: string;
  /** Replaces the files of the folder. Paths of data files remain relative to `project`. */
  files?: Record<string, string>;
  env?: Record<string, string>;
  /** Operator keys of svc.config.yaml, which replace those of the folder. */
  operator?: Partial<OperatorFile>;
  /** Addresses that may serve metadata documents of OAuth clients. No setting allows them. */
  documentAddresses?: string[];
  /** Returns another URL for the service's database sessions, such as that of a faulty proxy. */
  sessionsVia?: (url: string) => Promise<string>;
}

export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const ownerUrl = await createControlDatabase();
  const homeFolder = await temporaryFolder();
  const project = options.project ?? SHOP;
  const readWith = (env: Record<string, string> = {}) =>
    readConfig({
      SVC_HOME: homeFolder,
      SVC_PROJECT: project,
      SVC_LOG_LEVEL: 'silent',
      SVC_SECRET_KEY: SECRET_KEY,
      SVC_PORT: '0',
      DATABASE_URL: ownerUrl,
      SVC_ALLOWED_ADDRESSES: '127.0.0.0/8,::1,localhost',
      ...options.env,
      ...env,
    });
  const sessions = (await options.sessionsVia?.(readAppLogin(ownerUrl).url)) ?? readAppLogin(ownerUrl).url;
  const pools: pg.Pool[] = [];
  const build = async (env?: Record<string, string>) => {
    const read = readWith(env);
    const config = {
      ...read,
      operator: { ...read.operator, ...options.operator },
      documentAddresses: options.documentAddresses ?? read.documentAddresses,
    };
    const pool = openPool(sessions, { max: 10 });
    pools.push(pool);
    const keys = new SecretKeys(config.secretKeys ?? readSecretKeys(SECRET_KEY));
    const service = await wireService({
      config,
      pool,
      log: options.onLog ? pino({ level: 'trace' }, { write: options.onLog }) : pino({ level: config.logLevel }),
      keys,
      controlDatabase: ownerUrl,
    });
    service.state.address = 'http://127.0.0.1:8080';
    return service;
  };
  const service = await build();
  const services = [service];
  const files = options.files ?? (await loadProjectFolder(project));
  const { app, deps } = service;

  async function tenant(name: string, ofFiles: Record<string, string>): Promise<TestTenant> {
    const orgId = await createOrganization(ownerUrl, name, createId());
    const keepBuilt = await takeBuilt({ home: homeFolder, project, orgId, config: ofFiles['svc.config.yaml'] });
    await applyProject(deps.project, { orgId, files: ofFiles, actor: 'test', fromOperator: true });
    await keepBuilt();
    const made = tenantOf(deps, orgId);
    const lenses = (await deps.lenses.list(orgId, null)).map((lens) => lens.name);
    return {
      ...made,
      adminToken: await made.mintAdmin(),
      callerKey: (await made.mintCaller({ name: 'quickstart', lenses })).key,
    };
  }
  const first = await tenant('default', files);

  async function send<Body>({
    token,
    headers,
    ...request
  }: InjectOptions & { token?: string | null }): Promise<Reply<Body>> {
    const bearer = token === null ? {} : { authorization: `Bearer ${token ?? first.callerKey}` };
    const reply = await app.inject({ ...request, headers: { ...bearer, ...headers } });
    const json = String(reply.headers['content-type'] ?? '').startsWith('application/json');
    return {
      status: reply.statusCode,
      headers: reply.headers,
      text: reply.payload,
      body: (json ? reply.json() : undefined) as Body,
    };
  }

  const admin: TestApp['admin'] = (method, path, payload, headers) =>
    send({ method, url: `/mgmt${path}`, token: first.adminToken, headers, ...(payload && { payload }) });
  async function runEnds(id: string): Promise<Json> {
    for (;;) {
      const { body } = await admin('GET', `/runs/${id}`);
      if (body.state !== 'running') return body;
      await sleep(50);
    }
  }

  return {
    ...first,
    runEnds,
    async draftLens(connection, overrides = {}) {
      const { body } = await admin('POST', '/semantic/introspect/draft', {
        connection,
        name: connection,
        ...overrides,
      });
      const run = await runEnds(body.run_id);
      if (run.state !== 'succeeded') throw new Error(`the draft ended as ${run.state}: ${JSON.stringify(run.error)}`);
      return { run, text: run.result.files[`lenses/${connection}/lens.yaml`] };
    },
    async publishLens(name, text) {
      const draftReply = await admin('POST', '/lenses', { name, files: { 'lens.yaml': text } });
      if (draftReply.status !== 201) throw new Error(draftReply.text);
      return admin('POST', `/lenses/${name}/drafts/${draftReply.body.id}/publish`, {});
    },
    app,
    deps,
    ownerUrl,
    home: homeFolder,
    send,
    admin,
    async callTool(name, toolArguments) {
      const call = toolCall(name, toolArguments);
      const { text } = await send({ method: 'POST', url: '/mcp', payload: call, headers: MCP_HEADERS });
      return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result;
    },
    get: (path, token, headers) => send({ method: 'GET', url: path, token, headers }),
    post: (path, body, token, headers) => send({ method: 'POST', url: path, payload: body as object, token, headers }),
    addTenant: (name, ofFiles = files) => tenant(name, ofFiles),
    async sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]) {
      const client = new pg.Client({ connectionString: ownerUrl });
      await client.connect();
      try {
        return (await client.query<Row>(text, values)).rows;
      } finally {
        await client.end();
      }
    },
    async replica(env) {
      const another = await build(env);
      services.push(another);
      return another.app;
    },
    async listen() {
      const address = await app.listen({ host: '127.0.0.1', port: 0 });
      service.state.address = address;
      return address;
    },
    close: untilFileEnds(async () => {
      for (const running of services) {
        running.app.server.closeAllConnections(); // includes connections without a request
        await running.app.close();
        await running.close();
      }
      await Promise.all(pools.map((pool) => pool.end()));
    }),
  };
}

function tenantOf(deps: Deps, orgId: string): Pick<TestTenant, 'orgId' | 'mintCaller' | 'mintAdmin'> {
  return {
    orgId,
    mintAdmin: (label = 'test') =>
      deps.tenancy.inTenant(orgId, async (db) => (await mintCredential(db, { kind: 'admin_token', label })).token),
    mintCaller: ({ name, lenses = [], groups = [], attributes = {}, expiresAt }) =>
      deps.tenancy.inTenant(orgId, async (db) => {
        const caller = (await findCaller(db, { name })) ?? (await createCaller(db, { name, groups, attributes }));
        await replaceApiGrantsOfCaller(db, name, lenses);
        const minted = await mintCredential(db, { kind: 'caller_key', callerId: caller.id, expiresAt });
        return { id: caller.id, key: minted.token, keyId: minted.id };
      }),
  };
}
