// Reads the operator's configuration once, and reports all errors together. Apart from src/cli/client-environment.ts,
// no other module reads process.env.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { parse } from 'yaml';
import { z } from 'zod';
import { type ConfigFile, configFileSchema } from './contract/files/config-file.ts';
import { expandVariables, findVariableFaults } from './lens/files/expand-variables.ts';
import { parseYamlFile } from './lens/files/yaml-file.ts';
import { createIssueMessage } from './platform/issue-message.ts';
import { readSecretKeys, type SecretKey } from './platform/secret-keys.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const createUrlSchema = z.string().refine((text) => URL.canParse(text), 'must be a URL');
const databaseUrlSchema = createUrlSchema.refine(
  (text) => /^postgres(?:ql)?:/.test(text),
  'must start with postgres:// or postgresql://',
);
const splitAddresses = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);
const environmentSchema = z.object({
  SVC_HOME: z.string().min(1).default('./.svc'),
  SVC_HOST: z.string().min(1).default('127.0.0.1'),
  SVC_PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  SVC_UPKEEP: z.enum(['on', 'off']).default('on'),
  SVC_WORKERS: z.coerce.number().int().min(1).max(64).default(1),
  DATABASE_URL: databaseUrlSchema.optional(),
  SVC_APP_DATABASE_URL: databaseUrlSchema.optional(),
  SVC_SECRET_KEY: z.string().optional(),
  SVC_PUBLIC_BASE_URL: createUrlSchema
    .refine((text) => /^https?:/.test(text), 'must start with https:// or http://')
    .optional(),
  SVC_PROJECT: z.string().min(1).default('.'),
  SVC_PROJECT_ENV: z.string().default(''),
  SVC_DEMO_ORG_ID: z.string().min(1).optional(),
  SVC_ALLOWED_ADDRESSES: z
    .string()
    .refine(
      (text) => splitAddresses(text).every((entry) => !entry.includes('/') || ipaddr.isValidCIDR(entry)),
      'must list host names, IP addresses and ranges such as 10.0.0.0/8, separated by commas',
    )
    .optional(),
  SVC_LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
  SVC_MODEL: z.string().min(1).optional(),
  SVC_MODEL_BASE_URL: createUrlSchema.optional(),
  OLLAMA_HOST: z.string().min(1).default('127.0.0.1:11434'),
  OTEL_EXPORTER_OTLP_ENDPOINT: createUrlSchema.optional(),
  OTEL_SERVICE_NAME: z.string().default('svc'),
});

/** The keys that belong to the operator. svc checks the other keys when it applies the project. */
const operatorKeysSchema = z.object(
  configFileSchema.pick({
    instance: true,
    server: true,
    models: true,
    typed_decisions: true,
    plugins: true,
    limits: true,
    retention: true,
    telemetry: true,
    sign_in: true,
    demo: true,
  }).shape,
);
export type OperatorFile = z.infer<typeof operatorKeysSchema>;

export interface Config {
  home: string;
  host: string;
  port: number;
  /** The number of processes that share the port. A limit of each process is divided by this number. */
  workers: number;
  /** Whether this process deletes old traces and compacts totals. Only one process needs to do this work. */
  runsMaintenance: boolean;
  /** Null if svc uses the embedded database. */
  databaseUrl: string | null;
  appDatabaseUrl: string | null;
  /** If null, svc generates a key in the home folder of the embedded installation. If empty, svc runs without a key. */
  secretKeys: SecretKey[] | null;
  publicBaseUrl: string | null;
  project: string;
  demoOrg: string | null;
  /** If null, an installation with the embedded database allows loopback addresses, and others allow none. */
  allowedAddresses: string[] | null;
  /** Only tests fill this list, because anyone can make svc fetch a client metadata document without signing in. */
  documentAddresses: string[];
  logLevel: (typeof LOG_LEVELS)[number];
  ollama: string;
  /** The collector that receives spans. Null if no collector is configured. */
  telemetry: { endpoint: string; serviceName: string } | null;
  operator: OperatorFile;
  /** The operator's file as svc read it at startup, with unexpanded variables. An apply over HTTP can't change it. */
  writtenFile: Partial<ConfigFile> | null;
  /**
   * `allowed`: variables that the operator's files can read, such as ${OPENAI_API_KEY}. `granted`: for each
   * organization, the variables that a connection secret sent over HTTP can read.
   */
  variables: {
    allowed: string[];
    granted: { organization: string; name: string }[];
    values: Record<string, string | undefined>;
  };
}

