import { z } from 'zod';
import { createMaxEntriesRule } from '../files/shared-schemas.ts';
import { timeSchema } from './shared.ts';

const filesSchema = z
  .record(z.string().min(1).max(500), z.string().max(2_000_000))
  .refine(...createMaxEntriesRule(20_000, 'files'))
  .describe(
    'All files of the project, by path. svc removes objects that these files do not contain from the deployed project',
  );
export const projectBodySchema = z.strictObject({
  files: filesSchema,
  message: z.string().max(2000).optional().describe('Reason for the change, kept in the history'),
});

export const projectChangeSchema = z.object({
  kind: z.enum(['connection', 'lens', 'certified', 'eval', 'entity', 'definition', 'grant', 'setting', 'board']),
  name: z.string(),
  action: z.enum(['create', 'update', 'delete', 'none']),
  path: z.string(),
  summary: z.string(),
});
export const projectProblemSchema = z.object({
  path: z.string(),
  line: z.int(),
  column: z.int(),
  pointer: z.string().describe('JSON pointer in the file'),
  code: z.string(),
  message: z.string(),
});
export const answerChangeSchema = z.object({
  lens: z.string(),
  kind: z.enum(['certified', 'eval']),
  id: z.string(),
  before: z.unknown(),
  after: z.unknown(),
});
export const deploymentPlanSchema = z.object({
  changes: z.array(projectChangeSchema),
  problems: z.array(projectProblemSchema),
  warnings: z.array(z.string()),
  answer_changes: z.array(answerChangeSchema),
});
export const appliedDeploymentSchema = z.object({
  deployment_id: z.string(),
  version: z.int(),
  changes: z.array(projectChangeSchema),
  warnings: z.array(z.string()),
  applied_at: timeSchema,
});
export const projectStateSchema = z.object({
  deployment_id: z.string().nullable(),
  version: z.int().nullable(),
  applied_at: timeSchema.nullable(),
  applied_by: z.string().nullable(),
  message: z.string().nullable(),
  files: z.array(z.string()),
  lenses: z.array(z.object({ name: z.string(), version: z.int().nullable(), origin: z.enum(['file', 'api']) })),
  connections: z.array(z.object({ name: z.string(), kind: z.string(), origin: z.enum(['file', 'api']) })),
});
export const exportedProjectSchema = z.object({ version: z.int().nullable(), files: z.record(z.string(), z.string()) });
export const deploymentSummarySchema = z.object({
  id: z.string(),
  version: z.int(),
  message: z.string().nullable(),
  applied_by: z.string(),
  applied_at: timeSchema,
  rolled_back_to: z.int().nullable(),
  changes: z.array(projectChangeSchema),
});
export const projectEditSchema = z.object({
  path: z.string().describe('Path in the project'),
  action: z.enum(['added', 'changed', 'removed']),
  edited_by: z.string(),
  edited_at: timeSchema,
  message: z.string().nullable(),
  diff: z.string().describe('Unified diff from the files to the deployed text. Apply it to your files'),
});
export const dropEditsQuerySchema = z.strictObject({
  path: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('Discard only the edits in this file. Default: the edits in all files'),
});
export const deploymentSchema = deploymentSummarySchema.extend({ files: z.record(z.string(), z.string()) });
export const rollbackBodySchema = z.strictObject({ message: z.string().max(2000).optional() });
export const deploymentParamsSchema = z.object({ id: z.string().min(1).max(100).describe('ID of a deployment') });
