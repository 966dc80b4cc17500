// Correlates rows of other datasets with the current row of a scope, without multiplying that row.
import { compare } from '../../dialects/make-nodes.ts';
import type { Expression } from '../../dialects/tree.ts';
import {
  findDatasetOfPath,
  findPath,
  findRelatedDatasets,
  findRoutes,
  findShortestPaths,
  formatPath,
  listReachable,
} from '../../lens/model/join-paths.ts';
import type { Lens, LensRelationship } from '../../lens/model/lens.ts';
import type { Compilation } from './compilation.ts';
import { RowScope } from './row-scope.ts';

export interface Correlation {
  inner: RowScope;
  on: Expression[];
}
/** The columns of other rows that must equal columns of the current row. */
interface KeyCorrelation {
  inner: RowScope;
  innerKeys: Expression[];
  outerKeys: Expression[];
  outer: RowScope['home'];
}
/** A scope over the rows of `path` that belong to the current row of `scope`. */
export function correlateRelatedRows(
  compilation: Compilation,
  scope: RowScope,
  path: string,
  roleName?: string,
): Correlation | null {
  const side = correlateKeys(compilation, scope, path, roleName);
  return (
    side && {
      inner: side.inner,
      on: side.innerKeys.map((column, index) => compare(column, '=', side.outerKeys[index]!)),
    }
  );
}
export function correlateKeys(
  compilation: Compilation,
  scope: RowScope,
  path: string,
  roleName: string | undefined,
): KeyCorrelation | null {
  const { lens } = compilation;
  const target = compilation.dataset(path);
  const mainDataset = scope.home.dataset.name;
  const anchors = findAnchors(lens, mainDataset, target.name).filter(
    ({ anchor, route }) => !roleName || anchor === roleName || route.some(({ role }) => role === roleName),
  );
  // A row that the current row leads to is closer than a row that is related through another row.
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
    compilation.addFault(
      `${path} is related to ${mainDataset} in several ways (${[...new Set(routeNames)].join(' or ')}). Choose one with via.`,
      path,
      'ambiguous',
    );
    return null;
  }
  if (chosenAnchor) {
    const outerSource = chosenAnchor.anchor === mainDataset ? scope.home : scope.joinPath(chosenAnchor.anchor, path);
    if (!outerSource) return null;
    const innerScope = new RowScope(compilation, target.name, scope.aliases);
    return correlate(
      { scope: innerScope, joinedDataset: innerScope.joinAlong(chosenAnchor.route.slice(0, -1)) },
      { scope, joinedDataset: outerSource },
      chosenAnchor.route.at(-1)!,
      'up',
    );
  }
  const [parentPath] = parentPaths;
  if (parentPath) {
    const outerSource = scope.joinAlong(parentPath.slice(0, -1));
    const innerScope = new RowScope(compilation, target.name, scope.aliases);
    return correlate(
      { scope: innerScope, joinedDataset: innerScope.home },
      { scope, joinedDataset: outerSource },
      parentPath.at(-1)!,
      'down',
    );
  }
  compilation.addFault(
    `No relationship connects ${path} to ${mainDataset}${roleName ? ` along ${roleName}` : ''}. Datasets that are related to ${mainDataset}: ${findRelatedDatasets(lens, mainDataset).join(', ') || 'none'}.`,
    path,
    'fan_out',
  );
  return null;
}

/** The relationships that lead from the current row to one row of `path`. */
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
 * Where a relationship with `target` can end: at the current row, or at a row that the current row leads to. The
 * closest comes first.
 */
function findAnchors(lens: Lens, mainDataset: string, target: string) {
  return listReachable(lens, mainDataset)
    .flatMap((anchor) => {
      const foundPath = findPath(lens, mainDataset, anchor);
      const steps = foundPath.kind === 'path' ? foundPath.path.steps.length : Number.POSITIVE_INFINITY;
      const distance = anchor === mainDataset ? 0 : steps;
      return findRoutes(lens, target, findDatasetOfPath(lens, anchor)!.name).map((route) => ({
        anchor,
        route,
        distance,
      }));
    })
    .sort((a, b) => a.distance - b.distance);
}

interface JoinEnd {
  scope: RowScope;
  joinedDataset: RowScope['home'];
}

function correlate(
  { scope: innerScope, joinedDataset: innerSide }: JoinEnd,
  { scope, joinedDataset: outerSource }: JoinEnd,
  relationship: LensRelationship,
  direction: 'up' | 'down',
): KeyCorrelation {
  const { from, to } = relationship;
  innerScope.recordSemijoin(relationship);
  return {
    inner: innerScope,
    innerKeys: innerScope.physicalColumns(innerSide, (direction === 'up' ? from : to).columns),
    outerKeys: scope.physicalColumns(outerSource, (direction === 'up' ? to : from).columns),
    outer: outerSource,
  };
}
