import { z } from 'zod';
import { databaseSettingFields, readLimitSchema } from '../../contract/files/connection-settings.ts';
import { portSchema, scanLimitSchema, serverFields } from '../connection-schemas.ts';
import type { BuiltInEngine } from '../engine.ts';
import { DEFAULT_SERVER_CONCURRENCY } from '../limits.ts';

const resolvedConnectionSchema = z.strictObject({
  kind: z.literal('sqlserver'),
  port: portSchema.default(1433),
  ...serverFields,
  query_cost_limit: scanLimitSchema,
});

export const sqlserverEngine: BuiltInEngine = {
  kind: 'sqlserver',
  dialect: 'sqlserver',
  title: 'SQL Server',
  page: 'sqlserver.md',
  experimental: true,
  testedWith: 'DuckDB with SQL translated by sqlglot',
  can: { rowPolicies: false, medians: false, lists: true, distinctLists: false, estimates: false },
  schemes: ['sqlserver', 'mssql'],
  stored: [
    z.strictObject({
      kind: z.literal('sqlserver'),
      ...databaseSettingFields,
      query_cost_limit: readLimitSchema.describe(
        'Maximum estimated time of a statement in seconds (QUERY_GOVERNOR_COST_LIMIT). SQL Server rejects longer statements before they run',
      ),
    }),
  ],
  opened: [resolvedConnectionSchema],
  atOnce: DEFAULT_SERVER_CONCURRENCY,
  async open(connection: z.infer<typeof resolvedConnectionSchema>, { address, projectFolder }) {
    const { openSqlserverWarehouse } = await import('./warehouse/warehouse.ts');
    return openSqlserverWarehouse({ ...connection, projectFolder, ...(address && { address }) });
  },
  loadDialect: async () => (await import('./dialect/dialect.ts')).sqlserverDialect,
};
