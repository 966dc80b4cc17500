// Standards, activation, surface and gap map (CONTRACT 8, "cockpit").
import { z } from 'zod';
import { snippet } from '../demo.ts';
import { oneLine } from '../file-words.ts';
import { nextCursor, pageQuery } from '../lens.ts';
import { patch, patchChange } from './patches.ts';
import { listOf, time } from './shared.ts';

const level = z.enum(['error', 'warn', 'off']);
export const standards = z.strictObject({
  metric_description: level.default('warn').describe('Every metric is described'),
  dataset_description: level.default('warn').describe('Every dataset is described'),
  certified_minimum: z.int().min(0).default(0).describe('Approved certified entries that a lens should have'),
});
export const standardsState = z.object({ ...standards.shape, origin: z.enum(['file', 'api', 'default']) });
export const standardsCheck = z.object({
  ok: z.boolean().describe('No finding of severity error'),
  lenses: z.int(),
  next_cursor: nextCursor,
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

export const activation = z.object({
  ready: z.boolean().describe('Every step that is not optional is done'),
  next: z.string().nullable().describe('Id of the first step that is open'),
  next_cursor: nextCursor,
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
export const snippets = z.object({
  base_url: z.string(),
  connect_line: z.string().nullable(),
  items: z.array(snippet),
  next_cursor: nextCursor,
});

export const surfaceBody = z.strictObject({
  name: oneLine.min(1).max(80).optional().describe('What the installation is called'),
  tagline: oneLine.max(500).optional(),
});
export const surface = z.object({
  name: z.string(),
  tagline: z.string().nullable(),
  origin: z.enum(['file', 'api', 'default']),
  base_url: z.string(),
  doors: z.object({ v1: z.string(), mcp: z.string(), docs: z.string(), skill: z.string().nullable() }),
});
export const previewQuery = z.strictObject({
  caller: z.string().min(1).max(300).optional().describe('As this caller sees it; everything, when absent'),
});
export const surfacePreview = z.object({
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
      row_policies: z.array(z.string()).describe('Those that apply to the caller'),
    }),
  ),
  snippets: z.array(snippet),
  skill: z.string().describe('SKILL.md as agents would read it'),
});

export const gapQuery = pageQuery.extend({
  lens: z.string().min(1).max(100).optional(),
  status: z.enum(['open', 'resolved']).optional(),
  kind: z.enum(['unread', 'uncovered', 'low_confidence', 'failed']).optional(),
});
export const gap = z.object({
  id: z.string(),
  lens: z.string().nullable().describe('Null: no lens comes near'),
  kind: z.enum(['unread', 'uncovered', 'low_confidence', 'failed']),
  missing: z.array(z.string()).describe('Words that nothing accounts for; checks that fail, for low confidence'),
  questions: z.array(z.object({ question: z.string(), asks: z.int(), request_id: z.string() })),
  asks: z.int(),
  callers: z.int(),
  last_at: time,
  suggestion: z.object({
    text: z.string(),
    change: z.record(z.string(), z.unknown()).nullable().describe('Ready for POST /mgmt/lenses/{lens}/patches'),
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
  refreshed_at: time,
});
export const gapList = listOf(gap);
export const gapParams = z.object({ id: z.string().min(1).max(100).describe('Id of a gap') });
export const resolveGap = z.strictObject({
  how: z.enum(['patched', 'answered_elsewhere', 'out_of_scope', 'dismissed']).default('dismissed'),
  note: z.string().max(2000).optional(),
  change: patchChange.optional().describe('Drafts this fix and links it to the gap'),
});
export const resolvedGap = gap.extend({ patch: patch.nullable() });
