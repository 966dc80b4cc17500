// Reports the result of a connection test.
import type { WarehouseHealth } from '../../domain/ports.ts';
import { connectionTestMessage } from '../../domain/statement-fault.ts';

/** Reports the parameter `readOnly` unless `look` returns its own value. */
export async function testConnection(
  look: () => Promise<{ serverVersion: string; readOnly?: boolean }>,
  readOnly = true,
): Promise<WarehouseHealth> {
  const startedAt = performance.now();
  const latency = () => Math.round((performance.now() - startedAt) * 10) / 10;
  try {
    return { readOnly, ...(await look()), ok: true, latencyMs: latency() };
  } catch (error) {
    const message = connectionTestMessage(error as Error);
    return { ok: false, latencyMs: latency(), serverVersion: null, readOnly, error: message };
  }
}
