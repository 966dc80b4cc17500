// Finds the datasets and roles that are reachable through many-to-one joins, and the datasets that link two others. A
// path is ambiguous if two routes of the same length lead to it.
import type { Lens, LensRelationship } from '../../lens/model/lens.ts';
import { groupByKey } from './group-by-key.ts';

export interface ReachablePath {
  /** The path in a plan: the name of a dataset or a role. */
  path: string;
  dataset: string;
  hops: number;
  via: LensRelationship[];
  /** True if another route of the same length leads to the same path. */
  ambiguous?: boolean;
}

export interface JoinGraph {
  /** Returns all paths from a dataset. The first path is the dataset itself. */
  pathsFrom(dataset: string): Map<string, ReachablePath>;
  paths(from: string, to: string): ReachablePath[];
  datasetOf(path: string): string | undefined;
  /**
   * Returns the closest datasets from which both datasets are reachable. If there are several, the link is ambiguous.
   */
  linkingDatasets(one: string, other: string): string[];
  /**
   * Returns the number of joins between two datasets, in either direction or through a linking dataset. Returns
   * Infinity if the datasets aren't connected.
   */
  distance(one: string, other: string): number;
}

const MAX_JOINS_OF_PATH = 8;
const findPathsFrom = (
  dataset: string,
  relationshipsFrom: (dataset: string) => readonly LensRelationship[],
): Map<string, ReachablePath> => {
  const start: ReachablePath = { path: dataset, dataset, hops: 0, via: [] };
  const found = new Map([[dataset, start]]);
  let frontier = [start];
  for (let hops = 1; frontier.length > 0 && hops <= MAX_JOINS_OF_PATH; hops++) {
    const nextFrontier: ReachablePath[] = [];
    for (const { dataset: origin, via, ambiguous } of frontier)
      for (const relationship of relationshipsFrom(origin)) {
        const other = found.get(relationship.role);
        if (other?.hops === hops && (ambiguous || other.via.at(-1) !== relationship)) other.ambiguous = true;
        if (other || via.includes(relationship)) continue;
        const { role: path, to } = relationship;
        const step = { path, dataset: to.dataset, hops, via: [...via, relationship], ambiguous };
        found.set(path, step);
        nextFrontier.push(step);
      }
    frontier = nextFrontier;
  }
  return found;
};

export const createJoinGraph = (lens: Lens): JoinGraph => {
  const relationshipsByStart = groupByKey(lens.relationships, ({ from }) => from.dataset);
  // If several relationships have the same role name, uses the first relationship.
  const datasetByPath = new Map([
    ...lens.relationships.map(({ role, to }) => [role, to.dataset] as const).reverse(),
    ...lens.datasets.map(({ name }) => [name, name] as const),
  ]);
  const pathsByStart = new Map<string, Map<string, ReachablePath>>();
  const pathsFrom = (dataset: string): Map<string, ReachablePath> => {
    const found = pathsByStart.get(dataset) ?? findPathsFrom(dataset, (start) => relationshipsByStart.get(start) ?? []);
    pathsByStart.set(dataset, found);
    return found;
  };
  const paths = (from: string, to: string): ReachablePath[] =>
    [...pathsFrom(from).values()].filter((step) => step.dataset === to);
  const countHops = (from: string, to: string): number => paths(from, to)[0]?.hops ?? Infinity;
  const linkingDatasets = (one: string, other: string): string[] => {
    const links = lens.datasets.map(({ name }) => ({ name, hops: countHops(name, one) + countHops(name, other) }));
    const minHops = Math.min(...links.map(({ hops }) => hops));
    return links.filter(({ hops }) => hops === minHops && hops < Infinity).map(({ name }) => name);
  };
  const distances = new Map<string, number>();
  const distance = (one: string, other: string): number => {
    const key = `${one}\n${other}`;
    let hops = distances.get(key) ?? Math.min(countHops(one, other), countHops(other, one) + 0.5);
    const [link] = hops === Infinity ? linkingDatasets(one, other) : [];
    if (link) hops = countHops(link, one) + countHops(link, other) + 1;
    distances.set(key, hops);
    return hops;
  };
  return { pathsFrom, paths, linkingDatasets, distance, datasetOf: (path) => datasetByPath.get(path) };
};
