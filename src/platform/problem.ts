// The only error whose message is public. `detail` and `cause` go to the log, never to a client.

import type { ProblemDetail } from '../contract/problem.ts';
import { PROBLEMS, type ProblemCode } from '../contract/problem-codes.ts';

export interface ProblemOptions {
  details?: ProblemDetail[];
  param?: string;
  detail?: string;
  cause?: unknown;
  /** Seconds, sent as Retry-After. */
  retryAfter?: number;
  /** The exhausted limit, unless the response already reports it. */
  limit?: RateLimitUsage;
}
export interface RateLimitUsage {
  policy: string;
  limit: number;
  windowSeconds: number;
}

export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly details: ProblemDetail[];
  readonly param: string | null;
  readonly detail: string | undefined;
  readonly retryAfter: number | undefined;
  readonly limit: RateLimitUsage | undefined;

  constructor(code: ProblemCode, message: string, options: ProblemOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.details = options.details ?? [];
    this.param = options.param ?? null;
    this.detail = options.detail;
    this.retryAfter = options.retryAfter;
    this.limit = options.limit;
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }
}

export function requireFound<T>(found: T | null | undefined, message: string, param?: string): T {
  if (found !== null && found !== undefined) return found;
  throw new Problem('not_found', message, param === undefined ? {} : { param });
}
