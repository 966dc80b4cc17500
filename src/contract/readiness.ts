import { z } from 'zod';

export const healthSchema = z.object({ status: z.literal('ok') });

const readinessCheckSchema = z.object({
  status: z.string().describe('ok or failing. For typed_decisions: ok, off or degraded(<reason>)'),
  detail: z.string().optional(),
  checked_at: z.string(),
});
const modelInfoSchema = z.object({ provider: z.string(), model: z.string() }).nullable();
export const readyInfoSchema = z.object({
  embeddings: readinessCheckSchema.extend({ embedder: z.string() }),
  certified_matching: readinessCheckSchema.extend({ exact_band: z.number() }),
  secrets: readinessCheckSchema.describe('failing if SVC_SECRET_KEY lacks the key of a stored secret'),
  demo: readinessCheckSchema
    .optional()
    .describe('failing if no organization has the ID in SVC_DEMO_ORG_ID. Absent if the variable is not set'),
  plugins: z.array(z.string()),
  experimental: z
    .array(z.string())
    .describe('Kinds of open connections whose engine was never tested against the product itself'),
  stuck_statements: z
    .int()
    .describe('Canceled statements that are still running in warehouses, as far as this process knows'),
  models: z.object({ fast: modelInfoSchema, smart: modelInfoSchema, embedder: modelInfoSchema }),
});
export type ReadyInfo = z.infer<typeof readyInfoSchema>;
export const readinessSchema = z.object({
  status: z.enum(['ready', 'not_ready']),
  checks: z.object({
    database: readinessCheckSchema,
    mcp: readinessCheckSchema,
    schema: readinessCheckSchema,
    trace_writes: readinessCheckSchema,
    typed_decisions: readinessCheckSchema,
  }),
  info: readyInfoSchema,
});
