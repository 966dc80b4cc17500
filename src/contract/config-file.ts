// svc.config.yaml (CONTRACT 2). Strings may hold ${NAME} and ${NAME:-default}; they are stored unexpanded.
import { z } from 'zod';
import { duration, lensName, oneLine, sqlText, text } from './file-words.ts';

const variable = z.string().regex(/\$\{[A-Z_][A-Z0-9_]*(:-[^}]*)?\}/, 'must be a number or a variable');
const connectionName = z.string().regex(/^[a-z][a-z0-9_-]{0,62}$/, 'must be lower-case letters, digits, "_" or "-"');
const price = z
  .strictObject({ input: z.number().min(0), output: z.number().min(0) })
  .describe('USD per million tokens');
const modelEntry = z.strictObject({
  provider: z.string().min(1).default('openai'),
  model: z.string().min(1),
  base_url: z.string().optional(),
  api_key: z.string().optional(),
  price: price.optional(),
  timeout_ms: z.int().min(1_000).max(600_000).default(20_000).describe('What one call may take'),
});
const embedderEntry = z.strictObject({
  provider: z.string().min(1).default('builtin'),
  model: z.string().min(1).optional(),
  base_url: z.string().optional(),
  api_key: z.string().optional(),
  exact_band: z.number().min(0).max(1).default(0.95),
  price: price.optional(),
});

const filesConnection = z.strictObject({
  kind: z.literal('duckdb'),
  files: z
    .record(
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/, 'must be a table name'),
      z.strictObject({
        path: text.describe('CSV, JSON or Parquet file, relative to the project'),
        select: sqlText.optional().describe('A SELECT over `source`, the file as it is; absent: select * from source'),
      }),
    )
    .refine((files) => Object.keys(files).length > 0, 'must name a file'),
  optional: z
    .boolean()
    .default(false)
    .describe('When a file is absent: leave the connection and its lenses out with a warning, instead of failing'),
});
const duckdbConnection = z.strictObject({ kind: z.literal('duckdb'), path: text });
const serverConnection = {
  host: z.string().min(1).optional(),
  port: z.union([z.int().min(1).max(65535), variable]).optional(),
  user: z.string().optional(),
  password: z.string().optional(),
  ssl: z
    .union([z.boolean(), z.strictObject({ ca: z.string().optional(), verify: z.boolean().default(true) })])
    .optional(),
};
const networkConnection = { ...serverConnection, database: z.string().min(1).optional() };
/** What reads files. */
export const FILES_KIND = 'duckdb';
/** What the scheme of a connection URL means. */
export const URL_SCHEMES = {
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
  clickhouse: 'clickhouse',
  trino: 'trino',
  redshift: 'redshift',
  snowflake: 'snowflake',
  bigquery: 'bigquery',
  databricks: 'databricks',
  sqlserver: 'sqlserver',
  mssql: 'sqlserver',
} as Readonly<Record<string, UrlKind>>;
export type UrlKind =
  | 'postgres'
  | 'mysql'
  | 'clickhouse'
  | 'trino'
  | 'redshift'
  | 'snowflake'
  | 'bigquery'
  | 'databricks'
  | 'sqlserver';
const readBound = z
  .union([z.int().min(1), variable])
  .optional()
  .describe('What one statement may read at most, refused by the engine before or while it runs');
