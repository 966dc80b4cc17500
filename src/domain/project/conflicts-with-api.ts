// Finds names that belong both to an object in the project and to an object created through the API. Neither object
// replaces the other. A lens created through the API becomes file-based if the project contains its exported file.
import type { ProjectProblem } from '../../lens/files/project-problem.ts';
import type { Project } from '../../lens/files/read-project.ts';
import { sha256 } from '../receipts/canonical-json.ts';
import { isReplacedByFile } from './list-changes.ts';
import type { CorpusEntry, DeployedState } from './project-state.ts';
import { wantedCertifiedEntries, wantedEvals } from './wanted/wanted-corpus.ts';

export function findLensConflicts(
  project: Project,
  files: Record<string, string>,
  state: DeployedState,
): ProjectProblem[] {
  const liveApiLenses = state.lenses.filter(({ origin, activeVersion }) => origin === 'api' && activeVersion !== null);
  const liveHashes = new Map(liveApiLenses.map(({ name, textSha256 }) => [name, textSha256]));
  return project.lenses
    .filter(({ name, path }) => liveHashes.has(name) && liveHashes.get(name) !== sha256(files[path] ?? ''))
    .map(({ name, complain }) =>
      complain(
        ['name'],
        'conflict',
        `A lens named "${name}" was created through the API and differs. Run \`svc export DIR\` and change its file, delete that lens through the API, or rename this one.`,
      ),
    );
}

export function findCorpusConflicts(project: Project, state: DeployedState): ProjectProblem[] {
  const conflictingKeys = (wantedEntries: readonly CorpusEntry[], rows: DeployedState['evals']): Set<string> => {
    const apiEntries = new Map(
      rows
        .filter(({ origin, status }) => origin === 'api' && status !== 'retired')
        .map((row) => [`${row.lens}/${row.id}`, row]),
    );
    const conflicts = wantedEntries.filter((entry) => {
      const row = apiEntries.get(`${entry.lens}/${entry.id}`);
      return row && !isReplacedByFile(row, entry);
    });
    return new Set(conflicts.map(({ lens, id }) => `${lens}/${id}`));
  };
  const certifiedConflicts = conflictingKeys(wantedCertifiedEntries(project), state.certified);
  const evalConflicts = conflictingKeys(wantedEvals(project), state.evals);
  return project.lenses.flatMap((lens) =>
    [
      ...lens.certified
        .filter(({ file }) => certifiedConflicts.has(`${lens.name}/${file.id}`))
        .map((entry) => ({ ...entry, subject: 'A certified entry' })),
      ...lens.evals
        .filter(({ file }) => evalConflicts.has(`${lens.name}/${file.id}`))
        .map((entry) => ({ ...entry, subject: 'An eval' })),
    ].map(({ file, index, complain, subject }) =>
      complain(
        index === null ? ['id'] : [index, 'id'],
        'conflict',
        `${subject} "${file.id}" was created through the API. Run \`svc export DIR\` and use its file, delete it through the API, or give this one another id.`,
      ),
    ),
  );
}
