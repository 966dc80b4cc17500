// What an ask needs from the rest of the house; put together once, in app.ts.
import type { CertifiedLibrary } from '../domain/certified/certified-library.ts';
import type { LensRepository } from '../domain/lenses/lens-repository.ts';
import type { LanguageModel, WarehouseDirectory } from '../domain/ports.ts';
import type { ReceiptKey } from '../domain/receipts/receipt.ts';
import type { TraceRepository } from '../domain/traces/trace-repository.ts';
import type { Clock } from '../platform/clock.ts';
import type { ConnectionScopes } from './connection-scope.ts';
import type { Freshness } from './freshness.ts';

export interface AskDeps {
  lenses: LensRepository;
  warehouses: WarehouseDirectory;
  traces: TraceRepository;
  library: CertifiedLibrary;
  /** Similarity from which a bare question may run a certified entry, relative to the embedder. */
  exactBand: number;
  freshness: Freshness;
  connectionScopes: ConnectionScopes;
  receiptKeys: readonly ReceiptKey[];
  /** Null without a configured model: everything is then answered deterministically or not at all. */
  models: Models | null;
  limits: { timeoutMs: number; maxBytes: number };
  clock: Clock;
  traceHealth: { ok(): void; failed(cause: unknown): void };
  log: { warn(fields: Record<string, unknown>, message: string): void };
}

export interface Models {
  /** Typed decisions: intent, lens choice, sense. Null when off. */
  fast: LanguageModel | null;
  /** SQL and prose; a lens may name its own. */
  smart: LanguageModel | null;
  named(name: string): LanguageModel | null;
}
