import { z } from 'zod';
import { optionalTextSchema, readLimitSchema, serverSettingFields } from '../../contract/files/connection-settings.ts';
import { hostSchema, portSchema, scanLimitSchema } from '../connection-schemas.ts';
import type { BuiltInEngine } from '../engine.ts';
import { DEFAULT_CLUSTER_CONCURRENCY } from '../limits.ts';

const resolvedConnectionSchema = z.strictObject({
  kind: z.literal('bigquery'),
  project: z.string({ error: 'is required' }).regex(/^[a-z][a-z0-9-]{4,28}[a-z0-9]$/, 'must be the id of a project'),
  dataset: z
    .string()
    .regex(/^\w{1,1024}$/, 'must be the name of a dataset')
    .optional(),
  datasets: z
    .array(
      z.string().regex(/^(?:[a-z][a-z0-9-]{4,28}[a-z0-9]\.)?\w{1,1024}$/, 'must be `dataset` or `project.dataset`'),
    )
    .default([]),
  location: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, 'must be a location like EU or us-east1')
    .optional(),
  client_email: z.string().min(1).optional(),
  private_key: z.string().min(1).optional(),
  max_bytes_billed: scanLimitSchema,
  host: hostSchema.optional(),
  port: portSchema.default(9050),
});

export const bigqueryEngine: BuiltInEngine = {
  kind: 'bigquery',
  dialect: 'bigquery',
  title: 'BigQuery',
  page: 'bigquery.md',
  experimental: true,
  testedWith: "GoogleSQL's reference implementation",
  can: { rowPolicies: true, medians: false, lists: false, distinctLists: false, estimates: true },
  schemes: ['bigquery'],
  stored: [
    z.strictObject({
      kind: z.literal('bigquery'),
      project: z
        .string()
        .min(1)
        .describe('Project that runs and pays for jobs, and contains tables named without a project'),
      dataset: optionalTextSchema.describe('Limits introspection to this dataset of the project'),
      datasets: z
        .array(z.string().min(1))
        .optional()
        .describe('Other datasets, or `project.dataset`, whose tables lenses may use by their full names'),
      location: optionalTextSchema.describe('Location of the datasets. By default, BigQuery decides'),
      client_email: z
        .string()
        .optional()
        .describe(
          'Email address of a service account, from its key file. Only connections that the operator configures can omit it and use the credentials of the server',
        ),
      private_key: z.string().optional().describe('Private key of the service account, from its key file'),
      max_bytes_billed: readLimitSchema,
      host: optionalTextSchema.describe('URL of an emulator, which receives no credentials'),
      port: serverSettingFields.port,
    }),
  ],
  opened: [resolvedConnectionSchema],
  atOnce: DEFAULT_CLUSTER_CONCURRENCY,
  async open(connection: z.infer<typeof resolvedConnectionSchema>, { address, projectFolder, fromOperator = false }) {
    const { openBigqueryWarehouse } = await import('./warehouse/warehouse.ts');
    return openBigqueryWarehouse({ ...connection, projectFolder, fromOperator, ...(address && { address }) });
  },
  loadDialect: async () => (await import('./dialect/dialect.ts')).bigqueryDialect,
};
