// Dependencies of an ask, put together once in app.ts.
import type { CertifiedLibrary } from '../domain/certified/certified-library.ts';
import type { CertifiedWatch } from '../domain/certified/certified-watch.ts';
import type { Principal } from '../domain/identity/principal.ts';
import type { DictionaryRefresh } from '../domain/lenses/dictionary-refresh.ts';
import type { ServedLens, ServedLenses } from '../domain/lenses/lens-repository.ts';
import type { TraceRepository } from '../domain/observe/trace-repository.ts';
import type { TaughtWord } from '../domain/patches/propose-word.ts';
import type { LanguageModel, WarehouseDirectory } from '../domain/ports.ts';
import type { ReceiptKey } from '../domain/receipts/receipt.ts';
import type { StatedMeaning } from '../domain/reviews/propose-definition.ts';
import type { Clock } from '../platform/clock.ts';
import type { UnreadAnswers } from '../platform/http/unread-answers.ts';
import type { Places } from '../platform/schedule/places.ts';
import type { TypedDecisions } from './read/model/typed-decisions.ts';
import type { ProbeLimits } from './read/values/probe-values.ts';
import type { ConnectionScopes } from './run/connection-scope.ts';
import type { Freshness } from './run/freshness.ts';

export interface AskDeps {
  lenses: ServedLenses;
  warehouses: WarehouseDirectory;
  traces: Pick<TraceRepository, 'write'>;
  library: CertifiedLibrary;
  /** Suspends entries whose lens or warehouse has changed; null for asks of a lens that is not in service. */
  certifiedWatch: Pick<CertifiedWatch, 'doubt' | 'doubtAnew' | 'recovered'> | null;
  /** Similarity from which a bare question may run a certified entry, relative to the embedder. */
  exactBand: number;
  freshness: Freshness;
  /** Refreshes dictionaries in the background; null for asks of a lens that is not in service. */
  dictionaries: Pick<DictionaryRefresh, 'whenAged' | 'lagging'> | null;
  connectionScopes: ConnectionScopes;
  receiptKeys: readonly ReceiptKey[];
  /** Null without a configured model. Every ask is then answered deterministically or not at all. */
  models: Models | null;
  /**
   * Stores a caller's meaning of an undefined term for review; null for asks of a lens that is not in
   * service.
   */
  proposeDefinition: ((principal: Principal, proposal: StatedMeaning) => Promise<void>) | null;
  /**
   * Drafts a change to the lens that a model's interpretation suggests; null for asks of a lens that is not
   * in service.
   */
  proposeWord: ((principal: Principal, served: ServedLens, word: TaughtWord) => Promise<void>) | null;
  limits: { timeoutMs: number; maxBytes: number };
  /** Unread answers. A caller with too many of them waits before its next large result. */
  unread: UnreadAnswers;
  /** Limits how many asks with large results run at once. */
  largeResults: Places;
  clock: Clock;
  traceHealth: { ok(): void; failed(): void };
  log: { warn(fields: Record<string, unknown>, message: string): void };
}

export interface Models {
  /** Typed decisions with the fast entry: plans that are then checked and compiled. */
  decisions: TypedDecisions;
  /** Time limit of one call of this entry. */
  timeoutMs(entry: LanguageModel['entry']): number;
  /** For prose: the lens's own entry if it names one, otherwise the installation's smart entry. */
  writerFor(lensModel: string | null): LanguageModel | null;
  /** For SQL: the same entry, or the fast entry if there is no other. */
  sqlWriterFor(lensModel: string | null): LanguageModel | null;
}

/** Limits for the small reads of one ask. */
export const probeLimits = ({ limits, dictionaries }: AskDeps, now: Date, signal: AbortSignal): ProbeLimits => ({
  ...limits,
  now,
  signal,
  lagging: (granted) => dictionaries?.lagging(granted),
});
