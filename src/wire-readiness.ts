import type { WarehouseRegistry } from './adapters/warehouse/warehouse-registry.ts';
import type { Config } from './config.ts';
import type { ReadyInfo } from './contract/readiness.ts';
import type { Deps } from './deps.ts';
import type { watchEmbedder } from './domain/certified/watched-embedder.ts';
import type { ConnectionDirectory } from './domain/connections/connection-directory.ts';
import { countUndecryptableConnections } from './domain/connections/sealed-secrets.ts';
import { findOrganization } from './domain/identity/bootstrap.ts';
import { MISSING_DEMO_ORGANIZATION_MESSAGE } from './domain/identity/demo-mode.ts';
import type { ComponentHealth } from './platform/component-health.ts';
import { Readiness } from './platform/readiness.ts';
import type { SecretKeys } from './platform/secret-keys.ts';
import { findPendingMigrations } from './platform/tenancy/migrate.ts';

const SECRETS_CACHE_MS = 30_000; // per organization

interface ReadinessParts extends Pick<Deps, 'config' | 'tenancy' | 'models' | 'library' | 'exactBand'> {
  keys: SecretKeys;
  traceHealth: ComponentHealth;
  warehouses: ConnectionDirectory;
  opener: WarehouseRegistry;
  embeddings: ReturnType<typeof watchEmbedder>;
  plugins: string[];
  state: { isStopping: boolean };
}

export function wireReadiness(parts: ReadinessParts): Pick<Deps, 'readiness' | 'readyInfo'> {
  const { config, tenancy, models, exactBand, embeddings } = parts;
  const readiness = new Readiness();
  readiness.watch('database', async () => {
    if (parts.state.isStopping) return { status: 'failing', detail: 'the server is stopping' };
    await tenancy.queryGlobal('select 1');
    return undefined;
  });
  readiness.watch('schema', async () => {
    const appliedMigrations = await tenancy.queryGlobal<{ id: string }>('select id from public.svc_migrations');
    const pendingNames = await findPendingMigrations(appliedMigrations.map(({ id }) => id));
    return pendingNames.length > 0
      ? { status: 'failing', detail: `run svc migrate: ${pendingNames.join(', ')}` }
      : undefined;
  });
  readiness.watch('trace_writes', () => parts.traceHealth.readState());
  // The state of typed decisions isn't cached, because a single decision can change it.
  const fetchDecisionStatus = async () => {
    models?.decisions.probeIfDegraded();
    return { status: models?.decisions.status ?? 'off' };
  };
  readiness.watch('typed_decisions', fetchDecisionStatus, 0);
  // /ready reports these components, but they don't make it fail.
  const optionalComponents = new Readiness();
  optionalComponents.watch('embeddings', () => embeddings.readState());
  optionalComponents.watch('certified_matching', async () => {
    const state = await embeddings.readState();
    if (state.status !== 'ok') return state;
    return (await parts.library.canMatch(exactBand))
      ? undefined
      : { status: 'failing', detail: 'no similarity reaches exact_band' };
  });
  optionalComponents.watch(
    'secrets',
    async () => {
      const undecryptableCount = await countUndecryptableConnections(tenancy, parts.keys);
      if (undecryptableCount === 0) return undefined;
      const secretsText =
        undecryptableCount === 1 ? '1 connection has a secret' : `${undecryptableCount} connections have secrets`;
      return { status: 'failing', detail: `${secretsText} that no key in SVC_SECRET_KEY can decrypt` };
    },
    SECRETS_CACHE_MS,
  );
  const { demoOrg } = config;
  if (demoOrg !== null)
    optionalComponents.watch('demo', async () =>
      (await findOrganization(tenancy, demoOrg))
        ? undefined
        : { status: 'failing', detail: MISSING_DEMO_ORGANIZATION_MESSAGE },
    );

  return {
    readiness,
    readyInfo: async () => {
      const { embeddings: embedding, certified_matching, secrets, demo } = (await optionalComponents.report()).checks;
      return {
        embeddings: { ...embedding!, embedder: embeddings.embedder.name },
        certified_matching: { ...certified_matching!, exact_band: exactBand },
        secrets: secrets!,
        ...(demo && { demo }),
        stuck_statements: parts.warehouses.stuck(),
        experimental: parts.opener.listExperimentalKinds(),
        ...describeConfiguration(config, embeddings.embedder.name, parts.plugins),
      };
    },
  };
}

function describeConfiguration(
  config: Config,
  embedderName: string,
  plugins: string[],
): Pick<ReadyInfo, 'plugins' | 'models'> {
  const { fast, smart, embedder } = config.operator.models ?? {};
  const describeModel = (entry: { provider: string; model: string } | undefined) =>
    entry ? { provider: entry.provider, model: entry.model } : null;
  return {
    plugins,
    models: {
      fast: describeModel(fast),
      smart: describeModel(smart),
      embedder: {
        provider: embedder?.provider ?? 'builtin',
        model: embedder?.model ?? embedderName.replace(/^openai:/, ''),
      },
    },
  };
}
