import { z } from 'zod';
import { databaseSettingFields, readLimitSchema } from '../../contract/files/connection-settings.ts';
import { portSchema, scanLimitSchema, serverFields } from '../connection-schemas.ts';
import type { BuiltInEngine } from '../engine.ts';
import { DEFAULT_SERVER_CONCURRENCY } from '../limits.ts';

const resolvedConnectionSchema = z
  .strictObject({
    kind: z.literal('clickhouse'),
    ...serverFields,
    port: portSchema.optional(),
    max_rows_to_read: scanLimitSchema,
    max_bytes_to_read: scanLimitSchema,
  })
  .transform((config) => ({ ...config, port: config.port ?? (config.ssl ? 8443 : 8123) }));

export const clickhouseEngine: BuiltInEngine = {
  kind: 'clickhouse',
  dialect: 'clickhouse',
  title: 'ClickHouse',
  page: 'clickhouse.md',
  experimental: false,
  testedWith: 'the ClickHouse 26.7 engine',
  can: { rowPolicies: true, medians: true, lists: false, distinctLists: false, estimates: true },
  schemes: ['clickhouse'],
  stored: [
    z.strictObject({
      kind: z.literal('clickhouse'),
      ...databaseSettingFields,
      max_rows_to_read: readLimitSchema,
      max_bytes_to_read: readLimitSchema,
    }),
  ],
  opened: [resolvedConnectionSchema],
  atOnce: DEFAULT_SERVER_CONCURRENCY,
  async open(connection: z.infer<typeof resolvedConnectionSchema>, { address, projectFolder }) {
    const { openClickhouseWarehouse } = await import('./warehouse/warehouse.ts');
    return openClickhouseWarehouse({ ...connection, projectFolder, ...(address && { address }) });
  },
  loadDialect: async () => (await import('./dialect/dialect.ts')).clickhouseDialect,
};
