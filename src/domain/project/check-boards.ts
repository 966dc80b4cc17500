import { compileLens } from '../../lens/compile/compile-lens.ts';
import type { ProjectProblem } from '../../lens/files/project-problem.ts';
import type { Project } from '../../lens/files/read-project.ts';
import type { Lens } from '../../lens/model/lens.ts';
import { bindPlan } from '../../plan/bind/bind-plan.ts';
import { Problem } from '../../platform/problem.ts';
import type { Warehouse } from '../ports.ts';
import type { CheckedLens } from './check-lenses.ts';

/** Tiles whose lens has problems are skipped. */
export async function findBoardProblems(
  project: Project,
  checkedLenses: CheckedLens[],
  openWarehouse: (connection: string) => Promise<Warehouse>,
  now: Date,
): Promise<ProjectProblem[]> {
  const problems: ProjectProblem[] = [];
  const lenses = new Map<string, Promise<Lens | null>>();
  for (const { file, problemAt } of project.boards)
    for (const [index, tile] of file.tiles.entries()) {
      if (!('plan' in tile)) continue;
      if (!lenses.has(tile.lens)) lenses.set(tile.lens, findLens(tile.lens));
      const lens = await lenses.get(tile.lens);
      if (!lens) continue;
      try {
        bindPlan(lens, tile.plan, now);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const details =
          error.details.length > 0 ? error.details : [{ path: '', code: error.code, message: error.message }];
        for (const { path, code, message } of details)
          problems.push(problemAt(['tiles', index, 'plan', ...splitPath(path)], code, message));
      }
    }
  return problems;

  async function findLens(name: string): Promise<Lens | null> {
    const checkedLens = checkedLenses.find(({ desiredLens }) => desiredLens.name === name);
    if (checkedLens?.desiredLens.compiled) return checkedLens.desiredLens.compiled.lens;
    const source = project.lenses.find((lens) => lens.name === name);
    if (!source || !checkedLens || checkedLens.problems.some(({ severity }) => severity === 'error')) return null;
    // An unchanged lens hasn't been compiled yet, so svc compiles it here.
    const warehouse = await openWarehouse(source.file.connection).catch(() => null);
    return warehouse && (await compileLens(source, { ...project, dialect: warehouse.dialect })).lens;
  }
}

/** Splits a path such as filters[0].field. */
const splitPath = (path: string): (string | number)[] =>
  (path.match(/[^.[\]]+/g) ?? []).map((part) => (/^\d+$/.test(part) ? Number(part) : part));
