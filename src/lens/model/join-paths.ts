// Finds the datasets that are reachable from a dataset through many-to-one joins. Such joins don't repeat rows.
import { computeOnce } from '../../platform/memoize.ts';
import { findDataset, type LensDataset, type LensModel, type LensRelationship } from './lens.ts';

export interface JoinPath {
  dataset: LensDataset;
  steps: LensRelationship[];
}
export type PathSearchResult =
  | { kind: 'path'; path: JoinPath }
  | { kind: 'ambiguous'; choices: string[] }
  | { kind: 'unreachable' }
  | { kind: 'unknown' };

const MAX_STEPS = 8;

/**
 * Resolves a path such as `orders` or `origin.states` from `startDataset`. Uses the shortest path if there is only one
 * shortest path.
 */
export function findPath(lens: LensModel, startDataset: string, path: string): PathSearchResult {
  const parts = path.split('.');
  let currentDataset = startDataset;
  const steps: LensRelationship[] = [];
  for (const [index, part] of parts.entries()) {
    if (index === 0 && part === startDataset) continue;
    if (!isDatasetOrRole(lens, part)) return { kind: 'unknown' };
    const paths = findShortestPaths(lens, currentDataset, part);
    if (paths.length === 0) return { kind: 'unreachable' };
    if (paths.length > 1) return { kind: 'ambiguous', choices: [...new Set(paths.map((route) => formatPath(route)))] };
    steps.push(...paths[0]!);
    currentDataset = steps.at(-1)!.to.dataset;
  }
  const dataset = findDataset(lens, currentDataset);
  return dataset ? { kind: 'path', path: { dataset, steps } } : { kind: 'unknown' };
}

export const isDatasetOrRole = (lens: LensModel, word: string): boolean =>
  lens.datasets.some(({ name }) => name === word) || lens.relationships.some(({ role }) => role === word);

export function findDatasetOfPath(lens: LensModel, path: string): LensDataset | undefined {
  const lastWord = path.split('.').at(-1)!;
  const role = lens.relationships.find((relationship) => relationship.role === lastWord);
  return (
    lens.datasets.find(({ name }) => name === lastWord) ?? lens.datasets.find(({ name }) => name === role?.to.dataset)
  );
}

export function findShortestPaths(lens: LensModel, from: string, word: string): LensRelationship[][] {
  let frontier: LensRelationship[][] = [[]];
  for (let length = 1; length <= MAX_STEPS; length++) {
    const longerRoutes = frontier.flatMap((route) => {
      const routeEnd = route.at(-1)?.to.dataset ?? from;
      return lens.relationships
        .filter((relationship) => relationship.from.dataset === routeEnd && !route.includes(relationship))
        .map((relationship) => [...route, relationship]);
    });
    const roleRoutes = longerRoutes.filter((route) => route.at(-1)!.role === word);
    if (roleRoutes.length > 0) return roleRoutes;
    // The start dataset's name never refers to a row that a join of the dataset to itself reaches.
    const datasetRoutes = longerRoutes.filter((route) => route.at(-1)!.to.dataset === word && word !== from);
    if (datasetRoutes.length > 0) return datasetRoutes;
    frontier = longerRoutes;
    if (frontier.length === 0 || frontier.length > 5000) return [];
  }
  return [];
}

const getPathCounts = computeOnce((_lens: LensModel) => new Map<string, boolean>());

/** Returns true if more than one path leads from `startDataset` to `dataset`. Ignores joins of a table to itself. */
export function hasSeveralPaths(lens: LensModel, startDataset: string, dataset: string): boolean {
  const knownResults = getPathCounts(lens);
  const key = JSON.stringify([startDataset, dataset]);
  const result = knownResults.get(key) ?? findSeveralPaths(lens, startDataset, dataset);
  knownResults.set(key, result);
  return result;
}

