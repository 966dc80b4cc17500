import type { WarehouseHealth } from '../../domain/ports.ts';
import { createConnectionTestMessage } from '../../domain/statement-fault.ts';

/**
 * Takes `readOnly` from the result of `readServer`, or from the parameter if `readServer` returns none. If the test
 * failed, returns false.
 */
export async function testConnection(
  readServer: () => Promise<{ serverVersion: string; readOnly?: boolean }>,
  readOnly = true,
): Promise<WarehouseHealth> {
  const startedAt = performance.now();
  const elapsedMs = () => Math.round((performance.now() - startedAt) * 10) / 10;
  try {
    return { readOnly, ...(await readServer()), ok: true, latencyMs: elapsedMs() };
  } catch (error) {
    const message = createConnectionTestMessage(error as Error);
    return { ok: false, latencyMs: elapsedMs(), serverVersion: null, readOnly: false, error: message };
  }
}
