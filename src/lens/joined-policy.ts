// A policy over datasets that a row leads to, many to one: the row is shown where those rows exist and fit. Who leads to
// none is hidden. What is read on the way is read for the policy, whatever policies hide it from the asker.
import { dotted, pathTo } from './join-paths.ts';
import { findField, type Lens, type LensDataset, type LensRelationship, type RowPolicy } from './lens.ts';
import { indent, sqlName, tableName } from './sql-name.ts';

type Model = Pick<Lens, 'datasets' | 'relationships'>;

function stepsOf(model: Model, policy: RowPolicy, path: string): LensRelationship[] | null {
  const found = pathTo(model, policy.dataset, path);
  return found.kind === 'path' && found.path.steps.length > 0 ? found.path.steps : null;
}

/** Key columns of the policy's own dataset. */
export const keysOfJoins = (model: Model, policy: RowPolicy): string[] =>
  (policy.joins ?? []).flatMap(({ path }) => stepsOf(model, policy, path)?.[0]?.from.columns ?? []);

/** Key columns and unlisted ones of the datasets on the way. */
export const columnsOnTheWay = (model: Model, policy: RowPolicy): string[] =>
  (policy.joins ?? []).flatMap(({ path, unlisted }) => [
    ...unlisted,
    ...(stepsOf(model, policy, path) ?? []).flatMap(({ from, to }) => [...from.columns, ...to.columns]),
  ]);

/** `key`: how a key column of the policy's own dataset is written where the policy stands. */
export function throughJoins(
  lens: Lens,
  policy: RowPolicy,
  condition: string,
  key: (column: string) => string,
): string {
  const { joins = [] } = policy;
  if (joins.length === 0) return condition;
  const sources: string[] = [];
  const on: string[] = [];
  for (const join of joins) {
    const steps = stepsOf(lens, policy, join.path);
    if (!steps) return 'false'; // the relationship is gone: no row
    let left = key;
    for (const [index, { from, to }] of steps.entries()) {
      const last = index === steps.length - 1;
      const alias = last ? join.path : `${join.path}_by_${dotted(steps.slice(0, index + 1)).replaceAll('.', '_')}`;
      const next = steps[index + 1]?.from.columns ?? [];
      const needed = {
        fields: last ? join.fields : [],
        columns: [...to.columns, ...next, ...(last ? join.unlisted : [])],
      };
      const source = sourceOf(lens, lens.datasets.find(({ name }) => name === to.dataset)!, needed, alias);
      sources.push(source.sql);
      on.push(...to.columns.map((column, at) => `${source.column(column)} = ${left(from.columns[at]!)}`));
      left = source.column;
    }
  }
  const all = [...on, `(${condition})`].join(' and ');
  return `exists (\n${indent(`select 1 as one\nfrom ${sources.join(' cross join ')}\nwhere ${all}`)}\n)`;
}

/** The table itself where its columns are the fields. */
function sourceOf(
  { dialect }: Lens,
  dataset: LensDataset,
  { fields, columns }: { fields: string[]; columns: string[] },
  alias: string,
): { sql: string; column: (name: string) => string } {
  const name = (text: string): string => sqlName(dialect, text);
  const table = tableName(dialect, dataset.source);
  if (fields.every((field) => !findField(dataset, field)?.expression))
    return { sql: `${table} as ${name(alias)}`, column: (column) => `${name(alias)}.${name(column)}` };
  const shown = (column: string): string => (findField(dataset, column)?.expression ? `key_${column}` : column);
  const items = [
    ...fields.map((field) => `${findField(dataset, field)?.expression ?? name(field)} as ${name(field)}`),
    ...[...new Set(columns)]
      .filter((column) => !fields.includes(shown(column)))
      .map((column) => `${name(column)} as ${name(shown(column))}`),
  ];
  return {
    sql: `(\n${indent(`select ${items.join(', ')}\nfrom ${table}`)}\n) as ${name(alias)}`,
    column: (column) => `${name(alias)}.${name(shown(column))}`,
  };
}
