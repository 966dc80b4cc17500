// Compares drafted joins with declared ones. Each schema is loaded into DuckDB without its declarations and then
// drafted.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { loadDialect } from '../../src/dialects/dialects.ts';
import { draftFromWarehouse } from '../../src/domain/semantic/introspect.ts';
import { openDuckDbWarehouse } from '../../src/engines/duckdb/warehouse/warehouse.ts';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import type { DeclaredSchema, DeclaredTable, Reference } from './declared-schema.ts';

export interface Measured {
  schema: string;
  tables: number;
  declared: number;
  drafted: number;
  /** The number of declared joins that the draft has. */
  found: number;
  missed: string[];
  /** The drafted joins that are neither declared nor implied by a chain of declared joins. */
  wrong: string[];
}
/** Whether the loaded schema keeps or loses the declarations of its primary keys. */
export type Keys = 'declared' | 'stripped';

export async function measureJoins(schema: DeclaredSchema, keys: Keys): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-joins-'));
  const path = join(folder, 'schema.duckdb');
  await createDuckdbFile(path, ...schema.tables.flatMap((table) => statements(table, keys)));
  const warehouse = await openDuckDbWarehouse({ path, label: schema.name });
  await loadDialect(warehouse.dialect);
  try {
    const { files } = await draftFromWarehouse(warehouse, 'measured', { connection: schema.name, profile: true });
    return compareJoins(schema, joinsOf(parse(Object.values(files)[0]!)));
  } finally {
    await warehouse.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function statements({ name, columns, key, rows }: DeclaredTable, keys: Keys): string[] {
  const list = columns.map((column) => `"${column.name}" ${column.type}`);
  const primary =
    keys === 'declared' && key.length > 0 ? [`primary key (${key.map((item) => `"${item}"`).join(', ')})`] : [];
  const values = rows.map((row) => `(${columns.map((column) => literal(row[column.name]!)).join(', ')})`);
  return [
    `create table "${name}" (${[...list, ...primary].join(', ')})`,
    ...(values.length > 0 ? [`insert into "${name}" values ${values.join(', ')}`] : []),
  ];
}
const literal = (value: string | number | boolean | null): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);

interface Drafted {
  datasets: Record<string, { source: string }>;
  relationships: { from: string | string[]; to: string | string[] }[];
}
/** The joins as tables and columns of the database. */
function joinsOf({ datasets, relationships }: Drafted): Reference[] {
  const end = (paths: string | string[]) => {
    const parts = [paths].flat().map((path) => /^(\w+)\.(.+)$/.exec(path)!);
    const [, table] = /^(?:\w+\.)?(.+)$/.exec(datasets[parts[0]![1]!]!.source)!;
    const unquote = (name: string): string => name.replace(/^"(.*)"$/, '$1');
    return { table: unquote(table!), columns: parts.map(([, , column]) => unquote(column!)) };
  };
  return relationships.map(({ from, to }) => ({ from: end(from), to: end(to) }));
}

const referenceText = ({ from, to }: Reference): string =>
  `${from.table}.${from.columns.join(',')} -> ${to.table}.${to.columns.join(',')}`;

function compareJoins({ name, tables, references }: DeclaredSchema, draftedJoins: Reference[]): Measured {
  const declared = new Set(references.map(referenceText));
  const draftedTexts = new Set(draftedJoins.map(referenceText));
  return {
    ...{ schema: name, tables: tables.length, declared: declared.size, drafted: draftedTexts.size },
    found: [...declared].filter((item) => draftedTexts.has(item)).length,
    missed: [...declared].filter((item) => !draftedTexts.has(item)),
    wrong: draftedJoins.filter((item) => !hasPath(references, item)).map(referenceText),
  };
}

/** True if a chain of references leads from the first column to the second, such as "employee -> person -> entity". */
function hasPath(references: Reference[], { from, to }: Reference): boolean {
  return from.columns.every((column, at) => {
    const goal = `${to.table}.${to.columns[at]}`;
    const seenKeys = new Set<string>();
    const open = [`${from.table}.${column}`];
    for (let here = open.pop(); here !== undefined; here = open.pop()) {
      if (here === goal) return true;
      if (seenKeys.has(here)) continue;
      seenKeys.add(here);
      for (const reference of references)
        for (const [i, part] of reference.from.columns.entries())
          if (`${reference.from.table}.${part}` === here) open.push(`${reference.to.table}.${reference.to.columns[i]}`);
    }
    return false;
  });
}

export function totals(all: readonly Measured[]) {
  const sum = (of: (one: Measured) => number): number => all.reduce((total, one) => total + of(one), 0);
  const [declared, draftedCount] = [sum((one) => one.declared), sum((one) => one.drafted)];
  const [foundCount, wrong] = [sum((one) => one.found), sum((one) => one.wrong.length)];
  return {
    declared,
    drafted: draftedCount,
    found: foundCount,
    wrong,
    recall: foundCount / declared,
    precision: (draftedCount - wrong) / draftedCount,
  };
}
