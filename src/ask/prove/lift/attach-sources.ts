// Finds the main source of a FROM: the source that leads to all other sources through declared many-to-one
// relationships. Each row of the join is then one row of the main source.
import { nodesIn } from '../../../dialects/nodes.ts';
import type { Expression } from '../../../dialects/tree.ts';
import type { LensRelationship } from '../../../lens/model/lens.ts';
import { columnInCasts } from '../statement/sources.ts';
import { type Scope, type ScopedColumn, type Source, UnreadablePart } from './scope.ts';

interface Attachment {
  home: Source;
  /** Conditions that don't join two sources. */
  remaining: Expression[];
  /** The source whose every row has a group, even if no row of the main source leads to it. */
  every: Source | null;
}

/** Finds the main source, and sets each source's label, its steps and whether its rows are always present. */
export function attachSources(scope: Scope, conditions: readonly Expression[], grouped: boolean): Attachment {
  const { sources } = scope;
  if (sources.length === 0) throw new UnreadablePart('no table');
  for (const homeSource of sources.filter(({ joinKind }) => joinKind !== 'left')) {
    const remaining = attachTo(scope, sources, homeSource, conditions);
    if (remaining) return markPresence({ home: homeSource, remaining, every: null });
  }
  const leftSources = grouped ? sources.filter(({ joinKind }) => joinKind === 'left') : [];
  for (const home of leftSources) {
    const attachment = attachToMany(scope, home, conditions);
    if (attachment) return markPresence(attachment);
  }
  throw new UnreadablePart('no home');

  function markPresence(attachment: Attachment): Attachment {
    for (const source of sources)
      source.isPresent =
        source !== attachment.every &&
        source.steps.length > 0 &&
        (source.joinKind !== 'left' || attachment.remaining.some((item) => requiresRow(item, source)));
    return attachment;
  }
}

/** Whether the condition is never true if the row of the source is missing. */
const requiresRow = (expression: Expression, { alias }: Source): boolean => {
  const isOwnColumn = (operand: Expression): boolean => operand.kind === 'column' && operand.path[0] === alias;
  if (expression.kind === 'is_null') return expression.negated && isOwnColumn(expression.value);
  if (expression.kind === 'compare')
    return !expression.operator.startsWith('is') && (isOwnColumn(expression.left) || isOwnColumn(expression.right));
  return (expression.kind === 'in' || expression.kind === 'like') && isOwnColumn(expression.value);
};

/** Tries a left-joined source as the main source. Its rows lead many-to-one to the tables that form the groups. */
function attachToMany(scope: Scope, homeSource: Source, conditions: readonly Expression[]): Attachment | null {
  const homeSideSources = [homeSource];
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (const source of scope.sources) {
      if (homeSideSources.includes(source) || source.joinKind !== 'left') continue;
      if (joinOf(scope, source, new Set(homeSideSources), source.on)?.conditions.length !== source.on.length) continue;
      homeSideSources.push(source);
      hasChanged = true;
    }
  }
  const otherSources = scope.sources.filter((source) => !homeSideSources.includes(source));
  for (const every of otherSources.filter(({ joinKind }) => joinKind !== 'left')) {
    const join = joinOf(scope, every, new Set([homeSource]), homeSource.on);
    const remaining = join && attachTo(scope, otherSources, every, conditions);
    if (!join || !remaining) continue;
    const otherConditions = homeSource.on.filter((item) => !join.conditions.includes(item));
    if (
      !otherConditions.every((item) => isAboutSources(scope, item, homeSideSources)) ||
      !remaining.every((item) => isAboutSources(scope, item, otherSources))
    )
      continue;
    const previousLabel = every.label;
    if (!attachTo(scope, homeSideSources, homeSource, [])) return null;
    for (const source of otherSources) {
      source.label = `${homeSource.label}/${join.relationship.role}${source.label.slice(previousLabel.length)}`;
      source.steps = [join.relationship, ...source.steps];
    }
    return { home: homeSource, remaining: [...remaining, ...otherConditions], every };
  }
  return null;
}

const isAboutSources = (scope: Scope, condition: Expression, sources: Source[]): boolean => {
  const nodes = [...nodesIn(condition)];
  const columns = nodes.flatMap((node) => (node.kind === 'column' ? [scope.find(node.path)?.source] : []));
  const inside = nodes.some(({ kind }) => kind === 'select');
  return !inside && columns.length > 0 && columns.every((source) => source !== undefined && sources.includes(source));
};

function attachTo(
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
      const candidateConditions = source.joinKind === 'left' ? source.on : remaining;
      const join = joinOf(scope, source, connectedSources, candidateConditions);
      if (!join) continue;
      if (source.joinKind === 'left' && join.conditions.length !== candidateConditions.length) return null;
      const label = `${join.parent.label}/${join.relationship.role}`;
      if ([...connectedSources].some((other) => other.label === label)) return null;
      Object.assign(source, { label, steps: [...join.parent.steps, join.relationship] });
      if (source.joinKind !== 'left') remaining = remaining.filter((item) => !join.conditions.includes(item));
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

/** The declared relationship along which these conditions join the source to a connected source. */
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
      const matches = from.columns.map((column, index) =>
        pairs.find(({ sides }) => {
          const sourceSide = sides.find((side) => side.source === source);
          const parentSide = sides.find((side) => side.source === parent);
          return (
            sourceSide &&
            parentSide &&
            scope.isSameName(sourceSide.column, to.columns[index]!) &&
            scope.isSameName(parentSide.column, column)
          );
        }),
      );
      if (matches.every((item) => item !== undefined))
        return { parent, relationship, conditions: matches.map((item) => item!.condition) };
    }
  }
  return null;
}

function pairOf(scope: Scope, condition: Expression): { condition: Expression; sides: ScopedColumn[] } | null {
  if (condition.kind !== 'compare' || condition.operator !== '=') return null;
  const columns = [condition.left, condition.right].map((operand) =>
    operand.kind === 'column' ? columnInCasts(operand) : null,
  );
  const scopedColumns = columns.flatMap((column) => (column && scope.find(column.path)) ?? []);
  return scopedColumns.length === 2 && scopedColumns[0]!.source !== scopedColumns[1]!.source
    ? { condition, sides: scopedColumns }
    : null;
}
