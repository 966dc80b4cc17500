import { typedNull } from '../../dialects/compiling.ts';
import { dialectOf } from '../../dialects/dialects.ts';
import { allOf, columnOf, derivedOf, itemOf, numberOf, selectOf, tableOf } from '../../dialects/make-nodes.ts';
import type { Expression, FromItem, Item, Query } from '../../dialects/tree.ts';
import { findField, type LensDataset } from '../model/lens.ts';
import { policiesFor, policyColumns, policyCondition, policyFields, type Writing } from './row-policies.ts';

export interface Needed {
  fields: Set<string>;
  /** Physical key columns that relationships read. */
  keys: Set<string>;
  /**
   * The statement's lookup conditions on the dataset's rows. Each is a function that receives how to write a column.
   */
  lookups: ((column: (name: string) => Expression) => Expression)[];
}
/** The output name of a key column: its own name, unless a field with that name has an expression. */
export const keyName = (dataset: LensDataset, column: string): string =>
  findField(dataset, column)?.expression ? `key_${column}` : column;

export function tableAs({ table, ...where }: LensDataset['source'], alias: string): FromItem {
  return tableOf(table, { ...where, alias: table === alias ? null : alias });
}

export function datasetInFrom(writing: Writing, dataset: LensDataset, alias: string, needed: Needed): FromItem {
  const policies = policiesFor(writing.lens, dataset.name, writing.caller);
  const computed = [...needed.fields].some((name) => findField(dataset, name)?.expression);
  const renamed = [...needed.keys].some((column) => keyName(dataset, column) !== column);
  if (policies.length === 0 && !computed && !renamed) return tableAs(dataset.source, alias);
  const columns = dataset.fields.filter(({ name }) => needed.fields.has(name)).map(({ name }) => name);
  const keys = [...needed.keys].filter((key) => keyName(dataset, key) !== key || !columns.includes(key));
  return derivedOf(selectBody(writing, dataset, columns, { raw: true, keys, lookups: needed.lookups }), alias);
}

interface BodyOptions {
  /** True returns the values of masked fields, for counting. Otherwise masked fields are typed nulls. */
  raw: boolean;
  keys: string[];
  /** Additional columns: each name, with the field whose real value it shows. */
  also?: Record<string, string>;
  lookups?: Needed['lookups'];
}

/** Omits an alias that equals the column's name. */
export const named = (value: Expression, name: string): Item =>
  itemOf(value, value.kind === 'column' && value.path.at(-1) === name ? null : name);

export function selectBody(
  writing: Writing,
  dataset: LensDataset,
  columns: string[],
  { raw, keys, also = {}, lookups = [] }: BodyOptions,
): Query {
  const { lens, caller, authored } = writing;
  const dialect = dialectOf(lens.dialect);
  const policies = policiesFor(lens, dataset.name, caller);
  const real = (name: string): Expression => {
    const expression = findField(dataset, name)?.expression;
    return expression ? authored(expression) : columnOf(name);
  };
  const hidden = (name: string): Expression | null => {
    const field = findField(dataset, name);
    return field?.masked && !raw ? typedNull(dialect, field.datatype) : null;
  };
  const list = (items: Item[]): Item[] => (items.length > 0 ? items : [itemOf(numberOf(1), 'one')]);
  const { table, ...where } = dataset.source;
  const sourceTable = tableOf(table, where);
  const key = (column: string): Item => named(columnOf(column), keyName(dataset, column));
  const outputItems = [
    ...columns.map((name) => named(hidden(name) ?? real(name), name)),
    ...Object.entries(also).map(([name, field]) => named(real(field), name)),
    ...keys.map(key),
  ];
  if (policies.length === 0) return selectOf(list(outputItems), [sourceTable]);
  const qualifiedColumn = (name: string): Expression => columnOf(dataset.name, name);
  const condition = (column: (name: string) => Expression): Expression | null =>
    allOf([
      ...policies.map((policy) => policyCondition(writing, policy, column)),
      ...lookups.map((lookup) => lookup(qualifiedColumn)),
    ]);
  const outputs = [...columns, ...Object.keys(also), ...keys.map((key) => keyName(dataset, key))];
  const fenced = (items: Item[], from: FromItem, where: Expression | null): Query =>
    dialect.fence!(selectOf(list(items), [from], { where }), outputs, dataset.name);
  const computed = policyFields(policies, dataset).filter((name) => findField(dataset, name)?.expression);
  if (computed.length === 0)
    return fenced(outputItems, tableAs(dataset.source, dataset.name), condition(qualifiedColumn));
  // A policy over a computed field reads the field from an inner SELECT.
  const inner = [...new Set([...columns, ...Object.values(also), ...policyFields(policies, dataset)])];
  const physical = [...new Set([...keys, ...policyColumns(lens, policies)])].filter(
    (item) => !inner.includes(keyName(dataset, item)),
  );
  const bodyNames = [...inner.map((name) => named(real(name), name)), ...physical.map(key)];
  const outer = [
    ...columns.map((name) => named(hidden(name) ?? qualifiedColumn(name), name)),
    ...Object.entries(also).map(([name, field]) => named(qualifiedColumn(field), name)),
    ...keys.map((key) => itemOf(qualifiedColumn(keyName(dataset, key)))),
  ];
  const from = derivedOf(selectOf(list(bodyNames), [sourceTable]), dataset.name);
  return fenced(
    outer,
    from,
    condition((column) => qualifiedColumn(keyName(dataset, column))),
  );
}
