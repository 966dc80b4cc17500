// svc plan DIR and svc apply DIR: the project folder through the one deployment door, printed the way plans are read.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { styleText } from 'node:util';
import { loadProjectFolder } from '../lens/load-project-folder.ts';
import { connect, Refused } from './client.ts';
import { Failure } from './failure.ts';

interface Change {
  kind: string;
  name: string;
  action: 'create' | 'update' | 'delete' | 'none';
  path: string | null;
  summary: string;
}
interface Fault {
  path: string;
  line: number | null;
  column: number | null;
  pointer: string;
  code: string;
  message: string;
}
interface Plan {
  changes: Change[];
  problems: Fault[];
  warnings: (Fault | string)[];
  answer_changes?: { lens: string; kind: string; id: string; before: unknown; after: unknown }[];
}
interface Applied {
  version: number;
  changes: Change[];
}

const MARK = { create: ['green', '+'], update: ['yellow', '~'], delete: ['red', '-'], none: ['gray', ' '] } as const;

export async function planCommand(dir: string, options: { json?: boolean }): Promise<void> {
  const files = await folder(dir);
  const client = await connect('admin');
  const done = progress('Planning');
  const plan = await client.call<Plan>('POST', '/mgmt/project/plan', { files }).finally(done);
  if (options.json) console.log(JSON.stringify(plan, null, 2));
  else printPlan(plan);
  if (plan.problems.length > 0) throw new Failure(`${plan.problems.length} problem(s); an apply would be refused.`);
}

export async function applyCommand(dir: string, options: { json?: boolean; message?: string }): Promise<void> {
  const files = await folder(dir);
  const client = await connect('admin');
  const done = progress('Applying');
  try {
    const applied = await client
      .call<Applied>('POST', '/mgmt/project/apply', { files, message: options.message })
      .finally(done);
    if (options.json) console.log(JSON.stringify(applied, null, 2));
    else {
      printChanges(applied.changes);
      console.log(`Version ${applied.version} is in service.`);
    }
  } catch (fault) {
    const problems = fault instanceof Refused ? ((fault.body as Partial<Plan>).problems ?? []) : [];
    if (!options.json) printProblems(problems);
    else if (fault instanceof Refused) console.log(JSON.stringify(fault.body, null, 2));
    throw fault;
  }
}

export async function exportCommand(dir: string, options: { json?: boolean }): Promise<void> {
  const client = await connect('admin');
  const { files } = await client.call<{ files: Record<string, string> }>('GET', '/mgmt/project/export');
  const root = resolve(dir);
  for (const [path, text] of Object.entries(files)) {
    const target = resolve(root, path);
    if (!target.startsWith(root + sep)) throw new Failure(`The export names a file outside ${dir}: ${path}`);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  }
  console.log(
    options.json
      ? JSON.stringify({ files: Object.keys(files) })
      : `${Object.keys(files).length} files written to ${dir}.`,
  );
}

async function folder(dir: string): Promise<Record<string, string>> {
  const files = await loadProjectFolder(resolve(dir)).catch(() => ({}));
  if (Object.keys(files).length === 0)
    throw new Failure(`${dir} holds no project: there is no svc.config.yaml and no lenses/ in it.`, 2);
  return files;
}

function printPlan(plan: Plan): void {
  printChanges(plan.changes);
  for (const change of plan.answer_changes ?? []) {
    console.log(
      `  ${paint('yellow', '≠')} ${change.kind} ${change.lens}/${change.id}: ${JSON.stringify(change.before)} → ${JSON.stringify(change.after)}`,
    );
  }
  for (const warning of plan.warnings)
    console.log(`${paint('yellow', 'Warning')}: ${typeof warning === 'string' ? warning : placed(warning)}`);
  printProblems(plan.problems);
}

function printChanges(changes: Change[]): void {
  const counted = { create: 0, update: 0, delete: 0, none: 0 };
  for (const change of changes) {
    counted[change.action] += 1;
    if (change.action === 'none') continue;
    const [colour, mark] = MARK[change.action];
    console.log(
      `  ${paint(colour, mark)} ${change.kind} ${paint('bold', change.name)}${change.summary ? `: ${change.summary}` : ''}`,
    );
  }
  console.log(
    `Plan: ${counted.create} to create, ${counted.update} to change, ${counted.delete} to remove, ${counted.none} unchanged.`,
  );
}

function printProblems(problems: Fault[]): void {
  for (const problem of problems) console.error(`${paint('red', 'Error')}: ${placed(problem)}`);
}

const placed = ({ path, line, column, message }: Fault): string =>
  `${path}${line ? `:${line}${column ? `:${column}` : ''}` : ''}: ${message}`;

const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
  process.stdout.isTTY ? styleText(style, text) : text;

/** A line that counts the seconds, on a terminal only. */
function progress(what: string): () => void {
  if (!process.stderr.isTTY) return () => undefined;
  const started = Date.now();
  const timer = setInterval(
    () => process.stderr.write(`\r${what}… ${Math.round((Date.now() - started) / 1000)} s`),
    250,
  );
  return () => {
    clearInterval(timer);
    process.stderr.write('\r\u001b[K');
  };
}
