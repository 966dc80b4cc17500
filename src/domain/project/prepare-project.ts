// Files -> the state they ask for, with every problem named: read, compare with what is deployed, compile and check.
// Touches the control database through `state` only; warehouses are opened from the new files and closed again.
import type { ConfigFile } from '../../contract/config-file.ts';
import type { ProjectProblem } from '../../lens/project-problem.ts';
import { type Project, readProjectInTurns } from '../../lens/read-project.ts';
import { parseYamlFile } from '../../lens/yaml-file.ts';
import { inParallel, lanes } from '../../platform/in-parallel.ts';
import { Problem } from '../../platform/problem.ts';
import { isLiteralSecret, openSecrets, restoreKept, secretContext } from '../connections/connection-secrets.ts';
import type { Warehouse } from '../ports.ts';
import { canonicalJson, sha256 } from '../receipts/canonical-json.ts';
import { stoppable } from '../stoppable.ts';
import { operatorOnlyProblems, sameJson, variableProblems } from './check-config.ts';
import { checkLenses } from './check-lenses.ts';
import { connectionsInUse } from './connections-in-use.ts';
import { keepSecrets } from './keep-secrets.ts';
import type { ProjectDeps, ProjectRequest } from './project-deps.ts';
import type { DeployedState, StoredConnection, WantedConnection, WantedLens, WantedState } from './project-state.ts';
import type { ReadDictionary } from './read-dictionaries.ts';
import { wantedCertified, wantedEvals, wantedGrants, wantedSemantic, wantedSettings } from './wanted-corpus.ts';

export interface PreparedProject {
  wanted: WantedState;
  dictionaries: Map<string, ReadDictionary[]>;
  /** Lenses whose content or connection differs from what is deployed. */
  touched: Set<string>;
  problems: ProjectProblem[];
  warnings: string[];
  /** The same bytes, connections and secrets as deployed: nothing to check, nothing to write. */
  identical: boolean;
}
/** Part of every source hash: raise it when compiled lenses change shape, so that the next apply compiles again. */
const COMPILER = 1;
const SESSIONS = 4; // that a warehouse gives a plan at once

