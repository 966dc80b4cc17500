// Shares the event loop and the processors fairly between tenants. It only acts while several tenants have work:
// - A tenant with more work than the others uses at most half of the processors outside the event loop, such as engines.
// - While the event loop is busy, such a tenant runs one piece there at a time and pauses after it.
// - Waiting for an external system, such as a warehouse or a model, takes no place.
import { AsyncLocalStorage } from 'node:async_hooks';
import { availableParallelism } from 'node:os';
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { Problem } from '../problem.ts';

interface Tenant {
  /** Pieces that have started and not ended, and their recent maximum. */
  underWay: number;
  demand: number;
  running: number;
  seenAt: number;
  restsUntil: number;
  resting: NodeJS.Timeout | undefined;
  waiting: (() => void)[];
  /** Served before pieces that haven't started, because started pieces hold memory. */
  returning: (() => void)[];
  onProcessors: number;
  waitingForProcessors: (() => void)[];
}
interface Processor {
  entered: Promise<void>;
  leave(): void;
}
interface Piece {
  share: FairScheduler;
  tenant: Tenant;
  inside: boolean;
  since: number;
  long: NodeJS.Timeout | undefined;
  over: boolean;
  entering: Promise<void> | undefined;
  /** Steps of it that run outside the event loop. They share one processor. */
  beside: number;
  processor: Processor | undefined;
}

const WAIT_MS = 10_000;
/** A tenant without work for this long is no longer counted. */
const RECENT_MS = 1_000;
const PROCESSORS = Math.max(1, Math.floor(availableParallelism() / 2));
/** A longer piece, such as a stream, gives up its place, so that it doesn't block other work of the tenant. */
const LONG_MS = 1_000;
const LOOK_EVERY_MS = 50;
/** The loop counts as busy above this utilization, and for BUSY_MS after it, because the pauses lower its utilization. */
const BUSY = 0.6;
const BUSY_MS = 3_000;
const FADES = 0.9;
/** Length of a pause, as a multiple of the time that the piece ran. */
const REST_TIMES = 2;
const LONGEST_REST_MS = 50;

const pieces = new AsyncLocalStorage<Piece>();

export class FairScheduler {
  readonly #tenants = new Map<string, Tenant>();
  #busyUntil = 0;
  #looking: NodeJS.Timeout | undefined;
  #looked: EventLoopUtilization | undefined;

  /** Nested work belongs to the same piece. */
  async work<T>(name: string, work: () => Promise<T>): Promise<T> {
    const around = pieces.getStore();
    if (around?.share === this && !around.over) {
      await this.enterAgain(around);
      return work();
    }
    const begun = await this.begin(name);
    try {
      return await begun.within(work);
    } finally {
      begun.end();
    }
  }

  /** A piece that lasts until its `end` is called. */
  async begin(name: string): Promise<{ within<T>(work: () => T): T; end(): void }> {
    const tenant = this.#tenant(name);
    tenant.demand = Math.max(tenant.demand, ++tenant.underWay);
    const piece: Piece = {
      ...{ share: this, tenant, inside: false, since: 0, long: undefined, over: false, entering: undefined },
      ...{ beside: 0, processor: undefined },
    };
    const end = () => {
      if (piece.over) return;
      piece.over = true;
      this.leave(piece);
      tenant.underWay--;
    };
    try {
      await this.#enter(piece, WAIT_MS);
    } catch (fault) {
      end();
      throw fault;
    }
    return { within: (work) => pieces.run(piece, work), end };
  }

  leave(piece: Piece): void {
    if (!piece.inside) return;
    piece.inside = false;
    clearTimeout(piece.long);
    const { tenant } = piece;
    const now = performance.now();
    tenant.running--;
    tenant.seenAt = now;
    tenant.restsUntil = now + Math.min(LONGEST_REST_MS, (now - piece.since) * REST_TIMES);
    this.#admit(tenant);
  }

