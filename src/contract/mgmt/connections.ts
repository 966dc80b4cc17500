// Schemas of connections. Responses show secrets as `(kept)`.
import { z } from 'zod';
import { lowercaseNameSchema } from '../files/shared-schemas.ts';
import { timeSchema } from './shared.ts';

export const newConnectionBodySchema = z
  .looseObject({ name: lowercaseNameSchema, kind: z.string().min(1).max(200) })
  .describe(
    'A connection as in svc.config.yaml, plus `name`. svc encrypts literal secrets. `/schemas/config.json` has the members of each kind',
  );
export const changeConnectionBodySchema = z
  .looseObject({ kind: z.string().min(1).max(200).optional() })
  .describe('Members to replace. null removes a member. `(kept)` keeps a secret');
export const connectionViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  config: z.record(z.string(), z.unknown()).describe('Secrets are shown as `(kept)`'),
  origin: z.enum(['file', 'api']),
  revision: z.int(),
  used_by: z.array(z.string()).describe('Published lenses on this connection'),
  stuck_statements: z
    .int()
    .describe(
      'Canceled statements that are still running in the warehouse. Each statement still counts toward the limit',
    ),
  created_at: timeSchema,
  updated_at: timeSchema,
});
export const uploadQuerySchema = z.object({
  name: z
    .string()
    .max(100)
    .regex(
      /^[A-Za-z_]\w*\.(csv|tsv|txt|json|jsonl|ndjson|parquet)(\.gz|\.zst)?$/i,
      'must be a table name followed by the extension of a CSV, TSV, JSON, JSONL, NDJSON or Parquet file',
    )
    .describe(
      'A file name, such as orders.csv. The part before the extension becomes the table name. The extension determines the format',
    ),
});
export const uploadedFileSchema = z.any().meta({ type: 'string', format: 'binary', description: 'The raw file' });
export const uploadResultSchema = z.object({
  path: z
    .string()
    .describe('Path of the file, for `files` of a duckdb connection')
    .meta({ examples: ['upload:0192f0c1-7a10-4b52-8f3e-0d5c1f2a9b77/orders.csv'] }),
  bytes: z.int(),
});
export const connectionTestSchema = z.object({
  ok: z.boolean(),
  latency_ms: z.number(),
  server_version: z.string().nullable(),
  read_only: z.boolean().describe('False if the test failed'),
  error: z.string().optional(),
});
export const catalogTableSchema = z.object({
  catalog: z.string().nullable(),
  schema: z.string().nullable(),
  table: z.string(),
  kind: z.enum(['table', 'view']),
  comment: z.string().nullable(),
  row_estimate: z.number().nullable(),
  columns: z.array(
    z.object({
      name: z.string(),
      datatype: z.string().nullable(),
      native_type: z.string(),
      nullable: z.boolean(),
      comment: z.string().nullable(),
    }),
  ),
  primary_key: z.array(z.string()),
  unique_keys: z.array(z.array(z.string())),
  foreign_keys: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      to: z.object({ schema: z.string().nullable(), table: z.string(), columns: z.array(z.string()) }),
    }),
  ),
});
export const catalogSchema = z.object({
  connection: z.string(),
  taken_at: timeSchema,
  items: z.array(catalogTableSchema),
  next_cursor: z.string().nullable(),
});
export const columnProfileSchema = z.object({
  schema: z.string().nullable(),
  table: z.string(),
  column: z.string(),
  rows: z.number(),
  nulls: z.number(),
  distinct: z.number().nullable(),
  min: z.string().nullable(),
  max: z.string().nullable(),
  values: z
    .array(z.string())
    .nullable()
    .describe('The distinct values, most frequent first. Null if there are too many values'),
  sampled: z.boolean(),
  taken_at: timeSchema.describe('When this table was profiled'),
});
export const connectionProfileSchema = z.object({
  connection: z.string(),
  taken_at: timeSchema.nullable().describe('When svc last profiled a table of the connection'),
  items: z.array(columnProfileSchema),
  next_cursor: z.string().nullable(),
});
export const connectionProfileBodySchema = z.strictObject({
  tables: z
    .array(z.string().min(1).max(300))
    .max(500)
    .optional()
    .describe('schema.table or table (default: every table)'),
  sample_rows: z.int().min(100).max(1_000_000).default(10_000),
});
export const driftFindingSchema = z.object({
  lens: z.string(),
  code: z.string(),
  pointer: z.string(),
  message: z.string(),
  breaks: z.array(z.string()).describe('Metrics, relationships and certified entries that no longer run'),
});
export const driftReportSchema = z.object({
  taken_at: timeSchema.nullable(),
  items: z.array(driftFindingSchema),
  next_cursor: z.string().nullable(),
});

export const CONNECTION_EXAMPLE = {
  name: 'core',
  kind: 'postgres',
  host: 'db.example.com',
  database: 'core',
  user: 'reader',
  password: 'written once, never shown',
  ssl: true,
};
