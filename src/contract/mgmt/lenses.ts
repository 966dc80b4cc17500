// Schemas for managing lenses: drafts, versions and diffs.
import { z } from 'zod';
import { newLensName } from '../files/file-words.ts';
import { pageQuery } from '../lens.ts';
import { projectProblem } from './project.ts';
import { lensParams, time } from './shared.ts';

export const lensFiles = z
  .strictObject({ 'lens.yaml': z.string().min(1).max(2_000_000) })
  .describe('Files as in lenses/<name>/; certified entries and evals have their own routes');
export const newLensBody = z.strictObject({
  name: newLensName,
  files: lensFiles,
  message: z.string().max(2000).optional(),
});
export const lensRow = z.object({
  name: z.string(),
  title: z.string().nullable(),
  origin: z.enum(['file', 'api']),
  version: z.int().nullable().describe('The published version; null if there is none'),
  last_version: z.int(),
  connection: z.string().nullable(),
  certified_count: z.int(),
  created_at: time,
  updated_at: time,
});
export const lensDetail = lensRow.extend({
  files: z.record(z.string(), z.string()).describe('The files of the published version'),
});

export const draftParams = lensParams.extend({ id: z.string().min(1).max(100).describe('Id of a draft') });
export const newDraftBody = z.strictObject({
  files: lensFiles.optional().describe('Default: the published version'),
  message: z.string().max(2000).optional(),
});
export const changeDraftBody = z.strictObject({ files: lensFiles, message: z.string().max(2000).optional() });
export const draft = z.object({
  id: z.string(),
  lens: z.string(),
  base_version: z.int().nullable(),
  status: z.enum(['open', 'published']),
  published_version: z.int().nullable(),
  message: z.string().nullable(),
  files: z.record(z.string(), z.string()),
  revision: z.int(),
  created_by: z.string(),
  created_at: time,
  updated_at: time,
});
export const lensChange = z.object({
  kind: z.enum(['lens', 'dataset', 'field', 'relationship', 'metric', 'definition', 'row_policy', 'fact']),
  name: z.string(),
  action: z.enum(['added', 'removed', 'changed']),
  changes: z.array(z.object({ member: z.string(), before: z.unknown(), after: z.unknown() })),
});
export const validation = z.object({
  valid: z.boolean(),
  problems: z.array(projectProblem),
  warnings: z.array(z.string()),
  changes: z.array(lensChange).describe('Compared with the published version'),
});
export const publishedLens = z.object({ lens: z.string(), version: z.int(), warnings: z.array(z.string()) });
export const versionParams = lensParams.extend({ version: z.coerce.number().int().min(1).max(1_000_000) });
export const versionRow = z.object({
  version: z.int(),
  active: z.boolean(),
  created_by: z.string(),
  created_at: time,
  deployment_id: z.string().nullable(),
});
export const versionDetail = versionRow.extend({
  files: z.record(z.string(), z.string()),
  lens: z.record(z.string(), z.unknown()).describe('The compiled lens'),
});

export const repoQuery = pageQuery.extend({ version: z.coerce.number().int().min(1).optional() });
export const repo = z.object({
  lens: z.string(),
  version: z.int(),
  items: z.array(z.object({ path: z.string(), bytes: z.int(), sha256: z.string() })),
  next_cursor: z.string().nullable(),
});
export const repoFile = z.object({ lens: z.string(), version: z.int(), path: z.string(), text: z.string() });
export const diffQuery = z.strictObject({
  from: z.coerce.number().int().min(1).describe('Older version'),
  to: z.coerce.number().int().min(1).optional().describe('Newer version. Default: the published version'),
});
export const diff = z.object({
  lens: z.string(),
  from: z.int(),
  to: z.int(),
  summary: z.array(z.string()).describe('One line for each change in meaning'),
  changes: z.array(lensChange),
  files: z.array(
    z.object({
      path: z.string(),
      action: z.enum(['added', 'removed', 'changed']),
      diff: z.string().describe('Unified diff'),
    }),
  ),
});
export const context = z.object({ lens: z.string(), version: z.int(), context: z.string(), characters: z.int() });
export const sampleQuery = z.object({
  id: z.string(),
  question: z.string(),
  note: z.string().nullable(),
  origin: z.enum(['file', 'api']),
  created_by: z.string().nullable(),
  created_at: time.nullable(),
  tried_at: time
    .nullable()
    .describe(
      'When svc tested the question. Null for a question of lens.yaml, and for an untested one, which callers do not see. To test it, add it again',
    ),
});
export const newSampleBody = z.strictObject({
  question: z.string().trim().min(1).max(4000),
  note: z.string().max(4000).optional(),
});
