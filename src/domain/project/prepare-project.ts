// Prepares the wanted state of a project and finds its problems: reads the files, compares them with the deployed
// state, and compiles and checks lenses. Reads the control database only through `state`, and opens and closes
// warehouses of the new files.
import type { ProjectProblem } from '../../lens/files/project-problem.ts';
import { canonicalJson, sha256 } from '../receipts/canonical-json.ts';
import { operatorOnlyProblems, operatorVariableProblems, variableProblems } from './check-config.ts';
import { checkLenses } from './check-lenses.ts';
import { findCorpusConflicts, findLensConflicts } from './conflicts-with-api.ts';
import { findConnectionsInUse } from './connections-in-use.ts';
import { hideLiteralSecrets, readConfigFile, readFiles } from './files/read-files.ts';
import type { PreparedProject } from './prepared-project.ts';
import type { ProjectDeps, ProjectRequest } from './project-deps.ts';
import type { DeployedState } from './project-state.ts';
import {
  createWarehouseCache,
  experimentalWarnings,
  findAbsentConnections,
  findConnectionFaults,
} from './wanted/open-wanted.ts';
import { readWantedConnections } from './wanted/wanted-connections.ts';
import {
  wantedBoards,
  wantedCertified,
  wantedEvals,
  wantedGrants,
  wantedSemantic,
  wantedSettings,
} from './wanted/wanted-corpus.ts';
import { COMPILER_VERSION, computeHashes, readWantedLenses, withoutConnections } from './wanted/wanted-lenses.ts';

export async function prepareProject(
  deps: ProjectDeps,
  request: ProjectRequest,
  state: DeployedState,
): Promise<PreparedProject> {
  const files = await hideLiteralSecrets(request.orgId, request.files);
  const config = await readConfigFile(request.orgId, request.files['svc.config.yaml'] ?? '');
  const problems: ProjectProblem[] = [];
  const warnings: string[] = [];
  if (config.value) {
    if (!request.fromOperator && !request.ignoreOperatorKeys)
      problems.push(...operatorOnlyProblems(config.value, deps.operatorConfig(), config.complain));
    if (request.fromOperator)
      problems.push(...operatorVariableProblems(config.value, deps.operatorVariables, config.complain));
  }
  const connections = readWantedConnections(
    deps,
    request,
    state,
    config.value?.connections ?? {},
    (name, code, message) => void problems.push(config.complain(['connections', name], code, message)),
  );
  if (config.value && !request.fromOperator) {
    const grantedVariables = await deps.grantedVariables(request.orgId);
    problems.push(
      ...variableProblems(config.value, connections, grantedVariables, deps.operatorConfig(), config.complain),
    );
  }
  // If the file svc.config.yaml is unreadable, no connection counts as changed.
  const { gone, turned } = config.value ? findConnectionsInUse(state, connections) : { gone: [], turned: [] };
  problems.push(...gone.map((message) => config.complain(['connections'], 'conflict', message)));
  warnings.push(...turned, ...experimentalWarnings(connections));
  const openedWarehouses = createWarehouseCache(deps, request, connections);
  try {
    const absent = await findAbsentConnections(connections, openedWarehouses.openWarehouse);
    const hashes = await computeHashes(files);
    const contentSha256 = sha256(canonicalJson({ compiler: COMPILER_VERSION, files: hashes, absent }));
    const identical =
      problems.length === 0 &&
      state.deployment?.contentSha256 === contentSha256 &&
      connections.every(({ changed }) => !changed);
    const preparedProject = { dictionaries: new Map(), touched: new Set<string>(), problems, warnings, identical };
    if (identical) return { ...preparedProject, wanted: { ...unchangedProject(files), contentSha256 } };
    const faulty = new Set(
      problems.map(({ pointer }) => pointer.split('/')).map(([, key, name]) => key === 'connections' && name),
    );
    const withoutFaults = connections.filter(({ name }) => !faulty.has(name));
    for (const { name, fault } of await findConnectionFaults(withoutFaults, absent, openedWarehouses.openWarehouse)) {
      if (fault.code === 'unreachable' || fault.code === 'timeout')
        warnings.push(`Connection "${name}" could not be opened: ${fault.message}`);
      else problems.push(config.complain(['connections', name], fault.code, fault.message));
    }
    const readProject = await readFiles(request.orgId, request.files);
    problems.push(...readProject.problems);
    for (const name of absent)
      warnings.push(`The files of connection "${name}" do not exist, so it and its lenses are skipped.`);
    const project = withoutConnections(readProject.project, absent);
    const lenses = readWantedLenses(project, files, hashes, connections);
    const storedByName = new Map(state.lenses.map((lens) => [lens.name, lens]));
    problems.push(...findLensConflicts(project, request.files, state));
    const touchedLenses = new Set(
      lenses
        .filter(
          ({ name, sourceSha256 }) =>
            storedByName.get(name)?.activeVersion == null || storedByName.get(name)?.sourceSha256 !== sourceSha256,
        )
        .map(({ name }) => name),
    );
    const approvedByApi = countsByLens(
      state.certified.filter(({ origin, status }) => origin === 'api' && status === 'approved'),
    );
    const progress = { ...request, approvedByApi };
    const checkedLenses = await checkLenses(project, lenses, touchedLenses, openedWarehouses.openWarehouse, {
      ...progress,
      assignedAttributes: state.attributes,
    });
    problems.push(...checkedLenses.flatMap((lens) => lens.problems), ...findCorpusConflicts(project, state));
    warnings.push(...checkedLenses.flatMap((lens) => lens.warnings));
    return {
      ...preparedProject,
      touched: touchedLenses,
      dictionaries: new Map(checkedLenses.map(({ wantedLens, dictionaries }) => [wantedLens.name, dictionaries])),
      wanted: {
        files,
        contentSha256,
        connections: connections.filter(({ name }) => !absent.includes(name)),
        lenses: checkedLenses.map(({ wantedLens }) => wantedLens),
        certified: wantedCertified(project),
        evals: wantedEvals(project),
        semantic: wantedSemantic(project),
        grants: wantedGrants(project),
        boards: wantedBoards(project),
        settings: wantedSettings(project.config),
      },
    };
  } finally {
    openedWarehouses.close();
  }
}

const unchangedProject = (files: Record<string, string>) => ({
  ...{
    files,
    connections: [],
    lenses: [],
    certified: [],
    evals: [],
    semantic: [],
    grants: [],
    boards: [],
    settings: {},
  },
});

function countsByLens(entries: readonly { lens: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { lens } of entries) counts.set(lens, (counts.get(lens) ?? 0) + 1);
  return counts;
}
