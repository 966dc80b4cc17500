// Prepares the desired state of a project and finds its problems. Reads the control database only through `state`.
import { isDeepStrictEqual } from 'node:util';
import type { ProjectProblem } from '../../lens/files/project-problem.ts';
import type { Project } from '../../lens/files/read-project.ts';
import type { ProblemFactory } from '../../lens/files/yaml-file.ts';
import { computeSha256, toCanonicalJson } from '../receipts/canonical-json.ts';
import { findBoardProblems } from './check-boards.ts';
import { findOperatorOnlyProblems, findOperatorVariableProblems, findVariableProblems } from './check-config.ts';
import { type CheckedLens, checkLenses } from './check-lenses.ts';
import { readDesiredConnections } from './desired/desired-connections.ts';
import {
  toDesiredBoards,
  toDesiredCertifiedEntries,
  toDesiredEvals,
  toDesiredGrants,
  toDesiredSemanticObjects,
  toDesiredSettings,
} from './desired/desired-corpus.ts';
import { COMPILER_VERSION, hashFiles, readDesiredLenses, withoutConnections } from './desired/desired-lenses.ts';
import {
  createWarehouseCache,
  findConnectionFaults,
  findConnectionsWithMissingFiles,
  findExperimentalConnections,
} from './desired/warehouse-cache.ts';
import { hideLiteralSecrets, readFile, readFiles } from './files/read-files.ts';
import { findConnectionsInUse, findCorpusConflicts, findLensConflicts } from './find-api-conflicts.ts';
import type { PreparedProject, ProjectDeps, ProjectRequest, UnchangedProject } from './project-deps.ts';
import type { DeployedState, DesiredConnection } from './project-state.ts';

interface PreparedConfig {
  problemAt: ProblemFactory;
  connections: DesiredConnection[];
  problems: ProjectProblem[];
  warnings: string[];
}

/** `mergeProblems` are conflicts between the files and API edits. */
export async function prepareProject(
  deps: ProjectDeps,
  request: ProjectRequest,
  state: DeployedState,
  mergeProblems: readonly ProjectProblem[],
): Promise<PreparedProject | UnchangedProject> {
  const { files, ...config } = await prepareConfig(deps, request, state);
  const { connections, warnings, problemAt } = config;
  const problems = [...mergeProblems, ...config.problems];
  const { openWarehouse, close } = createWarehouseCache(deps, request, connections);
  try {
    const missingNames = await findConnectionsWithMissingFiles(connections, openWarehouse);
    const hashes = await hashFiles(files);
    const contentSha256 = computeSha256(
      toCanonicalJson({ compiler: COMPILER_VERSION, files: hashes, absent: missingNames }),
    );
    const isSameContent = state.deployment?.contentSha256 === contentSha256;
    if (problems.length === 0 && isSameContent && connections.every(({ changed }) => !changed))
      return { desiredState: null, warnings };
    const faultyNames = new Set(
      problems.map(({ pointer }) => pointer.split('/')).map(([, key, name]) => key === 'connections' && name),
    );
    const openableConnections = connections.filter(
      ({ name, changed }) => changed && !faultyNames.has(name) && !missingNames.includes(name),
    );
    for (const { name, fault } of await findConnectionFaults(openableConnections, openWarehouse)) {
      if (fault.code === 'unreachable' || fault.code === 'timeout')
        warnings.push(`Connection "${name}" could not be opened: ${fault.message}`);
      else problems.push(problemAt(['connections', name], fault.code, fault.message));
    }
    const readResult = await readFiles(request.orgId, request.files);
    problems.push(...readResult.problems.filter((problem) => !problems.some((own) => isDeepStrictEqual(own, problem))));
    for (const name of missingNames)
      warnings.push(`The files of connection "${name}" do not exist, so svc skips the connection and its lenses.`);
    const project = withoutConnections(readResult.project, missingNames);
    const lenses = readDesiredLenses(project, files, hashes, connections);
    problems.push(...findLensConflicts(project, request.files, state));
    const storedByName = new Map(state.lenses.map((lens) => [lens.name, lens]));
    const changedLenses = lenses.filter(({ name, sourceSha256 }) => {
      const stored = storedByName.get(name);
      return stored?.activeVersion == null || stored.sourceSha256 !== sourceSha256;
    });
    const changedLensNames = new Set(changedLenses.map(({ name }) => name));
    const checkedLenses = await checkLenses(project, lenses, changedLensNames, openWarehouse, {
      ...request,
      approvedByApi: countByLens(
        state.certified.filter(({ origin, status }) => origin === 'api' && status === 'approved'),
      ),
      assignedAttributes: state.attributes,
      configProblemAt: problemAt,
    });
    const [certified, evals] = [toDesiredCertifiedEntries(project), toDesiredEvals(project)];
    problems.push(
      ...deduplicateLensProblems(checkedLenses, problems),
      ...findCorpusConflicts('A certified entry', certified, state.certified),
      ...findCorpusConflicts('An eval', evals, state.evals),
      ...(await findBoardProblems(project, checkedLenses, openWarehouse, deps.clock.now())),
      ...findUnusedTerms(project, checkedLenses),
    );
    warnings.push(...checkedLenses.flatMap((lens) => lens.warnings));
    return {
      ...{ problems, warnings, changedLensNames },
      dictionaries: new Map(checkedLenses.map(({ desiredLens, dictionaries }) => [desiredLens.name, dictionaries])),
      desiredState: {
        ...{ files, contentSha256, certified, evals },
        connections: connections.filter(({ name }) => !missingNames.includes(name)),
        lenses: checkedLenses.map(({ desiredLens }) => desiredLens),
        semantic: toDesiredSemanticObjects(project),
        grants: toDesiredGrants(project),
        boards: toDesiredBoards(project),
        settings: toDesiredSettings(project.config),
      },
    };
  } finally {
    close();
  }
}

