// npm run engines [name …]: installs the requirements of each engine's suite in a temporary folder (SVC_ENGINES, or one
// in the system's folder), runs the suites of the available engines, and reports the others with the reason.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installBigquery } from './bigquery/install-bigquery.ts';
import { installSpark } from './databricks/start-spark.ts';
import { ENGINES_FOLDER, isThere } from './engines-folder.ts';
import { installFakesnow } from './snowflake/install-snowflake.ts';
import { installSqlglot } from './sqlserver/install-sqlserver.ts';
import { installTrino } from './trino/install-trino.ts';

const run = (command: string, args: string[], cwd?: string): number =>
  spawnSync(command, args, { stdio: 'inherit', ...(cwd && { cwd }) }).status ?? 1;

interface Engine {
  name: string;
  /** Installs missing parts. Returns the reason for a failure, or null. */
  install(): Promise<string | null>;
}
const ENGINES: readonly Engine[] = [
  { name: 'clickhouse', install: async () => installPackages({ chdb: '3.4.0', '@clickhouse/client': '1.23.1' }) },
  {
    name: 'bigquery',
    install: async () => installPackages({ '@google-cloud/bigquery': '8.3.1' }) ?? installBigquery(),
  },
  { name: 'trino', install: installTrino },
  { name: 'databricks', install: installSpark },
  { name: 'redshift', install: async () => null },
  {
    name: 'snowflake',
    install: async () => installPackages({ 'snowflake-sdk': '3.3.0' }) ?? installFakesnow(),
  },
  { name: 'sqlserver', install: async () => installPackages({ tedious: '19.2.2' }) ?? installSqlglot() },
];

const MAX_INSTALL_S = 180;
/** Installs npm packages with exact versions. */
function installPackages(packages: Readonly<Record<string, string>>): string | null {
  const missingPackages = Object.entries(packages).filter(([one]) => !isThere(join('node_modules', one)));
  if (missingPackages.length === 0) return null;
  const named = missingPackages.map(([one, version]) => `${one}@${version}`);
  const unlock = lockFolder();
  const isInstalled = run('npm', ['install', '--no-audit', '--no-fund', ...named], ENGINES_FOLDER) === 0;
  unlock();
  return isInstalled ? null : `${named.join(' and ')} could not be installed`;
}

/** Two concurrent installations in one folder would remove each other's packages. A stale lock expires. */
function lockFolder(): () => void {
  const lock = join(ENGINES_FOLDER, 'installing');
  for (let waitedSeconds = 0; waitedSeconds < MAX_INSTALL_S; waitedSeconds++) {
    try {
      mkdirSync(lock);
      break;
    } catch {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
    }
  }
  return () => rmSync(lock, { recursive: true, force: true });
}

const requestedNames = process.argv.slice(2);
const unknownNames = requestedNames.filter((name) => !ENGINES.some((engine) => engine.name === name));
if (unknownNames.length > 0) {
  console.error(
    `There is no engine ${unknownNames.join(', ')}. Available: ${ENGINES.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}
mkdirSync(ENGINES_FOLDER, { recursive: true });
if (!isThere('package.json')) writeFileSync(join(ENGINES_FOLDER, 'package.json'), '{"private": true}\n');

const ready: string[] = [];
const left: string[] = [];
for (const { name, install } of ENGINES) {
  if (requestedNames.length > 0 && !requestedNames.includes(name)) {
    left.push(`${name}: not asked for`);
    continue;
  }
  const fault = await install();
  if (fault) left.push(`${name}: ${fault}`);
  else ready.push(name);
}
const folders = ready.map((name) => `test/engines/${name}/`);
const NOT_INSTALLED = 3;
const status =
  ready.length === 0
    ? NOT_INSTALLED
    : run('npx', ['vitest', 'run', '--config', 'vitest.engines.config.ts', ...folders]);
console.log(`engines tried: ${ready.join(', ') || 'none'}`);
for (const item of left) console.log(`left out: ${item}`);
process.exit(status);
