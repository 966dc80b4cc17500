// The difference between the deployed project and the files, object by object.
import type { Lens } from '../../lens/model/lens.ts';
import type { FileBoard } from '../boards/file-boards.ts';
import { describeLensChanges } from '../lenses/lens-diff.ts';
import { isSameJson } from './check-config.ts';
import {
  type CorpusEntry,
  type DeployedState,
  type DesiredConnection,
  type DesiredLens,
  type DesiredState,
  type GrantRow,
  type Origin,
  type ProjectChange,
  type ProjectChangeKind,
  SEMANTIC_FILE_PATHS,
  type SemanticObject,
  type StoredConnection,
  type StoredCorpusEntry,
  type StoredLens,
  toCorpusKey,
} from './project-state.ts';

const CONFIG_PATH = 'svc.config.yaml';

type ChangeSummary = [action: ProjectChange['action'], summary: string];

/** The key identifies an object both in the files and in the deployed state. */
interface ObjectComparison<Desired, Stored> {
  desiredItems: readonly Desired[];
  storedItems: readonly Stored[];
  keyOf(item: Desired | Stored): string;
  locate(item: Desired | Stored): [kind: ProjectChangeKind, name: string, path: string];
  describe(item: Desired, storedItem: Stored | undefined): ChangeSummary;
  /** Whether apply removes a stored object that is not in the files. The default is true. */
  isRemovable?(item: Stored): boolean;
  removalSummary?: string;
}

function compareObjects<Desired, Stored>(objects: ObjectComparison<Desired, Stored>): ProjectChange[] {
  const { keyOf, removalSummary = 'no longer in the files, so svc retires it' } = objects;
  const toChange = (item: Desired | Stored, [action, summary]: ChangeSummary): ProjectChange => {
    const [kind, name, path] = objects.locate(item);
    return { kind, name, action, path, summary };
  };
  const storedByKey = new Map(objects.storedItems.map((item) => [keyOf(item), item]));
  const keys = new Set(objects.desiredItems.map(keyOf));
  const removedItems = objects.storedItems.filter(
    (item) => !keys.has(keyOf(item)) && (objects.isRemovable?.(item) ?? true),
  );
  return [
    ...objects.desiredItems.map((item) => toChange(item, objects.describe(item, storedByKey.get(keyOf(item))))),
    ...removedItems.map((item) => toChange(item, ['delete', removalSummary])),
  ];
}

const getObjectName = ({ name }: { name: string }): string => name;
const isFromFile = ({ origin }: { origin: Origin }): boolean => origin === 'file';

/** `liveLenses` contains the served version of each changed lens. */
export function listChanges(
  state: DeployedState,
  desiredState: DesiredState,
  liveLenses: ReadonlyMap<string, Lens>,
): ProjectChange[] {
  return [
    ...compareObjects<DesiredConnection, StoredConnection>({
      desiredItems: desiredState.connections,
      storedItems: state.connections.filter(({ active }) => active),
      keyOf: getObjectName,
      locate: ({ name }) => ['connection', name, CONFIG_PATH],
      describe: ({ config, changed, becomesFileBased }, stored) =>
        stored && changed && !becomesFileBased
          ? ['update', 'configuration or secrets differ']
          : [stored ? 'none' : 'create', `kind ${config.kind}`],
      isRemovable: isFromFile,
    }),
    ...compareObjects<DesiredLens, StoredLens>({
      desiredItems: desiredState.lenses,
      storedItems: state.lenses.filter(({ activeVersion }) => activeVersion !== null),
      keyOf: getObjectName,
      locate: ({ name }) => ['lens', name, `lenses/${name}/lens.yaml`],
      describe: (lens, stored) => describeLensChange(lens, stored, liveLenses),
      isRemovable: isFromFile,
    }),
    ...listCorpusChanges('certified', state.certified, desiredState.certified),
    ...listCorpusChanges('eval', state.evals, desiredState.evals),
    ...compareObjects<SemanticObject, SemanticObject & { origin: Origin }>({
      desiredItems: desiredState.semantic,
      storedItems: state.semantic,
      keyOf: ({ kind, name }) => `${kind}/${name}`,
      locate: ({ kind, name }) => [kind, name, SEMANTIC_FILE_PATHS[kind]],
      describe: ({ body }, stored) => {
        if (!stored) return ['create', 'shared by lenses'];
        return isFromFile(stored) && isSameJson(stored.body, body)
          ? ['none', 'shared by lenses']
          : ['update', 'content changed'];
      },
      isRemovable: isFromFile,
    }),
    ...compareObjects<GrantRow, GrantRow>({
      desiredItems: removeDuplicateGrants(desiredState.grants),
      storedItems: removeDuplicateGrants(state.grants),
      keyOf: toGranteeKey,
      locate: ({ lens, subjectKind, subject, origin }) => [
        'grant',
        `${lens} to ${subjectKind} ${subject}`,
        origin === 'lens_file' ? `lenses/${lens}/lens.yaml` : CONFIG_PATH,
      ],
      describe: (_, stored) => (stored ? ['none', 'may use the lens'] : ['create', 'may now use the lens']),
      removalSummary: 'loses this grant',
    }),
    ...compareObjects<string, string>({
      desiredItems: Object.keys(desiredState.settings),
      storedItems: state.fileSettings,
      keyOf: (name) => name,
      locate: (name) => ['setting', name, CONFIG_PATH],
      describe: (name) => [
        !(name in state.settings)
          ? 'create'
          : isSameJson(state.settings[name], desiredState.settings[name])
            ? 'none'
            : 'update',
        name === 'groups' ? `groups: ${Object.keys(desiredState.settings[name] as object).join(', ') || 'none'}` : name,
      ],
      removalSummary: 'reset to its default',
    }),
    ...compareObjects<FileBoard, FileBoard>({
      desiredItems: desiredState.boards,
      storedItems: state.boards,
      keyOf: ({ path }) => path,
      locate: ({ title, path }) => ['board', title, path],
      describe: (board, stored) => [
        !stored ? 'create' : isSameJson(stored, board) ? 'none' : 'update',
        `${board.tiles.length} tiles`,
      ],
      removalSummary: 'no longer in the files',
    }),
  ];
}

