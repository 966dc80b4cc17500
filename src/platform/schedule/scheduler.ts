// Decides which work runs next. It limits the asks in flight by organization and caller, and shares the event loop and
// the processors between organizations. These rules apply only while several organizations have work:
// - A tenant with more work than the others uses at most half of the processors outside the event loop, such as
//   engines.
// - While the event loop is busy, such a tenant runs one piece there at a time and pauses after it.
// - Waiting for an external system, such as a warehouse or a model, takes no place.
import { availableParallelism } from 'node:os';
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { requestStorage } from '../request-storage.ts';
import { Places, type WorkOwner } from './places.ts';

interface Tenant {
  /** The number of pieces in progress, and its recent maximum. */
  underWay: number;
  demand: number;
  seenAt: number;
  restsUntil: number;
}
/** A piece of work that lasts until its `end` is called. */
export interface StartedPiece {
  within<T>(work: () => T): T;
  end(): void;
}
interface Piece {
  scheduler: Scheduler;
  tenant: Tenant;
  by: WorkOwner;
  /** Releases the piece's place on the event loop. Undefined if it has none. */
  leave: (() => void) | undefined;
  since: number;
  long: NodeJS.Timeout | undefined;
  over: boolean;
  entering: Promise<void> | undefined;
  /** The piece's steps outside the event loop. They share one processor. */
  outsideSteps: number;
  processor: Promise<() => void> | undefined;
}

const ASK_WAIT_MS = 2_000; // CONTRACT, `limits`
/**
 * The limit of a tenant, as a multiple of the limit of a caller. It leaves places for other tenants, however many
 * callers one tenant has.
 */
const TENANT_FACTOR = 3;
const OVERALL_FACTOR = 4;

const WAIT_MS = 10_000;
/** A tenant without work for this long no longer counts. */
const RECENT_MS = 1_000;
const PROCESSORS = Math.max(1, Math.floor(availableParallelism() / 2));
/** A longer piece, such as a stream, gives up its place, so that it doesn't block other work of the tenant. */
const LONG_MS = 1_000;
const LOOK_EVERY_MS = 50;
/**
 * Above this utilization, the event loop counts as busy. It stays busy for BUSY_MS, because the pauses lower its
 * utilization.
 */
const BUSY_UTILIZATION = 0.6;
const BUSY_MS = 3_000;
const DECAY = 0.9;
/** The length of a pause, as a multiple of the time that the piece ran. */
const REST_TIMES = 2;
const LONGEST_REST_MS = 50;

const currentPiece = (): Piece | undefined => requestStorage.getStore()?.piece as Piece | undefined;

