// Correlates rows of other datasets with the current row of a scope, without repeating that row.
import { compare } from '../../dialects/make-nodes.ts';
import type { Expression } from '../../dialects/tree.ts';
import {
  findDatasetOfPath,
  findPath,
  findRelatedDatasets,
  findShortestPaths,
  findShortestRoutes,
  formatPath,
  listReachablePaths,
} from '../../lens/model/join-paths.ts';
import type { Lens, LensRelationship } from '../../lens/model/lens.ts';
import type { RowScope } from './row-scope.ts';

export interface Correlation {
  inner: RowScope;
  on: Expression[];
}
/** The columns of inner rows that must equal columns of the outer row. */
interface KeyCorrelation {
  inner: RowScope;
  innerKeys: Expression[];
  outerKeys: Expression[];
  outer: RowScope['home'];
}
/** Returns a scope over the rows of `path` that are related to the current row of `scope`. */
export function correlateRelatedRows(scope: RowScope, path: string, roleName?: string): Correlation | null {
  const side = correlateKeys(scope, path, roleName);
  return (
    side && {
      inner: side.inner,
      on: side.innerKeys.map((column, index) => compare(column, '=', side.outerKeys[index]!)),
    }
  );
}
export function correlateKeys(scope: RowScope, path: string, roleName: string | undefined): KeyCorrelation | null {
  const { compilation } = scope;
  const { lens } = compilation;
  const target = compilation.requireDataset(path);
  const mainDataset = scope.home.dataset.name;
  const anchors = findCorrelationAnchors(lens, mainDataset, target.name).filter(
    ({ anchor, route }) => !roleName || anchor === roleName || route.some(({ role }) => role === roleName),
  );
  // Prefers a row that the current row refers to over a row that is related through another row.
  const parentPaths = findParentPaths(lens, mainDataset, path, roleName);
  const isParentRole = path !== target.name && parentPaths.length > 0;
  const nearestAnchors = anchors.filter(
    ({ distance }) =>
      distance === anchors[0]!.distance && (parentPaths.length === 0 || (distance === 0 && !isParentRole)),
  );
  const declaredAnchors = nearestAnchors.filter(({ anchor }) => anchor === roleName);
  const [chosenAnchor, secondAnchor] = declaredAnchors.length > 0 ? declaredAnchors : nearestAnchors;
  if (secondAnchor || (!chosenAnchor && parentPaths.length > 1)) {
    const routeNames = secondAnchor
      ? nearestAnchors.map(({ anchor, route }) =>
          anchor === mainDataset ? route.map(({ role }) => role).join('.') : anchor,
        )
      : parentPaths.map(formatPath);
    return compilation.addFault(
      `${path} is related to ${mainDataset} in several ways (${[...new Set(routeNames)].join(' or ')}). Choose one with via.`,
      path,
      'ambiguous',
    );
  }
  const route = chosenAnchor?.route ?? parentPaths[0];
  if (!route)
    return compilation.addFault(
      `No relationship connects ${path} to ${mainDataset}${roleName ? ` along ${roleName}` : ''}. Datasets that are related to ${mainDataset}: ${findRelatedDatasets(lens, mainDataset).join(', ') || 'none'}.`,
      path,
      'fan_out',
    );
  const { from, to } = route.at(-1)!;
  const outer = !chosenAnchor
    ? scope.joinAlong(route.slice(0, -1))
    : chosenAnchor.anchor === mainDataset
      ? scope.home
      : scope.joinPath(chosenAnchor.anchor, path);
  if (!outer) return null;
  const inner = scope.createInner(target.name);
  const innerSource = chosenAnchor ? inner.joinAlong(route.slice(0, -1)) : inner.home;
  compilation.recordJoin(route.at(-1)!);
  const [innerEnd, outerEnd] = chosenAnchor ? [from, to] : [to, from];
  return {
    inner,
    innerKeys: inner.listPhysicalColumns(innerSource, innerEnd.columns),
    outerKeys: scope.listPhysicalColumns(outer, outerEnd.columns),
    outer,
  };
}

function findParentPaths(
  lens: Lens,
  mainDataset: string,
  path: string,
  roleName: string | undefined,
): LensRelationship[][] {
  const directPaths = lens.relationships
    .filter(
      ({ from, to, role }) =>
        from.dataset === mainDataset && (role === path || to.dataset === path) && (!roleName || role === roleName),
    )
    .map((relationship) => [relationship]);
  return directPaths.length > 0 || roleName ? directPaths : findShortestPaths(lens, mainDataset, path);
}

/**
 * Lists where a relationship with `target` can start: at the current row, or at a row that is reachable from the
 * current row through many-to-one joins. The closest comes first.
 */
function findCorrelationAnchors(lens: Lens, mainDataset: string, target: string) {
  return listReachablePaths(lens, mainDataset)
    .flatMap((anchor) => {
      const foundPath = findPath(lens, mainDataset, anchor);
      const steps = foundPath.kind === 'path' ? foundPath.path.steps.length : Number.POSITIVE_INFINITY;
      const distance = anchor === mainDataset ? 0 : steps;
      return findShortestRoutes(lens, target, findDatasetOfPath(lens, anchor)!.name).map((route) => ({
        anchor,
        route,
        distance,
      }));
    })
    .sort((a, b) => a.distance - b.distance);
}
