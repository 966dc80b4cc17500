// What the test of a connection reports.
import type { WarehouseHealth } from '../../domain/ports.ts';
import { connectionTestMessage } from '../../domain/statement-fault.ts';

/** `readOnly` is reported until `look` has found out. */
export async function testConnection(
  look: () => Promise<{ serverVersion: string; readOnly?: boolean }>,
  readOnly = true,
): Promise<WarehouseHealth> {
  const started = performance.now();
  const latency = () => Math.round((performance.now() - started) * 10) / 10;
  try {
    return { readOnly, ...(await look()), ok: true, latencyMs: latency() };
  } catch (error) {
    const message = connectionTestMessage(error as Error);
    return { ok: false, latencyMs: latency(), serverVersion: null, readOnly, error: message };
  }
}
