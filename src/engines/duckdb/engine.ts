import { z } from 'zod';
import { sqlTextSchema, textSchema } from '../../contract/files/shared-schemas.ts';
import type { BuiltInEngine } from '../engine.ts';

const kindSchema = z.literal('duckdb');
const filesConnectionSchema = z.strictObject({
  kind: kindSchema,
  files: z.record(z.string(), z.strictObject({ path: z.string().min(1), select: z.string().optional() })),
  optional: z.boolean().default(false),
});
const databaseConnectionSchema = z.strictObject({ kind: kindSchema, path: z.string().min(1) });
type OpenedConnection = z.infer<typeof filesConnectionSchema> | z.infer<typeof databaseConnectionSchema>;

export const duckdbEngine: BuiltInEngine = {
  kind: 'duckdb',
  dialect: 'duckdb',
  title: 'DuckDB, including CSV, JSON and Parquet files',
  experimental: false,
  testedWith: 'DuckDB 1.5, embedded',
  can: { rowPolicies: true, medians: true, lists: true, distinctLists: true, estimates: true },
  schemes: [],
  stored: [
    z.strictObject({
      kind: kindSchema,
      files: z
        .record(
          z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/, 'must be a table name'),
          z.strictObject({
            path: textSchema.describe('CSV, JSON or Parquet file, relative to the project, or an upload'),
            select: sqlTextSchema
              .optional()
              .describe('A SELECT that reads `source`, which is the file. The default is: select * from source'),
          }),
        )
        .refine((files) => Object.keys(files).length > 0, 'must name a file'),
      optional: z
        .boolean()
        .default(false)
        .describe('If a file is missing, skip the connection and its lenses with a warning instead of failing'),
    }),
    z.strictObject({ kind: kindSchema, path: textSchema }),
  ],
  opened: [filesConnectionSchema, databaseConnectionSchema],
  onOurProcessors: true,
  async open(connection: OpenedConnection, context) {
    const { openDuckDb } = await import('./warehouse/open.ts');
    return openDuckDb(connection, context);
  },
  async revision(connection: OpenedConnection, context) {
    const { computeRevision } = await import('./warehouse/open.ts');
    return computeRevision(connection, context);
  },
  async forget(owner, roots) {
    const { removeDuckDbFiles } = await import('./warehouse/files.ts');
    await removeDuckDbFiles(roots, owner);
  },
  loadDialect: async () => (await import('./dialect/dialect.ts')).duckdbDialect,
};
