// Writes policies that read many-to-one joins. A row is visible if its joined rows exist and match the policy. The
// policy reads joined rows even if other policies hide them from the caller.
import {
  allOf,
  columnOf,
  compare,
  derivedOf,
  exists,
  itemOf,
  joinOf,
  literalOf,
  numberOf,
  selectOf,
  tableOf,
} from '../../dialects/make-nodes.ts';
import type { Expression, FromItem } from '../../dialects/tree.ts';
import { findPath, formatPath } from '../model/join-paths.ts';
import {
  findField,
  type Lens,
  type LensDataset,
  type LensModel,
  type LensRelationship,
  type RowPolicy,
} from '../model/lens.ts';
import type { AuthoredExpressionReader } from './authored-reader.ts';

function findJoinSteps(model: LensModel, policy: RowPolicy, path: string): LensRelationship[] | null {
  const pathResult = findPath(model, policy.dataset, path);
  return pathResult.kind === 'path' && pathResult.path.steps.length > 0 ? pathResult.path.steps : null;
}

export const listPolicyRelationships = (model: LensModel, policy: RowPolicy): LensRelationship[] =>
  (policy.joins ?? []).flatMap(({ path }) => findJoinSteps(model, policy, path) ?? []);

export const listJoinKeys = (model: LensModel, policy: RowPolicy): string[] =>
  (policy.joins ?? []).flatMap(({ path }) => findJoinSteps(model, policy, path)?.[0]?.from.columns ?? []);

/** Lists the key columns of the joined datasets, and the columns that aren't fields. */
export const listJoinColumns = (model: LensModel, policy: RowPolicy): string[] => [
  ...(policy.joins ?? []).flatMap(({ unlisted }) => unlisted),
  ...listPolicyRelationships(model, policy).flatMap(({ from, to }) => [...from.columns, ...to.columns]),
];

/** `writeKey` writes a key column of the policy's own dataset as SQL. */
export function applyConditionThroughJoins(
  lens: Lens,
  policy: RowPolicy,
  readAuthored: AuthoredExpressionReader,
  condition: Expression,
  writeKey: (column: string) => Expression,
): Expression {
  const { joins = [] } = policy;
  if (joins.length === 0) return condition;
  const sources: FromItem[] = [];
  const joinConditions: Expression[] = [];
  for (const join of joins) {
    const steps = findJoinSteps(lens, policy, join.path);
    if (!steps) return literalOf('boolean', 'false'); // the relationship no longer exists, so no row matches
    let leftKey = writeKey;
    for (const [index, { from, to }] of steps.entries()) {
      const isLast = index === steps.length - 1;
      const alias = isLast
        ? join.path
        : `${join.path}_by_${formatPath(steps.slice(0, index + 1)).replaceAll('.', '_')}`;
      const nextColumns = steps[index + 1]?.from.columns ?? [];
      const neededColumns = {
        fields: isLast ? join.fields : [],
        columns: [...to.columns, ...nextColumns, ...(isLast ? join.unlisted : [])],
      };
      const source = createPolicySource(
        readAuthored,
        lens.datasets.find(({ name }) => name === to.dataset)!,
        neededColumns,
        alias,
      );
      sources.push(source.item);
      joinConditions.push(
        ...to.columns.map((column, columnIndex) =>
          compare(source.column(column), '=', leftKey(from.columns[columnIndex]!)),
        ),
      );
      leftKey = source.column;
    }
  }
  const crossJoin = sources.reduce((joined, source) => joinOf('cross', joined, source));
  return exists(selectOf([itemOf(numberOf(1), 'one')], [crossJoin], { where: allOf([...joinConditions, condition]) }));
}

/** Returns the table itself if no field is computed, otherwise a subquery. */
function createPolicySource(
  readAuthored: AuthoredExpressionReader,
  dataset: LensDataset,
  { fields, columns }: { fields: string[]; columns: string[] },
  alias: string,
): { item: FromItem; column: (name: string) => Expression } {
  const { table, ...where } = dataset.source;
  const expressionOf = (field: string): string | null | undefined => findField(dataset, field)?.expression;
  if (fields.every((field) => !expressionOf(field)))
    return { item: tableOf(table, { ...where, alias }), column: (column) => columnOf(alias, column) };
  const outputName = (column: string): string => (expressionOf(column) ? `key_${column}` : column);
  const items = [
    ...fields.map((field) => {
      const expression = expressionOf(field);
      return itemOf(expression ? readAuthored(expression) : columnOf(field), field);
    }),
    ...[...new Set(columns)]
      .filter((column) => !fields.includes(outputName(column)))
      .map((column) => itemOf(columnOf(column), outputName(column))),
  ];
  return {
    item: derivedOf(selectOf(items, [tableOf(table, where)]), alias),
    column: (column) => columnOf(alias, outputName(column)),
  };
}
