import { z } from 'zod';
import { snippetSchema } from '../demo.ts';
import { standardsSchema } from '../files/config-file.ts';
import { oneLineSchema } from '../files/shared-schemas.ts';
import { nextCursorSchema, pageQuerySchema } from '../lens.ts';
import { patchChangeSchema, patchSchema } from './reviews.ts';
import { createListSchema, timeSchema } from './shared.ts';

export const standardsStateSchema = z.object({ ...standardsSchema.shape, origin: z.enum(['file', 'api', 'default']) });
export const standardsCheckSchema = z.object({
  ok: z.boolean().describe('True if there is no finding with severity error'),
  lenses: z.int(),
  next_cursor: nextCursorSchema,
  items: z.array(
    z.object({
      lens: z.string(),
      standard: z.string(),
      severity: z.enum(['error', 'warning']),
      path: z.string(),
      line: z.int(),
      column: z.int(),
      pointer: z.string(),
      message: z.string(),
    }),
  ),
});

export const activationSchema = z.object({
  ready: z.boolean().describe('True if every required step is done'),
  next: z.string().nullable().describe('ID of the first open step'),
  next_cursor: nextCursorSchema,
  items: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      done: z.boolean(),
      optional: z.boolean(),
      detail: z.string(),
      command: z.string(),
    }),
  ),
});
export const snippetsSchema = z.object({
  base_url: z.string(),
  connect_line: z.string().nullable(),
  items: z.array(snippetSchema),
  next_cursor: nextCursorSchema,
});

export const surfaceBodySchema = z.strictObject({
  name: oneLineSchema.min(1).max(80).optional().describe('Name of the installation'),
  tagline: oneLineSchema.max(500).optional(),
});
export const surfaceBrandingSchema = z.object({
  name: z.string(),
  tagline: z.string().nullable(),
  origin: z.enum(['file', 'api', 'default']),
  base_url: z.string(),
  doors: z.object({ v1: z.string(), mcp: z.string(), docs: z.string(), skill: z.string().nullable() }),
});
export const previewQuerySchema = z.strictObject({
  caller: z.string().min(1).max(300).optional().describe('Show what this caller sees. Default: everything'),
});
export const surfacePreviewSchema = z.object({
  name: z.string(),
  tagline: z.string().nullable(),
  caller: z.string().nullable(),
  lenses: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      description: z.string(),
      sample_questions: z.array(z.string()),
      metrics: z.array(z.string()),
      datasets: z.array(z.object({ name: z.string(), fields: z.array(z.string()), masked: z.array(z.string()) })),
      definitions: z.array(z.string()),
      certified: z.array(z.string()),
      row_policies: z.array(z.string()).describe('Policies that apply to the caller'),
    }),
  ),
  snippets: z.array(snippetSchema),
  skill: z.string().describe('SKILL.md as agents read it'),
});

export const gapQuerySchema = pageQuerySchema.extend({
  lens: z.string().min(1).max(100).optional(),
  status: z.enum(['open', 'resolved']).optional(),
  kind: z.enum(['unread', 'uncovered', 'low_confidence', 'failed']).optional(),
});
export const gapSchema = z.object({
  id: z.string(),
  lens: z.string().nullable().describe('Null if no lens is similar enough'),
  kind: z.enum(['unread', 'uncovered', 'low_confidence', 'failed']),
  missing: z
    .array(z.string())
    .describe('The words that svc does not understand. For the kind low_confidence, the failed checks'),
  questions: z.array(z.object({ question: z.string(), asks: z.int(), request_id: z.string() })),
  asks: z.int(),
  callers: z.int(),
  last_at: timeSchema,
  suggestion: z.object({
    text: z.string(),
    change: z.record(z.string(), z.unknown()).nullable().describe('A body for POST /mgmt/lenses/{lens}/patches'),
  }),
  status: z.enum(['open', 'resolved']),
  resolution: z
    .object({
      how: z.string(),
      note: z.string().nullable(),
      by: z.string(),
      at: z.string(),
      patch_id: z.string().nullable().optional(),
    })
    .nullable(),
  refreshed_at: timeSchema,
});
export const gapListSchema = createListSchema(gapSchema);
export const gapParamsSchema = z.object({ id: z.string().min(1).max(100).describe('ID of a gap') });
export const resolveGapBodySchema = z.strictObject({
  how: z.enum(['patched', 'answered_elsewhere', 'out_of_scope', 'dismissed']).default('dismissed'),
  note: z.string().max(2000).optional(),
  change: patchChangeSchema.optional().describe('A fix to draft and link to the gap'),
});
export const resolvedGapSchema = gapSchema.extend({ patch: patchSchema.nullable() });
