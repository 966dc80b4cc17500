// How a dataset stands in FROM: its table when that shows nothing more, else a SELECT of the needed columns with the
// row policies as its WHERE.
import type { Datatype } from '../contract/warehouse.ts';
import { dialectOf } from '../dialects/dialects.ts';
import { type Asker, findField, type Lens, type LensDataset } from './lens.ts';
import { policiesFor, policyColumns, policyCondition, policyFields } from './row-policies.ts';
import { indent, sqlName, tableName } from './sql-name.ts';

export interface Needed {
  fields: Set<string>;
  /** Physical key columns that relationships read. */
  keys: Set<string>;
  /** Conditions of the statement that its rows are looked up by, each by how its column is written. */
  lookups: ((column: (name: string) => string) => string)[];
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
  const body = selectBody(lens, asker, dataset, columns, { raw: true, keys, literal, lookups: needed.lookups });
  return `(\n${indent(body)}\n) as ${sqlName(dialect, alias)}`;
}

export interface BodyOptions {
  /** True: masked fields show their values, for counting; else a typed null. */
  raw: boolean;
  keys: string[];
  literal: WriteLiteral;
  /** Further columns, name -> field whose real value they show. */
  also?: Record<string, string>;
  lookups?: Needed['lookups'];
}

export function selectBody(
  lens: Lens,
  asker: Asker,
  dataset: LensDataset,
  columns: string[],
  { raw, keys, literal, also = {}, lookups = [] }: BodyOptions,
): string {
  const { dialect } = lens;
  const policies = policiesFor(lens, dataset.name, asker);
  const quoted = (name: string): string => sqlName(dialect, name);
  const real = (name: string): string => findField(dataset, name)?.expression ?? quoted(name);
  const hidden = (name: string): string | null => {
    const field = findField(dataset, name);
    return field?.masked && !raw ? dialectOf(dialect).compiling.typedNull(field.datatype) : null;
  };
  const named = ({ sql, name }: Item): string => (sql === quoted(name) ? sql : `${sql} as ${quoted(name)}`);
  const list = (items: Item[]): string => (items.length > 0 ? items.map(named).join(', ') : '1 as one');
  const table = tableName(dialect, dataset.source);
  const shown: Item[] = [
    ...columns.map((name) => ({ name, sql: hidden(name) ?? real(name) })),
    ...Object.entries(also).map(([name, field]) => ({ name, sql: real(field) })),
    ...keys.map((key) => ({ name: keyName(dataset, key), sql: quoted(key) })),
  ];
  if (policies.length === 0) return `select ${list(shown)}\nfrom ${table}`;
  const of = (name: string): string => `${quoted(dataset.name)}.${quoted(name)}`;
  const where = (key: (column: string) => string): string =>
    [
      ...policies.map((policy) => `(${policyCondition(lens, policy, asker, literal, key)})`),
      ...lookups.map((lookup) => lookup(of)),
    ].join(' and ');
  const outputs = shown.map(({ name }) => name);
  const computed = policyFields(policies, dataset).filter((name) => findField(dataset, name)?.expression);
  if (computed.length === 0) {
    const from = dataset.source.table === dataset.name ? table : `${table} as ${quoted(dataset.name)}`;
    return dialectOf(dialect).fence(`select ${list(shown)}\nfrom ${from}\nwhere ${where(of)}`, outputs, dataset.name);
  }
  // A policy over a computed field reads it from an inner SELECT.
  const inner = [...new Set([...columns, ...Object.values(also), ...policyFields(policies, dataset)])];
  const physical = [...new Set([...keys, ...policyColumns(lens, policies)])].filter(
    (key) => !inner.includes(keyName(dataset, key)),
  );
  const beneath = [
    ...inner.map((name) => ({ name, sql: real(name) })),
    ...physical.map((key) => ({ name: keyName(dataset, key), sql: quoted(key) })),
  ];
  const outer = [
    ...columns.map((name) => ({ name, sql: hidden(name) ?? of(name) })),
    ...Object.entries(also).map(([name, field]) => ({ name, sql: of(field) })),
    ...keys.map((key) => ({ name: keyName(dataset, key), sql: of(keyName(dataset, key)) })),
  ];
  const from = `(\n${indent(`select ${list(beneath)}\nfrom ${table}`)}\n) as ${quoted(dataset.name)}`;
  const condition = where((column) => of(keyName(dataset, column)));
  return dialectOf(dialect).fence(`select ${list(outer)}\nfrom ${from}\nwhere ${condition}`, outputs, dataset.name);
}

interface Item {
  sql: string;
  name: string;
}
