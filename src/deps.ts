import type { FastifyBaseLogger } from 'fastify';
import type { AskModels } from './ask/ask-deps.ts';
import type { Ask } from './ask/entry-points.ts';
import type { DataTimestampCache } from './ask/run/freshness.ts';
import type { UntracedAsk } from './ask/untraced-ask.ts';
import type { Config } from './config.ts';
import type { ReadyInfo } from './contract/readiness.ts';
import type { CertifiedLibrary } from './domain/certified/certified-library.ts';
import type { CertifiedWatch } from './domain/certified/certified-watch.ts';
import type { InstanceDetails } from './domain/cockpit/surface.ts';
import type { Authenticator } from './domain/identity/authenticate.ts';
import type { DemoMode } from './domain/identity/demo-mode.ts';
import type { OidcProvider } from './domain/identity/oidc-provider.ts';
import type { DictionaryRefresh } from './domain/lenses/dictionary-refresh.ts';
import type { LensRepository } from './domain/lenses/lens-repository.ts';
import type { Metrics } from './domain/observe/metrics.ts';
import type { Spans } from './domain/observe/spans.ts';
import type { TraceRepository } from './domain/observe/trace-repository.ts';
import type { WarehouseDirectory } from './domain/ports.ts';
import type { ProjectDeps } from './domain/project/project-deps.ts';
import type { SigningKeys } from './domain/receipts/signing-keys.ts';
import type { Runs } from './domain/runs/runs.ts';
import type { Clock } from './platform/clock.ts';
import type { UnreadAnswerMemory } from './platform/http/unread-answers.ts';
import type { Readiness } from './platform/readiness.ts';
import type { Scheduler } from './platform/schedule/scheduler.ts';
import type { SealedState } from './platform/sealed-state.ts';
import type { RateLimiter } from './platform/tenancy/rate-limit.ts';
import type { Tenancy } from './platform/tenancy/tenant.ts';
import type { Uploads } from './platform/uploads.ts';

export interface Deps {
  config: Config;
  /** The start of every URL that the server returns. svc never takes it from a request header. */
  baseUrl: () => string;
  log: FastifyBaseLogger;
  clock: Clock;
  tenancy: Tenancy;
  authenticator: Authenticator;
  lenses: LensRepository;
  traces: TraceRepository;
  library: CertifiedLibrary;
  certifiedWatch: CertifiedWatch;
  dictionaries: DictionaryRefresh;
  runs: Runs;
  exactBand: number;
  freshness: DataTimestampCache;
  warehouses: WarehouseDirectory;
  uploads: Uploads;
  project: ProjectDeps;
  signingKeys: SigningKeys;
  models: AskModels | null;
  /** At most `limits.asks_in_flight` asks of one key run at a time. */
  ask: Ask;
  scheduler: Scheduler;
  /** For drafts, plans and patches. Asks against an unpublished lens have no trace and no receipt. */
  untracedAsk: UntracedAsk;
  /** Counts the responses that clients haven't read. */
  unread: UnreadAnswerMemory;
  limiter: RateLimiter;
  readiness: Readiness;
  metrics: Metrics;
  /** Null if no telemetry collector is configured. */
  spans: Spans | null;
  readyInfo: () => Promise<ReadyInfo>;
  /** The installation's name, for pages that need no credential. */
  instance: (orgId?: string) => Promise<InstanceDetails>;
  /** Sign-in for people who use the pages, and encrypted browser state. */
  visitors: { sealedState: SealedState; demo: DemoMode | null; oidcProvider: OidcProvider | null };
}
