// Uses child processes for work that may hang, because native code and synchronous parsers ignore abort signals. The
// child processes have a lower priority than the process that answers requests.
import { type ChildProcess, fork } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { getPriority, platform, setPriority } from 'node:os';
import type { ProblemCode } from '../../contract/problem-codes.ts';
import { Problem, type ProblemOptions } from '../problem.ts';
import { findStartFile } from './current-build.ts';
import { runOffMainThread } from './scheduler.ts';
import { WorkLimiter, type WorkOwner } from './work-limiter.ts';

export type WorkerMessage =
  | { ready: true }
  | { part: unknown }
  | { reply: unknown }
  | { problem: SentProblem }
  | { fault: string };

export interface SentProblem extends Omit<ProblemOptions, 'cause'> {
  code: ProblemCode;
  message: string;
}

export interface WorkerPoolOptions {
  /** The URL of the module, with the extension `.ts` for sources or `.js` for a build. */
  module: URL;
  /** The maximum number of processes overall, per tenant and per caller. */
  maxProcesses: number;
  perTenant: number;
  perCaller: number;
  waitMs: number;
  idleMs?: number;
  memoryMb?: number;
}

export interface WorkerJob {
  owner: WorkOwner;
  /** A process serves only jobs with the same key, such as the path of the database file that it has opened. */
  affinityKey: string;
  request: unknown;
  /** Excludes the time that a process takes to start. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  createTimeoutError(): Error;
  createCanceledError?(): Error;
  /** Receives each part of the result. The process sends the next part when the returned promise resolves. */
  onPart?(part: unknown): void | Promise<void>;
}

interface PooledProcess {
  child: ChildProcess;
  /** Resolves when the modules are loaded. The time limit of a waiting job starts then. */
  ready: Promise<void>;
  affinityKey: string;
  idleTimer: NodeJS.Timeout | undefined;
}

/** The work itself threw this problem, so its process stays usable. */
class ReportedProblem extends Problem {}

const IDLE_TIMEOUT_MS = 60_000;
const START_TIMEOUT_MS = 60_000;
const MAX_TIMER_MS = 2_147_483_647;
/** The parent can have a nice value other than 0, so this number is added to it. */
const NICE_VALUE = 10;
const MAX_NICE_VALUE = 19;

export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #slots: WorkLimiter;
  readonly #idle = new Set<PooledProcess>();
  #processCount = 0;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    const { maxProcesses, perTenant, perCaller, waitMs } = options;
    this.#slots = new WorkLimiter({ perCaller, perTenant, overall: maxProcesses, waitMs });
  }

  /** For work that is seldom large. `name` is the file without its extension, relative to the importing module. */
  static withSingleProcess(name: string, importerUrl: string): WorkerPool {
    const module = new URL(name + importerUrl.slice(importerUrl.lastIndexOf('.')), importerUrl);
    return new WorkerPool({ module, maxProcesses: 1, perTenant: 1, perCaller: 1, waitMs: 30_000, idleMs: 30_000 });
  }

  run<Reply>(job: WorkerJob): Promise<Reply> {
    const endsAt = performance.now() + job.timeoutMs;
    return this.#runInTurn(job.owner, () => this.#runNow({ ...job, timeoutMs: endsAt - performance.now() }));
  }

  /** The time limit starts when the work starts. Returns null after a timeout or failure, but rethrows a Problem. */
  attempt<Reply>(tenant: string, request: unknown, timeoutMs: number): Promise<Reply | null> {
    const owner = { tenant, caller: '' };
    const createTimeoutError = () => new Error('the work took too long');
    return this.#runInTurn(owner, () =>
      this.#runNow<Reply>({ owner, affinityKey: '', request, timeoutMs, createTimeoutError }),
    ).catch((error: unknown) => {
      if (error instanceof Problem) throw error;
      return null;
    });
  }

  #runInTurn<T>(owner: WorkOwner, work: () => Promise<T>): Promise<T> {
    return runOffMainThread(() => this.#slots.run(owner, work));
  }

  async #runNow<Reply>(job: WorkerJob): Promise<Reply> {
    if (job.signal?.aborted) throw createCanceledError(job);
    const worker = this.#takeProcess(job.affinityKey);
    let isReusable = false;
    try {
      await worker.ready;
      const reply = await sendJob<Reply>(worker.child, job);
      isReusable = true;
      return reply;
    } catch (error) {
      isReusable = error instanceof ReportedProblem;
      throw error;
    } finally {
      if (isReusable && worker.child.connected) this.#makeIdle(worker);
      else this.#end(worker);
    }
  }

  #takeProcess(affinityKey: string): PooledProcess {
    for (const worker of this.#idle) {
      if (worker.affinityKey !== affinityKey) continue;
      this.#idle.delete(worker);
      clearTimeout(worker.idleTimer);
      return worker;
    }
    // `#slots` limits only busy processes, so an idle process makes room for the new one.
    const [oldestWorker] = this.#idle;
    if (oldestWorker && this.#processCount >= this.#options.maxProcesses) this.#end(oldestWorker);
    const child = startProcess(this.#options);
    this.#processCount++;
    const worker: PooledProcess = { child, ready: waitUntilReady(child), affinityKey, idleTimer: undefined };
    child.once('exit', () => {
      this.#processCount--;
      this.#idle.delete(worker);
    });
    return worker;
  }

  #makeIdle(worker: PooledProcess): void {
    worker.idleTimer = setTimeout(() => this.#end(worker), this.#options.idleMs ?? IDLE_TIMEOUT_MS).unref();
    this.#idle.add(worker);
  }

  #end(worker: PooledProcess): void {
    clearTimeout(worker.idleTimer);
    this.#idle.delete(worker);
    worker.child.kill('SIGKILL');
  }
}