export const connection = z.union([
  filesConnection,
  duckdbConnection,
  z.strictObject({ kind: z.literal('postgres'), ...networkConnection }),
  z.strictObject({ kind: z.literal('redshift'), ...networkConnection }),
  z.strictObject({ kind: z.literal('mysql'), ...networkConnection }),
  z.strictObject({
    kind: z.literal('clickhouse'),
    ...networkConnection,
    max_rows_to_read: readBound,
    max_bytes_to_read: readBound,
  }),
  z.strictObject({
    kind: z.literal('trino'),
    ...serverConnection,
    catalog: z.string().min(1).optional().describe('Where tables are that are named without a catalog'),
    schema: z.string().min(1).optional().describe('Only this schema of the catalog is looked at'),
    catalogs: z
      .array(z.string().min(1))
      .optional()
      .describe('Other catalogs, or `catalog.schema`, whose tables lenses may name in full'),
    max_scan_bytes: readBound,
  }),
  z.strictObject({
    kind: z.literal('snowflake'),
    ...networkConnection,
    account: z.string().min(1).optional().describe('Its identifier, such as myorg-myaccount'),
    private_key: z.string().optional().describe('A private key of the user, as PEM'),
    private_key_passphrase: z.string().optional(),
    token: z.string().optional().describe('An access token of OAuth'),
    role: z.string().min(1).optional(),
    warehouse: z.string().min(1).optional().describe('What computes'),
    schema: z.string().min(1).optional().describe('Only this schema of the database is looked at'),
    databases: z
      .array(z.string().min(1))
      .optional()
      .describe('Other databases, or `database.schema`, whose tables lenses may name in full'),
  }),
  z.strictObject({
    kind: z.literal('bigquery'),
    project: z
      .string()
      .min(1)
      .describe('Where jobs run and are billed, and tables are that are named without a project'),
    dataset: z.string().min(1).optional().describe('Only this dataset of the project is looked at'),
    datasets: z
      .array(z.string().min(1))
      .optional()
      .describe('Other datasets, or `project.dataset`, whose tables lenses may name in full'),
    location: z.string().min(1).optional().describe('Where the datasets are; absent: as the service finds it'),
    client_email: z
      .string()
      .optional()
      .describe("Of a service account's key; absent: the server's own credentials, for connections of the operator's"),
    private_key: z.string().optional().describe("Of a service account's key"),
    max_bytes_billed: readBound,
    host: z.string().min(1).optional().describe('Of an emulator; no credentials are sent there'),
    port: z.union([z.int().min(1).max(65535), variable]).optional(),
  }),
  z.strictObject({
    kind: z.literal('databricks'),
    host: z.string().min(1).optional(),
    port: serverConnection.port,
    http_path: z.string().min(1).optional().describe('Of the SQL warehouse: /sql/1.0/warehouses/…'),
    catalog: z.string().min(1).optional().describe('Where tables are that are named without a catalog'),
    schema: z.string().min(1).optional().describe('Only this schema of the catalog is looked at'),
    token: z.string().optional().describe('A personal access token, best of a service principal'),
    ca: z.string().optional().describe('PEM of an authority that is trusted beside the usual ones'),
  }),
  z.strictObject({
    kind: z.literal('sqlserver'),
    ...networkConnection,
    query_cost_limit: readBound.describe('Estimated seconds (QUERY_GOVERNOR_COST_LIMIT), refused before it runs'),
  }),
  z
    .looseObject({
      kind: z
        .string()
        .regex(
          /^plugin:[a-z0-9@/._-]+$/,
          'must be duckdb, postgres, mysql, clickhouse, trino, redshift, snowflake, bigquery, databricks, sqlserver or plugin:<name>',
        ),
    })
    .describe('An adapter of a plugin, with the keys that it asks for'),
]);
const issuer = z.strictObject({
  issuer: z.string().min(1),
  client_id: z.string().min(1),
  client_secret: z.string().optional(),
  audience: z.string().optional(),
});
/** What is kept for less than a day is gone before anybody can look into it; a receipt could not be verified. */
const retained = duration.refine((text) => {
  const [date = '', time = ''] = text.slice(1).split('T');
  const sum = (part: string, units: Record<string, number>) =>
    [...part.matchAll(/(\d+)([A-Z])/g)].reduce((days, [, count, unit]) => days + Number(count) * units[unit!]!, 0);
  const days = sum(date, { Y: 365, M: 30, W: 7, D: 1 }) + sum(time, { H: 1 / 24, M: 1 / 1440, S: 1 / 86_400 });
  return days >= 1 && days <= 36_500;
}, 'must be from P1D to P100Y');
const standard = z.enum(['error', 'warn', 'off']);

export const configFile = z.strictObject({
  instance: z
    .strictObject({ name: oneLine.min(1).max(200).default('svc'), tagline: oneLine.max(500).optional() })
    .optional(),
  server: z
    .strictObject({
      trusted_proxy_hops: z.int().min(0).max(10).default(0),
      allowed_origins: z.array(z.string()).default([]),
      body_limit: z.int().min(1024).max(104_857_600).default(1_048_576),
    })
    .optional(),
  models: z
    .strictObject({ fast: modelEntry.optional(), smart: modelEntry.optional(), embedder: embedderEntry.optional() })
    .optional(),
  typed_decisions: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe('auto: a model is asked where svc cannot read a question itself'),
  calibration: z
    .never('was removed. Delete it: svc now proves the plan of a model by reading the question itself (docs/models.md)')
    .optional(),
  connections: z.record(connectionName, connection).default({}),
  groups: z.record(z.string().min(1).max(200), z.strictObject({ lenses: z.array(lensName).default([]) })).default({}),
  plugins: z.array(z.string().min(1)).default([]),
  limits: z
    .strictObject({
      requests_per_minute: z.int().min(1).default(6000),
      asks_in_flight: z.int().min(1).default(32),
      warehouse_timeout_ms: z.int().min(100).max(600_000).default(30_000),
      max_result_bytes: z.int().min(1024).default(16_777_216),
      slow_reader_s: z
        .int()
        .min(1)
        .max(3600)
        .optional()
        .describe('A connection that takes nothing of its answer for so long is closed; 30'),
      values_max_age_s: z.int().min(1).optional().describe('Dictionaries older than this are read again; 900'),
      build_timeout_ms: z.int().min(1_000).optional().describe('Of a warehouse built from files; 300000 by default'),
      max_built_bytes: z.int().min(1_048_576).optional().describe('Of a warehouse built from files; 4 GiB by default'),
    })
    .optional(),
  retention: z.strictObject({ traces: retained.default('P400D') }).optional(),
  telemetry: z
    .strictObject({
      otlp_endpoint: z
        .string()
        .default('')
        .refine((text) => text === '' || URL.canParse(text), 'must be a URL, like http://collector:4318'),
      content: z.boolean().default(false).describe('Question text and SQL leave with the spans'),
    })
    .optional(),
  sign_in: z.strictObject({ oidc: issuer.optional() }).optional(),
  demo: z
    .strictObject({
      tagline: z.string().max(500).optional(),
      example_conversation: z
        .array(z.strictObject({ question: text, answer: text }))
        .max(20)
        .default([]),
      privacy_url: z.string().optional(),
      lenses: z.array(lensName).default([]),
      expires_in_days: z.int().min(1).max(365).default(7),
      mints_per_hour: z.int().min(1).default(20),
      identity_provider: issuer.optional(),
    })
    .optional(),
  standards: z
    .strictObject({
      metric_description: standard.default('warn'),
      dataset_description: standard.default('warn'),
      certified_minimum: z.int().min(0).default(0),
    })
    .optional(),
});
export type ConfigFile = z.infer<typeof configFile>;
export type ConnectionConfig = z.infer<typeof connection>;
