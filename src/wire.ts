// Assembles the service once: adapters into ports, ports into operations, operations into the app.

import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Cassette } from './adapters/language-model/cassette.ts';
import { type LoadedPlugins, loadPlugins } from './adapters/plugins.ts';
import { WarehouseRegistry } from './adapters/warehouse/warehouse-registry.ts';
import { buildApp } from './app.ts';
import { createAnswerComparer } from './ask/compare-answers.ts';
import { createAsk } from './ask/create-ask.ts';
import { createMeasuredAsk, createScheduledAsk } from './ask/entry-points.ts';
import { ConnectionLensCache } from './ask/run/connection-scope.ts';
import { DataTimestampCache } from './ask/run/freshness.ts';
import { createUntracedAsk } from './ask/untraced-ask.ts';
import { type Config, divideLimitByWorkers } from './config.ts';
import type { Deps } from './deps.ts';
import { CertifiedLibrary } from './domain/certified/certified-library.ts';
import { CertifiedWatch } from './domain/certified/certified-watch.ts';
import { watchEmbedder } from './domain/certified/watched-embedder.ts';
import { readInstanceDetails } from './domain/cockpit/surface.ts';
import { ConnectionDirectory } from './domain/connections/connection-directory.ts';
import { expandConnection, readGrantedVariables } from './domain/connections/expand-connection.ts';
import { Authenticator } from './domain/identity/authenticate.ts';
import { DemoMode } from './domain/identity/demo-mode.ts';
import { OidcProvider } from './domain/identity/oidc-provider.ts';
import type { Principal } from './domain/identity/principal.ts';
import { DictionaryRefresh } from './domain/lenses/dictionary-refresh.ts';
import { LensRepository, type LiveLens } from './domain/lenses/lens-repository.ts';
import { createMetrics } from './domain/observe/metrics.ts';
import { compactRecentTallies, expireTraces } from './domain/observe/retention.ts';
import { type Spans, withAskSpans } from './domain/observe/spans.ts';
import { TraceRepository } from './domain/observe/trace-repository.ts';
import { proposeWordPatch, type WordPatchProposal } from './domain/patches/patches.ts';
import { applyProject } from './domain/project/apply-project.ts';
import type { ProjectDeps } from './domain/project/project-deps.ts';
import { SigningKeys } from './domain/receipts/signing-keys.ts';
import { type MeaningProposal, proposeDefinition } from './domain/reviews/review.ts';
import { Runs } from './domain/runs/runs.ts';
import { BUILD_LIMITS } from './engines/limits.ts';
import { type Clock, DatabaseClock } from './platform/clock.ts';
import { ComponentHealth } from './platform/component-health.ts';
import { UnreadAnswerMemory } from './platform/http/unread-answers.ts';
import { Scheduler } from './platform/schedule/scheduler.ts';
import { WorkLimiter } from './platform/schedule/work-limiter.ts';
import { SealedState } from './platform/sealed-state.ts';
import type { SecretKeys } from './platform/secret-keys.ts';
import type { Pool } from './platform/tenancy/database.ts';
import { createShareReserver, RateLimiter } from './platform/tenancy/rate-limit.ts';
import { Tenancy } from './platform/tenancy/tenant.ts';
import { Uploads } from './platform/uploads.ts';
import { wireModels } from './wire-models.ts';
import { wireReadiness } from './wire-readiness.ts';

const RETENTION_INTERVAL_MS = 3_600_000;
/** The limit per organization prevents one organization from using up the overall limit. */
const LARGE_RESULT_LIMITS = { overall: 3, perTenant: 2 };
const COMPACTION_INTERVAL_MS = 600_000;

type ProjectParts = Pick<Deps, 'log' | 'tenancy' | 'clock' | 'lenses' | 'authenticator' | 'untracedAsk'> & {
  warehouses: ConnectionDirectory;
};

export interface WiredService {
  app: FastifyInstance;
  deps: Deps;
  /** The address that the server listens on can differ from the public address. `isStopping` makes /ready fail. */
  state: { address: string; isStopping: boolean };
  /** Applies the operator's project folder and returns the names of the published lenses. */
  applyProject(project: { orgId: string; files: Record<string, string> }): Promise<string[]>;
  close(): Promise<void>;
}

