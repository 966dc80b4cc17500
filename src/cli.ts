// Exit codes: 0 success, 1 failure, 2 wrong usage, 3 an ask without an answer (docs/cli.md).
import { createRequire } from 'node:module';
import { Command, CommanderError, Option } from 'commander';
import { Failure } from './cli/terminal/failure.ts';
import type { ConfigFault } from './config.ts';
import type { Problem } from './platform/problem.ts';

/** The plugin kit is test code, so svc always loads its built bundle, even when svc itself runs from source. */
const PLUGIN_COMMAND = new URL('../dist/bundle/plugin-command.js', import.meta.url).href;

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };
const program = new Command('svc')
  .version(version)
  .description('Ask your warehouse questions through a governed semantic layer.')
  .exitOverride()
  .showHelpAfterError();

type LoadCommand = () => Promise<(...args: never[]) => unknown>;

/** Loads a command's code when the command runs, because most commands need none of the server's modules. */
const addCommand = (parent: Command, usage: string, description: string, load: LoadCommand): Command =>
  parent
    .command(usage)
    .description(description)
    .action(async (...args: unknown[]) => {
      const run = await load();
      await run(...(args as never[]));
    });

const addJsonCommand = (parent: Command, usage: string, description: string, load: LoadCommand): Command =>
  addCommand(parent, usage, description, load).option('--json', 'print JSON');

const addGroup = (name: string, description: string): Command => program.command(name).description(description);

/** The module loads only when one of its commands runs. */
const createCommandLoader =
  <Module extends object>(load: () => Promise<Module>) =>
  (name: keyof Module): LoadCommand =>
  async () =>
    (await load())[name] as (...args: never[]) => unknown;

const loadOperatorCommand = createCommandLoader(() => import('./cli/operator-commands.ts'));
const loadProjectCommand = createCommandLoader(() => import('./cli/project-commands.ts'));
const loadListCommand = createCommandLoader(() => import('./cli/list-command.ts'));

addCommand(
  program,
  'init',
  'create a project with sample data in an empty folder',
  async () => (await import('./cli/init-command.ts')).runInitCommand,
).argument('[dir]', 'the folder', '.');
addCommand(program, 'start', 'start the server', async () => (await import('./cli/start-command.ts')).runStartCommand);

addJsonCommand(
  program,
  'migrate',
  'migrate the control database (DATABASE_URL)',
  loadOperatorCommand('runMigrateCommand'),
);
addJsonCommand(
  program,
  'bootstrap',
  'create the organization if it does not exist, and print a new admin token',
  loadOperatorCommand('runBootstrapCommand'),
).requiredOption('--org <name>', 'name of the organization');

const keyCommands = addGroup('key', 'manage the keys of callers');
addJsonCommand(keyCommands, 'list', 'list the keys of a caller', loadListCommand('runListKeysCommand')).requiredOption(
  '--caller <name>',
  'name of the caller',
);
addJsonCommand(
  keyCommands,
  'create',
  'create a key for a caller; creates the caller if it does not exist',
  loadOperatorCommand('runCreateKeyCommand'),
)
  .requiredOption('--caller <name>', 'name of the caller')
  .requiredOption('--lens <name...>', 'lenses to grant')
  .option('--org <name>', 'organization', 'default');
addJsonCommand(
  program,
  'sign-in-link',
  'print a single-use link that signs in the first admin on this machine',
  loadOperatorCommand('runSignInLinkCommand'),
).option('--org <name>', 'organization', 'default');
addJsonCommand(
  program,
  'reseal',
  're-encrypt stored secrets with the first key of SVC_SECRET_KEY, so that you can remove older keys',
  loadOperatorCommand('runResealCommand'),
);
addJsonCommand(
  program,
  'revoke-signing-key',
  'invalidate every receipt that a retired key signed',
  loadOperatorCommand('runRevokeSigningKeyCommand'),
).argument('<key-id>', 'the key_id in these receipts');

addJsonCommand(
  program,
  'check <dir>',
  'check a project folder without a server',
  async () => (await import('./cli/check-command.ts')).runCheckCommand,
);
addJsonCommand(
  program,
  'plan <dir>',
  'show what applying a project folder would change',
  loadProjectCommand('runPlanCommand'),
);
addJsonCommand(program, 'apply <dir>', 'deploy a project folder', loadProjectCommand('runApplyCommand')).option(
  '-m, --message <text>',
  'reason for the change, kept in the deployment history',
);
addJsonCommand(
  program,
  'export <dir>',
  'write the deployed project into a folder',
  loadProjectCommand('runExportCommand'),
).option('--ossie', 'write Apache Ossie models, one file for each lens');

addJsonCommand(
  program,
  'introspect',
  'draft a lens from a connection',
  async () => (await import('./cli/introspect-command.ts')).runIntrospectCommand,
)
  .argument(
    '<connection>',
    'name of an existing connection, or a new one as a postgres://, mysql://, clickhouse://, trino://, redshift://, snowflake://, bigquery://, databricks:// or sqlserver:// URL, a .duckdb file, or a folder of CSV, JSON and Parquet files',
  )
  .option('--lens <name>', 'name of the lens (default: the name of the connection)')
  .option('--table <table...>', 'schema.table or table (default: every table)')
  .option('--out <dir>', 'write the draft to this project folder instead of printing it')
  .option('--publish', 'publish the draft immediately, without files')
  .option('--grant <caller...>', 'callers that may use the lens (default: the caller of the key in SVC_HOME)')
  .option('--as <name>', 'name of the new connection (default: the name of the database)');