export async function prepareProject(
  deps: ProjectDeps,
  request: ProjectRequest,
  state: DeployedState,
): Promise<PreparedProject> {
  const files = keepSecrets(request.files);
  const config = parseYamlFile('config', 'svc.config.yaml', request.files['svc.config.yaml'] ?? '');
  const problems: ProjectProblem[] = [];
  const warnings: string[] = [];
  if (config.value) {
    if (!request.fromOperator && !request.ignoreOperatorKeys)
      problems.push(...operatorOnlyProblems(config.value, deps.operatorConfig(), config.complain));
    problems.push(...variableProblems(config.value, deps.readableVariables, request.fromOperator, config.complain));
  }
  const connections = wantConnections(
    deps,
    request,
    state,
    config.value?.connections ?? {},
    (name, code, message) => void problems.push(config.complain(['connections', name], code, message)),
  );
  const { gone, turned } = connectionsInUse(state, connections);
  problems.push(...gone.map((message) => config.complain(['connections'], 'conflict', message)));
  warnings.push(...turned);
  const opened = new Map<string, Promise<Warehouse>>();
  const open = (name: string): Promise<Warehouse> => {
    const known = opened.get(name);
    if (known) return known;
    const wanted = connections.find((connection) => connection.name === name)!;
    const opening = deps.opener
      .open({
        orgId: request.orgId,
        name,
        config: wanted.config,
        fromOperator: wanted.fromOperator,
      })
      .then((warehouse) => sharedByLenses(stoppable(warehouse, request.signal)));
    opening.catch(() => undefined);
    opened.set(name, opening);
    return opening;
  };
  try {
    const absent = await absentConnections(connections, open);
    const contentSha256 = sha256(canonicalJson({ compiler: COMPILER, files, absent }));
    const identical =
      problems.length === 0 &&
      state.deployment?.contentSha256 === contentSha256 &&
      connections.every(({ changed }) => !changed);
    const prepared = { dictionaries: new Map(), touched: new Set<string>(), problems, warnings, identical };
    if (identical) return { ...prepared, wanted: { ...nothing(files), contentSha256 } };
    for (const { name, fault } of await connectionFaults(connections, absent, open)) {
      if (fault.code === 'unreachable' || fault.code === 'timeout')
        warnings.push(`Connection "${name}" could not be opened just now: ${fault.message}`);
      else problems.push(config.complain(['connections', name], fault.code, fault.message));
    }
    const read = await readProjectInTurns(request.files);
    problems.push(...read.problems);
    for (const name of absent)
      warnings.push(`The files of connection "${name}" are not there, so it and its lenses are left out.`);
    const project = without(read.project, absent);
    const lenses = wantLenses(project, files, connections);
    const stored = new Map(state.lenses.map((lens) => [lens.name, lens]));
    for (const { name, complain } of project.lenses)
      if (stored.get(name)?.origin === 'api' && stored.get(name)?.activeVersion !== null)
        problems.push(
          complain(
            ['name'],
            'conflict',
            `A lens named "${name}" was made by API. Delete it there, or give this one another name.`,
          ),
        );
    const touched = new Set(
      lenses
        .filter(
          ({ name, sourceSha256 }) =>
            stored.get(name)?.activeVersion == null || stored.get(name)?.sourceSha256 !== sourceSha256,
        )
        .map(({ name }) => name),
    );
    const checked = await checkLenses(project, lenses, touched, open, request);
    problems.push(...checked.flatMap((lens) => lens.problems), ...corpusConflicts(project, state));
    warnings.push(...checked.flatMap((lens) => lens.warnings));
    return {
      ...prepared,
      touched,
      dictionaries: new Map(checked.map(({ wanted, dictionaries }) => [wanted.name, dictionaries])),
      wanted: {
        files,
        contentSha256,
        connections: connections.filter(({ name }) => !absent.includes(name)),
        lenses: checked.map(({ wanted }) => wanted),
        certified: wantedCertified(project),
        evals: wantedEvals(project),
        semantic: wantedSemantic(project),
        grants: wantedGrants(project),
        settings: wantedSettings(project.config),
      },
    };
  } finally {
    for (const opening of opened.values()) void opening.then((warehouse) => warehouse.close()).catch(() => undefined);
  }
}

const nothing = (files: Record<string, string>) => ({
  ...{ files, connections: [], lenses: [], certified: [], evals: [], semantic: [], grants: [], settings: {} },
});

/** What a stored connection says, secrets in clear; null when a key that sealed one of them is gone. */
function inClear(deps: ProjectDeps, orgId: string, stored: StoredConnection): ConfigFile['connections'][string] | null {
  try {
    return openSecrets(stored.config, (sealed, path) =>
      deps.secrets.open(sealed, secretContext(orgId, stored.name, path)),
    );
  } catch {
    return null;
  }
}

function wantConnections(
  deps: ProjectDeps,
  request: ProjectRequest,
  state: DeployedState,
  asked: ConfigFile['connections'],
  complain: (name: string, code: string, message: string) => void,
): WantedConnection[] {
  const stored = new Map(state.connections.map((connection) => [connection.name, connection]));
  return Object.entries(asked).map(([name, config]) => {
    const known = stored.get(name);
    const clear = known ? inClear(deps, request.orgId, known) : null;
    const restored = restoreKept(config, clear);
    for (const path of restored.missing)
      complain(
        name,
        'kept',
        `"${path.slice(1)}" of connection "${name}" says (kept), but nothing is stored for it. Write the secret, or name a variable.`,
      );
    if (deps.secrets.list.length === 0 && hasLiteralSecret(restored.config))
      complain(
        name,
        'no_key',
        `Connection "${name}" writes a secret out, which can't be stored without SVC_SECRET_KEY. Name a variable instead, like \${DB_PASSWORD}.`,
      );
    if (known?.origin === 'api' && known.active)
      complain(
        name,
        'conflict',
        `A connection named "${name}" was made by API. Delete it there, or give this one another name.`,
      );
    // The same words over HTTP leave the operator's connection the operator's.
    const same = known?.active === true && sameJson(clear, restored.config);
    const fromOperator = request.fromOperator || (same && known.fromOperator);
    return { name, config: restored.config, fromOperator, changed: !same || fromOperator !== known.fromOperator };
  });
}

