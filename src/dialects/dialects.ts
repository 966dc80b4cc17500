// The dialects that are spoken here, by name: ours, and those that plugins bring.
import { bigquery } from '../engines/bigquery/dialect/dialect.ts';
import { clickhouse } from '../engines/clickhouse/dialect/dialect.ts';
import { databricks } from '../engines/databricks/dialect/dialect.ts';
import { duckdb } from '../engines/duckdb/dialect/dialect.ts';
import { mysql } from '../engines/mysql/dialect/dialect.ts';
import { postgres } from '../engines/postgres/dialect/dialect.ts';
import { redshift } from '../engines/redshift/dialect/dialect.ts';
import { snowflake } from '../engines/snowflake/dialect/dialect.ts';
import { sqlserver } from '../engines/sqlserver/dialect/dialect.ts';
import { trino } from '../engines/trino/dialect/dialect.ts';
import type { Dialect } from './dialect.ts';
import { foreign } from './foreign/foreign.ts';
import { FunctionList } from './function-list.ts';
import * as nodes from './make-nodes.ts';

const OURS = [duckdb, postgres, mysql, clickhouse, trino, redshift, snowflake, bigquery, databricks, sqlserver];
const dialects = new Map<string, Dialect>(OURS.map((one) => [one.name, one]));

export function dialectOf(name: string): Dialect {
  const dialect = dialects.get(name);
  if (!dialect) throw new Error(`No dialect is called ${name}.`);
  return dialect;
}

/** Every process of ours knows it. */
export const isOurs = (name: string): boolean => OURS.some((one) => one.name === name);

/** What a plugin makes its dialects of; it imports nothing of ours. */
export interface DialectTools {
  foreign: typeof foreign;
  /** Makes nodes of trees. */
  nodes: typeof nodes;
  functionList(...given: ConstructorParameters<typeof FunctionList>): FunctionList;
}
const TOOLS: DialectTools = { foreign, nodes, functionList: (groups) => new FunctionList(groups) };

/** The dialects that a plugin brings, each of them whole; throws, naming what is wrong with one. */
export function dialectsFrom(make: (tools: DialectTools) => Dialect[]): Dialect[] {
  const made = make(TOOLS);
  for (const dialect of made) {
    if (isOurs(dialect.name)) throw new Error(`the dialect ${dialect.name} is svc's own`);
    const missing = unsaid(dialect, mysql, '');
    if (missing.length > 0) throw new Error(`the dialect ${dialect.name} does not say ${missing.join(', ')}`);
  }
  return made;
}

/** It may come again: each app loads its plugins. */
export function addDialects(made: readonly Dialect[]): void {
  for (const dialect of made) dialects.set(dialect.name, dialect);
}

/** What `whole` says and this does not, however deep. */
function unsaid(found: unknown, whole: object, path: string): string[] {
  return Object.entries(whole).flatMap(([key, value]) => {
    const said = (found as Record<string, unknown> | null)?.[key];
    const name = path + key;
    if (said === undefined || (value !== null && said !== null && typeof said !== typeof value)) return [name];
    const plain = value !== null && Object.getPrototypeOf(value) === Object.prototype;
    return plain ? unsaid(said, value as object, `${name}.`) : [];
  });
}
