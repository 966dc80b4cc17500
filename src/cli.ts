// The `svc` commands. Exit codes: 0 success, 1 failure, 2 wrong usage, 3 an ask without an answer (docs/cli.md).
import { createRequire } from 'node:module';
import { Command, CommanderError, Option } from 'commander';
import { Failure } from './cli/terminal/failure.ts';
import type { ConfigFault } from './config.ts';
import type { Problem } from './platform/problem.ts';

/** Loads a command's code when the command runs, because most commands need none of the server's modules. */
const loadLazily =
  (load: () => Promise<(...args: never[]) => unknown>) =>
  async (...callArguments: unknown[]): Promise<void> => {
    const command = await load();
    await command(...(callArguments as never[]));
  };

/** The plugin kit is test code, so svc always loads its built bundle, even when svc itself runs from source. */
const PLUGIN_COMMAND = new URL('../dist/bundle/plugin-command.js', import.meta.url).href;
const JSON_OPTION = ['--json', 'print JSON'] as const;

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };
const program = new Command('svc')
  .version(version)
  .description('Ask your warehouse questions through a governed semantic layer.')
  .exitOverride()
  .showHelpAfterError();
program
  .command('init')
  .description('create a project with sample data in an empty folder')
  .argument('[dir]', 'the folder', '.')
  .action(loadLazily(async () => (await import('./cli/init-command.ts')).initCommand));
program
  .command('start')
  .description('start the server')
  .action(loadLazily(async () => (await import('./cli/start-command.ts')).startCommand));
program
  .command('migrate')
  .description('migrate the control database (DATABASE_URL)')
  .option(...JSON_OPTION)
  .action(loadLazily(async () => (await import('./cli/operator-commands.ts')).migrateCommand));
program
  .command('bootstrap')
  .description('create the organization if it does not exist, and print a new admin token')
  .requiredOption('--org <name>', 'name of the organization')
  .option(...JSON_OPTION)
  .action(loadLazily(async () => (await import('./cli/operator-commands.ts')).bootstrapCommand));
const key = program.command('key').description('manage the keys of callers');
key
  .command('list')
  .description('list the keys of a caller')
  .requiredOption('--caller <name>', 'name of the caller')
  .option(...JSON_OPTION)
  .action(loadLazily(async () => (await import('./cli/list-command.ts')).listKeys));
key
  .command('create')
  .description('create a key for a caller; creates the caller if it does not exist')
  .requiredOption('--caller <name>', 'name of the caller')
  .requiredOption('--lens <name...>', 'lenses to grant')
  .option('--org <name>', 'organization', 'default')
  .option(...JSON_OPTION)
  .action(loadLazily(async () => (await import('./cli/operator-commands.ts')).keyCreateCommand));
program
  .command('sign-in-link')
  .description('print a single-use link that signs in the first admin on this machine')
  .option('--org <name>', 'organization', 'default')
  .option(...JSON_OPTION)
  .action(loadLazily(async () => (await import('./cli/operator-commands.ts')).signInLinkCommand));
program
  .command('reseal')
  .description('encrypt stored secrets again with the first key of SVC_SECRET_KEY, so that you can remove an older key')
  .option(...JSON_OPTION)
  .action(loadLazily(async () => (await import('./cli/operator-commands.ts')).resealCommand));
program
  .command('revoke-signing-key')
  .description('invalidate every receipt that a retired key signed')
  .argument('<key-id>', 'key_id of one of these receipts')
  .option(...JSON_OPTION)
  .action(loadLazily(async () => (await import('./cli/operator-commands.ts')).revokeSigningKeyCommand));
program
  .command('plan')
  .description('show what applying a project folder would change')
  .argument('<dir>')
  .option(...JSON_OPTION)
  .action(loadLazily(async () => (await import('./cli/project-commands.ts')).planCommand));
program
  .command('apply')
  .description('deploy a project folder')
  .argument('<dir>')
  .option('-m, --message <text>', 'reason for the change, kept in the deployment history')
  .option(...JSON_OPTION)
  .action(loadLazily(async () => (await import('./cli/project-commands.ts')).applyCommand));
