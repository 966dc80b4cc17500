// Correlates rows of other datasets with the current row of a scope, without multiplying that row.
import { compare } from '../../dialects/make-nodes.ts';
import type { Expression } from '../../dialects/tree.ts';
import { datasetOfPath, pathTo, reachable, relatedDatasets, routesBetween } from '../../lens/model/join-paths.ts';
import type { Lens, LensRelationship } from '../../lens/model/lens.ts';
import type { Compilation } from './compilation.ts';
import { RowScope } from './row-scope.ts';

export interface Correlation {
  inner: RowScope;
  on: Expression[];
}
/** The columns of other rows that must equal columns of the current row. */
interface Side {
  inner: RowScope;
  innerKeys: Expression[];
  outerKeys: Expression[];
  outer: RowScope['home'];
}
/** A scope over the rows of `path` that belong to the current row of `scope`. */
export function relatedRows(compilation: Compilation, scope: RowScope, path: string, via?: string): Correlation | null {
  const side = relatedSide(compilation, scope, path, via);
  return (
    side && {
      inner: side.inner,
      on: side.innerKeys.map((column, index) => compare(column, '=', side.outerKeys[index]!)),
    }
  );
}
export function relatedSide(
  compilation: Compilation,
  scope: RowScope,
  path: string,
  via: string | undefined,
): Side | null {
  const { lens } = compilation;
  const target = compilation.dataset(path);
  if (!target) return null;
  const homeDataset = scope.home.dataset.name;
  const hangs = anchorsOf(lens, homeDataset, target.name).filter(
    ({ anchor, way }) => !via || anchor === via || way.some(({ role }) => role === via),
  );
  // A row that the current row leads to is closer than a row that is related through another row.
  const down = lens.relationships.filter(
    (relationship) =>
      relationship.from.dataset === homeDataset &&
      (relationship.role === path || relationship.to.dataset === path) &&
      (!via || relationship.role === via),
  );
  const nearestAnchors = hangs.filter(({ far }) => far === hangs[0]!.far && (far === 0 || down.length === 0));
  const declaredAnchors = nearestAnchors.filter(({ anchor }) => anchor === via);
  const [chosenAnchor, another] = declaredAnchors.length > 0 ? declaredAnchors : nearestAnchors;
  if (another || (!chosenAnchor && down.length > 1)) {
    const routeNames = another
      ? nearestAnchors.map(({ anchor, way }) =>
          anchor === homeDataset ? way.map(({ role }) => role).join('.') : anchor,
        )
      : down.map(({ role }) => role);
    compilation.fault(
      `${path} is related to ${homeDataset} in several ways (${[...new Set(routeNames)].join(' or ')}). Choose one with via.`,
      path,
      'ambiguous',
    );
    return null;
  }
  if (chosenAnchor) {
    const outer = chosenAnchor.anchor === homeDataset ? scope.home : scope.joinPath(chosenAnchor.anchor, path);
    if (!outer) return null;
    const inner = new RowScope(compilation, target.name, scope.aliases);
    return match(
      { scope: inner, side: inner.walk(chosenAnchor.way.slice(0, -1)) },
      { scope, side: outer },
      chosenAnchor.way.at(-1)!,
      'up',
    );
  }
  if (down[0]) {
    const inner = new RowScope(compilation, target.name, scope.aliases);
    return match({ scope: inner, side: inner.home }, { scope, side: scope.home }, down[0], 'down');
  }
  compilation.fault(
    `No relationship connects ${path} to ${homeDataset}${via ? ` along ${via}` : ''}. Related to it are: ${relatedDatasets(lens, homeDataset).join(', ') || 'none'}.`,
    path,
    'fan_out',
  );
  return null;
}

/** The rows to which rows of the target can relate: the current row, and rows that it leads to, closest first. */
function anchorsOf(lens: Lens, homeDataset: string, target: string) {
  return reachable(lens, homeDataset)
    .flatMap((anchor) => {
      const foundPath = pathTo(lens, homeDataset, anchor);
      const steps = foundPath.kind === 'path' ? foundPath.path.steps.length : Number.POSITIVE_INFINITY;
      const distance = anchor === homeDataset ? 0 : steps;
      return routesBetween(lens, target, datasetOfPath(lens, anchor)!.name).map((route) => ({
        anchor,
        way: route,
        far: distance,
      }));
    })
    .sort((a, b) => a.far - b.far);
}

interface End {
  scope: RowScope;
  side: RowScope['home'];
}

function match(
  { scope: inner, side: innerSide }: End,
  { scope, side: outer }: End,
  relationship: LensRelationship,
  direction: 'up' | 'down',
): Side {
  const { from, to } = relationship;
  inner.note(relationship);
  return {
    inner,
    innerKeys: inner.key(innerSide, (direction === 'up' ? from : to).columns),
    outerKeys: scope.key(outer, (direction === 'up' ? to : from).columns),
    outer,
  };
}
