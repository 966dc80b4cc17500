import { z } from 'zod';
import { datasetFileSchema, definitionFileSchema } from '../files/lens-file.ts';
import { identifierSchema, lowercaseNameSchema } from '../files/shared-schemas.ts';
import { pageQuerySchema } from '../lens.ts';
import { etagSchema, timeSchema } from './shared.ts';

const semanticObjectMembers = {
  id: z.string(),
  name: z.string(),
  origin: z.enum(['file', 'api']),
  used_by: z.array(z.string()),
  created_at: timeSchema,
  updated_at: timeSchema,
  etag: etagSchema,
};
export const entitySchema = z.object({ ...semanticObjectMembers, entity: z.record(z.string(), z.unknown()) });
export const definitionSchema = z.object({ ...semanticObjectMembers, definition: z.record(z.string(), z.unknown()) });
export const newEntityBodySchema = z.strictObject({ name: identifierSchema, entity: datasetFileSchema });
export const changeEntityBodySchema = z.strictObject({ entity: datasetFileSchema });
export const definitionBodySchema = definitionFileSchema;
export const changeDefinitionBodySchema = definitionFileSchema.omit({ term: true });

export const introspectQuerySchema = pageQuerySchema.extend({
  connection: z.string().min(1).max(300).describe('Id or name of a connection'),
});
export const introspectionPageSchema = z.object({
  connection: z.string(),
  items: z.array(
    z.object({
      table: z.string(),
      dataset: z.string(),
      rows: z.number().nullable(),
      primary_key: z.array(z.string()),
      columns: z.array(z.object({ name: z.string(), datatype: z.string().nullable(), role: z.string() })),
      joins: z.array(
        z.object({
          columns: z.array(z.string()),
          to: z.string(),
          to_columns: z.array(z.string()),
          declared: z.boolean(),
        }),
      ),
    }),
  ),
  next_cursor: z.string().nullable(),
});
export const draftBodySchema = z.strictObject({
  connection: z.string().min(1).max(300),
  name: lowercaseNameSchema.optional().describe('Name of the lens. Default: the name of the connection'),
  tables: z
    .array(z.string().min(1).max(300))
    .min(1)
    .max(500)
    .optional()
    .describe('schema.table or table (default: every table)'),
  profile: z
    .boolean()
    .default(true)
    .describe('true: read values to find categories, codes, keys and joins. false: use only names, which is faster'),
  save: z.boolean().default(false).describe('Also store the result as a draft of a lens'),
});
