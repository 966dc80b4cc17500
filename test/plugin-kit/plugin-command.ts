// svc plugin test PACKAGE: runs the conformance kit against every use of the plugin in svc.config.yaml.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { parse } from 'yaml';
import { describePluginFault, importPlugin, type Plugin } from '../../src/adapters/plugins.ts';
import { Failure } from '../../src/cli/terminal/failure.ts';
import { expandVariablesInTree, readConfig } from '../../src/config.ts';
import { type PluginUse, pluginChecks } from './plugin-checks.ts';
import { type CheckResult, runChecks } from './run-checks.ts';

export async function pluginTestCommand(name: string, options: { table?: string; json?: boolean }): Promise<void> {
  const config = readConfig();
  const plugin = await importPlugin(name, config.project).catch((fault: unknown) => {
    throw new Failure(`Can't load ${name} from ${config.project}: ${describePluginFault(fault)}`, 2);
  });
  const text = await readFile(join(config.project, 'svc.config.yaml'), 'utf8').catch(() => '');
  const { connections = {} } = expandVariablesInTree<Pick<PluginUse, 'connections'>>(
    parse(text) ?? {},
    config.variables,
  );
  const models = config.operator.models as PluginUse['models'];
  const checks = checksOf(name, plugin, {
    ...{ connections, projectFolder: config.project },
    ...(models && { models }),
    ...(options.table !== undefined && { table: options.table }),
  });
  const results = await runChecks(checks, (result) => {
    if (!options.json) print(result);
  });
  const failed = results.filter(({ ok }) => !ok).length;
  if (options.json) console.log(JSON.stringify({ plugin: name, checks: results.length, failed, results }, null, 2));
  else console.log(`\n${name}: ${results.length} checks, ${failed} failed.`);
  if (failed > 0) throw new Failure(`${name} does not meet the plugin contract.`);
}

function checksOf(name: string, plugin: unknown, use: PluginUse) {
  let checks: ReturnType<typeof pluginChecks>;
  try {
    checks = pluginChecks(plugin as Plugin, use);
  } catch (fault) {
    throw new Failure(`${name} is not a plugin: ${describePluginFault(fault)}`);
  }
  if (checks.length > 0) return checks;
  throw new Failure(
    `svc.config.yaml does not use ${name}. Add a connection of the plugin's kind, or a model entry with its provider.`,
    2,
  );
}

function print({ family, name, ok, ms, error }: CheckResult): void {
  const mark = ok ? styleText('green', '✓') : styleText('red', '✗');
  console.log(`${mark} ${family.padEnd(11)} ${name}${ms > 1_000 ? ` (${(ms / 1000).toFixed(1)} s)` : ''}`);
  if (error !== undefined) console.log(`    ${error}`);
}
