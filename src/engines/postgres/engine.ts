import { z } from 'zod';
import { databaseSettingFields } from '../../contract/files/connection-settings.ts';
import { portSchema, serverFields } from '../connection-schemas.ts';
import type { BuiltInEngine } from '../engine.ts';
import { DEFAULT_SERVER_CONCURRENCY } from '../limits.ts';

const resolvedConnectionSchema = z.strictObject({
  kind: z.literal('postgres'),
  port: portSchema.default(5432),
  ...serverFields,
});

export const postgresEngine: BuiltInEngine = {
  kind: 'postgres',
  dialect: 'postgres',
  title: 'PostgreSQL',
  experimental: false,
  testedWith: 'PostgreSQL 15 and 18',
  can: { rowPolicies: true, medians: true, lists: true, distinctLists: true, estimates: true },
  schemes: ['postgres', 'postgresql'],
  stored: [z.strictObject({ kind: z.literal('postgres'), ...databaseSettingFields })],
  opened: [resolvedConnectionSchema],
  atOnce: DEFAULT_SERVER_CONCURRENCY,
  async open(connection: z.infer<typeof resolvedConnectionSchema>, { address }) {
    const { openPostgresWarehouse } = await import('./warehouse/warehouse.ts');
    return openPostgresWarehouse({ ...connection, ...(address && { address }) });
  },
  loadDialect: async () => (await import('./dialect/dialect.ts')).postgresDialect,
};