/** One look at its tables serves all lenses, and what waits for a session does not wait on its own time. */
function sharedByLenses(warehouse: Warehouse): Warehouse {
  let tables: ReturnType<Warehouse['catalog']> | undefined;
  const inLane = lanes(SESSIONS);
  return {
    ...warehouse,
    catalog: () => {
      tables ??= warehouse.catalog();
      return tables;
    },
    fetch: (statement, options) => inLane(() => warehouse.fetch(statement, options)),
    describe: (statement, options) => inLane(() => warehouse.describe(statement, options)),
  };
}

const hasLiteralSecret = (config: object): boolean =>
  Object.entries(config).some(
    ([key, value]) =>
      isLiteralSecret(key, value) || (value !== null && typeof value === 'object' && hasLiteralSecret(value)),
  );

/** Connections marked optional whose files are not there. */
async function absentConnections(
  connections: WantedConnection[],
  open: (name: string) => Promise<Warehouse>,
): Promise<string[]> {
  const absent: string[] = [];
  for (const { name, config } of connections) {
    if (!('optional' in config) || config.optional !== true) continue;
    await open(name).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'not_found') absent.push(name);
    });
  }
  return absent;
}

/** What is new or changed is opened once: the control database and addresses out of bounds are refused here. */
async function connectionFaults(
  connections: WantedConnection[],
  absent: string[],
  open: (name: string) => Promise<Warehouse>,
): Promise<{ name: string; fault: Problem }[]> {
  const tried = connections.filter(({ name, changed }) => changed && !absent.includes(name));
  const faults = await inParallel(tried, 4, async ({ name }) => {
    try {
      await open(name);
      return [];
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return [{ name, fault: error }];
    }
  });
  return faults.flat();
}

function without(project: Project, absent: string[]): Project {
  if (absent.length === 0) return project;
  const lenses = project.lenses.filter(({ file }) => !absent.includes(file.connection));
  const names = new Set(lenses.map(({ name }) => name));
  const groups = Object.entries(project.config.groups).map(([group, body]) => [
    group,
    { lenses: body.lenses.filter((lens) => names.has(lens)) },
  ]);
  return { ...project, lenses, config: { ...project.config, groups: Object.fromEntries(groups) } };
}

function wantLenses(project: Project, files: Record<string, string>, connections: WantedConnection[]): WantedLens[] {
  const folders = new Map<string, [string, string][]>();
  for (const [path, text] of Object.entries(files)) {
    const [, folder, file] = /^lenses\/([^/]+)\/(.+)$/s.exec(path) ?? [];
    if (!folder || !file) continue;
    const own = folders.get(folder);
    if (own) own.push([file, text]);
    else folders.set(folder, [[file, text]]);
  }
  const { definitions, entities } = project;
  const shared = sha256(canonicalJson({ compiler: COMPILER, definitions, entities }));
  const asked = new Map(connections.map(({ name, config }) => [name, canonicalJson(secretless(config))]));
  return project.lenses.map(({ name, path, file }) => {
    const own = Object.fromEntries(folders.get(name) ?? []);
    const sourceSha256 = sha256(canonicalJson({ own, shared, connection: asked.get(file.connection) ?? null }));
    return { name, path, files: own, sourceSha256, compiled: null };
  });
}

/** A new password is no reason to compile again. */
const secretless = (config: object): unknown =>
  JSON.parse(JSON.stringify(config, (key, value: unknown) => (isLiteralSecret(key, value) ? '' : value)));

function corpusConflicts(project: Project, state: DeployedState): ProjectProblem[] {
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
