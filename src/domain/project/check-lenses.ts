// svc checks several lenses at once, outside a transaction.
import { checkAgainstWarehouse } from '../../lens/compile/check-against-warehouse.ts';
import { findNameConflicts } from '../../lens/compile/check-names.ts';
import { findOpenDatasetWarnings } from '../../lens/compile/check-open-datasets.ts';
import { createProgressReporter, type ProgressReporter } from '../../lens/compile/checked-warehouse.ts';
import { compileLens } from '../../lens/compile/compile-lens.ts';
import type { ProjectProblem } from '../../lens/files/project-problem.ts';
import type { Project, ProjectLens } from '../../lens/files/read-project.ts';
import type { ProblemFactory } from '../../lens/files/yaml-file.ts';
import type { Lens } from '../../lens/model/lens.ts';
import { Problem } from '../../platform/problem.ts';
import { mapInParallel } from '../../platform/schedule/in-parallel.ts';
import { findCertifiedFault } from '../certified/guard-entry.ts';
import { findParameterFaults } from '../certified/parameters.ts';
import type { AssignedAttribute } from '../identity/caller-repository.ts';
import type { Warehouse } from '../ports.ts';
import { computeSha256, toCanonicalJson } from '../receipts/canonical-json.ts';
import { findAttributeProblems } from './check-attributes.ts';
import { checkStandards } from './check-standards.ts';
import type { DesiredLens } from './project-state.ts';
import { findAbsentValues, type ReadDictionary, readDictionaries, withDictionaries } from './read-dictionaries.ts';

export interface CheckedLens {
  desiredLens: DesiredLens;
  dictionaries: ReadDictionary[];
  problems: ProjectProblem[];
  warnings: string[];
  /** The reasons why the lens can't use shared terms, by the index of the term. */
  unusedTerms?: ReadonlyMap<number, string>;
}
const MAX_CONCURRENT_CHECKS = 4;

export function checkLenses(
  project: Project,
  desiredLenses: DesiredLens[],
  changedNames: ReadonlySet<string>,
  openWarehouse: (connection: string) => Promise<Warehouse>,
  options: {
    assignedAttributes: AssignedAttribute[];
    report?: ProgressReporter | undefined;
    signal?: AbortSignal | undefined;
    /** Reports problems of connections. Absent for a draft, which comes without svc.config.yaml. */
    configProblemAt?: ProblemFactory;
    /** Approved entries created through the API, by lens. */
    approvedByApi?: ReadonlyMap<string, number>;
  },
): Promise<CheckedLens[]> {
  // For a single changed lens, svc reports progress within the lens. Otherwise, it counts the checked lenses.
  const reportWithinLens = changedNames.size === 1 ? options.report : undefined;
  const sources = new Map(project.lenses.map((lens) => [lens.name, lens]));
  return mapInParallel(
    desiredLenses,
    MAX_CONCURRENT_CHECKS,
    async (lens) => {
      const source = sources.get(lens.name)!;
      let checkedLens: CheckedLens = { desiredLens: lens, dictionaries: [], problems: [], warnings: [] };
      if (changedNames.has(lens.name)) {
        const checkOptions = { report: reportWithinLens, configProblemAt: options.configProblemAt };
        checkedLens = await checkLens(project, source, lens, openWarehouse, checkOptions);
        const compiledLens = checkedLens.desiredLens.compiled?.lens ?? null;
        checkedLens.problems.push(
          ...(await findAttributeProblems(project, source, compiledLens, options.assignedAttributes)),
        );
      }
      const approvedCount =
        source.certified.filter(({ file }) => file.status === 'approved').length +
        (options.approvedByApi?.get(lens.name) ?? 0);
      for (const { path, message, severity } of checkStandards(source.file, approvedCount, project.config.standards)) {
        const problem = source.problemAt(path, 'standard', message);
        checkedLens.problems.push({ ...problem, severity });
      }
      options.signal?.throwIfAborted();
      return checkedLens;
    },
    reportWithinLens ? undefined : createProgressReporter(options.report, 'lenses'),
  );
}

