// The schema of svc.config.yaml. svc stores strings with ${NAME} and ${NAME:-default} without replacing the variables.
import { z } from 'zod';
import { ENGINES } from '../../engines/engines.ts';
import type { ConnectionConfig } from './connection-settings.ts';
import { durationSchema, lowercaseNameSchema, oneLineSchema, textSchema } from './shared-schemas.ts';

const priceSchema = z
  .strictObject({ input: z.number().min(0), output: z.number().min(0) })
  .describe('USD per million tokens');
const modelEntrySchema = z.strictObject({
  provider: z.string().min(1).default('openai'),
  model: z.string().min(1),
  base_url: z.string().optional(),
  api_key: z.string().optional(),
  price: priceSchema.optional(),
  timeout_ms: z.int().min(1_000).max(600_000).default(20_000).describe('Time limit of one call in milliseconds'),
});
const embedderEntrySchema = z.strictObject({
  provider: z.string().min(1).default('builtin'),
  model: z.string().min(1).optional(),
  base_url: z.string().optional(),
  api_key: z.string().optional(),
  exact_band: z.number().min(0).max(1).default(0.95),
  price: priceSchema.optional(),
});

/** The kind of connections that read files. */
export const FILES_KIND = 'duckdb';
export const ENGINE_KINDS = ENGINES.map(({ kind }) => kind);
export const connectionSchema: z.ZodType<ConnectionConfig> = z.union([
  ...ENGINES.flatMap(({ stored }) => stored),
  z
    .looseObject({
      // Stops validation here, because otherwise zod would report only the errors of this alternative.
      kind: z.string().regex(/^plugin:[a-z0-9@/._-]+$/, {
        error: `must be ${ENGINE_KINDS.join(', ')} or plugin:<name>`,
        abort: true,
      }),
    })
    .describe('A connection of a plugin, with the keys that the plugin defines'),
]);
const issuerSchema = z.strictObject({
  issuer: z.string().min(1),
  client_id: z.string().min(1),
  client_secret: z.string().optional(),
  audience: z.string().optional(),
});
/** Rejects a shorter retention, because svc would delete traces before people can read them or verify a receipt. */
const retentionDurationSchema = durationSchema.refine((text) => {
  const [date = '', time = ''] = text.slice(1).split('T');
  const daysOf = (part: string, units: Record<string, number>) =>
    [...part.matchAll(/(\d+)([A-Z])/g)].reduce((days, [, count, unit]) => days + Number(count) * units[unit!]!, 0);
  const days = daysOf(date, { Y: 365, M: 30, W: 7, D: 1 }) + daysOf(time, { H: 1 / 24, M: 1 / 1440, S: 1 / 86_400 });
  return days >= 1 && days <= 36_500;
}, 'must be from P1D to P100Y');
const severitySchema = z.enum(['error', 'warn', 'off']);
export const standardsSchema = z.strictObject({
  metric_description: severitySchema.default('warn').describe('Severity of a metric without a description'),
  dataset_description: severitySchema.default('warn').describe('Severity of a dataset without a description'),
  certified_minimum: z.int().min(0).default(0).describe('Minimum number of approved certified entries in each lens'),
});

export const configFileSchema = z.strictObject({
  instance: z
    .strictObject({ name: oneLineSchema.min(1).max(200).default('svc'), tagline: oneLineSchema.max(500).optional() })
    .optional(),
  server: z
    .strictObject({
      trusted_proxy_hops: z.int().min(0).max(10).default(0),
      allowed_origins: z.array(z.string()).default([]),
      body_limit: z.int().min(1024).max(104_857_600).default(1_048_576),
    })
    .optional(),
  models: z
    .strictObject({
      fast: modelEntrySchema.optional(),
      smart: modelEntrySchema.optional(),
      embedder: embedderEntrySchema.optional(),
    })
    .optional(),
  typed_decisions: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe('auto: svc asks a model if it cannot interpret a question itself'),
  connections: z.record(lowercaseNameSchema, connectionSchema).default({}),
  groups: z
    .record(z.string().min(1).max(200), z.strictObject({ lenses: z.array(lowercaseNameSchema).default([]) }))
    .default({}),
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
        .describe('Time in seconds after which svc closes the connection of a client that reads no data. Default: 30'),
      values_max_age_s: z.int().min(1).optional().describe('Maximum age of dictionaries in seconds. Default: 900'),
      build_timeout_ms: z
        .int()
        .min(1_000)
        .optional()
        .describe('Time limit in milliseconds for building a warehouse from files. Default: 300000'),
      max_built_bytes: z
        .int()
        .min(1_048_576)
        .optional()
        .describe('Maximum size of a warehouse built from files. Default: 4 GiB'),
    })
    .optional(),
  retention: z.strictObject({ traces: retentionDurationSchema.default('P400D') }).optional(),
  telemetry: z
    .strictObject({
      otlp_endpoint: z
        .string()
        .default('')
        .refine((text) => text === '' || URL.canParse(text), 'must be a URL, like http://collector:4318'),
    })
    .optional(),
  sign_in: z.strictObject({ oidc: issuerSchema.optional() }).optional(),
  demo: z
    .strictObject({
      tagline: z.string().max(500).optional(),
      example_conversation: z
        .array(z.strictObject({ question: textSchema, answer: textSchema }))
        .max(20)
        .default([]),
      privacy_url: z.string().optional(),
      lenses: z.array(lowercaseNameSchema).default([]),
      expires_in_days: z.int().min(1).max(365).default(7),
      mints_per_hour: z.int().min(1).default(20),
      identity_provider: issuerSchema.optional(),
    })
    .optional(),
  standards: standardsSchema.optional(),
});
export type ConfigFile = z.infer<typeof configFileSchema>;
