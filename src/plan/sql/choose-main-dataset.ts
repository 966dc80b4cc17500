// Chooses the dataset that each aggregate or listing reads in FROM, so that no row counts twice.

import {
  findBridgeDatasets,
  findCommonDataset,
  findDatasetOfPath,
  findPath,
  listReachablePaths,
} from '../../lens/model/join-paths.ts';
import type { Lens } from '../../lens/model/lens.ts';
import type { Compilation } from './compilation.ts';
import type { BaseAggregate } from './output.ts';

/**
 * Returns the aggregate's own dataset if all paths are reachable from it. Otherwise, if repeated rows don't change the
 * aggregate, returns a dataset from which the own dataset and all paths are reachable.
 */
export function chooseAggregateDataset(
  compilation: Compilation,
  baseAggregate: BaseAggregate,
  neededPaths: readonly string[],
): string {
  const { lens } = compilation;
  const unreachablePaths = neededPaths.filter(
    (path) => findPath(lens, baseAggregate.home, path).kind === 'unreachable',
  );
  if (unreachablePaths.length === 0) return baseAggregate.home;
  if (baseAggregate.repeatable) {
    const paths = [baseAggregate.home, ...neededPaths];
    const matchingDatasets = lens.datasets
      .map(({ name }) => name)
      .filter((candidate) => paths.every((path) => findPath(lens, candidate, path).kind === 'path'));
    const commonDataset =
      findCommonDataset(lens, paths) ?? (matchingDatasets.length === 1 ? matchingDatasets[0]! : null);
    if (commonDataset && matchingDatasets.includes(commonDataset)) return commonDataset;
  }
  const reachableDatasets = listReachablePaths(lens, baseAggregate.home).join(', ');
  for (const path of unreachablePaths)
    compilation.addFault(
      `${baseAggregate.name} can't be grouped or filtered by ${path}: ${findDatasetOfPath(lens, path)?.name ?? path} is not reachable from ${baseAggregate.home} through many-to-one joins, so a join could count a row several times. ${suggestPlanOrJoin(lens, baseAggregate.home, path)} You can use fields of ${reachableDatasets}.`,
      path,
      'fan_out',
    );
  return baseAggregate.home;
}

/** Suggests the closest plan that works, or names the missing join. */
function suggestPlanOrJoin(lens: Lens, mainDataset: string, path: string): string {
  const [bridge] = findBridgeDatasets(lens, mainDataset, path);
  return bridge
    ? `To group by ${path}, use {"field": "${path}.…", "through": "${bridge}"}. A row then counts once for each of its values. To filter by ${path}, use {"exists": "${bridge}", "where": [{"field": "${path}.…", …}]}.`
    : `No declared relationship joins ${mainDataset} and ${path}, and no dataset refers to both.`;
}

export function chooseListingDataset(
  compilation: Compilation,
  requestedDataset: string | undefined,
  shownPaths: string[],
  restrictingPaths: string[],
  distinct: boolean,
): string | null {
  const { lens } = compilation;
  if (requestedDataset) return requestedDataset;
  // A distinct listing can also read rows with repeated values.
  const mainDataset =
    findCommonDataset(lens, distinct ? [...shownPaths, ...restrictingPaths] : shownPaths) ??
    findCommonDataset(lens, shownPaths);
  if (!mainDataset)
    compilation.addFault(
      `No declared relationship joins ${[...new Set(shownPaths)].join(' and ')} many to one. List each in its own plan${describeMissingJoin(lens, shownPaths)}.`,
      'dimensions',
      'fan_out',
    );
  return mainDataset;
}

/** A join that the lens could declare, because the other dataset has a field with the name of a primary key. */
function describeMissingJoin(lens: Lens, shownPaths: string[]): string {
  const datasets = [...new Set(shownPaths)].flatMap((path) => findDatasetOfPath(lens, path) ?? []);
  const joins = datasets.flatMap((to) =>
    datasets.flatMap((from) => {
      const [key, second] = to.primaryKey;
      const matchesKey =
        from !== to && key !== undefined && second === undefined && from.fields.some(({ name }) => name === key);
      return matchesKey ? [`{from: ${from.name}.${key}, to: ${to.name}.${key}}`] : [];
    }),
  );
  return joins.length > 0
    ? `, or declare their join in the lens: ${joins.join(' or ')}`
    : ', or ask for one of them with a condition on the other: {"exists": "DATASET"}';
}