program
  .command('export')
  .description('write the deployed project into a folder')
  .argument('<dir>')
  .option('--ossie', 'write Apache Ossie models, one file for each lens')
  .option(...JSON_OPTION)
  .action(async (dir: string, options: { ossie?: boolean; json?: boolean }) =>
    options.ossie
      ? (await import('./cli/interchange-commands.ts')).exportOssieCommand(dir, options)
      : (await import('./cli/project-commands.ts')).exportCommand(dir, options),
  );
program
  .command('introspect')
  .description('draft a lens from a connection')
  .argument(
    '<connection>',
    'name of a connection; or, for a new one, a postgres://, mysql://, clickhouse://, trino://, redshift://, snowflake://, bigquery://, databricks:// or sqlserver:// URL, a .duckdb file, or a folder of CSV, JSON and Parquet files',
  )
  .option('--lens <name>', 'name of the lens (default: the name of the connection)')
  .option('--table <table...>', 'schema.table or table (default: every table)')
  .option('--out <dir>', 'write the draft to this project folder instead of printing it')
  .option('--publish', 'publish the draft immediately, without files')
  .option('--grant <caller...>', 'callers that may use the lens (default: the caller of the key in SVC_HOME)')
  .option('--as <name>', 'name of the new connection (default: the name of the database)')
  .option(...JSON_OPTION)
  .action(loadLazily(async () => (await import('./cli/introspect-command.ts')).introspectCommand));
program
  .command('import')
  .description('create lenses from models in another format: ossie or metricflow')
  .argument('<format>')
  .argument('<file...>')
  .option('--connection <name>', 'connection of the lenses (default: the only connection)')
  .option('--out <dir>', 'project folder', '.')
  .option('--name <name>', 'name of the lens (metricflow only)')
  .option('--schema <schema>', 'schema of the tables (metricflow only)')
  .option(...JSON_OPTION)
  .action(loadLazily(async () => (await import('./cli/interchange-commands.ts')).importCommand));
program
  .command('ask')
  .description('ask a lens a question')
  .argument('<lens>')
  .argument('<question>')
  .option(
    '--choice <term=option>',
    'answer a clarification, like "margin=ratio"; can be repeated',
    (choice: string, previous: string[] = []) => [...previous, choice],
  )
  .option('--chart <file.svg>', 'write a chart of the answer to this file')
  .addOption(new Option('--format <format>', 'print only the rows').choices(['table', 'json', 'csv']))
  .option(...JSON_OPTION)
  .action(loadLazily(async () => (await import('./cli/ask-command.ts')).askCommand));
program
  .command('mcp')
  .description('serve MCP over stdin and stdout, for clients that start a local command')
  .action(loadLazily(async () => (await import('./cli/mcp-command.ts')).mcpCommand));
program
  .command('eval')
  .description('run the eval cases of a lens, or a suite in a temporary database')
  .argument('[lens]')
  .option('--suite <dir>', 'a project folder with load/*.sql (or .sql.gz) and questions.jsonl')
  .option('--record <file>', 'record each prompt for a language model, and the reply if a model is configured')
  .option('--replay <file>', 'answer prompts from a recording instead of a language model')
  .option('--draft', 'ask a lens drafted from the database instead of the lens of the suite')
  .option(...JSON_OPTION)
  .action(loadLazily(async () => (await import('./cli/eval-suite-command.ts')).evalCommand));
const lens = program.command('lens').description('manage lenses');
lens
  .command('list')
  .description('list the lenses')
  .option(...JSON_OPTION)
  .action(loadLazily(async () => (await import('./cli/list-command.ts')).listLenses));
lens
  .command('phrases')
  .description('list questions that a lens answers')
  .argument('<lens>')
  .option(...JSON_OPTION)
  .action(loadLazily(async () => (await import('./cli/phrases-command.ts')).phrasesCommand));
lens
  .command('facts')
  .description('list the facts that a draft inferred, and confirm them')
  .argument('<lens>')
  .option('--confirm <id...>', 'confirm these facts')
  .option('--confirm-proven-joins', 'read the data again and confirm each inferred join whose values all match')
  .option(...JSON_OPTION)
  .action(loadLazily(async () => (await import('./cli/facts-command.ts')).factsCommand));
