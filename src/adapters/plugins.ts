// Loads the plugins of a project. If a plugin is broken, the server starts without it, and `/ready` reports the error.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Dialect } from '../dialects/dialect.ts';
import { addDialects, createPluginDialects, type DialectTools, isBuiltInDialect } from '../dialects/dialects.ts';
import type { Embedder, LanguageModel } from '../domain/ports.ts';
import type { Engine } from '../engines/engine.ts';
import { mysqlDialect } from '../engines/mysql/dialect/dialect.ts';
import { wrapEmbedder, wrapEngine, wrapModel } from './plugin-host.ts';

/** An entry of `models` in svc.config.yaml, with variables replaced. */
export interface ModelProviderConfig {
  provider: string;
  model?: string | undefined;
  base_url?: string | undefined;
  api_key?: string | undefined;
}

export interface Plugin {
  /** Engines for connections whose `kind` is `plugin:<name>`. */
  warehouses?: Engine[];
  /** Returns dialects for other engines, which the plugin builds with the functions in `tools`. */
  dialects?: (tools: DialectTools) => Dialect[];
  /** Embedders by the value of `provider` in `models.embedder`. */
  embedders?: Record<string, (config: ModelProviderConfig) => Embedder>;
  /** Models by the value of `provider` in `models.fast` and `models.smart`. */
  models?: Record<string, (config: ModelProviderConfig & { entry: 'fast' | 'smart' }) => LanguageModel>;
}

export interface LoadedPlugins extends Required<Omit<Plugin, 'dialects'>> {
  /** One line of text for each plugin. `/ready` shows these lines. */
  report: string[];
}

const functionSchema = z.custom<(...args: never[]) => unknown>(
  (value) => typeof value === 'function',
  'must be a function',
);
const pluginSchema = z.object({
  warehouses: z
    .array(
      z.looseObject({
        kind: z.string().startsWith('plugin:'),
        dialect: z.string(),
        experimental: z.boolean().optional(),
        open: functionSchema,
      }),
    )
    .optional(),
  dialects: functionSchema.optional(),
  embedders: z.record(z.string(), functionSchema).optional(),
  models: z.record(z.string(), functionSchema).optional(),
});

/** Throws an error that names the missing member. */
export function readPlugin(exportedValue: unknown): Omit<LoadedPlugins, 'report'> & { dialects: Dialect[] } {
  pluginSchema.parse(exportedValue);
  const { warehouses = [], dialects: createDialects = () => [], embedders = {}, models = {} } = exportedValue as Plugin;
  const dialects = createPluginDialects(createDialects, mysqlDialect);
  for (const { kind, dialect } of warehouses) {
    if (!isBuiltInDialect(dialect) && !dialects.some(({ name }) => name === dialect))
      throw new Error(`${kind} has the dialect ${dialect}, which neither svc nor the plugin provides`);
  }
  const mapAdapters = <T, R>(adapters: Record<string, T>, wrap: (adapter: T) => R): Record<string, R> =>
    Object.fromEntries(Object.entries(adapters).map(([name, adapter]) => [name, wrap(adapter)]));
  return {
    warehouses: warehouses.map(wrapEngine),
    dialects,
    embedders: mapAdapters(embedders, (createEmbedder) => (config) => wrapEmbedder(createEmbedder(config))),
    models: mapAdapters(models, (createModel) => (config) => wrapModel(createModel(config))),
  };
}

export async function importPlugin(name: string, projectFolder: string): Promise<unknown> {
  const require = createRequire(join(projectFolder, 'package.json'));
  const module = (await import(pathToFileURL(require.resolve(name)).href)) as { default?: unknown };
  return module.default;
}

export function describePluginFault(fault: unknown): string {
  if (fault instanceof z.ZodError)
    return fault.issues.map(({ path, message }) => `${path.join('.') || 'the default export'} ${message}`).join('; ');
  return (fault as Error).message.split('\n')[0]!;
}

export async function loadPlugins(names: readonly string[], projectFolder: string): Promise<LoadedPlugins> {
  const loadedPlugins: LoadedPlugins = { warehouses: [], embedders: {}, models: {}, report: [] };
  for (const name of names) {
    try {
      const plugin = readPlugin(await importPlugin(name, projectFolder));
      addDialects(plugin.dialects);
      loadedPlugins.warehouses.push(...plugin.warehouses);
      Object.assign(loadedPlugins.embedders, plugin.embedders);
      Object.assign(loadedPlugins.models, plugin.models);
      loadedPlugins.report.push(`${name}: ok`);
    } catch (fault) {
      loadedPlugins.report.push(`${name}: not loaded, ${describePluginFault(fault)}`);
    }
  }
  return loadedPlugins;
}
