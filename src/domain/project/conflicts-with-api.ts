// What a project asks for under a name that something made by API has: neither overwrites the other. A lens whose file is
// the one in service, as an export writes it, is taken over: it comes from files from then on.
import type { ProjectProblem } from '../../lens/files/project-problem.ts';
import type { Project } from '../../lens/files/read-project.ts';
import { sha256 } from '../receipts/canonical-json.ts';
import { isTakenOver } from './list-changes.ts';
import type { CorpusEntry, DeployedState } from './project-state.ts';
import { wantedCertified, wantedEvals } from './wanted/wanted-corpus.ts';

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
  const conflicting = (wanted: readonly CorpusEntry[], rows: DeployedState['evals']): Set<string> => {
    const made = new Map(
      rows
        .filter(({ origin, status }) => origin === 'api' && status !== 'retired')
        .map((row) => [`${row.lens}/${row.id}`, row]),
    );
    const strange = wanted.filter((entry) => {
      const row = made.get(`${entry.lens}/${entry.id}`);
      return row && !isTakenOver(row, entry);
    });
    return new Set(strange.map(({ lens, id }) => `${lens}/${id}`));
  };
  const certified = conflicting(wantedCertified(project), state.certified);
  const evals = conflicting(wantedEvals(project), state.evals);
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
        `A ${kind} "${file.id}" was made by API. Apply it as \`svc export DIR\` writes it, delete it there, or give this one another id.`,
      ),
    ),
  );
}
