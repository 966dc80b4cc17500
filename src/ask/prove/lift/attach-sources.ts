// Finds the home of a FROM: the source that leads to all other sources through declared many-to-one relationships. Each
// row of the join is then one row of the home.
import { nodesIn } from '../../../dialects/nodes.ts';
import type { Expression } from '../../../dialects/tree.ts';
import type { LensRelationship } from '../../../lens/model/lens.ts';
import { columnInCasts } from '../statement/sources.ts';
import { type Scope, type ScopedColumn, type Source, UnreadablePart } from './scope.ts';

interface Attached {
  home: Source;
  /** Conditions that don't join two sources. */
  left: Expression[];
  /** The source whose rows all have a group, even if no row of the home leads to them. */
  every: Source | null;
}

/** Finds the home and sets the label, the steps and `present` of each source. */
export function attachSources(scope: Scope, conditions: readonly Expression[], grouped: boolean): Attached {
  const { sources } = scope;
  if (sources.length === 0) throw new UnreadablePart('no table');
  for (const homeSource of sources.filter(({ how }) => how !== 'left')) {
    const left = attachedTo(scope, sources, homeSource, conditions);
    if (left) return noted({ home: homeSource, left, every: null });
  }
  const many = grouped ? sources.filter(({ how }) => how === 'left') : [];
  for (const home of many) {
    const found = toMany(scope, home, conditions);
    if (found) return noted(found);
  }
  throw new UnreadablePart('no home');

  function noted(found: Attached): Attached {
    for (const source of sources)
      source.present =
        source !== found.every &&
        source.steps.length > 0 &&
        (source.how !== 'left' || found.left.some((item) => requiresRow(item, source)));
    return found;
  }
}

/** Whether no row satisfies the condition if its row of the source is missing. */
const requiresRow = (expression: Expression, { alias }: Source): boolean => {
  const isIts = (operand: Expression): boolean => operand.kind === 'column' && operand.path[0] === alias;
  if (expression.kind === 'is_null') return expression.negated && isIts(expression.value);
  if (expression.kind === 'compare')
    return !expression.operator.startsWith('is') && (isIts(expression.left) || isIts(expression.right));
  return (expression.kind === 'in' || expression.kind === 'like') && isIts(expression.value);
};

/** Tries a left-joined source as the home. Its rows lead many-to-one to the other tables, which make the groups. */
function toMany(scope: Scope, homeSource: Source, conditions: readonly Expression[]): Attached | null {
  const homeSideSources = [homeSource];
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (const source of scope.sources) {
      if (homeSideSources.includes(source) || source.how !== 'left') continue;
      if (joinOf(scope, source, new Set(homeSideSources), source.on)?.conditions.length !== source.on.length) continue;
      homeSideSources.push(source);
      hasChanged = true;
    }
  }
  const others = scope.sources.filter((source) => !homeSideSources.includes(source));
  for (const every of others.filter(({ how }) => how !== 'left')) {
    const join = joinOf(scope, every, new Set([homeSource]), homeSource.on);
    const remaining = join && attachedTo(scope, others, every, conditions);
    if (!join || !remaining) continue;
    const otherConditions = homeSource.on.filter((item) => !join.conditions.includes(item));
    if (
      !otherConditions.every((item) => isOf(scope, item, homeSideSources)) ||
      !remaining.every((item) => isOf(scope, item, others))
    )
      continue;
    const from = every.label;
    if (!attachedTo(scope, homeSideSources, homeSource, [])) return null;
    for (const source of others) {
      source.label = `${homeSource.label}/${join.relationship.role}${source.label.slice(from.length)}`;
      source.steps = [join.relationship, ...source.steps];
    }
    return { home: homeSource, left: [...remaining, ...otherConditions], every };
  }
  return null;
}

const isOf = (scope: Scope, condition: Expression, sources: Source[]): boolean => {
  const nodes = [...nodesIn(condition)];
  const columns = nodes.flatMap((node) => (node.kind === 'column' ? [scope.find(node.path)?.source] : []));
  const inside = nodes.some(({ kind }) => kind === 'select');
  return !inside && columns.length > 0 && columns.every((source) => source !== undefined && sources.includes(source));
};

function attachedTo(
  scope: Scope,
  sources: readonly Source[],
  homeSource: Source,
  conditions: readonly Expression[],
): Expression[] | null {
  homeSource.label = `${scope.depth > 0 ? `${scope.depth}:` : ''}${homeSource.dataset.name}`;
  homeSource.steps = [];
  const connectedSources = new Set([homeSource]);
  let remaining = [...conditions];
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (const source of sources) {
      if (connectedSources.has(source)) continue;
      const candidateConditions = source.how === 'left' ? source.on : remaining;
      const used = joinOf(scope, source, connectedSources, candidateConditions);
      if (!used) continue;
      if (source.how === 'left' && used.conditions.length !== candidateConditions.length) return null;
      const label = `${used.parent.label}/${used.relationship.role}`;
      if ([...connectedSources].some((other) => other.label === label)) return null;
      Object.assign(source, { label, steps: [...used.parent.steps, used.relationship] });
      if (source.how !== 'left') remaining = remaining.filter((item) => !used.conditions.includes(item));
      connectedSources.add(source);
      hasChanged = true;
    }
  }
  return connectedSources.size === sources.length ? remaining : null;
}

interface Join {
  parent: Source;
  relationship: LensRelationship;
  conditions: Expression[];
}

/** The declared relationship by which these conditions join the source to a connected source. */
function joinOf(
  scope: Scope,
  source: Source,
  connectedSources: ReadonlySet<Source>,
  conditions: Expression[],
): Join | null {
  const pairs = conditions.flatMap((condition) => pairOf(scope, condition) ?? []);
  for (const relationship of scope.lens.relationships) {
    const { from, to } = relationship;
    if (to.dataset !== source.dataset.name) continue;
    for (const parent of connectedSources) {
      if (parent.dataset.name !== from.dataset) continue;
      const found = from.columns.map((column, index) =>
        pairs.find(({ sides }) => {
          const there = sides.find((side) => side.source === source);
          const here = sides.find((side) => side.source === parent);
          return there && here && scope.same(there.column, to.columns[index]!) && scope.same(here.column, column);
        }),
      );
      if (found.every((item) => item !== undefined))
        return { parent, relationship, conditions: found.map((item) => item!.condition) };
    }
  }
  return null;
}

function pairOf(scope: Scope, condition: Expression): { condition: Expression; sides: ScopedColumn[] } | null {
  if (condition.kind !== 'compare' || condition.operator !== '=') return null;
  const columns = [condition.left, condition.right].map((operand) =>
    operand.kind === 'column' ? columnInCasts(operand) : null,
  );
  const found = columns.flatMap((column) => (column && scope.find(column.path)) ?? []);
  return found.length === 2 && found[0]!.source !== found[1]!.source ? { condition, sides: found } : null;
}
