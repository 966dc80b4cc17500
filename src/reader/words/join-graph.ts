// Finds the datasets and roles along many-to-one relationships, and the datasets that link two others. A path is
// ambiguous if two routes of the same length lead to it.
import type { Lens, LensRelationship } from '../../lens/model/lens.ts';

export interface ReachablePath {
  /** The path in a plan: a dataset or a role. */
  path: string;
  dataset: string;
  hops: number;
  via: LensRelationship[];
  /** True if another route of the same length leads to the same path. */
  ambiguous?: boolean;
}

export interface JoinGraph {
  /** All paths from a dataset, starting with itself. */
  pathsFrom(dataset: string): Map<string, ReachablePath>;
  paths(from: string, to: string): ReachablePath[];
  datasetOf(path: string): string | undefined;
  /** The closest datasets that lead to both datasets. If there are several, the link is ambiguous. */
  linkingDatasets(one: string, other: string): string[];
  /**
   * The number of steps between two datasets, in either direction or through a linking dataset. Infinity if the
   * datasets aren't connected.
   */
  distance(one: string, other: string): number;
}

export const createJoinGraph = (lens: Lens): JoinGraph => {
  const outgoing = new Map<string, LensRelationship[]>();
  const datasetByPath = new Map(lens.datasets.map((dataset) => [dataset.name, dataset.name]));
  for (const relationship of lens.relationships) {
    const list = outgoing.get(relationship.from.dataset) ?? [];
    list.push(relationship);
    outgoing.set(relationship.from.dataset, list);
    if (!datasetByPath.has(relationship.role)) datasetByPath.set(relationship.role, relationship.to.dataset);
  }

  const reaches = new Map<string, Map<string, ReachablePath>>();
  const reach = (dataset: string): Map<string, ReachablePath> => {
    const cachedReach = reaches.get(dataset);
    if (cachedReach) return cachedReach;
    const reachByPath = new Map<string, ReachablePath>([[dataset, { path: dataset, dataset, hops: 0, via: [] }]]);
    let frontier: ReachablePath[] = [reachByPath.get(dataset)!];
    for (let hops = 1; frontier.length > 0 && hops <= 8; hops++) {
      const nextEdge: ReachablePath[] = [];
      for (const origin of frontier) {
        for (const relationship of outgoing.get(origin.dataset) ?? []) {
          const path = relationship.role;
          const other = reachByPath.get(path);
          if (other) {
            if (other.hops === hops && other.via.at(-1) !== relationship) other.ambiguous = true;
            else if (other.hops === hops && origin.ambiguous) other.ambiguous = true;
            continue;
          }
          if (origin.via.includes(relationship)) continue;
          const step = {
            path,
            dataset: relationship.to.dataset,
            hops,
            via: [...origin.via, relationship],
            ambiguous: origin.ambiguous,
          };
          reachByPath.set(path, step);
          nextEdge.push(step);
        }
      }
      frontier = nextEdge;
    }
    reaches.set(dataset, reachByPath);
    return reachByPath;
  };
  const paths = (from: string, to: string): ReachablePath[] =>
    [...reach(from).values()].filter((step) => step.dataset === to);

  const nearestLinkingDatasets = (one: string, other: string): string[] => {
    let minHops = Number.POSITIVE_INFINITY;
    let datasets: string[] = [];
    for (const dataset of lens.datasets) {
      const left = paths(dataset.name, one)[0];
      const right = paths(dataset.name, other)[0];
      if (!left || !right) continue;
      const hops = left.hops + right.hops;
      if (hops < minHops) {
        minHops = hops;
        datasets = [dataset.name];
      } else if (hops === minHops) datasets.push(dataset.name);
    }
    return datasets;
  };
  const distances = new Map<string, number>();
  const distance = (one: string, other: string): number => {
    const key = `${one}\n${other}`;
    const cachedDistance = distances.get(key);
    if (cachedDistance !== undefined) return cachedDistance;
    let hops = paths(one, other)[0]?.hops ?? Number.POSITIVE_INFINITY;
    hops = Math.min(hops, (paths(other, one)[0]?.hops ?? Number.POSITIVE_INFINITY) + 0.5);
    if (hops === Number.POSITIVE_INFINITY) {
      const link = nearestLinkingDatasets(one, other)[0];
      if (link) hops = paths(link, one)[0]!.hops + paths(link, other)[0]!.hops + 1;
    }
    distances.set(key, hops);
    return hops;
  };
  return {
    pathsFrom: reach,
    paths,
    linkingDatasets: nearestLinkingDatasets,
    distance,
    datasetOf: (path) => datasetByPath.get(path),
  };
};
