import { resolve } from 'node:path';
import { styleText } from 'node:util';
import type { z } from 'zod';
import type * as wire from '../contract/mgmt/project.ts';
import { loadProjectFolder } from '../lens/files/load-project-folder.ts';
import { connect, RefusalError } from './client.ts';
import { Failure } from './terminal/failure.ts';
import { callOperation } from './terminal/follow-run.ts';
import {
  answerLines,
  changeLines,
  deployedText,
  type Fault,
  faultLines,
  impactLines,
  type Paint,
  warningLines,
} from './terminal/plan-lines.ts';
import { writeFiles } from './write-files.ts';

type Plan = z.infer<typeof wire.plan>;
type ApplyResult = z.infer<typeof wire.appliedDeployment>;

export async function planCommand(dir: string, options: { json?: boolean }): Promise<void> {
  const files = await readProjectFolder(dir);
  const client = await connect('admin');
  const plan = await callOperation<Plan>(client, 'Planning', 'POST', '/mgmt/project/plan', { files });
  if (options.json) console.log(JSON.stringify(plan, null, 2));
  else printPlan(plan);
  if (plan.problems.length > 0) throw new Failure(`${problemCountText(plan.problems)}; svc apply would fail.`);
}

export async function applyCommand(dir: string, options: { json?: boolean; message?: string }): Promise<void> {
  const files = await readProjectFolder(dir);
  const client = await connect('admin');
  const requestBody = { files, message: options.message };
  try {
    const applyResult = await callOperation<ApplyResult>(
      client,
      'Applying',
      'POST',
      '/mgmt/project/apply',
      requestBody,
    );
    if (options.json) console.log(JSON.stringify(applyResult, null, 2));
    else {
      printLines([...changeLines(applyResult.changes, paint), ...warningLines(applyResult.warnings, paint)]);
      console.log(deployedText(applyResult));
    }
  } catch (fault) {
    if (!(fault instanceof RefusalError)) throw fault;
    const { problems = [], warnings = [] } = fault.body as Partial<Plan>;
    if (options.json) console.log(JSON.stringify(fault.body, null, 2));
    if (problems.length === 0) throw fault;
    if (!options.json) {
      printLines(warningLines(warnings, paint));
      for (const line of faultLines(problems, paint)) console.error(line);
    }
    throw new Failure(`${problemCountText(problems)}; nothing changed.`);
  }
}

export async function exportCommand(dir: string, options: { json?: boolean }): Promise<void> {
  const client = await connect('admin');
  const { files } = await client.call<{ files: Record<string, string> }>('GET', '/mgmt/project/export');
  await writeFiles(dir, files);
  console.log(
    options.json
      ? JSON.stringify({ files: Object.keys(files) })
      : `${Object.keys(files).length} files written to ${resolve(dir)}`,
  );
}

async function readProjectFolder(dir: string): Promise<Record<string, string>> {
  const files = await loadProjectFolder(resolve(dir)).catch(() => ({}));
  if (Object.keys(files).length === 0)
    throw new Failure(`${dir} is not a project: it has no svc.config.yaml and no lenses/ folder.`, 2);
  return files;
}

function printPlan({ changes, problems, warnings, answer_changes: answers = [] }: Plan): void {
  printLines([
    ...(problems.length > 0
      ? ['Removals, and changes in files with problems, are not listed.', ...changeLines(changes, paint, '')]
      : [...changeLines(changes, paint), ...impactLines(changes, answers)]),
    ...answerLines(answers, paint),
    ...warningLines(warnings, paint),
  ]);
  for (const line of faultLines(problems, paint)) console.error(line);
}

const printLines = (lines: string[]): void => {
  if (lines.length > 0) console.log(lines.join('\n'));
};
const problemCountText = (problems: Fault[]): string =>
  problems.length === 1 ? '1 problem' : `${problems.length} problems`;
/** Colors text if the terminal supports colors. Node.js checks the variable NO_COLOR. */
const paint: Paint = (style, text) =>
  process.stdout.isTTY && process.stdout.hasColors() ? styleText(style, text) : text;
