// An apply never changes objects created through the API. A lens created through the API becomes file-based if the
// project contains its exported file. Until then, the project must keep the connection of the lens.
import type { ProjectProblem } from '../../lens/files/project-problem.ts';
import type { Project } from '../../lens/files/read-project.ts';
import { computeSha256 } from '../receipts/canonical-json.ts';
import { isReplacedByFile } from './list-changes.ts';
import {
  type DeployedState,
  type DesiredConnection,
  type DesiredEntry,
  type StoredCorpusEntry,
  type StoredLens,
  toCorpusKey,
} from './project-state.ts';

const isLiveApiLens = ({ origin, activeVersion }: StoredLens): boolean => origin === 'api' && activeVersion !== null;

export function findLensConflicts(
  project: Project,
  files: Record<string, string>,
  state: DeployedState,
): ProjectProblem[] {
  const liveHashes = new Map(state.lenses.filter(isLiveApiLens).map(({ name, textSha256 }) => [name, textSha256]));
  return project.lenses
    .filter(({ name, path }) => liveHashes.has(name) && liveHashes.get(name) !== computeSha256(files[path] ?? ''))
    .map(({ name, problemAt }) =>
      problemAt(
        ['name'],
        'conflict',
        `A lens named "${name}" was created through the API and differs from this file. Run \`svc export DIR\` and change its file, delete that lens through the API, or rename the lens in this file.`,
      ),
    );
}

/** `subject` names an entry in messages: "A certified entry" or "An eval". */
export function findCorpusConflicts(
  subject: string,
  desiredEntries: readonly DesiredEntry[],
  storedEntries: readonly StoredCorpusEntry[],
): ProjectProblem[] {
  const apiEntries = new Map(
    storedEntries
      .filter(({ origin, status }) => origin === 'api' && status !== 'retired')
      .map((entry) => [toCorpusKey(entry), entry]),
  );
  return desiredEntries.flatMap((entry) => {
    const apiEntry = apiEntries.get(toCorpusKey(entry));
    if (!apiEntry || isReplacedByFile(apiEntry, entry)) return [];
    const message = `${subject} "${entry.id}" was created through the API. Run \`svc export DIR\` and use its file, delete it through the API, or choose another id in this file.`;
    return [entry.problemAt(['id'], 'conflict', message)];
  });
}

/** `removed`: the files no longer have the connection. `changedKind`: the files change its kind. */
export function findConnectionsInUse(
  state: DeployedState,
  desiredConnections: DesiredConnection[],
): { removed: string[]; changedKind: string[] } {
  const found: { removed: string[]; changedKind: string[] } = { removed: [], changedKind: [] };
  const kinds = new Map(desiredConnections.map(({ name, config }) => [name, config.kind]));
  for (const { name, kind } of state.connections.filter(({ origin, active }) => origin === 'file' && active)) {
    const users = state.lenses.filter((lens) => isLiveApiLens(lens) && lens.connection === name);
    const names = users.map((lens) => lens.name).join(', ');
    if (users.length === 0 || kinds.get(name) === kind) continue;
    if (kinds.has(name))
      found.changedKind.push(
        `Connection "${name}" changes from ${kind} to ${kinds.get(name)}. These lenses, created through the API, were checked against the old connection: ${names}. Restore or publish them again afterwards.`,
      );
    else
      found.removed.push(
        `Connection "${name}" is not in these files, but lenses created through the API use it: ${names}. Keep it, or first delete these lenses or change their connection.`,
      );
  }
  return found;
}
