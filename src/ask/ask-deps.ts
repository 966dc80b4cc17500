// What an ask needs from the rest of the house; put together once, in app.ts.
import type { CertifiedLibrary } from '../domain/certified/certified-library.ts';
import type { CertifiedWatch } from '../domain/certified/self-decertify.ts';
import type { Principal } from '../domain/identity/principal.ts';
import type { DictionaryRefresh } from '../domain/lenses/dictionary-refresh.ts';
import type { ServedLens, ServedLenses } from '../domain/lenses/lens-repository.ts';
import type { TraceRepository } from '../domain/observe/trace-repository.ts';
import type { TaughtWord } from '../domain/patches/propose-word.ts';
import type { LanguageModel, WarehouseDirectory } from '../domain/ports.ts';
import type { ReceiptKey } from '../domain/receipts/receipt.ts';
import type { SaidMeaning } from '../domain/reviews/propose-definition.ts';
import type { Clock } from '../platform/clock.ts';
import type { UnreadAnswers } from '../platform/http/unread-answers.ts';
import type { Turnstile } from '../platform/schedule/turnstile.ts';
import type { TypedDecisions } from './read/model/typed-decisions.ts';
import type { ProbeLimits } from './read/values/probe-values.ts';
import type { ConnectionScopes } from './run/connection-scope.ts';
import type { Freshness } from './run/freshness.ts';

export interface AskDeps {
  lenses: ServedLenses;
  warehouses: WarehouseDirectory;
  traces: Pick<TraceRepository, 'write'>;
  library: CertifiedLibrary;
  /** Takes entries out of service whose ground has moved; null for asks of a lens that is not in service. */
  certifiedWatch: Pick<CertifiedWatch, 'doubt' | 'doubtAnew' | 'recovered'> | null;
  /** Similarity from which a bare question may run a certified entry, relative to the embedder. */
  exactBand: number;
  freshness: Freshness;
  /** Reads dictionaries again behind the asks; null for asks of a lens that is not in service. */
  dictionaries: Pick<DictionaryRefresh, 'whenAged' | 'lagging'> | null;
  connectionScopes: ConnectionScopes;
  receiptKeys: readonly ReceiptKey[];
  /** Null without a configured model: everything is then answered deterministically or not at all. */
  models: Models | null;
  /** Keeps what an caller said that an undefined term means, for review; null for asks of a lens that is not in service. */
  proposeDefinition: ((principal: Principal, said: SaidMeaning) => Promise<void>) | null;
  /** Drafts what a model's reading taught, for a curator; null for asks of a lens that is not in service. */
  proposeWord: ((principal: Principal, served: ServedLens, word: TaughtWord) => Promise<void>) | null;
  limits: { timeoutMs: number; maxBytes: number };
  /** What readers leave unread: who leaves too much waits before the next large result. */
  unread: UnreadAnswers;
  /** Asks whose results are large, at once. */
  largeResults: Turnstile;
  clock: Clock;
  traceHealth: { ok(): void; failed(): void };
  log: { warn(fields: Record<string, unknown>, message: string): void };
}

export interface Models {
  /** Typed decisions with the fast entry: intents that are then checked and compiled. */
  decisions: TypedDecisions;
  /** What one call of this entry may take. */
  timeoutMs(entry: LanguageModel['entry']): number;
  /** Prose: the lens's own entry when it names one, else the install's smart entry. */
  writerFor(lensModel: string | null): LanguageModel | null;
  /** SQL: the same, and the fast entry where there is no other. */
  sqlWriterFor(lensModel: string | null): LanguageModel | null;
}

/** What the small reads of one ask may take. */
export const probeLimits = ({ limits, dictionaries }: AskDeps, now: Date, signal: AbortSignal): ProbeLimits => ({
  ...limits,
  now,
  signal,
  lagging: (granted) => dictionaries?.lagging(granted),
});
