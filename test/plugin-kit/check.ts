// A check of one requirement, for any test runner. The check throws if the plugin doesn't meet the requirement.
import { setTimeout as sleep } from 'node:timers/promises';

export interface Check {
  /** The group of the requirement, for example `limits`. A broken plugin usually fails one group. */
  family: string;
  name: string;
  run(): Promise<void>;
}

/** Returns the error of `work`. Fails if `work` succeeds. */
export async function assertRefused(
  work: Promise<unknown>,
  label: string,
): Promise<{ code: unknown; errorText: string }> {
  let answer: unknown;
  try {
    answer = await work;
  } catch (error) {
    const { code, message, detail } = error as { code?: unknown; message?: unknown; detail?: unknown };
    return { code, errorText: `${message} ${detail ?? ''}` };
  }
  throw new Error(`${label} was not refused: ${toPrintable(answer)}`);
}

/** Returns the result of `work`. Fails if `work` takes longer than `ms` milliseconds. */
export async function assertWithin<T>(ms: number, label: string, work: Promise<T>): Promise<T> {
  const timer = new AbortController();
  work.catch(() => undefined);
  try {
    return await Promise.race([
      work,
      sleep(ms, undefined, { signal: timer.signal }).then(() => {
        throw new Error(`${label} took longer than ${ms} ms`);
      }),
    ]);
  } finally {
    timer.abort();
  }
}

export function assertSame(actual: unknown, expected: unknown, label: string): void {
  if (toPrintable(actual) !== toPrintable(expected))
    throw new Error(`${label}: expected ${toPrintable(expected)}, got ${toPrintable(actual)}`);
}

export function assertTrue(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

const toPrintable = (value: unknown): string => {
  const text = JSON.stringify(value, (_key, part: unknown) => (part === undefined ? 'undefined' : part)) ?? 'undefined';
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
};
