// A connection as it can be opened: variables expanded, defaults filled in, built from fields alone. No connection string,
// no libpq options, no unix socket can be expressed (SSRF-01).
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import type { ConnectionConfig } from '../../contract/config-file.ts';
import type { ServerAddress } from '../../domain/connections/check-address.ts';
import { Problem } from '../../platform/problem.ts';

const host = z
  .string({ error: 'is required' })
  .regex(/^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$|^[0-9A-Fa-f:.]+$/, 'must be a host name or an address')
  .refine(
    (given) => !given.includes(':') || ipaddr.isValid(given),
    'must be a host name or an address; the port goes into `port`',
  );
const port = z.coerce.number({ error: 'must be a port number' }).int().min(1).max(65_535);
const ssl = z
  .union([z.boolean(), z.strictObject({ ca: z.string().optional(), verify: z.boolean().default(true) })])
  .default(false)
  .transform((given) => (given === true ? { verify: true } : given));
const login = {
  host,
  user: z.string({ error: 'is required' }).min(1),
  password: z.string().default(''),
  ssl,
};
const server = { ...login, database: z.string({ error: 'is required' }).min(1) };
const select = z.string().optional();

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|::1)$/;
/** Its client goes wherever the server sends it for large results, so that the server must be Snowflake's own. */
const snowflakeHost = host.refine(
  (given) => LOOPBACK.test(given) || /\.snowflakecomputing\.(?:com|cn|mil)$/i.test(given),
  'must be a host of snowflakecomputing.com, .cn or .mil',
);
const readBound = z.coerce.number({ error: 'must be a number' }).int().min(1).optional();

const projectName = z
  .string({ error: 'is required' })
  .regex(/^[a-z][a-z0-9-]{4,28}[a-z0-9]$/, 'must be the id of a project');
const datasetName = z.string().regex(/^\w{1,1024}$/, 'must be the name of a dataset');
const DATASETS = /^(?:[a-z][a-z0-9-]{4,28}[a-z0-9]\.)?\w{1,1024}$/;

const openable = z.union([
  z.strictObject({
    kind: z.literal('duckdb'),
    files: z.record(z.string(), z.strictObject({ path: z.string().min(1), select })),
    optional: z.boolean().default(false),
  }),
  z.strictObject({ kind: z.literal('duckdb'), path: z.string().min(1) }),
  z.strictObject({ kind: z.literal('postgres'), port: port.default(5432), ...server }),
  z.strictObject({ kind: z.literal('redshift'), port: port.default(5439), ...server }),
  z.strictObject({ kind: z.literal('mysql'), port: port.default(3306), ...server }),
  z
    .strictObject({
      kind: z.literal('clickhouse'),
      ...server,
      port: port.optional(),
      max_rows_to_read: readBound,
      max_bytes_to_read: readBound,
    })
    .transform((given) => ({ ...given, port: given.port ?? (given.ssl ? 8443 : 8123) })),
  z
    .strictObject({
      kind: z.literal('trino'),
      ...login,
      port: port.optional(),
      catalog: z.string({ error: 'is required' }).min(1),
      schema: z.string().min(1).optional(),
      catalogs: z.array(z.string().min(1)).default([]),
      max_scan_bytes: readBound,
    })
    .transform((given) => ({ ...given, port: given.port ?? (given.ssl ? 8443 : 8080) })),
  z
    .strictObject({
      kind: z.literal('snowflake'),
      account: z
        .string({ error: 'is required' })
        .regex(
          /^[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*$/,
          'must be an account identifier, such as myorg-myaccount',
        ),
      host: snowflakeHost.optional(),
      port: port.optional(),
      ssl: z.boolean().default(true),
      user: login.user,
      password: login.password,
      private_key: z.string().min(1).optional(),
      private_key_passphrase: z.string().optional(),
      token: z.string().min(1).optional(),
      role: z.string().min(1).optional(),
      warehouse: z.string().min(1).optional(),
      database: server.database,
      schema: z.string().min(1).optional(),
      databases: z.array(z.string().min(1)).default([]),
    })
    .transform((given) => ({
      ...given,
      host: given.host ?? `${given.account.replaceAll('_', '-')}.snowflakecomputing.com`,
    }))
    .refine(({ ssl, host }) => ssl || LOOPBACK.test(host), {
      path: ['ssl'],
      message: 'may be false on this machine only',
    }),
  z.strictObject({
    kind: z.literal('bigquery'),
    project: projectName,
    dataset: datasetName.optional(),
    datasets: z.array(z.string().regex(DATASETS, 'must be `dataset` or `project.dataset`')).default([]),
    location: z
      .string()
      .regex(/^[A-Za-z0-9-]+$/, 'must be a location like EU or us-east1')
      .optional(),
    client_email: z.string().min(1).optional(),
    private_key: z.string().min(1).optional(),
    max_bytes_billed: readBound,
    host: host.optional(),
    port: port.default(9050),
  }),
  // Always over TLS that is verified: a name that leads elsewhere by now has no certificate for it.
  z.strictObject({
    kind: z.literal('databricks'),
    host,
    port: port.default(443),
    http_path: z.string({ error: 'is required' }).regex(/^\/[\w./-]+$/, 'must be a path like /sql/1.0/warehouses/…'),
    catalog: z.string({ error: 'is required' }).min(1),
    schema: z.string().min(1).optional(),
    token: z.string({ error: 'is required' }).min(1),
    ca: z.string().optional(),
  }),
  z.strictObject({
    kind: z.literal('sqlserver'),
    port: port.default(1433),
    ...server,
    query_cost_limit: readBound,
  }),
  z.looseObject({ kind: z.templateLiteral(['plugin:', z.string()]) }),
]);
export type OpenableConnection = z.infer<typeof openable>;

/** Where a connection leads; null for one without `host`. A plugin's port is taken for the control database's usual one
 *  when it names none: rather refused than let in. */
export function serverOf(connection: OpenableConnection): ServerAddress | null {
  const { host, port = 5432, database } = connection as { host?: unknown; port?: unknown; database?: unknown };
  if (typeof host !== 'string') return null;
  return { host, port: Number(port), ...(typeof database === 'string' && { database }) };
}

/** Throws `invalid`, naming every fault, for what can't be opened. `config` has its variables expanded. */
export function readConnection(name: string, config: ConnectionConfig): OpenableConnection {
  const read = openable.safeParse(config);
  if (read.success) return read.data;
  const issues = read.error.issues.flatMap((issue) =>
    issue.code === 'invalid_union' ? nearest(issue.errors) : [issue],
  );
  const details = issues.map((issue) => ({
    path: `connections.${name}.${issue.path.join('.')}`,
    message: issue.message,
    code: issue.code ?? 'invalid',
  }));
  throw new Problem(
    'invalid',
    `Connection "${name}": ${details.map((one) => `${one.path.split('.').pop()} ${one.message}`).join('; ')}.`,
    { details },
  );
}

/** The faults against the kind that was meant: the branch whose `kind` fits. */
function nearest(branches: z.core.$ZodIssue[][]): z.core.$ZodIssue[] {
  const fitting = branches.filter((issues) => !issues.some((issue) => issue.path[0] === 'kind'));
  return (fitting.length > 0 ? fitting : branches).reduce((best, issues) =>
    issues.length < best.length ? issues : best,
  );
}