export async function wireService(options: {
  config: Config;
  pool: Pool;
  log: Logger;
  keys: SecretKeys;
  controlDatabase: string;
  /** Recorded responses of language models, which replace the configured models. */
  cassette?: Cassette | null;
}): Promise<WiredService> {
  const { config, pool, log, keys } = options;
  const limits = config.operator.limits;
  const tenancy = new Tenancy(pool);
  const clock = new DatabaseClock(
    async () => (await tenancy.queryGlobal<{ now: Date }>('select clock_timestamp() as now'))[0]!.now,
  );
  await clock.start();
  const lenses = new LensRepository(tenancy);
  const traces = new TraceRepository(tenancy);
  const visitors = wireVisitors(config, tenancy, keys, clock);
  const authenticator = new Authenticator(tenancy, async (token) => visitors.demo?.authenticate(token) ?? null);
  const plugins = await loadPlugins(config.operator.plugins ?? [], config.project);
  const { models, embedder, exactBand } = wireModels(config.operator, plugins, options.cassette);
  const trackedEmbedder = watchEmbedder(embedder);
  const library = new CertifiedLibrary(trackedEmbedder.embedder);
  const opener = createWarehouseOpener(config, tenancy, plugins.warehouses, options.controlDatabase);
  const warehouses = new ConnectionDirectory(tenancy, keys, opener);
  const freshness = new DataTimestampCache();
  // After a failed trace write, traces stay unhealthy for a while without a probe, because a probe tests another write.
  const traceHealth = new ComponentHealth(() => traces.probe(), {
    ...{ validMs: 4_000, failingMs: 3_000, detail: 'traces can’t be written' },
  });
  const state = { address: '', isStopping: false };
  const baseUrl = () => config.publicBaseUrl ?? state.address;

  const metrics = createMetrics(() => warehouses.stuck());
  const spans = await startSpanExport(config, log);
  const certifiedWatch = new CertifiedWatch(tenancy);
  const runs = new Runs(tenancy);
  const dictionaries = new DictionaryRefresh({
    ...{ tenancy, lenses, warehouses, clock, log },
    maxAgeMs: (limits?.values_max_age_s ?? 900) * 1000,
  });
  const unread = new UnreadAnswerMemory();
  const askDeps = {
    ...{ certifiedWatch, unread, dictionaries, lenses, warehouses, library },
    ...{ exactBand, freshness, models, clock, traceHealth, log },
    traces: withAskSpans(traces, spans),
    connectionScopes: new ConnectionLensCache(warehouses),
    receiptKeys: keys.keys,
    proposeDefinition: (principal: Principal, proposal: MeaningProposal) =>
      proposeDefinition(tenancy, principal, proposal),
    proposeWordPatch: (principal: Principal, liveLens: LiveLens, word: WordPatchProposal) =>
      proposeWordPatch({ tenancy, warehouses }, principal, liveLens, word),
    limits: { timeoutMs: limits?.warehouse_timeout_ms ?? 30_000, maxBytes: limits?.max_result_bytes ?? 16_777_216 },
    largeResults: new WorkLimiter(LARGE_RESULT_LIMITS),
  };
  const scheduler = new Scheduler(divideLimitByWorkers(limits?.asks_in_flight ?? 32, config.workers));
  const ask = createAsk(askDeps);
  const untracedAsk = createUntracedAsk(askDeps);

  const { readiness, readyInfo } = wireReadiness({
    ...{ config, tenancy, keys, traceHealth, models, library, exactBand, warehouses, opener, state },
    ...{ embeddings: trackedEmbedder, plugins: plugins.report },
  });
  const signingKeys = new SigningKeys(tenancy, keys);
  signingKeys.storeCurrentKey().catch((err: unknown) => log.warn({ err }, 'the signing keys could not be stored'));

  const deps: Deps = {
    ...{ config, baseUrl, log, clock, tenancy, authenticator, lenses, traces },
    ...{ library, certifiedWatch, dictionaries, runs, exactBand, freshness, warehouses },
    uploads: new Uploads(config.home),
    project: wireProject(config, keys, opener, { log, tenancy, clock, lenses, warehouses, authenticator, untracedAsk }),
    ...{ signingKeys, models, untracedAsk },
    ask: createScheduledAsk(createMeasuredAsk(ask, metrics), scheduler),
    ...{ scheduler, unread, readiness, metrics, spans, visitors, readyInfo },
    limiter: new RateLimiter(createShareReserver(tenancy), () => clock.now().getTime()),
    instance: (orgId) => readInstanceDetails({ tenancy }, config.operator.instance, config.demoOrg, orgId),
  };
  const app = await buildApp(deps);
  const maintenanceTimers = config.runsMaintenance
    ? startMaintenance(tenancy, clock, log, config.operator.retention?.traces)
    : [];
  const recovery = runs
    .recover()
    .catch((err: unknown) => log.warn({ err }, 'runs of a stopped process could not be marked as failed'));
  return {
    app,
    deps,
    state,
    async applyProject({ orgId, files }) {
      await applyProject(deps.project, { orgId, files, actor: 'start', fromOperator: true, message: null });
      return (await lenses.list(orgId, null)).map(({ name }) => name);
    },
    async close() {
      for (const timer of maintenanceTimers) clearInterval(timer);
      await recovery;
      await runs.close();
      await dictionaries.waitUntilIdle();
      await spans?.close();
      clock.stop();
      await opener.close();
    },
  };
}

