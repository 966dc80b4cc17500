// The commands of `svc`. Exit codes: 0 good, 1 the thing failed, 2 wrong usage, 3 an ask without an answer (docs/cli.md).
import { createRequire } from 'node:module';
import { Command, CommanderError, Option } from 'commander';
import { Failure } from './cli/failure.ts';
import { ConfigFault } from './config.ts';
import { Problem } from './platform/problem.ts';

/** Loads the code of a command when it runs: most commands need none of the server's modules. */
const loaded =
  (load: () => Promise<(...given: never[]) => unknown>) =>
  async (...given: unknown[]): Promise<void> => {
    const command = await load();
    await command(...(given as never[]));
  };

const JSON_OPTION = ['--json', 'print machine output'] as const;

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };
const program = new Command('svc')
  .version(version)
  .description('Governed answers about warehouse data, with proof.')
  .exitOverride()
  .showHelpAfterError();
program
  .command('init')
  .description('make a project with sample data in an empty folder')
  .argument('[dir]', 'the folder', '.')
  .action(loaded(async () => (await import('./cli/init-command.ts')).initCommand));
program
  .command('start')
  .description('start the server')
  .action(loaded(async () => (await import('./cli/start-command.ts')).startCommand));
program
  .command('migrate')
  .description('bring the control database (DATABASE_URL) up to date')
  .option(...JSON_OPTION)
  .action(loaded(async () => (await import('./cli/operator-commands.ts')).migrateCommand));
program
  .command('bootstrap')
  .description('make an organization when new, and print an admin token, once')
  .requiredOption('--org <name>', 'name of the organization')
  .option(...JSON_OPTION)
  .action(loaded(async () => (await import('./cli/operator-commands.ts')).bootstrapCommand));
const key = program.command('key').description('keys of callers');
key
  .command('list')
  .description('list the keys of a caller')
  .requiredOption('--caller <name>', 'name of the caller')
  .option(...JSON_OPTION)
  .action(loaded(async () => (await import('./cli/list-command.ts')).listKeys));
key
  .command('create')
  .description('mint a key for a caller, made when new')
  .requiredOption('--caller <name>', 'name of the caller')
  .requiredOption('--lens <name...>', 'lenses to grant')
  .option('--org <name>', 'organization', 'default')
  .option(...JSON_OPTION)
  .action(loaded(async () => (await import('./cli/operator-commands.ts')).keyCreateCommand));
program
  .command('sign-in-link')
  .description('print a link that signs the first admin in, once, on this machine')
  .option('--org <name>', 'organization', 'default')
  .option(...JSON_OPTION)
  .action(loaded(async () => (await import('./cli/operator-commands.ts')).signInLinkCommand));
program
  .command('reseal')
  .description('seal stored secrets with the first key of SVC_SECRET_KEY, before an older one is dropped')
  .option(...JSON_OPTION)
  .action(loaded(async () => (await import('./cli/operator-commands.ts')).resealCommand));
program
  .command('revoke-signing-key')
  .description('make every receipt invalid that a retired key signed')
  .argument('<key-id>', 'key_id of such a receipt')
  .option(...JSON_OPTION)
  .action(loaded(async () => (await import('./cli/operator-commands.ts')).revokeSigningKeyCommand));
program
  .command('plan')
  .description('what applying a project folder would change')
  .argument('<dir>')
  .option(...JSON_OPTION)
  .action(loaded(async () => (await import('./cli/project-commands.ts')).planCommand));
program
  .command('apply')
  .description('deploy a project folder')
  .argument('<dir>')
  .option('-m, --message <text>', 'why, for the history')
  .option(...JSON_OPTION)
  .action(loaded(async () => (await import('./cli/project-commands.ts')).applyCommand));
program
  .command('export')
  .description('write the deployed project into a folder')
  .argument('<dir>')
  .option('--ossie', 'as Apache Ossie models, one file for each lens')
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
    'its name; or a postgres://, mysql://, clickhouse://, trino://, redshift://, snowflake://, bigquery://, databricks:// or sqlserver:// URL, a .duckdb file, or a folder of CSV, JSON and Parquet files to store a new one',
  )
  .option('--lens <name>', 'name of the lens; absent: after the connection')
  .option('--table <table...>', 'schema.table or table; absent: every table')
  .option('--out <dir>', 'write it into this project folder instead of printing it')
  .option('--publish', 'put it in service at once, without files')
  .option('--grant <caller...>', 'who may ask the lens; absent: the key in SVC_HOME')
  .option('--as <name>', 'name of the connection that is stored; absent: after the database')
  .option(...JSON_OPTION)
  .action(loaded(async () => (await import('./cli/introspect-command.ts')).introspectCommand));
program
  .command('import')
  .description('make lenses from models of another format: ossie or metricflow')
  .argument('<format>')
  .argument('<file...>')
  .option('--connection <name>', 'the connection that the lenses ask; absent: the only one there is')
  .option('--out <dir>', 'project folder', '.')
  .option('--name <name>', 'of the lens (metricflow)')
  .option('--schema <schema>', 'where the tables lie (metricflow)')
  .option(...JSON_OPTION)
  .action(loaded(async () => (await import('./cli/interchange-commands.ts')).importCommand));
