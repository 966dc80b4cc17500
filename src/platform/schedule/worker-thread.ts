// Runs CPU-bound work in a separate thread: one piece at a time, tenants round-robin, with a time limit that ends the
// thread.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { fileToStart } from './current-build.ts';
import { FairQueue } from './fair-queue.ts';
import { offMainThread } from './fair-scheduler.ts';

const WAIT_MS = 30_000;
const IDLE_MS = 30_000;

export class WorkerThread<Request, Reply> {
  readonly #module: URL;
  readonly #gate = new FairQueue({ perKey: 1, overall: 1, waitMs: WAIT_MS });
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  /** Settles the piece that is running. */
  #settle: (reply: Reply | null) => void = () => undefined;

  /** The module answers each message with one message. Give its URL with the caller's own extension: .ts or .js. */
  constructor(module: URL) {
    this.#module = module;
  }

  /** Null if the time was up or the thread crashed. */
  run(tenant: string, request: Request, timeoutMs: number): Promise<Reply | null> {
    return offMainThread(() => this.#gate.pass(tenant, () => this.#ask(request, timeoutMs), tenant));
  }

  #ask(request: Request, timeoutMs: number): Promise<Reply | null> {
    clearTimeout(this.#idle);
    const worker = this.#worker ?? this.#start();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#settle(null), timeoutMs);
      this.#settle = (reply) => {
        clearTimeout(timer);
        this.#settle = () => undefined;
        if (reply === null) this.#stop();
        else this.#idle = setTimeout(() => this.#stop(), IDLE_MS).unref();
        resolve(reply);
      };
      worker.postMessage(request);
    });
  }

  #start(): Worker {
    const worker = start(this.#module);
    this.#worker = worker;
    const ended = () => {
      if (this.#worker === worker) this.#settle(null);
    };
    worker.on('message', (reply: Reply) => this.#worker === worker && this.#settle(reply));
    worker.on('error', ended).on('exit', ended);
    worker.unref(); // the caller that waits for the answer keeps the process alive
    return worker;
  }

  #stop(): void {
    const worker = this.#worker;
    this.#worker = null;
    void worker?.terminate();
  }
}

function start(module: URL): Worker {
  const path = fileToStart(module);
  const limits = { resourceLimits: { maxOldGenerationSizeMb: 512 }, env: { TZ: 'UTC' } };
  if (!path.endsWith('.ts')) return new Worker(path, limits);
  // A thread doesn't inherit the TypeScript loader, and the loader for `require` can't be imported.
  const tsx = pathToFileURL(
    createRequire(import.meta.url)
      .resolve('tsx/esm/api')
      .replace(/\.cjs$/, '.mjs'),
  );
  const [loader, entry] = [tsx, module].map(({ href }) => JSON.stringify(href));
  return new Worker(`import(${loader}).then(({ register }) => (register(), import(${entry})))`, {
    ...limits,
    eval: true,
  });
}