function describeLensChange(
  { name, compiled }: DesiredLens,
  storedLens: StoredLens | undefined,
  liveLenses: ReadonlyMap<string, Lens>,
): ChangeSummary {
  const lens = compiled?.lens;
  if (!storedLens)
    return [
      'create',
      lens
        ? `${lens.datasets.length} datasets, ${lens.metrics.length} metrics, ${lens.definitions.length} definitions`
        : 'new',
    ];
  if (!compiled || compiled.contentSha256 === storedLens.contentSha256)
    return ['none', `version ${storedLens.activeVersion}`];
  const oldLens = liveLenses.get(name);
  const lines = oldLens ? describeLensChanges(oldLens, compiled.lens) : [];
  return ['update', lines.length > 0 ? lines.join('; ') : 'files differ, but not in meaning'];
}

export const isSameCorpusEntry = (storedEntry: StoredCorpusEntry, entry: CorpusEntry): boolean => {
  const { status = storedEntry.status, ...body } = entry.body;
  const isSameStatus = status === storedEntry.status || (status === 'approved' && storedEntry.status === 'suspended');
  return isSameStatus && storedEntry.path === entry.path && isSameJson(storedEntry.body, body);
};

/** An entry created through the API becomes file-based if the file contains an equal entry. */
export const isReplacedByFile = (storedEntry: StoredCorpusEntry, entry: CorpusEntry): boolean =>
  storedEntry.origin === 'api' && isSameCorpusEntry({ ...storedEntry, path: entry.path }, entry);

function listCorpusChanges(
  kind: 'certified' | 'eval',
  storedEntries: StoredCorpusEntry[],
  desiredEntries: CorpusEntry[],
): ProjectChange[] {
  const apiEntries = new Map(
    storedEntries.filter(({ origin }) => origin === 'api').map((entry) => [toCorpusKey(entry), entry]),
  );
  return compareObjects<CorpusEntry, StoredCorpusEntry>({
    desiredItems: desiredEntries,
    storedItems: storedEntries.filter(isFromFile),
    keyOf: toCorpusKey,
    locate: (entry) => [kind, toCorpusKey(entry), entry.path],
    describe: (entry, storedEntry) => {
      const question = String(entry.body['question']);
      const apiEntry = apiEntries.get(toCorpusKey(entry));
      if (apiEntry && isReplacedByFile(apiEntry, entry)) return ['none', question];
      if (!storedEntry || (storedEntry.status === 'retired' && entry.body['status'] !== 'retired'))
        return ['create', question];
      if (isSameCorpusEntry(storedEntry, entry)) return ['none', question];
      const changedMembers = Object.keys(entry.body).filter(
        (part) => part !== 'status' && !isSameJson(storedEntry.body[part], entry.body[part]),
      );
      return ['update', changedMembers.length > 0 ? `${changedMembers.join(', ')} changed` : 'status or file changed'];
    },
    isRemovable: ({ status }) => status !== 'retired',
  });
}

const toGranteeKey = ({ lens, subjectKind, subject }: GrantRow): string => JSON.stringify([lens, subjectKind, subject]);

/** Several files can contain the same grant. */
const removeDuplicateGrants = (rows: GrantRow[]): GrantRow[] => [
  ...new Map(rows.toReversed().map((row) => [toGranteeKey(row), row])).values(),
];
