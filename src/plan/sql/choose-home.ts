// Chooses the dataset that each aggregate or listing reads in FROM, so that no row counts twice.

import { bridgesBetween, commonHome, datasetOfPath, pathTo, reachable } from '../../lens/model/join-paths.ts';
import type { Lens } from '../../lens/model/lens.ts';
import type { Compilation } from './compilation.ts';
import type { Leaf } from './output.ts';

/**
 * The aggregate's own dataset or, if repeated rows don't change the result, the only dataset that leads to all paths.
 */
export function homeOfLeaf(compilation: Compilation, leaf: Leaf, neededPaths: readonly string[]): string {
  const { lens } = compilation;
  const unreachablePaths = neededPaths.filter((path) => pathTo(lens, leaf.home, path).kind === 'unreachable');
  if (unreachablePaths.length === 0) return leaf.home;
  if (leaf.repeatable) {
    const paths = [leaf.home, ...neededPaths];
    const matchingHomes = lens.datasets
      .map(({ name }) => name)
      .filter((candidate) => paths.every((path) => pathTo(lens, candidate, path).kind === 'path'));
    const commonDataset = commonHome(lens, paths) ?? (matchingHomes.length === 1 ? matchingHomes[0]! : null);
    if (commonDataset && matchingHomes.includes(commonDataset)) return commonDataset;
  }
  const valid = reachable(lens, leaf.home).join(', ');
  for (const path of unreachablePaths)
    compilation.fault(
      `${leaf.name} can't be grouped or filtered by ${path}: a row of ${leaf.home} has no single row of ${datasetOfPath(lens, path)?.name ?? path}, so it would be counted several times. ${suggestPlan(lens, leaf.home, path)} You can use fields of ${valid}.`,
      path,
      'fan_out',
    );
  return leaf.home;
}

/** Suggests the closest plan that works, or names the missing join. */
function suggestPlan(lens: Lens, homeDataset: string, path: string): string {
  const [bridge] = bridgesBetween(lens, homeDataset, path);
  return bridge
    ? `As a dimension it works through ${bridge}, each row counted once under each of its values: {"field": "${path}.…", "through": "${bridge}"}; as a condition: {"exists": "${bridge}", "where": [{"field": "${path}.…", …}]}.`
    : `No declared relationship joins ${homeDataset} and ${path}, and no dataset refers to both.`;
}

export function homeOfListing(
  compilation: Compilation,
  requestedDataset: string | undefined,
  shownPaths: string[],
  restricting: string[],
  distinct: boolean,
): string | null {
  const { lens } = compilation;
  if (requestedDataset) {
    if (lens.datasets.some(({ name }) => name === requestedDataset)) return requestedDataset;
    compilation.fault(`There is no dataset "${requestedDataset}".`, 'home', 'unknown_name');
    return null;
  }
  // Distinct values can come from any rows that contain them.
  const homeDataset =
    commonHome(lens, distinct ? [...shownPaths, ...restricting] : shownPaths) ?? commonHome(lens, shownPaths);
  if (!homeDataset)
    compilation.fault(
      `No declared relationship joins ${[...new Set(shownPaths)].join(' and ')} many to one. List each in its own plan${missingJoinText(lens, shownPaths)}.`,
      'dimensions',
      'fan_out',
    );
  return homeDataset;
}

/** A join that the lens could declare, because the other dataset has a field with the name of a primary key. */
function missingJoinText(lens: Lens, shownPaths: string[]): string {
  const datasets = [...new Set(shownPaths)].flatMap((path) => datasetOfPath(lens, path) ?? []);
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