function createWarehouseOpener(
  config: Config,
  tenancy: Tenancy,
  pluginEngines: LoadedPlugins['warehouses'],
  controlDatabase: string,
): WarehouseRegistry {
  const { limits } = config.operator;
  return new WarehouseRegistry({
    projectFolder: config.project,
    home: config.home,
    expand: (connection) => expandConnection(tenancy, config.variables, connection),
    allowedAddresses: config.allowedAddresses ?? [],
    controlDatabase: parseDatabaseAddress(controlDatabase),
    pluginEngines,
    processes: config.workers,
    buildLimits: {
      timeoutMs: limits?.build_timeout_ms ?? BUILD_LIMITS.timeoutMs,
      maxBytes: limits?.max_built_bytes ?? BUILD_LIMITS.maxBytes,
    },
  });
}

function wireProject(
  config: Config,
  keys: SecretKeys,
  opener: WarehouseRegistry,
  { log, tenancy, clock, lenses, warehouses, authenticator, untracedAsk }: ProjectParts,
): ProjectDeps {
  return {
    tenancy,
    opener,
    secrets: keys,
    clock,
    operatorVariables: config.variables.allowed,
    readGrantedVariables: (orgId) => readGrantedVariables(tenancy, config.variables, orgId),
    getOperatorConfig: () => config.writtenFile,
    compareAnswers: createAnswerComparer({ lenses, opener, untracedAsk }),
    onApplied: (orgId, connections) => {
      authenticator.forgetAll();
      warehouses.forgetAll();
      warehouses.forgetDeleted(orgId, connections).catch((err: unknown) => {
        log.warn({ err }, 'files of a deleted connection could not be removed');
      });
    },
  };
}

function startMaintenance(
  tenancy: Tenancy,
  clock: Clock,
  log: Logger,
  retention: string | undefined,
): NodeJS.Timeout[] {
  const repeat = (intervalMs: number, fault: string, work: () => Promise<unknown>) =>
    setInterval(() => void work().catch((err: unknown) => log.warn({ err }, fault)), intervalMs).unref();
  return [
    repeat(RETENTION_INTERVAL_MS, 'old traces could not be deleted', () =>
      expireTraces(tenancy, clock.now(), retention),
    ),
    repeat(COMPACTION_INTERVAL_MS, 'hourly totals could not be compacted', () =>
      compactRecentTallies(tenancy, clock.now()),
    ),
  ];
}

/** Loads the telemetry library only if spans are sent. */
async function startSpanExport({ telemetry }: Config, log: Logger): Promise<Spans | null> {
  if (!telemetry) return null;
  const { createOtlpSpans } = await import('./adapters/telemetry/otlp-spans.ts');
  return createOtlpSpans({ ...telemetry, version: '0.1.0', warn: (message) => log.warn(message) });
}

function parseDatabaseAddress(url: string): { host: string; port: number; database: string } {
  const { hostname, port, pathname } = new URL(url);
  return { host: hostname, port: Number(port || 5432), database: decodeURIComponent(pathname.slice(1)) };
}

function wireVisitors(config: Config, tenancy: Tenancy, keys: SecretKeys, clock: Clock): Deps['visitors'] {
  const { demo, sign_in } = config.operator;
  const provider = demo?.identity_provider ? new OidcProvider(demo.identity_provider) : null;
  const settings = {
    organization: config.demoOrg ?? '',
    lenses: demo?.lenses ?? [],
    expiresInDays: demo?.expires_in_days ?? 7,
    mintsPerHour: demo?.mints_per_hour ?? 20,
  };
  return {
    sealedState: new SealedState(
      keys.keys.map(({ raw }) => raw),
      clock,
    ),
    demo: config.demoOrg ? new DemoMode(tenancy, settings, provider) : null,
    oidcProvider: sign_in?.oidc ? new OidcProvider(sign_in.oidc) : null,
  };
}
