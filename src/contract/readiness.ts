// Schemas of GET /health and GET /ready.
import { z } from 'zod';

export const health = z.object({ status: z.literal('ok') });

const check = z.object({
  status: z.string().describe('ok or failing; typed_decisions: ok, off or degraded(<reason>)'),
  detail: z.string().optional(),
  checked_at: z.string(),
});
const modelInfo = z.object({ provider: z.string(), model: z.string() }).nullable();
export const readyInfo = z.object({
  embeddings: check.extend({ embedder: z.string() }),
  certified_matching: check.extend({ exact_band: z.number() }),
  secrets: check.describe('failing: SVC_SECRET_KEY lacks the key of a stored secret'),
  demo: check.optional().describe('failing: SVC_DEMO_ORG_ID names no organization. Absent if it is not set'),
  plugins: z.array(z.string()),
  experimental: z
    .array(z.string())
    .describe('Kinds of open connections whose engine was never tested against the product itself'),
  stuck_statements: z
    .int()
    .describe('Canceled statements that are still running in warehouses, as far as this process knows'),
  models: z.object({ fast: modelInfo, smart: modelInfo, embedder: modelInfo }),
});
export type ReadyInfo = z.infer<typeof readyInfo>;
export const readiness = z.object({
  status: z.enum(['ready', 'not_ready']),
  checks: z.object({ database: check, mcp: check, schema: check, trace_writes: check, typed_decisions: check }),
  info: readyInfo,
});
