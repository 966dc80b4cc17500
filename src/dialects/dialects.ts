// The dialects that are spoken here, by name.
import type { Dialect } from './dialect.ts';
import { duckdb } from './duckdb/dialect.ts';
import { mysql } from './mysql/dialect.ts';
import { postgres } from './postgres/dialect.ts';

const dialects: ReadonlyMap<string, Dialect> = new Map([duckdb, postgres, mysql].map((one) => [one.name, one]));

export function dialectOf(name: string): Dialect {
  const dialect = dialects.get(name);
  if (!dialect) throw new Error(`No dialect is called ${name}.`);
  return dialect;
}