/** The message has one line per error with the next step, for `svc start`. */
export class ConfigFault extends Error {
  override readonly name = 'ConfigFault';
  /** 2 if the configuration is wrong. 1 if a resource that it names isn't ready. */
  readonly exitCode: 1 | 2;
  constructor(message: string, options: ErrorOptions & { exitCode?: 1 | 2 } = {}) {
    super(message, options);
    this.exitCode = options.exitCode ?? 2;
  }
}

/** If `requireVariables` is true, an unset variable that the operator's file uses is also an error. */
export function readConfig(env: NodeJS.ProcessEnv = process.env, requireVariables = false): Readonly<Config> {
  const faults: string[] = [];
  const setVariables = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => value !== '' || name === 'SVC_SECRET_KEY'),
  );
  const parsed = environmentSchema.safeParse(setVariables);
  const issues = parsed.error?.issues ?? [];
  faults.push(...issues.map((issue) => `${issue.path.join('.')}: ${createIssueMessage(issue)}`));
  const invalidNames = new Set(issues.map((issue) => issue.path[0]));
  const environmentValues = environmentSchema.parse(
    Object.fromEntries(Object.entries(setVariables).filter(([name]) => !invalidNames.has(name))),
  );
  if (!environmentValues.SVC_PUBLIC_BASE_URL && !isLoopback(environmentValues.SVC_HOST)) {
    faults.push(
      `SVC_HOST: ${environmentValues.SVC_HOST} can be reached from other machines. Set SVC_PUBLIC_BASE_URL to the public address, or listen on 127.0.0.1.`,
    );
  }
  if (environmentValues.SVC_WORKERS > 1 && !environmentValues.DATABASE_URL) {
    faults.push(
      'SVC_WORKERS: the embedded database belongs to one process. Set DATABASE_URL to a PostgreSQL database, or unset SVC_WORKERS.',
    );
  }
  let secretKeys: SecretKey[] | null = null;
  try {
    if (environmentValues.SVC_SECRET_KEY !== undefined) secretKeys = readSecretKeys(environmentValues.SVC_SECRET_KEY);
  } catch (fault) {
    faults.push((fault as Error).message);
  }
  const { variableNames, granted } = readProjectEnv(
    environmentValues.SVC_PROJECT_ENV,
    environmentValues.DATABASE_URL ? null : EMBEDDED_ORGANIZATION,
    faults,
  );
  const allowedNames = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', ...variableNames];
  const values = Object.fromEntries(allowedNames.map((name) => [name, env[name]]));
  const project = resolve(environmentValues.SVC_PROJECT);
  const file = readOperatorFile(project, { allowed: allowedNames, values }, faults);
  const { writtenFile, text } = file;
  const operator = addModelFromEnvironment(file.operator, environmentValues, values, faults);
  if (requireVariables && !environmentValues.DATABASE_URL && !existsSync(project))
    faults.push(
      `SVC_PROJECT: the folder "${project}" does not exist. Create it, or set SVC_PROJECT to the folder of a project.`,
    );
  if (requireVariables) {
    // With the embedded database, svc applies the folder at startup. Otherwise, `svc apply` creates the connections.
    const keys = [...Object.keys(operatorKeysSchema.shape), ...(environmentValues.DATABASE_URL ? [] : ['connections'])];
    faults.push(...findVariableFaults(join(project, 'svc.config.yaml'), text, keys, { allowed: allowedNames, values }));
  }
  if (faults.length > 0) throw new ConfigFault(faults.join('\n'));
  return Object.freeze({
    home: resolve(environmentValues.SVC_HOME),
    host: environmentValues.SVC_HOST,
    port: environmentValues.SVC_PORT,
    workers: environmentValues.SVC_WORKERS,
    runsMaintenance: environmentValues.SVC_UPKEEP === 'on',
    databaseUrl: environmentValues.DATABASE_URL ?? null,
    appDatabaseUrl: environmentValues.SVC_APP_DATABASE_URL ?? null,
    secretKeys,
    publicBaseUrl: environmentValues.SVC_PUBLIC_BASE_URL?.replace(/\/+$/, '') ?? null,
    project,
    demoOrg: environmentValues.SVC_DEMO_ORG_ID ?? null,
    allowedAddresses:
      environmentValues.SVC_ALLOWED_ADDRESSES === undefined
        ? null
        : splitAddresses(environmentValues.SVC_ALLOWED_ADDRESSES),
    documentAddresses: [],
    logLevel: environmentValues.SVC_LOG_LEVEL,
    ollama: environmentValues.OLLAMA_HOST,
    telemetry: readTelemetry(operator, environmentValues),
    operator,
    writtenFile,
    variables: { allowed: allowedNames, granted, values },
  });
}

