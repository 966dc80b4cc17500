// Finds the main source of a FROM: the source that leads to all other sources through declared many-to-one
// relationships. Each row of the join is then one row of the main source.
import type { Expression } from '../../../dialects/tree.ts';
import type { LensRelationship } from '../../../lens/model/lens.ts';
import { unwrapCasts } from '../statement/sources.ts';
import { type Scope, type ScopedColumn, type Source, UnreadablePartError } from './scope.ts';

interface AttachedSources {
  mainSource: Source;
  /** Conditions that don't join two sources. */
  remaining: Expression[];
}

/** Finds the main source, and sets each source's label, its steps and whether its rows are always present. */
export function attachSources(scope: Scope, conditions: readonly Expression[]): AttachedSources {
  const { sources } = scope;
  if (sources.length === 0) throw new UnreadablePartError('no table');
  for (const mainSource of sources.filter(({ joinKind }) => joinKind !== 'left')) {
    const remaining = attachSourcesTo(scope, mainSource, conditions);
    if (!remaining) continue;
    for (const source of sources)
      source.isPresent =
        source.steps.length > 0 && (source.joinKind !== 'left' || remaining.some((item) => requiresRow(item, source)));
    return { mainSource, remaining };
  }
  throw new UnreadablePartError('no main source');
}

/** Whether the condition is never true if the row of the source is missing. */
const requiresRow = (expression: Expression, { alias }: Source): boolean => {
  const isOwnColumn = (operand: Expression): boolean => operand.kind === 'column' && operand.path[0] === alias;
  if (expression.kind === 'is_null') return expression.negated && isOwnColumn(expression.value);
  if (expression.kind === 'compare')
    return !expression.operator.startsWith('is') && (isOwnColumn(expression.left) || isOwnColumn(expression.right));
  return (expression.kind === 'in' || expression.kind === 'like') && isOwnColumn(expression.value);
};

function attachSourcesTo(scope: Scope, mainSource: Source, conditions: readonly Expression[]): Expression[] | null {
  const { sources } = scope;
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
