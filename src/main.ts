// No other module opens a port or exits the process. Shutdown lets running asks finish.
import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import pino, { type Logger } from 'pino';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './adapters/embedded-postgres/start-embedded-postgres.ts';
import { findOllama } from './adapters/language-model/find-ollama.ts';
import { type Config, ConfigFault, divideLimitByWorkers, EMBEDDED_ORGANIZATION } from './config.ts';
import { findSetting, upsertSetting } from './domain/cockpit/settings.ts';
import { findOrganization, grantLenses, mintAdminToken, mintCallerKey } from './domain/identity/bootstrap.ts';
import { MISSING_DEMO_ORGANIZATION_MESSAGE } from './domain/identity/demo-mode.ts';
import {
  type Credentials,
  computeFingerprint,
  ensureSecretKeys,
  prepareHome,
  readCredentials,
  writeCredentials,
} from './home.ts';
import { loadProjectFolder } from './lens/files/load-project-folder.ts';
import { createId } from './platform/ids.ts';
import { SecretKeys } from './platform/secret-keys.ts';
import { describeRoleWeakness, openPool, type Pool } from './platform/tenancy/database.ts';
import { createOrganization, migrate, readAppLogin } from './platform/tenancy/migrate.ts';
import { type ProcessLock, takeProcessLock } from './platform/tenancy/process-lock.ts';
import { createSignInLink } from './sign-in-link.ts';
import { composeModelLine, formatWelcome } from './welcome.ts';
import { type WiredService, wireService } from './wire.ts';
import { startWorkers } from './workers.ts';

const QUICKSTART_CALLER = 'quickstart';
/** The setting that records what the last start applied. */
const LAST_START_SETTING = 'start.project';
const HOME_LOCK_KEY = 7_368_994;
const LOCK_ATTEMPTS = 3;
/** A process needs several sessions on the control database, because a background task can hold one. */
const MAX_SESSIONS = 20;
const MIN_SESSIONS = 4;
const DRAIN_TIMEOUT_MS = 30_000;
const REQUEST_ARRIVAL_WAIT_MS = 300; // at shutdown, the time for requests in transit to arrive
/**
 * V8 optimizes a function after thousands of calls, but an ask calls most functions only once. Without this flag, the
 * first thousands of asks would run slow code.
 */
const EARLY_OPTIMIZATION_FLAGS: Record<string, string> = {
  20: '--interrupt-budget=12000',
  22: '--invocation-count-for-turbofan=500',
  24: '--invocation-count-for-turbofan=500',
};

export interface RunningService {
  baseUrl: string;
  stop(): Promise<void>;
}

export async function startService(config: Config): Promise<RunningService> {
  const log = pino({ level: config.logLevel });
  if (config.workers > 1 && cluster.isPrimary) return startWorkers(config.workers, log);
  return config.databaseUrl ? startOnDatabase(config, log, config.databaseUrl, null) : startEmbedded(config, log);
}

async function startEmbedded(config: Config, log: Logger): Promise<RunningService> {
  await prepareHome(config.home);
  const secretKeys = config.secretKeys ?? (await ensureSecretKeys(config.home));
  const { postgres, lock } = await startLockedPostgres(config.home);
  postgres.keepAlive(() => log.warn('the embedded database stopped unexpectedly and was restarted'));
  try {
    await migrate(postgres.url);
    const allowedAddresses = config.allowedAddresses ?? ['127.0.0.0/8', '::1', 'localhost'];
    const runningService = await startOnDatabase(
      { ...config, secretKeys, allowedAddresses },
      log,
      postgres.url,
      config.home,
    );
    return {
      baseUrl: runningService.baseUrl,
      async stop() {
        await runningService.stop();
        // Releases the lock last, so that the database has stopped when the next process takes the lock.
        await postgres.stop();
        await lock.release();
      },
    };
  } catch (fault) {
    await postgres.stop();
    await lock.release();
    throw fault;
  }
}

async function startLockedPostgres(homeFolder: string): Promise<{ postgres: EmbeddedPostgres; lock: ProcessLock }> {
  for (let attempt = 1; ; attempt++) {
    try {
      const postgres = await startEmbeddedPostgres({ home: homeFolder });
      const lock = await takeProcessLock(postgres.url, HOME_LOCK_KEY);
      if (lock) return { postgres, lock };
    } catch (fault) {
      // Another svc process stopped its database on exit. The next attempt starts a new database.
      if (attempt === LOCK_ATTEMPTS) throw fault;
      continue;
    }
    throw new ConfigFault(`Another svc server is using ${homeFolder}. Stop it, or set SVC_HOME to another folder.`, {
      exitCode: 1,
    });
  }
}

async function startOnDatabase(
  config: Config,
  log: Logger,
  ownerUrl: string,
  embeddedHome: string | null,
): Promise<RunningService> {
  const appUrl = config.appDatabaseUrl ?? readAppLogin(ownerUrl).url;
  const pool = openPool(appUrl, {
    max: Math.max(MIN_SESSIONS, divideLimitByWorkers(MAX_SESSIONS, config.workers)),
    onError: ({ message }) => log.warn({ reason: message }, 'a database session was lost'),
  });
  try {
    await refusePrivilegedLogin(pool);
    const keys = new SecretKeys(config.secretKeys ?? []);
    if (keys.keys.length === 0)
      log.warn('SVC_SECRET_KEY is not set: receipts are not signed, and secrets can’t be stored');
    const service = await wireService({ config, pool, log, keys, controlDatabase: ownerUrl });
    try {
      if (embeddedHome) await applyProject(config, log, service, ownerUrl);
      if (config.demoOrg !== null && !(await findOrganization(service.deps.tenancy, config.demoOrg)))
        log.warn(MISSING_DEMO_ORGANIZATION_MESSAGE);
      service.state.address = await service.app.listen({ host: config.host, port: config.port });
      enableEarlyOptimization();
      if (embeddedHome) process.stdout.write(await composeWelcome(config, service, embeddedHome));
      else log.info(composeModelLine(config, null));
      return { baseUrl: service.deps.baseUrl(), stop: () => drainRequests(service, pool, log) };
    } catch (fault) {
      await service.close();
      throw fault;
    }
  } catch (fault) {
    await pool.end();
    throw fault;
  }
}