/** The returned files have no literal secrets. */
async function prepareConfig(
  deps: ProjectDeps,
  request: ProjectRequest,
  state: DeployedState,
): Promise<PreparedConfig & { files: Record<string, string> }> {
  const text = request.files['svc.config.yaml'] ?? '';
  const { value: config, problemAt, ...readResult } = await readFile(request.orgId, 'config', 'svc.config.yaml', text);
  const problems = [...readResult.problems];
  const connections = readDesiredConnections(
    deps,
    request,
    state,
    config?.connections ?? {},
    (name, code, message) => void problems.push(problemAt(['connections', name], code, message)),
  );
  const warnings = findExperimentalConnections(connections);
  // svc can't find the secrets of an unreadable file, so it returns an empty file. No connection counts as changed.
  if (!config)
    return { problemAt, connections, problems, warnings, files: { ...request.files, 'svc.config.yaml': '' } };
  if (request.fromOperator) problems.push(...findOperatorVariableProblems(config, deps.operatorVariables, problemAt));
  else {
    const operatorConfig = deps.getOperatorConfig();
    const grantedVariables = await deps.readGrantedVariables(request.orgId);
    if (!request.ignoreOperatorKeys) problems.push(...findOperatorOnlyProblems(config, operatorConfig, problemAt));
    problems.push(...findVariableProblems(config, connections, grantedVariables, operatorConfig, problemAt));
  }
  const inUse = findConnectionsInUse(state, connections);
  problems.push(...inUse.removed.map((message) => problemAt(['connections'], 'conflict', message)));
  warnings.unshift(...inUse.changedKind);
  return { problemAt, connections, problems, warnings, files: await hideLiteralSecrets(request.orgId, request.files) };
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

/** If a lens wasn't compiled, no term counts as unused, because that lens may use any term. */
function findUnusedTerms(
  { definitions, createDefinitionsProblem, lenses }: Project,
  checkedLenses: CheckedLens[],
): ProjectProblem[] {
  if (!createDefinitionsProblem || lenses.length === 0) return [];
  return definitions.flatMap(({ term }, index) => {
    const reasons = checkedLenses.map(({ unusedTerms }) => unusedTerms?.get(index));
    if (reasons.some((reason) => reason === undefined)) return [];
    const lensIndex = Math.max(
      reasons.findIndex((reason) => reason!.includes('Did you mean')),
      0,
    );
    const message = `No lens can use the term "${term}". In ${checkedLenses[lensIndex]!.desiredLens.name}: ${reasons[lensIndex]}`;
    return [createDefinitionsProblem([index], 'unused_term', message, { severity: 'warning' })];
  });
}

function countByLens(entries: readonly { lens: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { lens } of entries) counts.set(lens, (counts.get(lens) ?? 0) + 1);
  return counts;
}
