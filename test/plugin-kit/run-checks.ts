// Runs checks one after another and reports the result of each.
import { assertWithin, type Check } from './check.ts';

export interface CheckResult {
  family: string;
  name: string;
  ok: boolean;
  ms: number;
  error?: string;
}

const CHECK_MS = 120_000;

/** Includes the private detail of an error, because the detail comes from the plugin author's own engine. */
function reasonOf(fault: unknown): string {
  const { detail } = (fault ?? {}) as { detail?: unknown };
  return [fault instanceof Error ? fault.message : String(fault), ...(detail ? [String(detail)] : [])].join(' ');
}

export async function runChecks(checks: Check[], onResult: (result: CheckResult) => void): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const { family, name, run } of checks) {
    const startedAt = performance.now();
    const error = await assertWithin(CHECK_MS, 'The check', run()).then(() => undefined, reasonOf);
    const result = {
      ...{ family, name, ok: error === undefined, ms: Math.round(performance.now() - startedAt) },
      ...(error === undefined ? {} : { error }),
    };
    results.push(result);
    onResult(result);
  }
  return results;
}