/** Call this after startup, because startup code runs only once. */
function enableEarlyOptimization(): void {
  const flag = EARLY_OPTIMIZATION_FLAGS[process.versions.node.split('.')[0]!];
  if (flag) setFlagsFromString(flag);
}

async function refusePrivilegedLogin(pool: Pool): Promise<void> {
  let weakness: string | null;
  try {
    weakness = await describeRoleWeakness(pool);
  } catch (fault) {
    const { code, message } = fault as NodeJS.ErrnoException;
    const reason = ['3F000', '28P01', '28000'].includes(code ?? '')
      ? 'The control database needs a migration. Run: npx svc migrate'
      : `Can't connect to the control database: ${message}`;
    throw new ConfigFault(reason, { cause: fault, exitCode: 1 });
  }
  if (weakness)
    throw new ConfigFault(
      `The server must not use this database login: ${weakness}. Set SVC_APP_DATABASE_URL to a login with the role svc_app, or unset it.`,
    );
}

/** The project folder is skipped if it hasn't changed since the last start. */
async function applyProject(config: Config, log: Logger, service: WiredService, ownerUrl: string): Promise<void> {
  const orgId = await createOrganization(ownerUrl, EMBEDDED_ORGANIZATION, createId());
  const files = await loadProjectFolder(config.project);
  const stamp = `${orgId} ${computeFingerprint(files)}`;
  const { tenancy } = service.deps;
  const lastStart = await tenancy.inTenant(orgId, (db) => findSetting<{ sha256: string }>(db, LAST_START_SETTING));
  if (Object.keys(files).length === 0 || stamp === lastStart?.body.sha256) return;
  const lenses = await service.applyProject({ orgId, files });
  await grantLenses(tenancy, orgId, QUICKSTART_CALLER, lenses);
  await tenancy.inTenant(orgId, (db) => upsertSetting(db, LAST_START_SETTING, { sha256: stamp }));
  log.info({ lenses }, 'project applied');
}

async function ensureCredentials(config: Config, service: WiredService, homeFolder: string): Promise<Credentials> {
  const { tenancy, lenses } = service.deps;
  const org = (await findOrganization(tenancy, EMBEDDED_ORGANIZATION))!;
  const savedCredentials = await readCredentials(homeFolder);
  const ownCredentials = savedCredentials?.org_id === org.id ? savedCredentials : null;
  const grantedLenses = ownCredentials ? [] : (await lenses.list(org.id, null)).map(({ name }) => name);
  const caller_key =
    ownCredentials?.caller_key ?? (await mintCallerKey(tenancy, org.id, QUICKSTART_CALLER, grantedLenses)).key;
  const servesSkill = config.publicBaseUrl !== null || config.demoOrg !== null;
  const base_url = service.state.address;
  const credentials = {
    base_url,
    org_id: org.id,
    admin_token: ownCredentials?.admin_token ?? (await mintAdminToken(tenancy, org.id, QUICKSTART_CALLER)),
    caller_key,
    connect_line: servesSkill
      ? `Connect to ${(await service.deps.instance(org.id)).name}: read ${service.deps.baseUrl()}/SKILL.md and use my key ${caller_key}`
      : null,
  };
  await writeCredentials(homeFolder, credentials);
  return credentials;
}

async function composeWelcome(config: Config, service: WiredService, homeFolder: string): Promise<string> {
  const credentials = await ensureCredentials(config, service, homeFolder);
  const lenses = await service.deps.lenses.list(credentials.org_id, null);
  const lensQuestions = lenses.map(({ lens }) => ({ lens: lens.name, question: lens.sampleQuestions[0] }));
  const sample =
    lensQuestions.find(({ lens }) => lens === 'superstore') ?? lensQuestions.find(({ question }) => question);
  const link = await createSignInLink(service.deps.tenancy, credentials.org_id, service.deps.baseUrl());
  const { fast, smart } = config.operator.models ?? {};
  const ollama = fast || smart ? null : await findOllama(config.ollama);
  return formatWelcome(credentials, config, sample ?? null, link, ollama);
}

/** A failing /ready stops a load balancer from sending new requests. Then svc finishes the accepted requests. */
async function drainRequests(service: WiredService, pool: Pool, log: Logger): Promise<void> {
  service.state.isStopping = true;
  await sleep(REQUEST_ARRIVAL_WAIT_MS);
  // An idle connection would otherwise stay open after its last response, waiting for the client's next request.
  const closeTimer = setInterval(() => service.app.server.closeIdleConnections(), 50);
  await Promise.race([service.app.close(), sleep(DRAIN_TIMEOUT_MS, undefined, { ref: false })]);
  clearInterval(closeTimer);
  await service.close();
  await pool.end();
  log.info('stopped');
}
