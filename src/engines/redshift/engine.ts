import { z } from 'zod';
import { databaseSettingFields } from '../../contract/files/connection-settings.ts';
import { portSchema, serverFields } from '../connection-schemas.ts';
import type { BuiltInEngine } from '../engine.ts';
import { DEFAULT_SERVER_CONCURRENCY } from '../limits.ts';

const resolvedConnectionSchema = z.strictObject({
  kind: z.literal('redshift'),
  port: portSchema.default(5439),
  ...serverFields,
});

export const redshiftEngine: BuiltInEngine = {
  kind: 'redshift',
  dialect: 'redshift',
  title: 'Redshift',
  page: 'redshift.md',
  experimental: true,
  testedWith: "PostgreSQL with Redshift's system views",
  can: { rowPolicies: false, medians: true, lists: true, distinctLists: false, estimates: true },
  schemes: ['redshift'],
  stored: [z.strictObject({ kind: z.literal('redshift'), ...databaseSettingFields })],
  opened: [resolvedConnectionSchema],
  atOnce: DEFAULT_SERVER_CONCURRENCY,
  async open(connection: z.infer<typeof resolvedConnectionSchema>, { address }) {
    const { openPostgresWarehouse } = await import('../postgres/warehouse/warehouse.ts');
    const { REDSHIFT_ENGINE: REDSHIFT } = await import('./warehouse/redshift-engine.ts');
    return openPostgresWarehouse({ ...connection, ...(address && { address }) }, REDSHIFT);
  },
  loadDialect: async () => (await import('./dialect/dialect.ts')).redshiftDialect,
};