program
  .command('connection')
  .description('manage connections to warehouses')
  .command('list')
  .description('list the connections')
  .option(...JSON_OPTION)
  .action(loadLazily(async () => (await import('./cli/list-command.ts')).listConnections));
program
  .command('caller')
  .description('manage callers: the apps, agents and people that may ask')
  .command('list')
  .description('list the callers')
  .option(...JSON_OPTION)
  .action(loadLazily(async () => (await import('./cli/list-command.ts')).listCallers));
program
  .command('certified')
  .description('manage approved questions')
  .command('list')
  .description('list the certified entries of a lens')
  .argument('<lens>')
  .option(...JSON_OPTION)
  .action(loadLazily(async () => (await import('./cli/list-command.ts')).listCertified));
program
  .command('gap')
  .description('manage questions that svc could not answer')
  .command('list')
  .description('list the open gaps')
  .option(...JSON_OPTION)
  .action(loadLazily(async () => (await import('./cli/list-command.ts')).listGaps));
program
  .command('review')
  .description('manage reported answers')
  .command('list')
  .description('list the reviews')
  .option(...JSON_OPTION)
  .action(loadLazily(async () => (await import('./cli/list-command.ts')).listReviews));
program
  .command('doctor')
  .description('check the settings of this machine and the running server')
  .option(...JSON_OPTION)
  .action(loadLazily(async () => (await import('./cli/doctor-command.ts')).doctorCommand));
program
  .command('completion')
  .description('print a completion script for bash, zsh or fish')
  .argument('<shell>')
  .action(async (shell: string) => (await import('./cli/completion-command.ts')).completionCommand(shell, program));
program
  .command('plugin')
  .description('manage packages that add warehouses, SQL dialects, embedders and models')
  .command('test')
  .description('test that a plugin meets its contract, using the connections and models of svc.config.yaml')
  .argument('<package>')
  .option('--table <schema.table>', 'a table with rows to read (default: the first table of the catalog)')
  .option(...JSON_OPTION)
  .action(loadLazily(async () => (await import(PLUGIN_COMMAND)).pluginTestCommand));
program
  .command('verify-receipt')
  .description('verify a receipt, or a saved answer: its receipt, its rows, its SQL and the numbers in its sentence')
  .addHelpText(
    'after',
    '\nExit code: 0 if everything is proven, 1 if something differs or is not proven, 2 if FILE has no receipt.',
  )
  .argument('<file>')
  .option(...JSON_OPTION)
  .action(loadLazily(async () => (await import('./cli/verify-receipt-command.ts')).verifyReceiptCommand));

try {
  await program.parseAsync();
} catch (fault) {
  if (fault instanceof CommanderError) process.exitCode = fault.exitCode === 0 ? 0 : 2;
  else {
    process.stderr.write(`${messageOf(fault)}\n`);
    process.exitCode = isFailure(fault) ? fault.exitCode : 1;
  }
}

// Compares names, because most commands don't load the modules of ConfigFault and Problem.
function isFailure(fault: unknown): fault is Failure | ConfigFault {
  return fault instanceof Failure || (fault instanceof Error && fault.name === 'ConfigFault');
}
function isProblem(fault: unknown): fault is Problem {
  return fault instanceof Error && fault.name === 'Problem';
}
function messageOf(fault: unknown): string {
  if (isProblem(fault))
    return [
      fault.message,
      ...fault.details
        .filter(({ message }) => !fault.message.includes(message))
        .map(({ path, file, line, message }) => `  ${file ? `${file}:${line}` : path}: ${message}`),
    ].join('\n');
  if (isFailure(fault)) return fault.message;
  const { code, port, syscall, message } = fault as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE')
    return `Port ${port} is already in use. Set SVC_PORT to another port, or to 0 for any free port.`;
  // Operating system errors, such as a missing folder or permission, need no stack trace.
  if (syscall !== undefined) return message;
  return fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
}
