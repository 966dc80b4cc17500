// The difference between the deployed project and the files, object by object.
import type { Lens } from '../../lens/model/lens.ts';
import type { FileBoard } from '../boards/file-boards.ts';
import { describeLensChanges } from '../lenses/lens-diff.ts';
import { sameJson } from './check-config.ts';
import type {
  Change,
  ChangeKind,
  CorpusEntry,
  DeployedState,
  GrantRow,
  StoredCorpusEntry,
  WantedState,
} from './project-state.ts';

const CONFIG = 'svc.config.yaml';

/** `served`: the compiled lenses in service that changed. */
export function listChanges(state: DeployedState, wanted: WantedState, served: ReadonlyMap<string, Lens>): Change[] {
  return [
    ...connectionChanges(state, wanted),
    ...lensChanges(state, wanted, served),
    ...corpusChanges('certified', state.certified, wanted.certified),
    ...corpusChanges('eval', state.evals, wanted.evals),
    ...semanticChanges(state, wanted),
    ...grantChanges(state.grants, wanted.grants),
    ...settingChanges(state, wanted),
    ...boardChanges(state, wanted),
  ];
}

function connectionChanges(state: DeployedState, wanted: WantedState): Change[] {
  const known = new Map(
    state.connections.filter(({ active }) => active).map((connection) => [connection.name, connection]),
  );
  const named = wanted.connections.map(({ name, config, changed, takesOver }): Change => {
    const action = !known.has(name) ? 'create' : changed && !takesOver ? 'update' : 'none';
    return change(
      'connection',
      name,
      action,
      CONFIG,
      action === 'update' ? 'configuration or secrets differ' : `kind ${config.kind}`,
    );
  });
  const names = new Set(wanted.connections.map(({ name }) => name));
  const gone = [...known.values()].filter(({ name, origin }) => origin === 'file' && !names.has(name));
  return [
    ...named,
    ...gone.map(({ name }) =>
      change('connection', name, 'delete', CONFIG, 'no longer in the files; taken out of service'),
    ),
  ];
}

function lensChanges(state: DeployedState, wanted: WantedState, served: ReadonlyMap<string, Lens>): Change[] {
  const known = new Map(
    state.lenses.filter(({ activeVersion }) => activeVersion !== null).map((lens) => [lens.name, lens]),
  );
  const named = wanted.lenses.map(({ name, path, compiled }): Change => {
    const before = known.get(name);
    if (!before) {
      const lens = compiled?.lens;
      const size = lens
        ? `${lens.datasets.length} datasets, ${lens.metrics.length} metrics, ${lens.definitions.length} definitions`
        : 'new';
      return change('lens', name, 'create', path, size);
    }
    if (!compiled || compiled.contentSha256 === before.contentSha256)
      return change('lens', name, 'none', path, `version ${before.activeVersion}`);
    const old = served.get(name);
    const lines = old ? describeLensChanges(old, compiled.lens) : [];
    return change('lens', name, 'update', path, lines.length > 0 ? lines.join('; ') : 'files differ; same meaning');
  });
  const names = new Set(wanted.lenses.map(({ name }) => name));
  const gone = [...known.values()].filter(({ name, origin }) => origin === 'file' && !names.has(name));
  return [
    ...named,
    ...gone.map(({ name }) =>
      change('lens', name, 'delete', `lenses/${name}/lens.yaml`, 'no longer in the files; taken out of service'),
    ),
  ];
}

export const sameCorpusEntry = (stored: StoredCorpusEntry, entry: CorpusEntry): boolean => {
  const { status = stored.status, ...body } = entry.body;
  const sameStatus = status === stored.status || (status === 'approved' && stored.status === 'suspended');
  return sameStatus && stored.path === entry.path && sameJson(stored.body, body);
};

/** An equal entry that was created by API becomes file-based. */
export const isTakenOver = (stored: StoredCorpusEntry, entry: CorpusEntry): boolean =>
  stored.origin === 'api' && sameCorpusEntry({ ...stored, path: entry.path }, entry);

function corpusChanges(
  kind: ChangeKind & ('certified' | 'eval'),
  stored: StoredCorpusEntry[],
  wanted: CorpusEntry[],
): Change[] {
  const key = ({ lens, id }: { lens: string; id: string }) => `${lens}/${id}`;
  const known = new Map(stored.filter(({ origin }) => origin === 'file').map((entry) => [key(entry), entry]));
  const made = new Map(stored.filter(({ origin }) => origin === 'api').map((entry) => [key(entry), entry]));
  const named = wanted.map((entry): Change => {
    const before = known.get(key(entry));
    const api = made.get(key(entry));
    if (api && isTakenOver(api, entry))
      return change(kind, key(entry), 'none', entry.path, String(entry.body['question']));
    if (!before || (before.status === 'retired' && entry.body['status'] !== 'retired'))
      return change(kind, key(entry), 'create', entry.path, String(entry.body['question']));
    if (sameCorpusEntry(before, entry))
      return change(kind, key(entry), 'none', entry.path, String(entry.body['question']));
    const parts = Object.keys(entry.body).filter(
      (part) => part !== 'status' && !sameJson(before.body[part], entry.body[part]),
    );
    return change(
      kind,
      key(entry),
      'update',
      entry.path,
      parts.length > 0 ? `${parts.join(', ')} changed` : 'status or file changed',
    );
  });
  const keys = new Set(wanted.map(key));
  const gone = [...known.values()].filter((entry) => entry.status !== 'retired' && !keys.has(key(entry)));
  return [
    ...named,
    ...gone.map((entry) =>
      change(kind, key(entry), 'delete', entry.path, 'no longer in the files; taken out of service'),
    ),
  ];
}

