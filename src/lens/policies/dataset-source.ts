import { createTypedNull } from '../../dialects/compiling.ts';
import { findDialect } from '../../dialects/dialects.ts';
import { allOf, columnOf, derivedOf, itemOf, numberOf, selectOf, tableOf } from '../../dialects/make-nodes.ts';
import type { Expression, FromItem, Query, SelectItem } from '../../dialects/tree.ts';
import { findField, type LensDataset } from '../model/lens.ts';
import {
  createPolicyCondition,
  findPolicies,
  listPolicyColumns,
  listPolicyFields,
  type PolicyWriteContext,
} from './row-policies.ts';

export interface NeededColumns {
  fields: Set<string>;
  /** Physical key columns that relationships read. */
  keys: Set<string>;
  /**
   * Functions that create the conditions with which the statement looks up rows of the dataset. The argument `column`
   * writes a column as SQL.
   */
  lookups: ((column: (name: string) => Expression) => Expression)[];
}
/** Returns the output name of a key column: its own name, unless a field with that name has an expression. */
export const chooseKeyColumnName = (dataset: LensDataset, column: string): string =>
  findField(dataset, column)?.expression ? `key_${column}` : column;

export function createAliasedTable({ table, ...where }: LensDataset['source'], alias: string): FromItem {
  return tableOf(table, { ...where, alias: table === alias ? null : alias });
}

export function createFromItem(
  writing: PolicyWriteContext,
  dataset: LensDataset,
  alias: string,
  neededColumns: NeededColumns,
): FromItem {
  const policies = findPolicies(writing.lens, dataset.name, writing.caller);
  const hasComputed = [...neededColumns.fields].some((name) => findField(dataset, name)?.expression);
  const hasRenamed = [...neededColumns.keys].some((column) => chooseKeyColumnName(dataset, column) !== column);
  if (policies.length === 0 && !hasComputed && !hasRenamed) return createAliasedTable(dataset.source, alias);
  const columns = dataset.fields.filter(({ name }) => neededColumns.fields.has(name)).map(({ name }) => name);
  const keys = [...neededColumns.keys].filter(
    (key) => chooseKeyColumnName(dataset, key) !== key || !columns.includes(key),
  );
  return derivedOf(
    createSelectBody(writing, dataset, columns, { keepsMaskedValues: true, keys, lookups: neededColumns.lookups }),
    alias,
  );
}

interface SelectBodyOptions {
  /**
   * If true, masked fields keep their values, so that the statement can count them. If false, masked fields are typed
   * nulls.
   */
  keepsMaskedValues: boolean;
  keys: string[];
  /** Additional output columns by name, each with the field whose unmasked values the column contains. */
  rawColumns?: Record<string, string>;
  lookups?: NeededColumns['lookups'];
}

/** Omits an alias that equals the name of the column. */
export const createSelectItem = (value: Expression, name: string): SelectItem =>
  itemOf(value, value.kind === 'column' && value.path.at(-1) === name ? null : name);

export function createSelectBody(
  writing: PolicyWriteContext,
  dataset: LensDataset,
  columns: string[],
  { keepsMaskedValues: raw, keys, rawColumns = {}, lookups = [] }: SelectBodyOptions,
): Query {
  const { lens, caller, readAuthored } = writing;
  const dialect = findDialect(lens.dialect);
  const policies = findPolicies(lens, dataset.name, caller);
  const realValue = (name: string): Expression => {
    const expression = findField(dataset, name)?.expression;
    return expression ? readAuthored(expression) : columnOf(name);
  };
  const maskedValue = (name: string): Expression | null => {
    const field = findField(dataset, name);
    return field?.masked && !raw ? createTypedNull(dialect, field.datatype) : null;
  };
  const nonEmptyItems = (items: SelectItem[]): SelectItem[] =>
    items.length > 0 ? items : [itemOf(numberOf(1), 'one')];
  const { table, ...where } = dataset.source;
  const sourceTable = tableOf(table, where);
  const keyItem = (column: string): SelectItem =>
    createSelectItem(columnOf(column), chooseKeyColumnName(dataset, column));
  const outputItems = [
    ...columns.map((name) => createSelectItem(maskedValue(name) ?? realValue(name), name)),
    ...Object.entries(rawColumns).map(([name, field]) => createSelectItem(realValue(field), name)),
    ...keys.map(keyItem),
  ];
  if (policies.length === 0) return selectOf(nonEmptyItems(outputItems), [sourceTable]);
  const qualifiedColumn = (name: string): Expression => columnOf(dataset.name, name);
  const condition = (column: (name: string) => Expression): Expression | null =>
    allOf([
      ...policies.map((policy) => createPolicyCondition(writing, policy, column)),
      ...lookups.map((lookup) => lookup(qualifiedColumn)),
    ]);
  const outputs = [...columns, ...Object.keys(rawColumns), ...keys.map((key) => chooseKeyColumnName(dataset, key))];
  const fencedQuery = (items: SelectItem[], from: FromItem, where: Expression | null): Query =>
    dialect.fence!(selectOf(nonEmptyItems(items), [from], { where }), outputs, dataset.name);
  const computedFields = listPolicyFields(policies, dataset).filter((name) => findField(dataset, name)?.expression);
  if (computedFields.length === 0)
    return fencedQuery(outputItems, createAliasedTable(dataset.source, dataset.name), condition(qualifiedColumn));
  // If a policy uses a computed field, it reads the field from an inner SELECT.
  const innerColumns = [...new Set([...columns, ...Object.values(rawColumns), ...listPolicyFields(policies, dataset)])];
  const physicalColumns = [...new Set([...keys, ...listPolicyColumns(lens, policies)])].filter(
    (item) => !innerColumns.includes(chooseKeyColumnName(dataset, item)),
  );
  const innerItems = [
    ...innerColumns.map((name) => createSelectItem(realValue(name), name)),
    ...physicalColumns.map(keyItem),
  ];
  const outerItems = [
    ...columns.map((name) => createSelectItem(maskedValue(name) ?? qualifiedColumn(name), name)),
    ...Object.entries(rawColumns).map(([name, field]) => createSelectItem(qualifiedColumn(field), name)),
    ...keys.map((key) => itemOf(qualifiedColumn(chooseKeyColumnName(dataset, key)))),
  ];
  const from = derivedOf(selectOf(nonEmptyItems(innerItems), [sourceTable]), dataset.name);
  return fencedQuery(
    outerItems,
    from,
    condition((column) => qualifiedColumn(chooseKeyColumnName(dataset, column))),
  );
}