const createCanceledError = (job: WorkerJob): Error =>
  job.createCanceledError?.() ?? new Error('the work was canceled');

function startProcess({ module, memoryMb = 512 }: WorkerPoolOptions): ChildProcess {
  const path = findStartFile(module);
  const loader = path.endsWith('.ts') ? ['--import', createRequire(import.meta.url).resolve('tsx')] : [];
  const child = fork(path, [String(process.pid)], {
    execArgv: [`--max-old-space-size=${memoryMb}`, ...loader],
    // The child process receives no secrets. It runs one statement at a time, so two libuv threads are enough.
    env: { UV_THREADPOOL_SIZE: '2', TZ: 'UTC' },
    serialization: 'advanced',
    stdio: 'ignore',
  });
  child.on('error', () => child.kill('SIGKILL'));
  lowerPriority(child);
  child.unref();
  child.channel?.unref();
  return child;
}

function waitUntilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
    child.channel?.ref();
    const onExit = () => {
      clearTimeout(timer);
      reject(new Error('a worker process could not be started'));
    };
    child.once('exit', onExit);
    child.once('message', () => {
      clearTimeout(timer);
      child.off('exit', onExit);
      child.channel?.unref();
      resolve();
    });
  });
}

/** Called right after the start, so that new threads of the process inherit the priority. */
function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    const nice = Math.min(MAX_NICE_VALUE, getPriority() + NICE_VALUE);
    for (const thread of listThreads(pid)) setPriority(thread, nice);
  } catch {
    // The process has already ended, or the system doesn't allow the change.
  }
}

/** Linux has a priority per thread, and engines run statements in threads. */
const listThreads = (pid: number): number[] =>
  platform() === 'linux' ? readdirSync(`/proc/${pid}/task`).map(Number) : [pid];

function sendJob<Reply>(child: ChildProcess, job: WorkerJob): Promise<Reply> {
  return new Promise<Reply>((resolve, reject) => {
    const finish = (resolveOrReject: () => void) => {
      clearTimeout(timer);
      job.signal?.removeEventListener('abort', onAbort);
      child.off('message', onMessage);
      child.off('exit', onExit);
      child.channel?.unref();
      resolveOrReject();
    };
    const onAbort = () => finish(() => reject(createCanceledError(job)));
    const onExit = () => finish(() => reject(new Error('a worker process ended before its work was done')));
    const onTimeout = () => finish(() => reject(job.createTimeoutError()));
    const timer = setTimeout(onTimeout, Math.min(job.timeoutMs, MAX_TIMER_MS));
    const onMessage = async (message: WorkerMessage) => {
      if ('reply' in message) finish(() => resolve(message.reply as Reply));
      else if ('problem' in message) {
        const { code, message: text, ...options } = message.problem;
        finish(() => reject(new ReportedProblem(code, text, options)));
      } else if ('fault' in message) finish(() => reject(new Error(message.fault)));
      else if ('part' in message) {
        try {
          await job.onPart?.(message.part);
          if (child.connected) child.send('more', () => undefined);
        } catch (error) {
          finish(() => reject(error as Error));
        }
      }
    };
    child.on('message', onMessage);
    child.once('exit', onExit);
    job.signal?.addEventListener('abort', onAbort, { once: true });
    child.channel?.ref();
    child.send(job.request as object, (error) => {
      if (error) finish(() => reject(error));
    });
  });
}
