// Returns the checks for everything that a configuration uses from a plugin. Any test runner with `it(name, run)` can
// run them.

import { type ModelProviderConfig, type Plugin, readPlugin } from '../../src/adapters/plugins.ts';
import { parseConnectionConfig } from '../../src/adapters/warehouse/connection-config.ts';
import type { ConnectionConfig } from '../../src/contract/files/connection-settings.ts';
import { addDialects } from '../../src/dialects/dialects.ts';
import type { Check } from './check.ts';
import { dialectChecks } from './dialect-checks.ts';
import { embedderChecks } from './embedder-checks.ts';
import { modelChecks } from './model-checks.ts';
import { warehouseChecks } from './warehouse-checks.ts';

/** The entry as in svc.config.yaml, with variables replaced. */
export interface PluginUse {
  connections?: Record<string, { kind: string } & Record<string, unknown>>;
  models?: { fast?: ModelProviderConfig; smart?: ModelProviderConfig; embedder?: ModelProviderConfig };
  /** A non-empty table of each connection. Default: the first in the catalog. */
  table?: string;
  /** The folder where relative paths in connections start. Default: the working directory. */
  projectFolder?: string;
}

/** Throws if the plugin is invalid. The name of a check includes the connection or the entry in `use`. */
export function pluginChecks(plugin: Plugin, use: PluginUse): Check[] {
  const { warehouses, dialects, embedders, models } = readPlugin(plugin);
  addDialects(dialects);
  const projectFolder = use.projectFolder ?? process.cwd();
  const labelChecks = (label: string, checks: Check[]): Check[] =>
    checks.map((check) => ({ ...check, name: `${label}: ${check.name}` }));
  const checks = dialects.flatMap((dialect) => labelChecks(dialect.name, dialectChecks(dialect)));
  for (const [name, config] of Object.entries(use.connections ?? {})) {
    const adapter = warehouses.find(({ kind }) => kind === config.kind);
    if (!adapter) continue;
    const connection = parseConnectionConfig(name, config as ConnectionConfig);
    const context = { projectFolder, home: projectFolder, owner: `conformance/${name}` };
    checks.push(...labelChecks(name, warehouseChecks({ adapter, connection, context, table: use.table })));
  }
  const { embedder } = use.models ?? {};
  const makeEmbedder = embedder && embedders[embedder.provider];
  if (makeEmbedder)
    checks.push(
      ...labelChecks(
        'embedder',
        embedderChecks(() => makeEmbedder(embedder)),
      ),
    );
  for (const entry of ['fast', 'smart'] as const) {
    const config = use.models?.[entry];
    const makeModel = config && models[config.provider];
    if (makeModel)
      checks.push(
        ...labelChecks(
          entry,
          modelChecks(() => makeModel({ ...config, entry })),
        ),
      );
  }
  return checks;
}
