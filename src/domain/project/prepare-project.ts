// Prepares the wanted state of a project and finds its problems: reads the files, compares them with the deployed
// state, and compiles and checks lenses. Reads the control database only through `state`. Opens and closes the
// warehouses that the new files declare.
import type { ProjectProblem } from '../../lens/files/project-problem.ts';
import type { Project } from '../../lens/files/read-project.ts';
import { canonicalJson, sha256 } from '../receipts/canonical-json.ts';
import { findBoardProblems } from './check-boards.ts';
import { findOperatorOnlyProblems, findOperatorVariableProblems, findVariableProblems } from './check-config.ts';
import { type CheckedLens, checkLenses } from './check-lenses.ts';
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
  wantedCertifiedEntries,
  wantedEvals,
  wantedGrants,
  wantedSemanticObjects,
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
      problems.push(...findOperatorOnlyProblems(config.value, deps.getOperatorConfig(), config.complain));
    if (request.fromOperator)
      problems.push(...findOperatorVariableProblems(config.value, deps.operatorVariables, config.complain));
  }
  const connections = readWantedConnections(
    deps,
    request,
    state,
    config.value?.connections ?? {},
    (name, code, message) => void problems.push(config.complain(['connections', name], code, message)),
  );
  if (config.value && !request.fromOperator) {
    const grantedVariables = await deps.readGrantedVariables(request.orgId);
    problems.push(
      ...findVariableProblems(config.value, connections, grantedVariables, deps.getOperatorConfig(), config.complain),
    );
  }
  // If the file svc.config.yaml is unreadable, no connection counts as changed.
  const inUse = config.value ? findConnectionsInUse(state, connections) : { removed: [], changedKind: [] };
  problems.push(...inUse.removed.map((message) => config.complain(['connections'], 'conflict', message)));
  warnings.push(...inUse.changedKind, ...experimentalWarnings(connections));
  const openedWarehouses = createWarehouseCache(deps, request, connections);
  try {
    const absentNames = await findAbsentConnections(connections, openedWarehouses.openWarehouse);
    const hashes = await computeHashes(files);
    const contentSha256 = sha256(canonicalJson({ compiler: COMPILER_VERSION, files: hashes, absent: absentNames }));
    const isUnchanged =
      problems.length === 0 &&
      state.deployment?.contentSha256 === contentSha256 &&
      connections.every(({ changed }) => !changed);
    const preparedProject = {
      dictionaries: new Map(),
      touched: new Set<string>(),
      problems,
      warnings,
      identical: isUnchanged,
    };
    if (isUnchanged) return { ...preparedProject, wantedState: { ...createUnchangedProject(files), contentSha256 } };
    const faultyNames = new Set(
      problems.map(({ pointer }) => pointer.split('/')).map(([, key, name]) => key === 'connections' && name),
    );
    const validConnections = connections.filter(({ name }) => !faultyNames.has(name));
    for (const { name, fault } of await findConnectionFaults(
      validConnections,
      absentNames,
      openedWarehouses.openWarehouse,
    )) {
      if (fault.code === 'unreachable' || fault.code === 'timeout')
        warnings.push(`Connection "${name}" could not be opened: ${fault.message}`);
      else problems.push(config.complain(['connections', name], fault.code, fault.message));
    }
    const readResult = await readFiles(request.orgId, request.files);
    problems.push(...readResult.problems);
    for (const name of absentNames)
      warnings.push(`The files of connection "${name}" do not exist, so it and its lenses are skipped.`);
    const project = withoutConnections(readResult.project, absentNames);
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
    const approvedByApi = countByLens(
      state.certified.filter(({ origin, status }) => origin === 'api' && status === 'approved'),
    );
    const checkOptions = { ...request, approvedByApi };
    const checkedLenses = await checkLenses(project, lenses, touchedLenses, openedWarehouses.openWarehouse, {
      ...checkOptions,
      assignedAttributes: state.attributes,
      complainInConfig: config.complain,
    });
    problems.push(
      ...deduplicateLensProblems(checkedLenses, problems),
      ...findCorpusConflicts(project, state),
      ...(await findBoardProblems(project, checkedLenses, openedWarehouses.openWarehouse, deps.clock.now())),
      ...findUnusedTerms(project, checkedLenses),
    );
    warnings.push(...checkedLenses.flatMap((lens) => lens.warnings));
    return {
      ...preparedProject,
      touched: touchedLenses,
      dictionaries: new Map(checkedLenses.map(({ wantedLens, dictionaries }) => [wantedLens.name, dictionaries])),
      wantedState: {
        files,
        contentSha256,
        connections: connections.filter(({ name }) => !absentNames.includes(name)),
        lenses: checkedLenses.map(({ wantedLens }) => wantedLens),
        certified: wantedCertifiedEntries(project),
        evals: wantedEvals(project),
        semantic: wantedSemanticObjects(project),
        grants: wantedGrants(project),
        boards: wantedBoards(project),
        settings: wantedSettings(project.config),
      },
    };
  } finally {
    openedWarehouses.close();
  }
}

/** Lists each problem of a connection or entity once, and skips connections that already have a problem. */
function deduplicateLensProblems(checkedLenses: CheckedLens[], ownProblems: ProjectProblem[]): ProjectProblem[] {
  const lensProblems = checkedLenses.flatMap(({ problems }) => problems);
  const isReported = ({ path, pointer }: ProjectProblem): boolean =>
    path === 'svc.config.yaml' &&
    ownProblems.some((own) => own.path === path && `${own.pointer}/`.startsWith(`${pointer}/`));
  return [...new Map(lensProblems.map((problem) => [JSON.stringify(problem), problem])).values()].filter(
    (problem) => !isReported(problem),
  );
}

/** Warns about shared terms that no lens can use. A lens that wasn't compiled may use any term. */
function findUnusedTerms(
  { definitions, createDefinitionsProblem: complainInDefinitions, lenses }: Project,
  checkedLenses: CheckedLens[],
): ProjectProblem[] {
  if (!complainInDefinitions || lenses.length === 0) return [];
  return definitions.flatMap(({ term }, index) => {
    const reasons = checkedLenses.map(({ unusedTerms }) => unusedTerms?.get(index));
    if (reasons.some((reason) => reason === undefined)) return [];
    const lensIndex = Math.max(
      reasons.findIndex((reason) => reason!.includes('Did you mean')),
      0,
    );
    const message = `No lens can use the term "${term}". In ${checkedLenses[lensIndex]!.wantedLens.name}: ${reasons[lensIndex]}`;
    return [complainInDefinitions([index], 'unused_term', message, { severity: 'warning' })];
  });
}

const createUnchangedProject = (files: Record<string, string>) => ({
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

function countByLens(entries: readonly { lens: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { lens } of entries) counts.set(lens, (counts.get(lens) ?? 0) + 1);
  return counts;
}
