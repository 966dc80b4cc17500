import { z } from 'zod';
import { databaseSettingFields } from '../../contract/files/connection-settings.ts';
import { portSchema, serverFields } from '../connection-schemas.ts';
import type { BuiltInEngine } from '../engine.ts';
import { DEFAULT_SERVER_CONCURRENCY } from '../limits.ts';

const resolvedConnectionSchema = z.strictObject({
  kind: z.literal('mysql'),
  port: portSchema.default(3306),
  ...serverFields,
});

export const mysqlEngine: BuiltInEngine = {
  kind: 'mysql',
  dialect: 'mysql',
  title: 'MySQL, MariaDB',
  experimental: false,
  testedWith: 'MariaDB 10.11',
  can: { rowPolicies: true, medians: false, lists: true, distinctLists: true, estimates: true },
  schemes: ['mysql', 'mariadb'],
  stored: [z.strictObject({ kind: z.literal('mysql'), ...databaseSettingFields })],
  opened: [resolvedConnectionSchema],
  atOnce: DEFAULT_SERVER_CONCURRENCY,
  async open(connection: z.infer<typeof resolvedConnectionSchema>, { address }) {
    const { openMysqlWarehouse } = await import('./warehouse/warehouse.ts');
    return openMysqlWarehouse({ ...connection, ...(address && { address }) });
  },
  loadDialect: async () => (await import('./dialect/dialect.ts')).mysqlDialect,
};
