// Finds the main source of a FROM: all other sources are reachable from it through declared many-to-one relationships.
// Each row of the join is then one row of the main source.
import { listNodes } from '../../../dialects/nodes.ts';
import type { Expression } from '../../../dialects/tree.ts';
import type { LensRelationship } from '../../../lens/model/lens.ts';
import { unwrapCasts } from '../statement/sources.ts';
import { type Scope, type ScopedColumn, type Source, UnreadablePartError } from './scope.ts';

interface AttachedSources {
  mainSource: Source;
  /** Conditions that don't join two sources. */
  remaining: Expression[];
  /** Each row of this source has a group, even if no row of the main source refers to that row. */
  fullyGroupedSource: Source | null;
}

/** Finds the main source, and sets each source's label, its steps and whether its rows are always present. */
export function attachSources(scope: Scope, conditions: readonly Expression[], grouped: boolean): AttachedSources {
  const { sources } = scope;
  if (sources.length === 0) throw new UnreadablePartError('no table');
  for (const mainSource of sources.filter(({ joinKind }) => joinKind !== 'left')) {
    const remaining = attachSourcesTo(scope, sources, mainSource, conditions);
    if (remaining) return markPresence({ mainSource, remaining, fullyGroupedSource: null });
  }
  const leftSources = grouped ? sources.filter(({ joinKind }) => joinKind === 'left') : [];
  for (const mainSource of leftSources) {
    const attachment = attachToManySide(scope, mainSource, conditions);
    if (attachment) return markPresence(attachment);
  }
  throw new UnreadablePartError('no main source');

  function markPresence(attachment: AttachedSources): AttachedSources {
    for (const source of sources)
      source.isPresent =
        source !== attachment.fullyGroupedSource &&
        source.steps.length > 0 &&
        (source.joinKind !== 'left' || attachment.remaining.some((item) => requiresRow(item, source)));
    return attachment;
  }
}

/** Whether the condition can be true only if the source has a matching row. */
const requiresRow = (expression: Expression, { alias }: Source): boolean => {
  const isOwnColumn = (operand: Expression): boolean => operand.kind === 'column' && operand.path[0] === alias;
  if (expression.kind === 'is_null') return expression.negated && isOwnColumn(expression.value);
  if (expression.kind === 'compare')
    return !expression.operator.startsWith('is') && (isOwnColumn(expression.left) || isOwnColumn(expression.right));
  return (expression.kind === 'in' || expression.kind === 'like') && isOwnColumn(expression.value);
};

/**
 * Tries a left-joined source as the main source. The tables that form the groups must be reachable from this source
 * through many-to-one joins.
 */
function attachToManySide(scope: Scope, mainSource: Source, conditions: readonly Expression[]): AttachedSources | null {
  const mainSideSources = [mainSource];
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (const source of scope.sources) {
      if (mainSideSources.includes(source) || source.joinKind !== 'left') continue;
      if (findJoin(scope, source, new Set(mainSideSources), source.on)?.conditions.length !== source.on.length)
        continue;
      mainSideSources.push(source);
      hasChanged = true;
    }
  }
  const otherSources = scope.sources.filter((source) => !mainSideSources.includes(source));
  for (const fullyGroupedSource of otherSources.filter(({ joinKind }) => joinKind !== 'left')) {
    const join = findJoin(scope, fullyGroupedSource, new Set([mainSource]), mainSource.on);
    const remaining = join && attachSourcesTo(scope, otherSources, fullyGroupedSource, conditions);
    if (!join || !remaining) continue;
    const otherConditions = mainSource.on.filter((item) => !join.conditions.includes(item));
    if (
      !otherConditions.every((item) => readsOnlySources(scope, item, mainSideSources)) ||
      !remaining.every((item) => readsOnlySources(scope, item, otherSources))
    )
      continue;
    const previousLabel = fullyGroupedSource.label;
    if (!attachSourcesTo(scope, mainSideSources, mainSource, [])) return null;
    for (const source of otherSources) {
      source.label = `${mainSource.label}/${join.relationship.role}${source.label.slice(previousLabel.length)}`;
      source.steps = [join.relationship, ...source.steps];
    }
    return { mainSource, remaining: [...remaining, ...otherConditions], fullyGroupedSource };
  }
  return null;
}

const readsOnlySources = (scope: Scope, condition: Expression, sources: Source[]): boolean => {
  const nodes = [...listNodes(condition)];
  const columns = nodes.flatMap((node) => (node.kind === 'column' ? [scope.find(node.path)?.source] : []));
  const hasNestedQuery = nodes.some(({ kind }) => kind === 'select');
  return (
    !hasNestedQuery && columns.length > 0 && columns.every((source) => source !== undefined && sources.includes(source))
  );
};

function attachSourcesTo(
  scope: Scope,
  sources: readonly Source[],
  mainSource: Source,
  conditions: readonly Expression[],
): Expression[] | null {
  mainSource.label = `${scope.depth > 0 ? `${scope.depth}:` : ''}${mainSource.dataset.name}`;
  mainSource.steps = [];
  const connectedSources = new Set([mainSource]);
  let remaining = [...conditions];
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (const source of sources) {
      if (connectedSources.has(source)) continue;
      const candidateConditions = source.joinKind === 'left' ? source.on : remaining;
      const join = findJoin(scope, source, connectedSources, candidateConditions);
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
function findJoin(
  scope: Scope,
  source: Source,
  connectedSources: ReadonlySet<Source>,
  conditions: Expression[],
): Join | null {
  const pairs = conditions.flatMap((condition) => findColumnPair(scope, condition) ?? []);
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

function findColumnPair(scope: Scope, condition: Expression): { condition: Expression; sides: ScopedColumn[] } | null {
  if (condition.kind !== 'compare' || condition.operator !== '=') return null;
  const columns = [condition.left, condition.right].map((operand) =>
    operand.kind === 'column' ? unwrapCasts(operand) : null,
  );
  const scopedColumns = columns.flatMap((column) => (column && scope.find(column.path)) ?? []);
  return scopedColumns.length === 2 && scopedColumns[0]!.source !== scopedColumns[1]!.source
    ? { condition, sides: scopedColumns }
    : null;
}