/** With the embedded database, `NAME` without an organization belongs to the installation's organization. */
function readProjectEnv(
  variableList: string,
  defaultOrganization: string | null,
  faults: string[],
): { variableNames: string[]; granted: Config['variables']['granted'] } {
  const granted: Config['variables']['granted'] = [];
  const variableNames = variableList
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((entry) => {
      const [, organization = defaultOrganization, name = entry] = /^(?:([^:]*):)?(.*)$/.exec(entry) ?? [];
      if (
        !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ||
        (organization !== null && !/^[a-z][a-z0-9_-]{0,62}$/.test(organization))
      )
        faults.push(`SVC_PROJECT_ENV: “${entry}” is neither NAME nor organization:NAME.`);
      if (organization !== null) granted.push({ organization, name });
      return name;
    });
  return { variableNames, granted };
}

/** The organization of an installation with the embedded database. The operator's folder is its project. */
export const EMBEDDED_ORGANIZATION = 'default';

export const divideLimitByWorkers = (limit: number, workers: number): number =>
  Math.max(1, Math.floor(limit / workers));

const isLoopback = (host: string): boolean =>
  host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');

function readOperatorFile(
  project: string,
  variables: ReadableVariables,
  faults: string[],
): { operator: OperatorFile; writtenFile: Partial<ConfigFile> | null; text: string } {
  const path = join(project, 'svc.config.yaml');
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  let tree: unknown;
  let writtenFile: Partial<ConfigFile> | null = null;
  try {
    const parsedFile: unknown = parse(text) ?? {};
    writtenFile = configFileSchema.partial().safeParse(parsedFile).data ?? null;
    tree = expandVariablesInTree<unknown>(parsedFile, variables);
  } catch (fault) {
    faults.push(...locateProblems(path, text, [(fault as Error).message]));
    tree = {};
  }
  const parsed = operatorKeysSchema.safeParse(tree);
  if (!parsed.success) {
    const messages = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${createIssueMessage(issue)}`);
    faults.push(...locateProblems(path, text, messages));
    return { operator: operatorKeysSchema.parse({}), writtenFile, text };
  }
  return { operator: withoutUnconfiguredModels(parsed.data, variables), writtenFile, text };
}

/** A problem that only the value of a variable causes has no line, so `messages` describes it. */
function locateProblems(path: string, text: string, messages: string[]): string[] {
  const problems = parseYamlFile('config', path, text).problems.filter(
    ({ pointer }) => pointer === '' || pointer.split('/')[1]! in operatorKeysSchema.shape,
  );
  return problems.length > 0
    ? problems.map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`)
    : messages.map((message) => `${path}: ${message}`);
}

function readTelemetry(
  { telemetry }: OperatorFile,
  environmentValues: z.infer<typeof environmentSchema>,
): Config['telemetry'] {
  const endpoint = telemetry?.otlp_endpoint || environmentValues.OTEL_EXPORTER_OTLP_ENDPOINT;
  return endpoint ? { endpoint, serviceName: environmentValues.OTEL_SERVICE_NAME } : null;
}