function findSeveralPaths(lens: LensModel, startDataset: string, dataset: string): boolean {
  const steps = lens.relationships.filter(({ from, to }) => from.dataset !== to.dataset && from.dataset !== dataset);
  const follow = (start: string, forward: boolean): Set<string> => {
    const seen = new Set([start]);
    for (const name of seen)
      for (const { from, to } of steps)
        if ((forward ? from : to).dataset === name) seen.add((forward ? to : from).dataset);
    return seen;
  };
  const [reachableDatasets, sourceDatasets] = [follow(startDataset, true), follow(dataset, false)];
  const usableSteps = steps.filter(
    ({ from, to }) => reachableDatasets.has(from.dataset) && sourceDatasets.has(to.dataset),
  );
  return usableSteps.length > new Set(usableSteps.map(({ from }) => from.dataset)).size;
}

export const formatPath = (steps: LensRelationship[]): string => steps.map(({ role }) => role).join('.');

/** Returns `startDataset` and the roles of the joins that make other datasets reachable. */
export function listReachablePaths(lens: LensModel, startDataset: string): string[] {
  const seenDatasets = new Set([startDataset]);
  const names = [startDataset];
  const queue = [startDataset];
  for (let currentDataset = queue.shift(); currentDataset !== undefined; currentDataset = queue.shift()) {
    for (const { role, to, from } of lens.relationships) {
      if (from.dataset !== currentDataset) continue;
      if (!names.includes(role)) names.push(role);
      if (!seenDatasets.has(to.dataset)) queue.push(to.dataset);
      seenDatasets.add(to.dataset);
    }
  }
  return names;
}

/**
 * Of the datasets where the paths start, returns one from which all paths are reachable, or null. Prefers a dataset that
 * is itself reachable from the other such datasets.
 */
export function findCommonDataset(lens: LensModel, paths: readonly string[]): string | null {
  const sources = paths.map((path) => {
    const firstWord = path.split('.')[0]!;
    return lens.datasets.some(({ name }) => name === firstWord)
      ? [firstWord]
      : lens.relationships.filter(({ role }) => role === firstWord).map(({ from }) => from.dataset);
  });
  const commonDatasets = [...new Set(sources.flat())].filter((candidate) =>
    paths.every(
      (path) =>
        findPath(lens, candidate, path).kind !== 'unreachable' && findPath(lens, candidate, path).kind !== 'unknown',
    ),
  );
  return commonDatasets.length === 1
    ? commonDatasets[0]!
    : (commonDatasets.find((candidate) =>
        commonDatasets.every((home) => findPath(lens, home, candidate).kind === 'path'),
      ) ??
        commonDatasets[0] ??
        null);
}

/**
 * Returns the paths from `from`, on the many side, to `to`. If both are the same dataset, each path is one join of the
 * dataset to itself.
 */
export function findShortestRoutes(lens: LensModel, from: string, to: string): LensRelationship[][] {
  if (from !== to) return findShortestPaths(lens, from, to);
  return lens.relationships
    .filter((relationship) => relationship.from.dataset === from && relationship.to.dataset === from)
    .map((relationship) => [relationship]);
}

/**
 * Returns the datasets from which this dataset is reachable, or from which a dataset that this dataset can reach is
 * reachable.
 */
export function findRelatedDatasets(lens: LensModel, dataset: string): string[] {
  const reachableNames = new Set(listReachablePaths(lens, dataset).map((path) => findDatasetOfPath(lens, path)?.name));
  return lens.datasets
    .map(({ name }) => name)
    .filter(
      (name) =>
        name !== dataset &&
        listReachablePaths(lens, name).some((path) => reachableNames.has(findDatasetOfPath(lens, path)?.name)),
    );
}

/** Returns the datasets that link both datasets, so that a row of the first dataset has several rows of the second. */
export const findBridgeDatasets = (lens: LensModel, dataset: string, path: string): string[] =>
  lens.datasets
    .map(({ name }) => name)
    .filter((name) => findPath(lens, name, path).kind === 'path' && findRelatedDatasets(lens, dataset).includes(name));
