// What a project asks for under a name that something made by API has: neither overwrites the other. A lens whose file is
// the one in service, as an export writes it, is taken over: it comes from files from then on.
import type { ProjectProblem } from '../../lens/project-problem.ts';
import type { Project } from '../../lens/read-project.ts';
import { sha256 } from '../receipts/canonical-json.ts';
import type { DeployedState } from './project-state.ts';

export function lensConflicts(project: Project, files: Record<string, string>, state: DeployedState): ProjectProblem[] {
  const live = state.lenses.filter(({ origin, activeVersion }) => origin === 'api' && activeVersion !== null);
  const taken = new Map(live.map(({ name, textSha256 }) => [name, textSha256]));
  return project.lenses
    .filter(({ name, path }) => taken.has(name) && taken.get(name) !== sha256(files[path] ?? ''))
    .map(({ name, complain }) =>
      complain(
        ['name'],
        'conflict',
        `A lens named "${name}" was made by API, and says something else. Apply it as \`svc export DIR\` writes it and change it after that, delete it there, or give this one another name.`,
      ),
    );
}

export function corpusConflicts(project: Project, state: DeployedState): ProjectProblem[] {
  const taken = (rows: DeployedState['evals']) =>
    new Set(
      rows
        .filter(({ origin, status }) => origin === 'api' && status !== 'retired')
        .map(({ lens, id }) => `${lens}/${id}`),
    );
  const [certified, evals] = [taken(state.certified), taken(state.evals)];
  return project.lenses.flatMap((lens) =>
    [
      ...lens.certified
        .filter(({ file }) => certified.has(`${lens.name}/${file.id}`))
        .map((entry) => ({ ...entry, kind: 'certified entry' })),
      ...lens.evals
        .filter(({ file }) => evals.has(`${lens.name}/${file.id}`))
        .map((entry) => ({ ...entry, kind: 'eval' })),
    ].map(({ file, index, complain, kind }) =>
      complain(
        index === null ? ['id'] : [index, 'id'],
        'conflict',
        `A ${kind} "${file.id}" was made by API. Delete it there, or give this one another id.`,
      ),
    ),
  );
}