  async enterAgain(piece: Piece): Promise<void> {
    if (piece.over || piece.inside) return;
    piece.entering ??= this.#enter(piece).then(() => {
      piece.entering = undefined;
      if (piece.over) this.leave(piece);
    });
    await piece.entering;
  }

  async onProcessors<T>(piece: Piece, work: () => Promise<T>): Promise<T> {
    piece.processor ??= this.#processorFor(piece.tenant);
    const { processor } = piece;
    piece.beside++;
    try {
      await processor.entered;
      return await work();
    } finally {
      if (--piece.beside === 0) {
        piece.processor = undefined;
        processor.leave();
      }
    }
  }

  /** More than one tenant has work or recently had some. */
  get shared(): boolean {
    return this.#tenants.size > 1;
  }

  #tenant(name: string): Tenant {
    const known = this.#tenants.get(name);
    if (known) return known;
    const tenant: Tenant = {
      ...{ underWay: 0, demand: 0, running: 0, seenAt: performance.now(), restsUntil: 0 },
      resting: undefined,
      waiting: [],
      returning: [],
      onProcessors: 0,
      waitingForProcessors: [],
    };
    this.#tenants.set(name, tenant);
    if (this.#tenants.size > 1) this.#looking ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    return tenant;
  }

  async #enter(piece: Piece, waitMs?: number): Promise<void> {
    const { tenant } = piece;
    const { waiting, returning } = tenant;
    const queue = waitMs === undefined ? returning : waiting;
    if (!this.#mayEnter(tenant) || queue.length > 0 || (queue === waiting && returning.length > 0)) {
      const entered = waitIn(queue, waitMs);
      this.#admit(tenant);
      await entered;
    } else tenant.running++;
    piece.inside = true;
    piece.since = performance.now();
    piece.long = setTimeout(() => this.leave(piece), LONG_MS).unref();
  }

  #mayEnter(tenant: Tenant): boolean {
    if (!this.#takesTooMuch(tenant)) return true;
    return tenant.running === 0 && performance.now() >= tenant.restsUntil;
  }

  #takesTooMuch(tenant: Tenant): boolean {
    return performance.now() < this.#busyUntil && this.#hasMost(tenant);
  }

  #hasMost(tenant: Tenant): boolean {
    if (!this.shared) return false;
    let demand = 0;
    for (const one of this.#tenants.values()) demand += one.demand;
    return tenant.demand > demand / this.#tenants.size;
  }

  #admit(tenant: Tenant): void {
    const { waiting, returning } = tenant;
    while (this.#mayEnter(tenant)) {
      const enter = returning.shift() ?? waiting.shift();
      if (!enter) return;
      tenant.running++;
      enter();
    }
    if (tenant.running > 0 || waiting.length + returning.length === 0) return;
    clearTimeout(tenant.resting);
    tenant.resting = setTimeout(() => this.#admit(tenant), tenant.restsUntil - performance.now());
  }

  #processorFor(tenant: Tenant): Processor {
    let holds = false;
    let long: NodeJS.Timeout | undefined;
    const leave = () => {
      clearTimeout(long);
      if (!holds) return;
      holds = false;
      tenant.onProcessors--;
      this.#admitToProcessors(tenant);
    };
    const entered = waitIn(tenant.waitingForProcessors, WAIT_MS).then(() => {
      holds = true;
      long = setTimeout(leave, LONG_MS).unref();
    });
    this.#admitToProcessors(tenant);
    return { entered, leave };
  }

  #admitToProcessors(tenant: Tenant): void {
    const { waitingForProcessors: waiting } = tenant;
    while (waiting.length > 0 && (tenant.onProcessors < PROCESSORS || !this.#hasMost(tenant))) {
      tenant.onProcessors++;
      waiting.shift()!();
    }
  }

  #look(): void {
    const now = performance.now();
    const looked = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(looked, this.#looked);
    this.#looked = looked;
    if (utilization > BUSY) this.#busyUntil = now + BUSY_MS;
    for (const [name, tenant] of this.#tenants) {
      tenant.demand = Math.max(tenant.underWay, tenant.demand * FADES);
      if (tenant.underWay === 0 && now - tenant.seenAt > RECENT_MS) this.#tenants.delete(name);
    }
    for (const tenant of this.#tenants.values()) {
      this.#admit(tenant);
      this.#admitToProcessors(tenant);
    }
    if (this.#tenants.size > 1) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
    this.#looked = undefined;
  }
}

/** Waits without a limit if `waitMs` is undefined. */
function waitIn(waiting: (() => void)[], waitMs: number | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (waitMs === undefined) {
      waiting.push(resolve);
      return;
    }
    const enter = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(enter), 1);
      reject(tooMany());
    }, waitMs);
    waiting.push(enter);
  });
}

const tooMany = () =>
  new Problem('rate_limited', 'Your organization has reached its share of running asks. Ask again shortly.', {
    retryAfter: 1,
  });

/** Releases the piece's place while it waits for an external system. */
export async function elsewhere<T>(wait: () => Promise<T>): Promise<T> {
  const piece = pieces.getStore();
  if (!piece) return wait();
  piece.share.leave(piece);
  try {
    return await wait();
  } finally {
    await piece.share.enterAgain(piece);
  }
}

/** Runs work outside the event loop on processors of this machine. */
export async function offMainThread<T>(work: () => Promise<T>): Promise<T> {
  const piece = pieces.getStore();
  return piece ? elsewhere(() => piece.share.onProcessors(piece, work)) : work();
}

/** Takes a place again while an external system still sends: receiving large data is work for the event loop. */
export async function resumeOnLoop(): Promise<void> {
  const piece = pieces.getStore();
  await piece?.share.enterAgain(piece);
}

/** Other tenants also have work, so long work pauses between its slices. */
export const othersWait = (): boolean => pieces.getStore()?.share.shared ?? false;
