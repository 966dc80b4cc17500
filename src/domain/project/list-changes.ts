// The difference between the deployed project and the files, object by object.
import type { Lens } from '../../lens/model/lens.ts';
import type { FileBoard } from '../boards/file-boards.ts';
import { describeLensChanges } from '../lenses/lens-diff.ts';
import { sameJson } from './check-config.ts';
import {
  type Change,
  type ChangeKind,
  type CorpusEntry,
  type DeployedState,
  type GrantRow,
  type Origin,
  SEMANTIC_FILES,
  type SemanticObject,
  type StoredConnection,
  type StoredCorpusEntry,
  type StoredLens,
  type WantedConnection,
  type WantedLens,
  type WantedState,
} from './project-state.ts';

const CONFIG = 'svc.config.yaml';

type ChangeText = [action: Change['action'], summary: string];

/** How to compare objects of one kind. The key names an object in the files and in the deployed state. */
interface Comparison<Wanted, Stored> {
  wanted: readonly Wanted[];
  stored: readonly Stored[];
  key(one: Wanted | Stored): string;
  place(one: Wanted | Stored): [kind: ChangeKind, name: string, path: string];
  say(one: Wanted, before: Stored | undefined): ChangeText;
  leaves?(one: Stored): boolean;
  /** The change for a stored object that is no longer in the files. */
  gone?: string;
}

function compared<Wanted, Stored>(how: Comparison<Wanted, Stored>): Change[] {
  const { wanted, stored, key, place, say, leaves, gone = 'no longer in the files; taken out of service' } = how;
  const change = (one: Wanted | Stored, [action, summary]: ChangeText): Change => {
    const [kind, name, path] = place(one);
    return { kind, name, action, path, summary };
  };
  const storedByKey = new Map(stored.map((item) => [key(item), item]));
  const keys = new Set(wanted.map(key));
  const left = stored.filter((item) => !keys.has(key(item)) && (leaves?.(item) ?? true));
  return [
    ...wanted.map((item) => change(item, say(item, storedByKey.get(key(item))))),
    ...left.map((item) => change(item, ['delete', gone])),
  ];
}

const nameOf = ({ name }: { name: string }): string => name;
const fromFile = ({ origin }: { origin: Origin }): boolean => origin === 'file';

/** `served` are the compiled, changed lenses. */
export function listChanges(
  state: DeployedState,
  wantedState: WantedState,
  liveLenses: ReadonlyMap<string, Lens>,
): Change[] {
  return [
    ...compared<WantedConnection, StoredConnection>({
      wanted: wantedState.connections,
      stored: state.connections.filter(({ active }) => active),
      key: nameOf,
      place: ({ name }) => ['connection', name, CONFIG],
      say: ({ config, changed, takesOver }, before) =>
        before && changed && !takesOver
          ? ['update', 'configuration or secrets differ']
          : [before ? 'none' : 'create', `kind ${config.kind}`],
      leaves: fromFile,
    }),
    ...compared<WantedLens, StoredLens>({
      wanted: wantedState.lenses,
      stored: state.lenses.filter(({ activeVersion }) => activeVersion !== null),
      key: nameOf,
      place: ({ name }) => ['lens', name, `lenses/${name}/lens.yaml`],
      say: (lens, before) => lensChange(lens, before, liveLenses),
      leaves: fromFile,
    }),
    ...corpusChanges('certified', state.certified, wantedState.certified),
    ...corpusChanges('eval', state.evals, wantedState.evals),
    ...compared<SemanticObject, SemanticObject & { origin: Origin }>({
      wanted: wantedState.semantic,
      stored: state.semantic,
      key: ({ kind, name }) => `${kind}/${name}`,
      place: ({ kind, name }) => [kind, name, SEMANTIC_FILES[kind]],
      say: ({ body }, before) => {
        if (!before) return ['create', 'shared by lenses'];
        return fromFile(before) && sameJson(before.body, body)
          ? ['none', 'shared by lenses']
          : ['update', 'content changed'];
      },
      leaves: fromFile,
    }),
    ...compared<GrantRow, GrantRow>({
      wanted: grantedOnce(wantedState.grants),
      stored: grantedOnce(state.grants),
      key: grantee,
      place: ({ lens, subjectKind, subject, origin }) => [
        'grant',
        `${lens} to ${subjectKind} ${subject}`,
        origin === 'lens_file' ? `lenses/${lens}/lens.yaml` : CONFIG,
      ],
      say: (_, before) => (before ? ['none', 'may use the lens'] : ['create', 'may now use the lens']),
      gone: 'loses this grant',
    }),
    ...compared<string, string>({
      wanted: Object.keys(wantedState.settings),
      stored: state.fileSettings,
      key: (name) => name,
      place: (name) => ['setting', name, CONFIG],
      say: (name) => [
        !(name in state.settings)
          ? 'create'
          : sameJson(state.settings[name], wantedState.settings[name])
            ? 'none'
            : 'update',
        name === 'groups' ? `groups: ${Object.keys(wantedState.settings[name] as object).join(', ') || 'none'}` : name,
      ],
      gone: 'reset to its default',
    }),
    ...compared<FileBoard, FileBoard>({
      wanted: wantedState.boards,
      stored: state.boards,
      key: ({ path }) => path,
      place: ({ title, path }) => ['board', title, path],
      say: (board, before) => [
        !before ? 'create' : sameJson(before, board) ? 'none' : 'update',
        `${board.tiles.length} tiles`,
      ],
      gone: 'no longer in the files',
    }),
  ];
}

