// Schemas that several control plane routes share.
import { z } from 'zod';
import { identifier } from '../files/file-words.ts';
import { nextCursor, pageQuery } from '../lens.ts';

export const etag = z.string().describe('Value for the If-Match header');
export const idParams = z.object({ id: z.string().min(1).max(300).describe('Id or name') });
export const slug = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,100}$/, 'must be a slug: a-z, 0-9, - and _');
export const lensParams = z.object({ name: z.string().min(1).max(100).describe('Name of a lens') });
export const time = z.string().describe('RFC 3339, UTC, milliseconds');
export const listSchemaOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), next_cursor: nextCursor });
export const runStarted = z.object({ run_id: z.string().describe('Follow the run at GET /mgmt/runs/{run_id}') });
/** What all operations that list objects in pages have in common, and all operations that start a run. */
export const pagesOf = <T extends z.ZodType>(item: T) => ({ query: pageQuery, result: listSchemaOf(item) });
export const startsRun = { status: 202, result: runStarted } as const;
export const ok = z.object({ ok: z.literal(true) });
export const attributes = z.record(identifier, z.union([z.string().max(1000), z.number(), z.boolean()]));

export const run = z.object({
  run_id: z.string(),
  kind: z.string(),
  state: z.enum(['running', 'succeeded', 'failed', 'cancelled']),
  progress: z.record(z.string(), z.unknown()),
  result: z.unknown(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  actor: z.string(),
  created_at: time,
  updated_at: time,
});
export const auditEntry = z.object({
  id: z.string(),
  at: time,
  actor: z.string(),
  action: z.string(),
  object_kind: z.string(),
  object_id: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  request_id: z.string().nullable(),
});