function semanticChanges(state: DeployedState, wanted: WantedState): Change[] {
  const path = (kind: 'entity' | 'definition') =>
    kind === 'entity' ? 'semantic/entities.yaml' : 'semantic/definitions.yaml';
  const key = ({ kind, name }: { kind: string; name: string }) => `${kind}/${name}`;
  const known = new Map(state.semantic.map((object) => [key(object), object]));
  const named = wanted.semantic.map((object): Change => {
    const before = known.get(key(object));
    const action = !before
      ? 'create'
      : before.origin === 'file' && sameJson(before.body, object.body)
        ? 'none'
        : 'update';
    return change(
      object.kind,
      object.name,
      action,
      path(object.kind),
      action === 'update' ? 'content changed' : 'shared by lenses',
    );
  });
  const keys = new Set(wanted.semantic.map(key));
  const gone = state.semantic.filter((object) => object.origin === 'file' && !keys.has(key(object)));
  return [
    ...named,
    ...gone.map(({ kind, name }) =>
      change(kind, name, 'delete', path(kind), 'no longer in the files; taken out of service'),
    ),
  ];
}

export const grantKey = ({ lens, subjectKind, subject, origin }: GrantRow): string =>
  JSON.stringify([lens, subjectKind, subject, origin]);

/** One change for each caller or group, even if several files contain the grant. */
function grantChanges(stored: GrantRow[], wanted: GrantRow[]): Change[] {
  const named = ({ lens, subjectKind, subject }: GrantRow) => JSON.stringify([lens, subjectKind, subject]);
  const once = (rows: GrantRow[]) => new Map(rows.toReversed().map((row) => [named(row), row]));
  const [before, after] = [once(stored), once(wanted)];
  const say = (grant: GrantRow, action: Change['action'], summary: string): Change =>
    change(
      'grant',
      `${grant.lens} to ${grant.subjectKind} ${grant.subject}`,
      action,
      grant.origin === 'lens_file' ? `lenses/${grant.lens}/lens.yaml` : CONFIG,
      summary,
    );
  return [
    ...[...after].map(([key, grant]) =>
      before.has(key) ? say(grant, 'none', 'may use the lens') : say(grant, 'create', 'may now use the lens'),
    ),
    ...[...before].filter(([key]) => !after.has(key)).map(([, grant]) => say(grant, 'delete', 'loses this grant')),
  ];
}

function settingChanges(state: DeployedState, wanted: WantedState): Change[] {
  const named = Object.entries(wanted.settings).map(([name, body]) => {
    const action = !(name in state.settings) ? 'create' : sameJson(state.settings[name], body) ? 'none' : 'update';
    return change(
      'setting',
      name,
      action,
      CONFIG,
      name === 'groups' ? `groups: ${Object.keys(body as object).join(', ') || 'none'}` : name,
    );
  });
  const gone = state.fileSettings.filter((name) => !(name in wanted.settings));
  return [...named, ...gone.map((name) => change('setting', name, 'delete', CONFIG, 'reset to its default'))];
}

/** Boards whose title, refresh or tiles differ from the stored ones. */
export const changedBoards = (state: DeployedState, wanted: WantedState): FileBoard[] =>
  wanted.boards.filter(
    (board) =>
      !sameJson(
        state.boards.find(({ path }) => path === board.path),
        board,
      ),
  );

export const goneBoards = (state: DeployedState, wanted: WantedState): string[] =>
  state.boards.map(({ path }) => path).filter((path) => !wanted.boards.some((board) => board.path === path));

function boardChanges(state: DeployedState, wanted: WantedState): Change[] {
  const known = new Set(state.boards.map(({ path }) => path));
  const changed = new Set(changedBoards(state, wanted));
  return [
    ...wanted.boards.map((board): Change => {
      const action = !known.has(board.path) ? 'create' : changed.has(board) ? 'update' : 'none';
      return change('board', board.title, action, board.path, `${board.tiles.length} tiles`);
    }),
    ...goneBoards(state, wanted).map((path) => change('board', path, 'delete', path, 'no longer in the files')),
  ];
}

const change = (kind: ChangeKind, name: string, action: Change['action'], path: string, summary: string): Change => ({
  kind,
  name,
  action,
  path,
  summary,
});