function lensChange(
  { name, compiled }: WantedLens,
  before: StoredLens | undefined,
  liveLenses: ReadonlyMap<string, Lens>,
): ChangeText {
  const lens = compiled?.lens;
  if (!before)
    return [
      'create',
      lens
        ? `${lens.datasets.length} datasets, ${lens.metrics.length} metrics, ${lens.definitions.length} definitions`
        : 'new',
    ];
  if (!compiled || compiled.contentSha256 === before.contentSha256) return ['none', `version ${before.activeVersion}`];
  const old = liveLenses.get(name);
  const lines = old ? describeLensChanges(old, compiled.lens) : [];
  return ['update', lines.length > 0 ? lines.join('; ') : 'files differ; same meaning'];
}

export const sameCorpusEntry = (stored: StoredCorpusEntry, entry: CorpusEntry): boolean => {
  const { status = stored.status, ...body } = entry.body;
  const sameStatus = status === stored.status || (status === 'approved' && stored.status === 'suspended');
  return sameStatus && stored.path === entry.path && sameJson(stored.body, body);
};

/** An equal entry created by API becomes file-based. */
export const isReplacedByFile = (stored: StoredCorpusEntry, entry: CorpusEntry): boolean =>
  stored.origin === 'api' && sameCorpusEntry({ ...stored, path: entry.path }, entry);

function corpusChanges(
  kind: 'certified' | 'eval',
  stored: StoredCorpusEntry[],
  wantedEntries: CorpusEntry[],
): Change[] {
  const key = ({ lens, id }: CorpusEntry): string => `${lens}/${id}`;
  const apiEntries = new Map(stored.filter(({ origin }) => origin === 'api').map((entry) => [key(entry), entry]));
  return compared<CorpusEntry, StoredCorpusEntry>({
    wanted: wantedEntries,
    stored: stored.filter(fromFile),
    key,
    place: (entry) => [kind, key(entry), entry.path],
    say: (entry, before) => {
      const question = String(entry.body['question']);
      const api = apiEntries.get(key(entry));
      if (api && isReplacedByFile(api, entry)) return ['none', question];
      if (!before || (before.status === 'retired' && entry.body['status'] !== 'retired')) return ['create', question];
      if (sameCorpusEntry(before, entry)) return ['none', question];
      const parts = Object.keys(entry.body).filter(
        (part) => part !== 'status' && !sameJson(before.body[part], entry.body[part]),
      );
      return ['update', parts.length > 0 ? `${parts.join(', ')} changed` : 'status or file changed'];
    },
    leaves: ({ status }) => status !== 'retired',
  });
}

export const grantKey = ({ lens, subjectKind, subject, origin }: GrantRow): string =>
  JSON.stringify([lens, subjectKind, subject, origin]);
const grantee = ({ lens, subjectKind, subject }: GrantRow): string => JSON.stringify([lens, subjectKind, subject]);

/** One grant for each caller or group, even if several files contain it. */
const grantedOnce = (rows: GrantRow[]): GrantRow[] => [
  ...new Map(rows.toReversed().map((row) => [grantee(row), row])).values(),
];

/** Boards whose title, refresh or tiles differ from the stored ones. */
export const changedBoards = (state: DeployedState, wantedState: WantedState): FileBoard[] =>
  wantedState.boards.filter(
    (board) => !state.boards.some((storedBoard) => storedBoard.path === board.path && sameJson(storedBoard, board)),
  );

export const removedBoards = (state: DeployedState, wantedState: WantedState): string[] =>
  state.boards.map(({ path }) => path).filter((path) => !wantedState.boards.some((board) => board.path === path));
