// Compiles the changed lenses and checks each against its warehouse, several at once and outside a transaction.
import { checkAgainstWarehouse } from '../../lens/compile/check-against-warehouse.ts';
import { findNameConflicts } from '../../lens/compile/check-names.ts';
import { warnOfOpenDatasets } from '../../lens/compile/check-open-datasets.ts';
import { createProgressReporter, type ReportProgress } from '../../lens/compile/checked-warehouse.ts';
import { compileLens } from '../../lens/compile/compile-lens.ts';
import type { ProjectProblem } from '../../lens/files/project-problem.ts';
import type { Project, ProjectLens } from '../../lens/files/read-project.ts';
import { Problem } from '../../platform/problem.ts';
import { mapInParallel } from '../../platform/schedule/in-parallel.ts';
import { findCertifiedFault } from '../certified/check-certified.ts';
import type { AssignedAttribute } from '../identity/caller-repository.ts';
import { withDictionaries } from '../lenses/with-dictionaries.ts';
import type { Warehouse } from '../ports.ts';
import { canonicalJson, sha256 } from '../receipts/canonical-json.ts';
import { findAttributeProblems } from './check-attributes.ts';
import { checkStandards } from './check-standards.ts';
import type { WantedLens } from './project-state.ts';
import { type ReadDictionary, readDictionaries } from './read-dictionaries.ts';

export interface CheckedLens {
  wantedLens: WantedLens;
  dictionaries: ReadDictionary[];
  problems: ProjectProblem[];
  warnings: string[];
}
const MAX_CONCURRENT_CHECKS = 4;

export function checkLenses(
  project: Project,
  wantedLenses: WantedLens[],
  changedNames: ReadonlySet<string>,
  openWarehouse: (connection: string) => Promise<Warehouse>,
  options: {
    assignedAttributes: AssignedAttribute[];
    report?: ReportProgress | undefined;
    signal?: AbortSignal | undefined;
    /** The number of approved entries outside files, by lens. */
    approvedByApi?: ReadonlyMap<string, number>;
  },
): Promise<CheckedLens[]> {
  // If only one lens has changed, reports progress within that lens. Otherwise reports the number of checked lenses.
  const reportWithinLens = changedNames.size === 1 ? options.report : undefined;
  const sources = new Map(project.lenses.map((lens) => [lens.name, lens]));
  return mapInParallel(
    wantedLenses,
    MAX_CONCURRENT_CHECKS,
    async (lens) => {
      const source = sources.get(lens.name)!;
      const checkedLens = changedNames.has(lens.name)
        ? await checkLens(project, source, lens, openWarehouse, reportWithinLens)
        : createUncheckedLens(lens);
      if (changedNames.has(lens.name))
        checkedLens.problems.push(
          ...(await findAttributeProblems(
            project,
            source,
            checkedLens.wantedLens.compiled?.lens ?? null,
            options.assignedAttributes,
          )),
        );
      const approvedCount =
        source.certified.filter(({ file }) => file.status === 'approved').length +
        (options.approvedByApi?.get(lens.name) ?? 0);
      for (const fault of checkStandards(source.file, approvedCount, project.config.standards))
        checkedLens.problems.push(
          source.complain(
            fault.path,
            'standard',
            fault.message,
            fault.severity === 'warning' ? { severity: 'warning' } : {},
          ),
        );
      options.signal?.throwIfAborted();
      return checkedLens;
    },
    reportWithinLens ? undefined : createProgressReporter(options.report, 'lenses'),
  );
}

const createUncheckedLens = (wantedLens: WantedLens): CheckedLens => ({
  wantedLens,
  dictionaries: [],
  problems: [],
  warnings: [],
});

async function checkLens(
  project: Project,
  source: ProjectLens,
  wantedLens: WantedLens,
  openWarehouse: (connection: string) => Promise<Warehouse>,
  report: ReportProgress | undefined,
): Promise<CheckedLens> {
  const failedLens = (problems: ProjectProblem[]): CheckedLens => ({ ...createUncheckedLens(wantedLens), problems });
  const connection = project.config.connections[source.file.connection];
  if (!connection) return failedLens([]); // readProject has already reported this fault
  let warehouse: Warehouse;
  try {
    warehouse = await openWarehouse(source.file.connection);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return failedLens([source.complain(['connection'], error.code, `The lens can't be checked: ${error.message}`)]);
  }
  const { lens, problems } = await compileLens(source, {
    definitions: project.definitions,
    entities: project.entities,
    dialect: warehouse.dialect,
  });
  if (!lens) return failedLens(problems);
  try {
    problems.push(...(await checkAgainstWarehouse(lens, warehouse, source.complain, report)));
    problems.push(...warnOfOpenDatasets(lens, source.complain));
    problems.push(...(await findCertifiedProblems(lens, source, warehouse)));
    if (problems.some(({ severity }) => severity === 'error')) return failedLens(problems);
    const { dictionaries, warnings } = await readDictionaries(lens, warehouse, { report });
    for (const { at, code, message } of findNameConflicts(withDictionaries(lens, dictionaries)))
      problems.push(source.complain(at, code, message, { severity: 'warning' }));
    const contentSha256 = sha256(canonicalJson({ lens, files: wantedLens.files }));
    return { wantedLens: { ...wantedLens, compiled: { lens, contentSha256 } }, dictionaries, problems, warnings };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return failedLens([
      ...problems,
      source.complain(['connection'], error.code, `The lens can't be checked: ${error.message}`),
    ]);
  }
}

async function findCertifiedProblems(
  lens: Parameters<typeof findCertifiedFault>[0],
  source: ProjectLens,
  warehouse: Warehouse,
): Promise<ProjectProblem[]> {
  const approvedEntries = source.certified.filter(({ file }) => file.status === 'approved');
  const faults = await mapInParallel(approvedEntries, 4, async ({ file, index, complain }) => {
    const sqlPath = index === null ? ['sql'] : [index, 'sql'];
    const fault = await findCertifiedFault(lens, file, warehouse);
    return fault && complain(sqlPath, 'certified_sql', `The SQL of "${file.id}" does not run: ${fault}`);
  });
  return faults.filter((problem) => problem !== null && problem !== '');
}