addJsonCommand(
  program,
  'import <format> <file...>',
  'create lenses from models in another format: ossie or metricflow',
  async () => (await import('./cli/interchange-commands.ts')).runImportCommand,
)
  .option('--connection <name>', 'connection of the lenses (default: the only connection)')
  .option('--out <dir>', 'project folder', '.')
  .option('--name <name>', 'name of the lens (metricflow only)')
  .option('--schema <schema>', 'schema of the tables (metricflow only)');

addJsonCommand(
  program,
  'ask <lens> <question>',
  'ask a lens a question',
  async () => (await import('./cli/ask-command.ts')).runAskCommand,
)
  .option(
    '--choice <term=option>',
    'answer a clarification, like "margin=ratio"; can be repeated',
    (choice: string, previous: string[] = []) => [...previous, choice],
  )
  .option('--chart <file.svg>', 'write a chart of the answer to this file')
  .addOption(new Option('--format <format>', 'print only the rows').choices(['table', 'json', 'csv']));
addCommand(
  program,
  'mcp',
  'serve MCP over stdin and stdout, for clients that start a local command',
  async () => (await import('./cli/mcp-command.ts')).runMcpCommand,
);
addJsonCommand(
  program,
  'eval [lens]',
  'run the eval cases of a lens, or a suite in a temporary database',
  async () => (await import('./cli/eval-command.ts')).runEvalCommand,
)
  .option('--suite <dir>', 'a project folder with load/*.sql (or .sql.gz) and questions.jsonl')
  .option('--record <file>', 'record each prompt for a language model, and the reply if a model is configured')
  .option('--replay <file>', 'answer prompts from a recording instead of a language model')
  .option('--draft', 'ask a lens drafted from the database instead of the lens of the suite');

const lensCommands = addGroup('lens', 'manage lenses');
addJsonCommand(lensCommands, 'list', 'list the lenses', loadListCommand('runListLensesCommand'));
addJsonCommand(
  lensCommands,
  'phrases <lens>',
  'list questions that a lens answers',
  loadListCommand('runListPhrasesCommand'),
);
addJsonCommand(
  lensCommands,
  'facts <lens>',
  'list the facts that a draft inferred, and confirm them',
  async () => (await import('./cli/facts-command.ts')).runFactsCommand,
)
  .option('--confirm <id...>', 'confirm these facts')
  .option('--confirm-proven-joins', 'read the data again and confirm each inferred join whose values all match');
const connectionCommands = addGroup('connection', 'manage connections to warehouses');
addJsonCommand(connectionCommands, 'list', 'list the connections', loadListCommand('runListConnectionsCommand'));
const callerCommands = addGroup('caller', 'manage callers: the apps, agents and people that may ask');
addJsonCommand(callerCommands, 'list', 'list the callers', loadListCommand('runListCallersCommand'));
const certifiedCommands = addGroup('certified', 'manage approved questions');
addJsonCommand(
  certifiedCommands,
  'list <lens>',
  'list the certified entries of a lens',
  loadListCommand('runListCertifiedCommand'),
);
const gapCommands = addGroup('gap', 'manage questions that svc could not answer');
addJsonCommand(gapCommands, 'list', 'list the open gaps', loadListCommand('runListGapsCommand'));
const reviewCommands = addGroup('review', 'manage reported answers');
addJsonCommand(reviewCommands, 'list', 'list the reviews', loadListCommand('runListReviewsCommand'));

addJsonCommand(
  program,
  'doctor',
  'check the settings of this machine and the running server',
  async () => (await import('./cli/doctor-command.ts')).runDoctorCommand,
);
addCommand(program, 'completion <shell>', 'print a completion script for bash, zsh or fish', async () => {
  const { runCompletionCommand } = await import('./cli/completion-command.ts');
  return (shell: string) => runCompletionCommand(shell, program);
});
const pluginCommands = addGroup('plugin', 'manage packages that add warehouses, SQL dialects, embedders and models');
addJsonCommand(
  pluginCommands,
  'test <package>',
  'test that a plugin meets its contract, using the connections and models of svc.config.yaml',
  async () => (await import(PLUGIN_COMMAND)).pluginTestCommand,
).option('--table <schema.table>', 'a table with rows to read (default: the first table of the catalog)');
addJsonCommand(
  program,
  'verify-receipt <file>',
  'verify a receipt, or the receipt, rows, SQL and numbers of a saved answer',
  async () => (await import('./cli/verify-receipt-command.ts')).runVerifyReceiptCommand,
).addHelpText(
  'after',
  '\nExit code: 0 if all of FILE is verified, 1 if a part differs or can’t be verified, 2 if FILE has no receipt.',
);

try {
  await program.parseAsync();
} catch (fault) {
  if (fault instanceof CommanderError) process.exitCode = fault.exitCode === 0 ? 0 : 2;
  else {
    process.stderr.write(`${formatFault(fault)}\n`);
    process.exitCode = isFailure(fault) ? fault.exitCode : 1;
  }
}

// Compares the names of errors, because most commands don't load the modules of ConfigFault and Problem.
function isFailure(fault: unknown): fault is Failure | ConfigFault {
  return fault instanceof Failure || (fault instanceof Error && fault.name === 'ConfigFault');
}
function isProblem(fault: unknown): fault is Problem {
  return fault instanceof Error && fault.name === 'Problem';
}
function formatFault(fault: unknown): string {
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
