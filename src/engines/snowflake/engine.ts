import { z } from 'zod';
import { databaseSettingFields, optionalTextSchema } from '../../contract/files/connection-settings.ts';
import { hostSchema, loginFields, portSchema, requiredStringSchema } from '../connection-schemas.ts';
import type { BuiltInEngine } from '../engine.ts';
import { DEFAULT_CLUSTER_CONCURRENCY } from '../limits.ts';

const LOOPBACK_HOST_PATTERN = /^(?:localhost|127\.0\.0\.1|::1)$/;
/**
 * svc accepts only Snowflake's own hosts, because the client downloads large results from links that the server sends.
 */
const snowflakeHostSchema = hostSchema.refine(
  (name) => LOOPBACK_HOST_PATTERN.test(name) || /\.snowflakecomputing\.(?:com|cn|mil)$/i.test(name),
  'must be a host of snowflakecomputing.com, .cn or .mil',
);
const resolvedConnectionSchema = z
  .strictObject({
    kind: z.literal('snowflake'),
    account: z
      .string({ error: 'is required' })
      .regex(
        /^[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*$/,
        'must be an account identifier, such as myorg-myaccount',
      ),
    host: snowflakeHostSchema.optional(),
    port: portSchema.optional(),
    ssl: z.boolean().default(true),
    user: loginFields.user,
    password: loginFields.password,
    private_key: z.string().min(1).optional(),
    private_key_passphrase: z.string().optional(),
    token: z.string().min(1).optional(),
    role: z.string().min(1).optional(),
    warehouse: z.string().min(1).optional(),
    database: requiredStringSchema,
    schema: z.string().min(1).optional(),
    databases: z.array(z.string().min(1)).default([]),
  })
  .transform((connection) => ({
    ...connection,
    host: connection.host ?? `${connection.account.replaceAll('_', '-')}.snowflakecomputing.com`,
  }))
  .refine((connection) => connection.ssl || LOOPBACK_HOST_PATTERN.test(connection.host), {
    path: ['ssl'],
    message: 'can be false only for a host on this machine',
  });

export const snowflakeEngine: BuiltInEngine = {
  kind: 'snowflake',
  dialect: 'snowflake',
  title: 'Snowflake',
  page: 'snowflake.md',
  experimental: true,
  testedWith: 'the fakesnow 0.12 emulator',
  can: { rowPolicies: true, medians: true, lists: true, distinctLists: true, estimates: false },
  schemes: ['snowflake'],
  stored: [
    z.strictObject({
      kind: z.literal('snowflake'),
      ...databaseSettingFields,
      account: optionalTextSchema.describe('Account identifier, such as myorg-myaccount'),
      private_key: z.string().optional().describe('Private key of the user, as PEM'),
      private_key_passphrase: z.string().optional(),
      token: z.string().optional().describe('OAuth access token'),
      role: optionalTextSchema,
      warehouse: optionalTextSchema.describe('Virtual warehouse that runs the statements'),
      schema: optionalTextSchema.describe('Limits introspection to this schema of the database'),
      databases: z
        .array(z.string().min(1))
        .optional()
        .describe('Other databases, or `database.schema`, whose tables lenses may use by their full names'),
    }),
  ],
  opened: [resolvedConnectionSchema],
  atOnce: DEFAULT_CLUSTER_CONCURRENCY,
  async open(connection: z.infer<typeof resolvedConnectionSchema>, { projectFolder }) {
    const { openSnowflakeWarehouse } = await import('./warehouse/warehouse.ts');
    return openSnowflakeWarehouse({ ...connection, projectFolder });
  },
  loadDialect: async () => (await import('./dialect/dialect.ts')).snowflakeDialect,
};
