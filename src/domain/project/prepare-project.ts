// Prepares the wanted state of project files, with every problem: reads them, compares them with the deployed state,
// and compiles and checks lenses. Reads the control database only through `state`, and opens and closes warehouses of
// the new files.
import type { ProjectProblem } from '../../lens/files/project-problem.ts';
import { canonicalJson, sha256 } from '../receipts/canonical-json.ts';
import { operatorOnlyProblems, operatorVariableProblems, variableProblems } from './check-config.ts';
import { checkLenses } from './check-lenses.ts';
import { corpusConflicts, lensConflicts } from './conflicts-with-api.ts';
import { connectionsInUse } from './connections-in-use.ts';
import { hideLiteralSecrets, readConfigFile, readFiles } from './files/read-files.ts';
import type { PreparedProject } from './prepared-project.ts';
import type { ProjectDeps, ProjectRequest } from './project-deps.ts';
import type { DeployedState } from './project-state.ts';
import { absentConnections, connectionFaults, experimentalEngines, openWanted } from './wanted/open-wanted.ts';
import { wantedConnections } from './wanted/wanted-connections.ts';
import {
  wantedBoards,
  wantedCertified,
  wantedEvals,
  wantedGrants,
  wantedSemantic,
  wantedSettings,
} from './wanted/wanted-corpus.ts';
import { COMPILER_VERSION, hashesOf, wantedLenses, withoutConnections } from './wanted/wanted-lenses.ts';

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
  const connections = wantedConnections(
    deps,
    request,
    state,
    config.value?.connections ?? {},
    (name, code, message) => void problems.push(config.complain(['connections', name], code, message)),
  );
  if (config.value && !request.fromOperator) {
    const granted = await deps.grantedVariables(request.orgId);
    problems.push(...variableProblems(config.value, connections, granted, deps.operatorConfig(), config.complain));
  }
  // An unreadable file changes no connections.
  const { gone, turned } = config.value ? connectionsInUse(state, connections) : { gone: [], turned: [] };
  problems.push(...gone.map((message) => config.complain(['connections'], 'conflict', message)));
  warnings.push(...turned, ...experimentalEngines(connections));
  const opened = openWanted(deps, request, connections);
  try {
    const absent = await absentConnections(connections, opened.open);
    const hashes = await hashesOf(files);
    const contentSha256 = sha256(canonicalJson({ compiler: COMPILER_VERSION, files: hashes, absent }));
    const identical =
      problems.length === 0 &&
      state.deployment?.contentSha256 === contentSha256 &&
      connections.every(({ changed }) => !changed);
    const prepared = { dictionaries: new Map(), touched: new Set<string>(), problems, warnings, identical };
    if (identical) return { ...prepared, wanted: { ...unchangedProject(files), contentSha256 } };
    const faulty = new Set(
      problems.map(({ pointer }) => pointer.split('/')).map(([, key, name]) => key === 'connections' && name),
    );
    const withoutFaults = connections.filter(({ name }) => !faulty.has(name));
    for (const { name, fault } of await connectionFaults(withoutFaults, absent, opened.open)) {
      if (fault.code === 'unreachable' || fault.code === 'timeout')
        warnings.push(`Connection "${name}" could not be opened: ${fault.message}`);
      else problems.push(config.complain(['connections', name], fault.code, fault.message));
    }
    const read = await readFiles(request.orgId, request.files);
    problems.push(...read.problems);
    for (const name of absent)
      warnings.push(`The files of connection "${name}" do not exist, so it and its lenses are skipped.`);
    const project = withoutConnections(read.project, absent);
    const lenses = wantedLenses(project, files, hashes, connections);
    const stored = new Map(state.lenses.map((lens) => [lens.name, lens]));
    problems.push(...lensConflicts(project, request.files, state));
    const touched = new Set(
      lenses
        .filter(
          ({ name, sourceSha256 }) =>
            stored.get(name)?.activeVersion == null || stored.get(name)?.sourceSha256 !== sourceSha256,
        )
        .map(({ name }) => name),
    );
    const approvedByApi = countsByLens(
      state.certified.filter(({ origin, status }) => origin === 'api' && status === 'approved'),
    );
    const progress = { ...request, approvedByApi };
    const checked = await checkLenses(project, lenses, touched, opened.open, { ...progress, given: state.attributes });
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
        boards: wantedBoards(project),
        settings: wantedSettings(project.config),
      },
    };
  } finally {
    opened.close();
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