export class Scheduler {
  readonly #asks: Places;
  readonly #loop = new Places({ perTenant: (tenant) => this.#placesOnLoop(tenant), waitMs: WAIT_MS });
  readonly #processors = new Places({
    perTenant: (tenant) => (this.#hasMost(tenant) ? PROCESSORS : Infinity),
    waitMs: WAIT_MS,
  });
  readonly #tenants = new Map<string, Tenant>();
  #busyUntil = 0;
  #looking: NodeJS.Timeout | undefined;
  #looked: EventLoopUtilization | undefined;

  constructor(asksInFlight: number) {
    this.#asks = new Places({
      perCaller: asksInFlight,
      perTenant: asksInFlight * TENANT_FACTOR,
      overall: asksInFlight * OVERALL_FACTOR,
      waitMs: ASK_WAIT_MS,
    });
  }

  /**
   * Runs an ask when it is its caller's turn. An ask within another piece, such as a request, belongs to that piece.
   */
  schedule<T>(by: WorkOwner, work: () => Promise<T>): Promise<T> {
    return withoutPlace(() =>
      this.#asks.run(by, async () => {
        const around = currentPiece();
        if (around?.scheduler === this && !around.over) {
          const entering = this.enterAgain(around);
          if (entering) await entering;
          return work();
        }
        const beginning = this.begin(by.tenant);
        const started = beginning instanceof Promise ? await beginning : beginning;
        try {
          return await started.within(work);
        } finally {
          started.end();
        }
      }),
    );
  }

  /** Returns a promise only if the piece has to wait. */
  begin(name: string): StartedPiece | Promise<StartedPiece> {
    const tenant = this.#tenant(name);
    tenant.demand = Math.max(tenant.demand, ++tenant.underWay);
    const piece: Piece = {
      ...{ scheduler: this, tenant, by: { tenant: name, caller: '' }, leave: undefined, since: 0, long: undefined },
      ...{ over: false, entering: undefined, outsideSteps: 0, processor: undefined },
    };
    const end = () => {
      if (piece.over) return;
      piece.over = true;
      this.leave(piece);
      tenant.underWay--;
    };
    const started: StartedPiece = {
      within: (work) => requestStorage.run({ requestId: requestStorage.getStore()?.requestId ?? null, piece }, work),
      end,
    };
    const entering = this.#enter(piece, false);
    return entering
      ? entering.then(
          () => started,
          (fault: unknown) => {
            end();
            throw fault;
          },
        )
      : started;
  }

  leave(piece: Piece): void {
    const { leave, tenant, by } = piece;
    if (!leave) return;
    piece.leave = undefined;
    clearTimeout(piece.long);
    const now = performance.now();
    const rest = Math.min(LONGEST_REST_MS, (now - piece.since) * REST_TIMES);
    tenant.seenAt = now;
    tenant.restsUntil = now + rest;
    leave();
    if (this.#takesTooMuch(by.tenant)) setTimeout(() => this.#loop.admit(), rest + 1).unref();
  }

  /** Returns a promise only if the piece has to wait. */
  enterAgain(piece: Piece): Promise<void> | undefined {
    if (piece.over || piece.leave) return undefined;
    piece.entering ??= this.#enter(piece, true)?.then(() => {
      piece.entering = undefined;
      if (piece.over) this.leave(piece);
    });
    return piece.entering;
  }

  async onProcessors<T>(piece: Piece, work: () => Promise<T>): Promise<T> {
    piece.processor ??= this.#takeProcessor(piece.by);
    const { processor } = piece;
    piece.outsideSteps++;
    try {
      await processor;
      return await work();
    } finally {
      if (--piece.outsideSteps === 0) {
        piece.processor = undefined;
        void processor.then(
          (leave) => leave(),
          () => undefined,
        );
      }
    }
  }

  async #takeProcessor(by: WorkOwner): Promise<() => void> {
    const leave = await this.#processors.enter(by);
    const long = setTimeout(leave, LONG_MS).unref();
    return () => {
      clearTimeout(long);
      leave();
    };
  }

  /** Whether more than one tenant has work or recently had some. */
  get shared(): boolean {
    return this.#tenants.size > 1;
  }

  #tenant(name: string): Tenant {
    const existingTenant = this.#tenants.get(name);
    if (existingTenant) return existingTenant;
    const tenant: Tenant = { underWay: 0, demand: 0, seenAt: performance.now(), restsUntil: 0 };
    this.#tenants.set(name, tenant);
    if (this.shared) this.#looking ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    return tenant;
  }

  #enter(piece: Piece, returning: boolean): Promise<void> | undefined {
    const entered = this.#loop.enter(piece.by, { returning });
    const begin = (leave: () => void) => {
      piece.leave = leave;
      piece.since = performance.now();
      piece.long = setTimeout(() => this.leave(piece), LONG_MS).unref();
    };
    if (entered instanceof Promise) return entered.then(begin);
    begin(entered);
    return undefined;
  }

  #placesOnLoop(name: string): number {
    if (!this.#takesTooMuch(name)) return Infinity;
    return performance.now() >= this.#tenants.get(name)!.restsUntil ? 1 : 0;
  }

  #takesTooMuch(name: string): boolean {
    return performance.now() < this.#busyUntil && this.#hasMost(name);
  }

  #hasMost(name: string): boolean {
    if (!this.shared) return false;
    let demand = 0;
    for (const tenant of this.#tenants.values()) demand += tenant.demand;
    return (this.#tenants.get(name)?.demand ?? 0) > demand / this.#tenants.size;
  }

  #look(): void {
    const now = performance.now();
    const looked = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(looked, this.#looked);
    this.#looked = looked;
    if (utilization > BUSY_UTILIZATION) this.#busyUntil = now + BUSY_MS;
    for (const [name, tenant] of this.#tenants) {
      tenant.demand = Math.max(tenant.underWay, tenant.demand * DECAY);
      if (tenant.underWay === 0 && now - tenant.seenAt > RECENT_MS) this.#tenants.delete(name);
    }
    this.#loop.admit();
    this.#processors.admit();
    if (this.shared) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
    this.#looked = undefined;
  }
}

/** Releases the piece's place while it waits for an external system. */
export async function withoutPlace<T>(wait: () => Promise<T>): Promise<T> {
  const piece = currentPiece();
  if (!piece) return wait();
  piece.scheduler.leave(piece);
  try {
    return await wait();
  } finally {
    const entering = piece.scheduler.enterAgain(piece);
    if (entering) await entering;
  }
}

/** Runs work outside the event loop, on processors of this machine. */
export async function offMainThread<T>(work: () => Promise<T>): Promise<T> {
  const piece = currentPiece();
  return piece ? withoutPlace(() => piece.scheduler.onProcessors(piece, work)) : work();
}

/**
 * Takes a place again while an external system still sends data, because receiving large data occupies the event loop.
 */
export async function resumeOnLoop(): Promise<void> {
  const piece = currentPiece();
  await piece?.scheduler.enterAgain(piece);
}

/** Whether other tenants have work. If so, long work pauses between its slices. */
export const hasOtherTenantsWaiting = (): boolean => currentPiece()?.scheduler.shared ?? false;