async function checkLens(
  project: Project,
  source: ProjectLens,
  desiredLens: DesiredLens,
  openWarehouse: (connection: string) => Promise<Warehouse>,
  { report, configProblemAt }: { report: ProgressReporter | undefined; configProblemAt: ProblemFactory | undefined },
): Promise<CheckedLens> {
  const createFailedLens = (problems: ProjectProblem[]): CheckedLens => ({
    ...{ desiredLens, dictionaries: [], problems, warnings: [] },
  });
  // readProject has already reported this error.
  if (!project.config.connections[source.file.connection]) return createFailedLens([]);
  let warehouse: Warehouse;
  try {
    warehouse = await openWarehouse(source.file.connection);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return createFailedLens([createConnectionProblem(source, error, configProblemAt)]);
  }
  const { lens, problems, unusedTerms } = await compileLens(source, { ...project, dialect: warehouse.dialect });
  if (!lens) return createFailedLens(problems);
  try {
    problems.push(...(await checkAgainstWarehouse(lens, warehouse, source.problemAt, report)));
    problems.push(...findOpenDatasetWarnings(lens, source.problemAt));
    problems.push(...(await findCorpusProblems(lens, source, warehouse)));
    if (problems.some(({ severity }) => severity === 'error')) return createFailedLens(problems);
    problems.push(...(await findAbsentValues(lens, warehouse, source.problemAt)));
    const { dictionaries, warnings } = await readDictionaries(lens, warehouse, { report });
    for (const { at, code, message } of findNameConflicts(withDictionaries(lens, dictionaries)))
      problems.push(source.problemAt(at, code, message, { severity: 'warning' }));
    const contentSha256 = computeSha256(toCanonicalJson({ lens, files: desiredLens.files }));
    const compiled = { lens, contentSha256 };
    return { desiredLens: { ...desiredLens, compiled }, dictionaries, problems, warnings, unusedTerms };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return createFailedLens([...problems, createConnectionProblem(source, error, configProblemAt)]);
  }
}

/** In a project, the error is in svc.config.yaml, which declares the connection for all of its lenses. */
const createConnectionProblem = (
  { file, problemAt }: ProjectLens,
  { code, message }: Problem,
  configProblemAt: ProblemFactory | undefined,
): ProjectProblem =>
  configProblemAt
    ? configProblemAt(
        ['connections', file.connection],
        code,
        `The lenses of connection "${file.connection}" can't be checked: ${message}`,
      )
    : problemAt(['connection'], code, `The lens can't be checked: ${message}`);

async function findCorpusProblems(lens: Lens, source: ProjectLens, warehouse: Warehouse): Promise<ProjectProblem[]> {
  const parameterFaults = source.certified.flatMap(({ file, problemAt }) =>
    findParameterFaults({ ...file, alsoAsked: file.also_asked }).map(({ at, code, message }) =>
      problemAt(at, code, message),
    ),
  );
  const approvedEntries = source.certified.filter(({ file }) => file.status === 'approved');
  const faults = await mapInParallel(approvedEntries, 4, async ({ file, problemAt }) => {
    const fault = await findCertifiedFault(lens, file, warehouse);
    return fault ? [problemAt(['sql'], 'certified_sql', `The SQL of "${file.id}" does not run: ${fault}`)] : [];
  });
  const expectedFaults = await mapInParallel(source.evals, 4, async ({ file: { id, expect }, problemAt }) => {
    const fault =
      'sql' in expect ? await findCertifiedFault(lens, { sql: expect.sql, parameters: {} }, warehouse) : null;
    const message = `The expected SQL of the eval "${id}" does not run: ${fault}`;
    return fault ? [problemAt(['expect', 'sql'], 'expression', message, { severity: 'warning' })] : [];
  });
  return [...parameterFaults, ...faults.flat(), ...expectedFaults.flat()];
}