type ReadableVariables = Pick<Config['variables'], 'allowed' | 'values'>;
/** Expands ${NAME} in every string, using only the variables that project files can read. */
export function expandVariablesInTree<T>(node: T, variables: ReadableVariables): T {
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return expandVariables(value, variables.allowed, variables.values).text;
    if (Array.isArray(value)) return value.map(walk);
    if (value && typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, walk(child)]));
    return value;
  };
  return walk(node) as T;
}

/** An OpenAI model without a key in the file or in the standard variables counts as not configured. */
function withoutUnconfiguredModels(operator: OperatorFile, variables: ReadableVariables): OperatorFile {
  const resolvedModels = Object.entries(operator.models ?? {}).flatMap(([name, entry]) => {
    const base_url = entry.base_url || variables.values['OPENAI_BASE_URL'] || undefined;
    const api_key = entry.api_key || variables.values['OPENAI_API_KEY'] || (base_url ? 'none' : undefined);
    return entry.provider !== 'openai' || api_key ? [[name, { ...entry, base_url, api_key }]] : [];
  });
  return { ...operator, models: Object.fromEntries(resolvedModels) as OperatorFile['models'] };
}

/** If the files name no models, SVC_MODEL is for both roles. It requires OPENAI_API_KEY or a custom address. */
function addModelFromEnvironment(
  operator: OperatorFile,
  { SVC_MODEL: model, SVC_MODEL_BASE_URL: modelBaseUrl }: z.infer<typeof environmentSchema>,
  values: Config['variables']['values'],
  faults: string[],
): OperatorFile {
  if (!model) {
    if (modelBaseUrl) faults.push('SVC_MODEL_BASE_URL: set SVC_MODEL to the name of a model at this address.');
    return operator;
  }
  if (operator.models?.fast || operator.models?.smart) return operator;
  const base_url = modelBaseUrl ?? (values['OPENAI_BASE_URL'] || undefined);
  const api_key = values['OPENAI_API_KEY'] || (base_url ? 'none' : undefined);
  if (!api_key) {
    faults.push('SVC_MODEL: set OPENAI_API_KEY, or SVC_MODEL_BASE_URL for an endpoint that needs no key.');
    return operator;
  }
  const entry = configFileSchema.shape.models.unwrap().shape.fast.unwrap().parse({ model, base_url, api_key });
  return { ...operator, models: { ...operator.models, fast: entry, smart: { ...entry } } };
}

/** For commands that run a service in a temporary database (`svc check`, `svc eval --suite`). */
export function readTemporaryConfig(options: { project: string; home: string; controlUrl: string }): Readonly<Config> {
  const { SVC_PROJECT_ENV, OPENAI_API_KEY, OPENAI_BASE_URL, SVC_MODEL, SVC_MODEL_BASE_URL } = process.env;
  const names = (SVC_PROJECT_ENV ?? '').split(/[\s,]+/).map((entry) => entry.replace(/^[^:]*:/, ''));
  const projectVariables = Object.fromEntries(names.map((name) => [name, process.env[name]]));
  const settings = { SVC_PROJECT: options.project, SVC_HOME: options.home, DATABASE_URL: options.controlUrl };
  const quietSettings = { SVC_LOG_LEVEL: 'silent', SVC_PORT: '0', SVC_ALLOWED_ADDRESSES: '127.0.0.0/8,::1,localhost' };
  const model = { OPENAI_API_KEY, OPENAI_BASE_URL, SVC_MODEL, SVC_MODEL_BASE_URL };
  return readConfig({ ...projectVariables, SVC_PROJECT_ENV, ...model, ...settings, ...quietSettings });
}

/** svc exits with npm, because npm forwards no signal when it is killed. */
export const isStartedByNpm = (env: NodeJS.ProcessEnv = process.env): boolean => env['npm_lifecycle_event'] === 'start';
