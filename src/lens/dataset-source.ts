// How a dataset stands in FROM: its table when that shows nothing more, else a SELECT of the needed columns with the
// row policies as its WHERE.
import type { Datatype } from '../contract/warehouse.ts';
import { dialectSql } from './dialect-sql.ts';
import { type Asker, findField, type Lens, type LensDataset } from './lens.ts';
import { policiesFor, policyColumns, policyCondition, policyFields } from './row-policies.ts';
import { indent, sqlName, tableName } from './sql-name.ts';

export interface Needed {
  fields: Set<string>;
  /** Physical key columns that relationships read. */
  keys: Set<string>;
}
export type WriteLiteral = (value: string | number | boolean, datatype: Datatype) => string;

/** The name under which a key column is shown: its own, unless a listed field of that name is something else. */
export const keyName = (dataset: LensDataset, column: string): string =>
  findField(dataset, column)?.expression ? `key_${column}` : column;

export function datasetInFrom(
  lens: Lens,
  asker: Asker,
  dataset: LensDataset,
  alias: string,
  needed: Needed,
  literal: WriteLiteral,
): string {
  const { dialect } = lens;
  const policies = policiesFor(lens, dataset.name, asker);
  const computed = [...needed.fields].some((name) => findField(dataset, name)?.expression);
  const renamed = [...needed.keys].some((column) => keyName(dataset, column) !== column);
  const table = tableName(dialect, dataset.source);
  if (policies.length === 0 && !computed && !renamed) {
    return dataset.source.table === alias ? table : `${table} as ${sqlName(dialect, alias)}`;
  }
  const columns = dataset.fields.filter(({ name }) => needed.fields.has(name)).map(({ name }) => name);
  const keys = [...needed.keys].filter((key) => keyName(dataset, key) !== key || !columns.includes(key));
  const body = selectBody(lens, asker, dataset, columns, { raw: true, keys, literal });
  return `(\n${indent(body)}\n) as ${sqlName(dialect, alias)}`;
}

export interface BodyOptions {
  /** True: masked fields show their values, for counting; else a typed null. */
  raw: boolean;
  keys: string[];
  literal: WriteLiteral;
  /** Further columns, name -> field whose real value they show. */
  also?: Record<string, string>;
}

export function selectBody(
  lens: Lens,
  asker: Asker,
  dataset: LensDataset,
  columns: string[],
  { raw, keys, literal, also = {} }: BodyOptions,
): string {
  const { dialect } = lens;
  const policies = policiesFor(lens, dataset.name, asker);
  const quoted = (name: string): string => sqlName(dialect, name);
  const real = (name: string): string => findField(dataset, name)?.expression ?? quoted(name);
  const shown = (name: string): string => {
    const field = findField(dataset, name);
    return field?.masked && !raw ? dialectSql[dialect].typedNull(field.datatype) : real(name);
  };
  const named = (sql: string, name: string): string => (sql === quoted(name) ? sql : `${sql} as ${quoted(name)}`);
  const list = (items: string[]): string => (items.length > 0 ? items.join(', ') : '1 as one');
  const conditions = policies.map((policy) => `(${policyCondition(policy, asker, literal)})`);
  const where = conditions.length > 0 ? `\nwhere ${conditions.join(' and ')}` : '';
  const table = tableName(dialect, dataset.source);
  const read = policyFields(policies, dataset);
  if (read.every((name) => !findField(dataset, name)?.expression)) {
    const items = [
      ...columns.map((name) => named(shown(name), name)),
      ...Object.entries(also).map(([name, field]) => named(real(field), name)),
      ...keys.map((key) => named(quoted(key), keyName(dataset, key))),
    ];
    return `select ${list(items)}\nfrom ${table}${where && dataset.source.table !== dataset.name ? ` as ${quoted(dataset.name)}` : ''}${where}`;
  }
  // A policy over a computed field reads it from an inner SELECT.
  const inner = [...new Set([...columns, ...Object.values(also), ...read, ...policyColumns(policies)])];
  const innerItems = [
    ...inner.map((name) => named(real(name), name)),
    ...keys.map((key) => named(quoted(key), keyName(dataset, key))),
  ];
  const of = (name: string): string => `${quoted(dataset.name)}.${quoted(name)}`;
  const outer = [
    ...columns.map((name) => {
      const field = findField(dataset, name);
      return field?.masked && !raw ? named(dialectSql[dialect].typedNull(field.datatype), name) : of(name);
    }),
    ...Object.entries(also).map(([name, field]) => `${of(field)} as ${quoted(name)}`),
    ...keys.map((key) => of(keyName(dataset, key))),
  ];
  return `select ${list(outer)}\nfrom (\n${indent(`select ${list(innerItems)}\nfrom ${table}`)}\n) as ${quoted(dataset.name)}${where}`;
}
