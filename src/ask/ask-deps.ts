// The dependencies of an ask. wire.ts assembles them once.
import type { CertifiedLibrary } from '../domain/certified/certified-library.ts';
import type { CertifiedWatch } from '../domain/certified/certified-watch.ts';
import type { Principal } from '../domain/identity/principal.ts';
import type { DictionaryRefresh } from '../domain/lenses/dictionary-refresh.ts';
import type { LiveLens, LiveLenses } from '../domain/lenses/lens-repository.ts';
import type { TraceRepository } from '../domain/observe/trace-repository.ts';
import type { WordPatchProposal } from '../domain/patches/patches.ts';
import type { LanguageModel, WarehouseDirectory } from '../domain/ports.ts';
import type { ReceiptKey } from '../domain/receipts/receipt.ts';
import type { MeaningProposal } from '../domain/reviews/review.ts';
import type { Clock } from '../platform/clock.ts';
import type { UnreadAnswerMemory } from '../platform/http/unread-answers.ts';
import type { WorkLimiter } from '../platform/schedule/work-limiter.ts';
import type { DecisionModel } from './read/model/decision-model.ts';
import type { ProbeLimits } from './read/values/probe-values.ts';
import type { ConnectionLensCache } from './run/connection-scope.ts';
import type { DataTimestampCache } from './run/freshness.ts';

export interface AskDeps {
  lenses: LiveLenses;
  warehouses: WarehouseDirectory;
  traces: Pick<TraceRepository, 'write'>;
  library: CertifiedLibrary;
  /** Suspends certified entries whose lens or warehouse has changed. Null in an untraced ask (untraced-ask.ts). */
  certifiedWatch: Pick<CertifiedWatch, 'suspendIfChanged' | 'recheckAfterFailure' | 'restoreById'> | null;
  /**
   * The minimum similarity between a question and the certified entry that svc runs for it. The threshold depends on
   * the embedder.
   */
  exactBand: number;
  freshness: DataTimestampCache;
  /** Refreshes dictionaries in the background. Null in an untraced ask. */
  dictionaries: Pick<DictionaryRefresh, 'refreshIfExpired' | 'refreshUnlessRecent'> | null;
  connectionScopes: ConnectionLensCache;
  receiptKeys: readonly ReceiptKey[];
  /** Null if no model is configured. svc then answers without a model or not at all. */
  models: AskModels | null;
  /** Stores the meaning that a caller gave to an undefined term, for review. Null in an untraced ask. */
  proposeDefinition: ((principal: Principal, proposal: MeaningProposal) => Promise<void>) | null;
  /** Drafts a lens change that a model's interpretation suggests. Null in an untraced ask. */
  proposeWordPatch: ((principal: Principal, liveLens: LiveLens, word: WordPatchProposal) => Promise<void>) | null;
  limits: { timeoutMs: number; maxBytes: number };
  /** Counts unread answers. A caller with too many unread answers waits before its next large result. */
  unread: UnreadAnswerMemory;
  largeResults: WorkLimiter;
  clock: Clock;
  traceHealth: { recordSuccess(): void; recordFailure(): void };
  log: { warn(fields: Record<string, unknown>, message: string): void };
}

export interface AskModels {
  /** The fast model, which svc asks for decisions such as plans. svc checks each plan and compiles it. */
  decisions: DecisionModel;
  timeoutMs(entry: LanguageModel['entry']): number;
  /** The model for prose: the model that the lens names, otherwise the smart model. */
  writerFor(lensModel: string | null): LanguageModel | null;
  /** The model for SQL: the model for prose if there is one, otherwise the fast model. */
  sqlWriterFor(lensModel: string | null): LanguageModel | null;
}

export const createProbeLimits = ({ limits, dictionaries }: AskDeps, now: Date, signal: AbortSignal): ProbeLimits => ({
  ...limits,
  now,
  signal,
  onOutdatedDictionary: (grantedLens) => dictionaries?.refreshUnlessRecent(grantedLens),
});
