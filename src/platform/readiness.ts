import { withTimeout } from './with-timeout.ts';

interface CheckState {
  status: string;
  detail?: string;
}
export interface CheckResult extends CheckState {
  checked_at: string;
}
/** A probe fails if it throws or returns a status other than ok. Reports don't show the error that a probe throws. */
export type ReadinessProbe = () => Promise<CheckState | undefined>;

const CHECK_CACHE_MS = 1_000;
const PROBE_TIMEOUT_MS = 2_000;

export class Readiness {
  readonly #probes = new Map<string, { probe: ReadinessProbe; validMs: number }>();
  readonly #cachedChecks = new Map<string, { at: number; result: Promise<CheckResult> }>();

  watch(name: string, probe: ReadinessProbe, validMs = CHECK_CACHE_MS): void {
    this.#probes.set(name, { probe, validMs });
  }

  async report(): Promise<{ isReady: boolean; checks: Record<string, CheckResult> }> {
    const results = await Promise.all(
      [...this.#probes.keys()].map(async (name) => [name, await this.#check(name)] as const),
    );
    return {
      isReady: results.every(([, { status }]) => status === 'ok' || status === 'off'),
      checks: Object.fromEntries(results),
    };
  }

  #check(name: string): Promise<CheckResult> {
    const cachedCheck = this.#cachedChecks.get(name);
    const { probe, validMs } = this.#probes.get(name)!;
    if (cachedCheck && performance.now() - cachedCheck.at < validMs) return cachedCheck.result;
    const result = probeWithTimeout(probe);
    this.#cachedChecks.set(name, { at: performance.now(), result });
    return result;
  }
}

async function probeWithTimeout(probe: ReadinessProbe): Promise<CheckResult> {
  const failing = (detail: string): CheckState => ({ status: 'failing', detail });
  const safeProbe = probe().catch(() => failing('the check failed'));
  const probeResult = await withTimeout(PROBE_TIMEOUT_MS, safeProbe, () => failing('no response in time'));
  return { status: 'ok', ...probeResult, checked_at: new Date().toISOString() };
}
