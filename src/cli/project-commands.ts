import { resolve } from 'node:path';
import type { z } from 'zod';
import type * as wire from '../contract/mgmt/project.ts';
import { loadProjectFolder } from '../lens/files/load-project-folder.ts';
import { connectToServer, RefusalError } from './client.ts';
import { Failure } from './terminal/failure.ts';
import { callOperation } from './terminal/follow-run.ts';
import {
  formatAffectedObjects,
  formatAnswerChanges,
  formatChanges,
  formatDeployedVersion,
  formatFaults,
  formatWarnings,
  type ProjectFault,
} from './terminal/plan-lines.ts';
import { printResult } from './terminal/print.ts';
import { writeFiles } from './write-files.ts';

type DeploymentPlan = z.infer<typeof wire.deploymentPlanSchema>;
type ApplyResult = z.infer<typeof wire.appliedDeploymentSchema>;

export async function runPlanCommand(dir: string, options: { json?: boolean }): Promise<void> {
  const files = await readProjectFolder(dir);
  const client = await connectToServer('admin');
  const plan = await callOperation<DeploymentPlan>(client, 'Planning', '/mgmt/project/plan', { files });
  printResult(options, plan, formatPlan(plan));
  throwOnProblems(plan.problems, options);
}

export async function runApplyCommand(dir: string, options: { json?: boolean; message?: string }): Promise<void> {
  const files = await readProjectFolder(dir);
  const client = await connectToServer('admin');
  const body = { files, message: options.message };
  try {
    const result = await callOperation<ApplyResult>(client, 'Applying', '/mgmt/project/apply', body);
    printResult(options, result, [
      ...formatChanges(result.changes),
      ...formatWarnings(result.warnings),
      formatDeployedVersion(result),
    ]);
  } catch (fault) {
    if (!(fault instanceof RefusalError)) throw fault;
    const { problems = [], warnings = [] } = fault.body as Partial<DeploymentPlan>;
    if (options.json || warnings.length > 0) printResult(options, fault.body, formatWarnings(warnings));
    if (problems.length === 0) throw fault;
    throwOnProblems(problems, options, 'nothing changed');
  }
}

export async function runExportCommand(dir: string, options: { ossie?: boolean; json?: boolean }): Promise<void> {
  const client = await connectToServer('admin');
  const project = await client.call<{ files: Record<string, string> }>('GET', '/mgmt/project/export');
  const files = options.ossie ? (await import('./interchange-commands.ts')).toOssieFiles(project.files) : project.files;
  await writeFiles(dir, files);
  const paths = Object.keys(files);
  printResult(options, { files: paths }, [`${paths.length} files written to ${resolve(dir)}`]);
}

export async function readProjectFolder(dir: string): Promise<Record<string, string>> {
  const files = await loadProjectFolder(resolve(dir)).catch(() => ({}));
  if (Object.keys(files).length === 0)
    throw new Failure(`${dir} is not a project: it has no svc.config.yaml and no lenses/ folder.`, 2);
  return files;
}

const formatPlan = ({ changes, problems, warnings, answer_changes: answers = [] }: DeploymentPlan): string[] => [
  ...(problems.length > 0
    ? ['This list leaves out removals, and changes in files with problems.', ...formatChanges(changes, '')]
    : [...formatChanges(changes), ...formatAffectedObjects(changes, answers)]),
  ...formatAnswerChanges(answers),
  ...formatWarnings(warnings),
];

/** If there are problems, prints them to stderr and throws. */
export function throwOnProblems(
  problems: ProjectFault[],
  options: { json?: boolean },
  consequence = 'svc apply would fail',
): void {
  if (problems.length === 0) return;
  if (!options.json) for (const line of formatFaults(problems)) console.error(line);
  throw new Failure(`${problems.length === 1 ? '1 problem' : `${problems.length} problems`}; ${consequence}.`);
}
