import { resolve } from 'node:path';
import { startTemporaryPostgres } from '../adapters/embedded-postgres/temporary-postgres.ts';
import { planProject } from '../domain/project/apply-project.ts';
import { readProjectFolder, throwOnProblems } from './project-commands.ts';
import { runInTemporaryService } from './temporary-service.ts';
import { formatCount, formatWarnings } from './terminal/plan-lines.ts';
import { printResult } from './terminal/print.ts';

/** Runs the checks of `svc plan` without a server. */
export async function runCheckCommand(dir: string, options: { json?: boolean }): Promise<void> {
  const files = await readProjectFolder(dir);
  const postgres = await startTemporaryPostgres();
  try {
    const { changes, problems, warnings } = await runInTemporaryService(
      postgres,
      { project: resolve(dir) },
      ({ deps }, orgId) => planProject(deps.project, { orgId, files, actor: 'svc check', fromOperator: true }),
    );
    const lenses = changes.filter(({ kind }) => kind === 'lens');
    const successLines = [`No problems in ${formatCount(lenses.length, 'lens', 'lenses')}.`];
    const lines = [...formatWarnings(warnings), ...(problems.length === 0 ? successLines : [])];
    printResult(options, { problems, warnings }, lines);
    throwOnProblems(problems, options);
  } finally {
    await postgres.stop();
  }
}
