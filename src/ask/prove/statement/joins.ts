// Checks that a statement joins its sources as the lens declares.
import type { Lens, LensRelationship } from '../../../lens/model/lens.ts';
import { findColumnName, type JoinLink, type OutputColumn, type SelectSource, type SelectView } from './sources.ts';

/** Returns the declared joins in `joins`, and a sentence in `faults` for each join that no relationship declares. */
export function checkJoins(lens: Lens, view: SelectView): { joins: string[]; faults: string[] } {
  const faults = view.links.filter((link) => !isDeclared(lens, link)).map(describeUndeclaredJoin);
  const joins = view.links.filter((link) => isDeclared(lens, link)).map(writeLink);
  const looseSource = faults.length === 0 ? findUnjoinedSource(view) : null;
  if (looseSource) {
    const otherNames = view.sources.filter((source) => source !== looseSource).map(nameSource);
    faults.push(
      `${nameSource(looseSource)} is joined to ${otherNames.join(', ')} without an equality condition, so each row of ${nameSource(looseSource)} is combined with every row of ${otherNames.join(' and ')}.`,
    );
  }
  return { joins, faults };
}

export const nameSource = ({ alias, dataset }: SelectSource): string => dataset?.name ?? (alias || 'a subquery');

const writeLink = ({ left, right, pairs }: JoinLink): string =>
  pairs.map((pair) => `${nameSource(left)}.${pair.left.name} = ${nameSource(right)}.${pair.right.name}`).join(' and ');
/** Describes the undeclared join. If one side is a key of its table, names the relationship to declare. */
function describeUndeclaredJoin(link: JoinLink): string {
  const message = `The join on ${writeLink(link)} is not a declared relationship.`;
  const isKey = (side: 'left' | 'right'): boolean => {
    const key = link[side].dataset?.primaryKey ?? [];
    return key.length > 0 && key.every((column) => link.pairs.some((pair) => pair[side].name === column));
  };
  const keySide = isKey('right') ? 'right' : isKey('left') ? 'left' : null;
  const [pair, second] = link.pairs;
  if (!keySide || !pair || second) return message;
  const manySide = keySide === 'right' ? 'left' : 'right';
  const [manyColumn, keyColumn] = [manySide, keySide].map(
    (side) => `${nameSource(link[side as 'left'])}.${pair[side as 'left'].name}`,
  );
  return `${message} ${keyColumn} is the primary key of its dataset, so the lens can declare {from: ${manyColumn}, to: ${keyColumn}}.`;
}

function isDeclared({ relationships }: Lens, { pairs }: JoinLink): boolean {
  const forwardPairs = pairs.map((pair) => [pair.left, pair.right] as const);
  const reversedPairs = pairs.map((pair) => [pair.right, pair.left] as const);
  if (
    relationships.some(
      (relationship) => includesPairs(relationship, forwardPairs) || includesPairs(relationship, reversedPairs),
    )
  )
    return true;
  if (pairs.some((pair) => isSameField(pair.left, pair.right))) return true;
  return pairs.some((pair) => {
    const target = findReferencedKey(relationships, pair.left);
    return target !== null && target === findReferencedKey(relationships, pair.right);
  });
}

type OutputPair = readonly [OutputColumn, OutputColumn];
const includesPairs = ({ from, to }: LensRelationship, pairs: OutputPair[]): boolean =>
  from.columns.every((column, index) =>
    pairs.some(([a, b]) => isColumn(a, from.dataset, column) && isColumn(b, to.dataset, to.columns[index]!)),
  );

const isColumn = ({ origin }: OutputColumn, dataset: string, column: string): boolean =>
  origin !== null && origin.dataset.name === dataset && findColumnName(origin.field) === column;

/**
 * Whether both outputs are the same field, either of a table and a query over that table, or of two rows of one table.
 */
const isSameField = (a: OutputColumn, b: OutputColumn): boolean =>
  a.origin !== null && a.origin.field === b.origin?.field;

/** The key that a column refers to. Two columns that refer to the same key can be joined. */
function findReferencedKey(relationships: readonly LensRelationship[], output: OutputColumn): string | null {
  const relationship = relationships.find(
    ({ from }) => from.columns.length === 1 && isColumn(output, from.dataset, from.columns[0]!),
  );
  return relationship ? `${relationship.to.dataset}.${relationship.to.columns[0]}` : null;
}

/** A source that no chain of joins connects with the first source. */
function findUnjoinedSource({ sources, links }: SelectView): SelectSource | null {
  const [first] = sources;
  const joinedSources = new Set(first ? [first] : []);
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (const { left, right } of links)
      if (joinedSources.has(left) !== joinedSources.has(right)) {
        joinedSources.add(left).add(right);
        hasChanged = true;
      }
  }
  return sources.find((source) => !joinedSources.has(source) && !source.hasOneRow) ?? null;
}
