// Writes policies that read many-to-one joins. A row is visible if its joined rows exist and match. The policy reads
// joined rows even if other policies hide them from the caller.
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
import { dotted, pathTo } from '../model/join-paths.ts';
import { findField, type Lens, type LensDataset, type LensRelationship, type RowPolicy } from '../model/lens.ts';
import type { ReadAuthored } from './authored.ts';

type Model = Pick<Lens, 'datasets' | 'relationships'>;

function stepsOf(model: Model, policy: RowPolicy, path: string): LensRelationship[] | null {
  const found = pathTo(model, policy.dataset, path);
  return found.kind === 'path' && found.path.steps.length > 0 ? found.path.steps : null;
}

export const keysOfJoins = (model: Model, policy: RowPolicy): string[] =>
  (policy.joins ?? []).flatMap(({ path }) => stepsOf(model, policy, path)?.[0]?.from.columns ?? []);

/** Key columns of the joined datasets, and the columns that aren't fields. */
export const columnsOfJoins = (model: Model, policy: RowPolicy): string[] =>
  (policy.joins ?? []).flatMap(({ path, unlisted }) => [
    ...unlisted,
    ...(stepsOf(model, policy, path) ?? []).flatMap(({ from, to }) => [...from.columns, ...to.columns]),
  ]);

/** `key`: how the SQL writes a key column of the policy's own dataset. */
export function throughJoins(
  lens: Lens,
  policy: RowPolicy,
  authored: ReadAuthored,
  condition: Expression,
  key: (column: string) => Expression,
): Expression {
  const { joins = [] } = policy;
  if (joins.length === 0) return condition;
  const sources: FromItem[] = [];
  const on: Expression[] = [];
  for (const join of joins) {
    const steps = stepsOf(lens, policy, join.path);
    if (!steps) return literalOf('boolean', 'false'); // the relationship no longer exists, so no row matches
    let left = key;
    for (const [index, { from, to }] of steps.entries()) {
      const last = index === steps.length - 1;
      const alias = last ? join.path : `${join.path}_by_${dotted(steps.slice(0, index + 1)).replaceAll('.', '_')}`;
      const next = steps[index + 1]?.from.columns ?? [];
      const needed = {
        fields: last ? join.fields : [],
        columns: [...to.columns, ...next, ...(last ? join.unlisted : [])],
      };
      const source = sourceOf(authored, lens.datasets.find(({ name }) => name === to.dataset)!, needed, alias);
      sources.push(source.item);
      on.push(
        ...to.columns.map((column, columnIndex) =>
          compare(source.column(column), '=', left(from.columns[columnIndex]!)),
        ),
      );
      left = source.column;
    }
  }
  const from = sources.reduce((before, source) => joinOf('cross', before, source));
  return exists(selectOf([itemOf(numberOf(1), 'one')], [from], { where: allOf([...on, condition]) }));
}

/** The table itself if its columns are the fields. */
function sourceOf(
  authored: ReadAuthored,
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
      return itemOf(expression ? authored(expression) : columnOf(field), field);
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
