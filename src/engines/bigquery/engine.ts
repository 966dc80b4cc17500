import { z } from 'zod';
import { given, readLimit, serverKeys } from '../../contract/connection-words.ts';
import type { OwnEngine } from '../engine.ts';
import { CLUSTER_STATEMENTS } from '../limits.ts';
import { host, port, readBound } from '../opened-words.ts';

const opened = z.strictObject({
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
  max_bytes_billed: readBound,
  host: host.optional(),
  port: port.default(9050),
});

export const bigquery: OwnEngine = {
  kind: 'bigquery',
  dialect: 'bigquery',
  title: 'BigQuery',
  page: 'bigquery.md',
  experimental: true,
  testedWith: "GoogleSQL's reference implementation",
  can: { rowPolicies: true, medians: false, estimates: true },
  schemes: ['bigquery'],
  stored: [
    z.strictObject({
      kind: z.literal('bigquery'),
      project: z
        .string()
        .min(1)
        .describe('Where jobs run and are billed, and tables are that are named without a project'),
      dataset: given.describe('Only this dataset of the project is looked at'),
      datasets: z
        .array(z.string().min(1))
        .optional()
        .describe('Other datasets, or `project.dataset`, whose tables lenses may name in full'),
      location: given.describe('Where the datasets are; absent: as the service finds it'),
      client_email: z
        .string()
        .optional()
        .describe(
          "Of a service account's key; absent: the server's own credentials, for connections of the operator's",
        ),
      private_key: z.string().optional().describe("Of a service account's key"),
      max_bytes_billed: readLimit,
      host: given.describe('Of an emulator; no credentials are sent there'),
      port: serverKeys.port,
    }),
  ],
  opened: [opened],
  atOnce: CLUSTER_STATEMENTS,
  async open(connection: z.infer<typeof opened>, { address, projectFolder, fromOperator = false }) {
    const { openBigqueryWarehouse } = await import('./warehouse/warehouse.ts');
    return openBigqueryWarehouse({ ...connection, projectFolder, fromOperator, ...(address && { address }) });
  },
  loadDialect: async () => (await import('./dialect/dialect.ts')).bigquery,
};
