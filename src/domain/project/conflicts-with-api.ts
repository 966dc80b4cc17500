// What a project asks for under a name that something made by API has: neither overwrites the other.
import type { ProjectProblem } from '../../lens/project-problem.ts';
import type { Project } from '../../lens/read-project.ts';
import type { DeployedState } from './project-state.ts';

export function lensConflicts(project: Project, state: DeployedState): ProjectProblem[] {
  const live = state.lenses.filter(({ origin, activeVersion }) => origin === 'api' && activeVersion !== null);
  const taken = new Set(live.map(({ name }) => name));
  return project.lenses
    .filter(({ name }) => taken.has(name))
    .map(({ name, complain }) =>
      complain(
        ['name'],
        'conflict',
        `A lens named "${name}" was made by API. Delete it there, or give this one another name.`,
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
