import { z } from 'zod';
import { identifierSchema } from '../files/shared-schemas.ts';
import { nextCursorSchema, pageQuerySchema } from '../lens.ts';

export const etagSchema = z.string().describe('The value to send in the If-Match header');
export const idParamsSchema = z.object({ id: z.string().min(1).max(300).describe('Id or name') });
export const slugSchema = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,100}$/, 'must be a slug: a-z, 0-9, - and _');
export const lensParamsSchema = z.object({ name: z.string().min(1).max(100).describe('Name of a lens') });
export const timeSchema = z.string().describe('RFC 3339, UTC, milliseconds');
export const createListSchema = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), next_cursor: nextCursorSchema });
export const runStartedSchema = z.object({ run_id: z.string().describe('Follow the run at GET /mgmt/runs/{run_id}') });
/** Creates the query and the response of an operation that returns a paged list. */
export const createPagedOperation = <T extends z.ZodType>(item: T) => ({
  query: pageQuerySchema,
  result: createListSchema(item),
});
export const runStartResponse = { status: 202, result: runStartedSchema } as const;
export const okReplySchema = z.object({ ok: z.literal(true) });
export const attributesSchema = z.record(identifierSchema, z.union([z.string().max(1000), z.number(), z.boolean()]));

export const runSchema = z.object({
  run_id: z.string(),
  kind: z.string(),
  state: z.enum(['running', 'succeeded', 'failed', 'cancelled']),
  progress: z.record(z.string(), z.unknown()),
  result: z.unknown(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  actor: z.string(),
  created_at: timeSchema,
  updated_at: timeSchema,
});
export const auditEntrySchema = z.object({
  id: z.string(),
  at: timeSchema,
  actor: z.string(),
  action: z.string(),
  object_kind: z.string(),
  object_id: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  request_id: z.string().nullable(),
});
