import { z } from 'zod';
import { optionalTextSchema, readLimitSchema, serverSettingFields } from '../../contract/files/connection-settings.ts';
import { loginFields, portSchema, requiredStringSchema, scanLimitSchema } from '../connection-schemas.ts';
import type { BuiltInEngine } from '../engine.ts';
import { DEFAULT_CLUSTER_CONCURRENCY } from '../limits.ts';

const resolvedConnectionSchema = z
  .strictObject({
    kind: z.literal('trino'),
    ...loginFields,
    port: portSchema.optional(),
    catalog: requiredStringSchema,
    schema: z.string().min(1).optional(),
    catalogs: z.array(z.string().min(1)).default([]),
    max_scan_bytes: scanLimitSchema,
  })
  .transform((connection) => ({ ...connection, port: connection.port ?? (connection.ssl ? 8443 : 8080) }));

export const trinoEngine: BuiltInEngine = {
  kind: 'trino',
  dialect: 'trino',
  title: 'Trino',
  titleSuffix: 'and the databases behind it',
  page: 'trino.md',
  experimental: false,
  testedWith: 'Trino 476 with three catalogs, TLS and password',
  can: { rowPolicies: true, medians: false, lists: true, distinctLists: true, estimates: true },
  schemes: ['trino'],
  stored: [
    z.strictObject({
      kind: z.literal('trino'),
      ...serverSettingFields,
      catalog: optionalTextSchema.describe('Catalog of tables that are named without a catalog'),
      schema: optionalTextSchema.describe('Limits introspection to this schema of the catalog'),
      catalogs: z
        .array(z.string().min(1))
        .optional()
        .describe('Other catalogs, or `catalog.schema`, whose tables lenses may use by their full names'),
      max_scan_bytes: readLimitSchema,
    }),
  ],
  opened: [resolvedConnectionSchema],
  atOnce: DEFAULT_CLUSTER_CONCURRENCY,
  async open(connection: z.infer<typeof resolvedConnectionSchema>, { address }) {
    const { openTrinoWarehouse } = await import('./warehouse/warehouse.ts');
    return openTrinoWarehouse({ ...connection, ...(address && { address }) });
  },
  loadDialect: async () => (await import('./dialect/dialect.ts')).trinoDialect,
};