program
  .command('ask')
  .description('ask a lens')
  .argument('<lens>')
  .argument('<question>')
  .option(
    '--choice <term=option>',
    'answer what it asked back, like "margin=ratio"; may be given several times',
    (choice: string, before: string[] = []) => [...before, choice],
  )
  .option('--chart <file.svg>', 'write the picture of the answer into this file')
  .addOption(new Option('--format <format>', 'print the rows only').choices(['table', 'json', 'csv']))
  .option(...JSON_OPTION)
  .action(loaded(async () => (await import('./cli/ask-command.ts')).askCommand));
program
  .command('mcp')
  .description('serve MCP over stdin and stdout, for clients that start a command')
  .action(loaded(async () => (await import('./cli/mcp-command.ts')).mcpCommand));
program
  .command('eval')
  .description('run the eval cases of a lens, or a suite in a throwaway database')
  .argument('[lens]')
  .option('--suite <dir>', 'a project folder with load/*.sql and questions.jsonl')
  .option('--record <file>', 'write each prompt for a language model, and its reply where one is configured')
  .option('--replay <file>', 'let a recording answer in the place of language models')
  .option('--draft', 'ask the lens that introspection drafts of the database instead of the one of the suite')
  .option(...JSON_OPTION)
  .action(loaded(async () => (await import('./cli/eval-suite-command.ts')).evalCommand));
const lens = program.command('lens').description('look after lenses');
lens
  .command('list')
  .description('list the lenses')
  .option(...JSON_OPTION)
  .action(loaded(async () => (await import('./cli/list-command.ts')).listLenses));
lens
  .command('phrases')
  .description('list questions that a lens answers')
  .argument('<lens>')
  .option(...JSON_OPTION)
  .action(loaded(async () => (await import('./cli/phrases-command.ts')).phrasesCommand));
lens
  .command('facts')
  .description('list the facts that a draft inferred, and confirm them')
  .argument('<lens>')
  .option('--confirm <id...>', 'confirm these facts')
  .option('--confirm-proven-joins', 'confirm each inferred join of which all values are found, read again now')
  .option(...JSON_OPTION)
  .action(loaded(async () => (await import('./cli/facts-command.ts')).factsCommand));
program
  .command('connection')
  .description('connections to warehouses')
  .command('list')
  .description('list the connections')
  .option(...JSON_OPTION)
  .action(loaded(async () => (await import('./cli/list-command.ts')).listConnections));
program
  .command('caller')
  .description('who may ask')
  .command('list')
  .description('list the callers')
  .option(...JSON_OPTION)
  .action(loaded(async () => (await import('./cli/list-command.ts')).listCallers));
program
  .command('certified')
  .description('approved questions')
  .command('list')
  .description('list the certified entries of a lens')
  .argument('<lens>')
  .option(...JSON_OPTION)
  .action(loaded(async () => (await import('./cli/list-command.ts')).listCertified));
program
  .command('gap')
  .description('questions that svc could not answer')
  .command('list')
  .description('list the open gaps')
  .option(...JSON_OPTION)
  .action(loaded(async () => (await import('./cli/list-command.ts')).listGaps));
program
  .command('review')
  .description('answers that someone questioned')
  .command('list')
  .description('list the reviews')
  .option(...JSON_OPTION)
  .action(loaded(async () => (await import('./cli/list-command.ts')).listReviews));
program
  .command('doctor')
  .description('check what a start needs, and the server that runs')
  .option(...JSON_OPTION)
  .action(loaded(async () => (await import('./cli/doctor-command.ts')).doctorCommand));
program
  .command('completion')
  .description('print a script for your shell that completes commands: bash, zsh or fish')
  .argument('<shell>')
  .action(async (shell: string) => (await import('./cli/completion-command.ts')).completionCommand(shell, program));
program
  .command('plugin')
  .description('packages that add warehouses, embedders and models')
  .command('test')
  .description('prove that a plugin keeps what svc relies on, with the connections and models of svc.config.yaml')
  .argument('<package>')
  .option('--table <schema.table>', 'a filled table to read; absent: the first of the catalog')
  .option(...JSON_OPTION)
  .action(loaded(async () => (await import('./cli/plugin-command.ts')).pluginTestCommand));
program
  .command('verify-receipt')
  .description('check a receipt, or a saved answer with its receipt: its rows, its SQL and the numbers of its sentence')
  .addHelpText(
    'after',
    '\nExit code: 0 if all of it is proven, 1 if something differs or is not proven, 2 if FILE holds no receipt.',
  )
  .argument('<file>')
  .option(...JSON_OPTION)
  .action(loaded(async () => (await import('./cli/verify-receipt-command.ts')).verifyReceiptCommand));

try {
  await program.parseAsync();
} catch (fault) {
  if (fault instanceof CommanderError) process.exitCode = fault.exitCode === 0 ? 0 : 2;
  else {
    process.stderr.write(`${messageOf(fault)}\n`);
    process.exitCode = fault instanceof Failure ? fault.exitCode : fault instanceof ConfigFault ? fault.exitCode : 1;
  }
}

function messageOf(fault: unknown): string {
  if (fault instanceof Problem)
    return [fault.message, ...fault.details.map(({ path, message }) => `  ${path}: ${message}`)].join('\n');
  if (fault instanceof Failure || fault instanceof ConfigFault) return fault.message;
  const { code, port, syscall, message } = fault as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE')
    return `Something else listens on port ${port} already. Set SVC_PORT to another one; 0 picks a free one.`;
  // What the system refuses (a folder that is not there, a right that is missing) is no fault of ours to trace.
  if (syscall !== undefined) return message;
  return fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
}
