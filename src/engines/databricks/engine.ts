import { z } from 'zod';
import { optionalTextSchema, serverSettingFields } from '../../contract/files/connection-settings.ts';
import { hostSchema, portSchema, requiredStringSchema } from '../connection-schemas.ts';
import type { BuiltInEngine } from '../engine.ts';
import { DEFAULT_SERVER_CONCURRENCY } from '../limits.ts';

/**
 * The connection has no setting for the certificate. svc always verifies it, because DNS can return another server for
 * the host name.
 */
const resolvedConnectionSchema = z.strictObject({
  kind: z.literal('databricks'),
  host: hostSchema,
  port: portSchema.default(443),
  http_path: z.string({ error: 'is required' }).regex(/^\/[\w./-]+$/, 'must be a path like /sql/1.0/warehouses/…'),
  catalog: requiredStringSchema,
  schema: z.string().min(1).optional(),
  token: requiredStringSchema,
  ca: z.string().optional(),
});

export const databricksEngine: BuiltInEngine = {
  kind: 'databricks',
  dialect: 'databricks',
  title: 'Databricks',
  page: 'databricks.md',
  experimental: true,
  testedWith: 'Spark 4.3 for the SQL',
  can: { rowPolicies: false, medians: true, lists: false, distinctLists: false, estimates: false },
  schemes: ['databricks'],
  stored: [
    z.strictObject({
      kind: z.literal('databricks'),
      host: optionalTextSchema,
      port: serverSettingFields.port,
      http_path: optionalTextSchema.describe('HTTP path of the SQL warehouse, such as /sql/1.0/warehouses/…'),
      catalog: optionalTextSchema.describe('Catalog of tables that are named without a catalog'),
      schema: optionalTextSchema.describe('Limits introspection to this schema of the catalog'),
      token: z.string().optional().describe('A personal access token, preferably of a service principal'),
      ca: z.string().optional().describe('PEM of an additional trusted certificate authority'),
    }),
  ],
  opened: [resolvedConnectionSchema],
  atOnce: DEFAULT_SERVER_CONCURRENCY,
  async open(connection: z.infer<typeof resolvedConnectionSchema>, { projectFolder }) {
    const { openDatabricksWarehouse } = await import('./warehouse/warehouse.ts');
    return openDatabricksWarehouse({ ...connection, projectFolder });
  },
  loadDialect: async () => (await import('./dialect/dialect.ts')).databricksDialect,
};
