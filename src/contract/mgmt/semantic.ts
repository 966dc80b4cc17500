// Schemas of shared entities and definitions, and of introspection.
import { z } from 'zod';
import { identifier, lowercaseName } from '../files/file-words.ts';
import { datasetFile, definitionFile } from '../files/lens-file.ts';
import { pageQuery } from '../lens.ts';
import { etag, time } from './shared.ts';

const semanticObject = {
  id: z.string(),
  name: z.string(),
  origin: z.enum(['file', 'api']),
  used_by: z.array(z.string()),
  created_at: time,
  updated_at: time,
  etag,
};
export const entity = z.object({ ...semanticObject, entity: z.record(z.string(), z.unknown()) });
export const definition = z.object({ ...semanticObject, definition: z.record(z.string(), z.unknown()) });
export const newEntityBody = z.strictObject({ name: identifier, entity: datasetFile });
export const changeEntityBody = z.strictObject({ entity: datasetFile });
export const definitionBody = definitionFile;
export const changeDefinitionBody = definitionFile.omit({ term: true });

export const introspectQuery = pageQuery.extend({
  connection: z.string().min(1).max(300).describe('Id or name of a connection'),
});
export const introspectionPage = z.object({
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
export const draftBody = z.strictObject({
  connection: z.string().min(1).max(300),
  name: lowercaseName.optional().describe('Name of the lens. Default: the name of the connection'),
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
