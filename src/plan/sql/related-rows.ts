// Correlates rows of other datasets with the current row of a scope, without multiplying it.
import { compare } from '../../dialects/make-nodes.ts';
import type { Expression } from '../../dialects/tree.ts';
import { unknownName } from '../../lens/files/project-problem.ts';
import { datasetOfPath, isPathWord, pathTo, reachable, relatedTo, waysBetween } from '../../lens/model/join-paths.ts';
import type { Lens, LensRelationship } from '../../lens/model/lens.ts';
import type { Compilation } from './compilation.ts';
import { RowScope } from './row-scope.ts';

export interface Correlation {
  inner: RowScope;
  on: Expression[];
}
/** A correlation: columns of other rows that equal columns of the current row. */
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
  const target = isPathWord(lens, path) ? datasetOfPath(lens, path) : undefined;
  if (!target) {
    const valid = lens.datasets.map(({ name }) => name);
    compilation.fault(unknownName('dataset or role', path, valid), path, 'unknown_name');
    return null;
  }
  const home = scope.home.dataset.name;
  const hangs = anchorsOf(lens, home, target.name).filter(
    ({ anchor, way }) => !via || anchor === via || way.some(({ role }) => role === via),
  );
  // Many to one: a row that the current row leads to directly is nearer than rows related to something it leads to.
  const down = lens.relationships.filter(
    (one) => one.from.dataset === home && (one.role === path || one.to.dataset === path) && (!via || one.role === via),
  );
  const nearest = hangs.filter(({ far }) => far === hangs[0]!.far && (far === 0 || down.length === 0));
  const declared = nearest.filter(({ anchor }) => anchor === via);
  const [found, another] = declared.length > 0 ? declared : nearest;
  if (another || (!found && down.length > 1)) {
    const ways = another
      ? nearest.map(({ anchor, way }) => (anchor === home ? way.map(({ role }) => role).join('.') : anchor))
      : down.map(({ role }) => role);
    compilation.fault(
      `${path} is related to ${home} in several ways (${[...new Set(ways)].join(' or ')}). Choose one with via.`,
      path,
      'ambiguous',
    );
    return null;
  }
  if (found) {
    const outer = found.anchor === home ? scope.home : scope.at(found.anchor, path);
    if (!outer) return null;
    const inner = new RowScope(compilation, target.name, scope.aliases);
    return match(
      { scope: inner, side: inner.walk(found.way.slice(0, -1)) },
      { scope, side: outer },
      found.way.at(-1)!,
      'up',
    );
  }
  if (down[0]) {
    const inner = new RowScope(compilation, target.name, scope.aliases);
    return match({ scope: inner, side: inner.home }, { scope, side: scope.home }, down[0], 'down');
  }
  compilation.fault(
    `No relationship connects ${path} to ${home}${via ? ` along ${via}` : ''}. Related to it are: ${relatedTo(lens, home).join(', ') || 'none'}.`,
    path,
    'fan_out',
  );
  return null;
}

/**
 * The places where rows of the target can relate to a home row: the row itself, or a row it leads to, nearest first.
 */
function anchorsOf(lens: Lens, home: string, target: string) {
  return reachable(lens, home)
    .flatMap((anchor) => {
      const found = pathTo(lens, home, anchor);
      const steps = found.kind === 'path' ? found.path.steps.length : Number.POSITIVE_INFINITY;
      const far = anchor === home ? 0 : steps;
      return waysBetween(lens, target, datasetOfPath(lens, anchor)!.name).map((way) => ({ anchor, way, far }));
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
  way: 'up' | 'down',
): Side {
  const { from, to } = relationship;
  inner.note(relationship);
  return {
    inner,
    innerKeys: inner.key(innerSide, (way === 'up' ? from : to).columns),
    outerKeys: scope.key(outer, (way === 'up' ? to : from).columns),
    outer,
  };
}
