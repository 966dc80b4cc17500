// Schemas like those of real systems, with rows: one line for each table, and "->" for declared joins. A seed determines the
// rows. Numbers that aren't references often equal keys of other tables, as in real data.
//
//   film 300: *film_id, title, language_id ->language, original_language_id?80 ->language, rating in(G|PG), length int(46..185)
//
// "*": part of the primary key. "!": unique. "?80": null in 80 of 100 rows. "(a, b) ->table": a reference of two columns.
import { readdirSync, readFileSync } from 'node:fs';
import { createRandom } from '../support/seeded.ts';

export interface Reference {
  from: { table: string; columns: string[] };
  to: { table: string; columns: string[] };
}
export interface DeclaredSchema {
  name: string;
  tables: DeclaredTable[];
  references: Reference[];
}
export interface DeclaredTable {
  name: string;
  columns: { name: string; type: string }[];
  key: string[];
  rows: Row[];
}
type Value = string | number | boolean | null;
type Row = Record<string, Value>;
interface Item {
  columns: string[];
  key: boolean;
  unique: boolean;
  nulls: number;
  type: string;
  to: { table: string; columns: string[] } | null;
}
interface Parsed {
  name: string;
  count: number;
  items: Item[];
}

const FOLDER = new URL('./declared/', import.meta.url);

export const declaredSchemas = (only?: readonly string[]): DeclaredSchema[] =>
  readdirSync(FOLDER)
    .filter((file) => !only || only.includes(file.replace(/\.txt$/, '')))
    .sort()
    .map((file) => readDeclared(file.replace(/\.txt$/, ''), readFileSync(new URL(file, FOLDER), 'utf8')));

export function readDeclared(name: string, text: string): DeclaredSchema {
  const parsed = text.trim().split('\n').map(parseTable);
  const references = parsed.flatMap((table) =>
    table.items.flatMap(({ columns, to }) =>
      to ? [{ from: { table: table.name, columns }, to: { table: to.table, columns: targetOf(parsed, to) } }] : [],
    ),
  );
  const draw = new RowsOf(parsed, seededBy(name));
  const tables = parsed.map((table) => ({
    name: table.name,
    columns: columnsOf(table).map((column) => ({ name: column, type: sqlType(typeOf(parsed, table, column)) })),
    key: keyOf(table),
    rows: draw.of(table),
  }));
  return { name, tables, references };
}

function parseTable(line: string): Parsed {
  const [, name, count, rest] = /^(.+) (\d+): (.+)$/.exec(line)!;
  const items = rest!.split(/,\s*(?![^(]*\))/).map((item) => {
    const [, star, wide, column, mark, nulls, declaration = ''] =
      /^(\*?)(?:\(([^)]+)\)|(\w+)(!?)(\?\d*)?)(?:\s+(.+))?$/.exec(item)!;
    const [, table, key, keys] = /^->(\w[\w ]*?)(?:\.(\w+)|\(([^)]+)\))?$/.exec(declaration) ?? [];
    const columns = wide ? wide.split(/,\s*/) : [column!];
    return {
      ...{ columns, key: star === '*', unique: mark === '!', nulls: nulls ? Number(nulls.slice(1) || 10) : 0 },
      type: table ? '' : declaration || (star ? 'serial' : 'text'),
      to: table ? { table, columns: key ? [key] : keys ? keys.split(/,\s*/) : [] } : null,
    };
  });
  return { name: name!, count: Number(count), items };
}

const columnsOf = ({ items }: Parsed): string[] => [...new Set(items.flatMap(({ columns }) => columns))];
const keyOf = ({ items }: Parsed): string[] => [
  ...new Set(items.filter(({ key }) => key).flatMap(({ columns }) => columns)),
];
const tableOf = (all: Parsed[], name: string): Parsed => {
  const foundTable = all.find((item) => item.name === name);
  if (!foundTable) throw new Error(`There is no table "${name}".`);
  return foundTable;
};
const targetOf = (all: Parsed[], { table, columns }: { table: string; columns: string[] }): string[] =>
  columns.length > 0 ? columns : keyOf(tableOf(all, table));
function typeOf(all: Parsed[], table: Parsed, column: string): string {
  const item = table.items.find(({ columns }) => columns.includes(column))!;
  if (!item.to) return item.type;
  return typeOf(all, tableOf(all, item.to.table), targetOf(all, item.to)[item.columns.indexOf(column)]!);
}
const sqlType = (type: string): string => {
  if (/^(?:serial|datekey|int)/.test(type)) return 'bigint';
  if (type.startsWith('dec')) return 'decimal(12, 2)';
  return { date: 'date', ts: 'timestamp', bool: 'boolean' }[type] ?? 'varchar';
};

/** Generates the keys of all tables first, because tables refer to each other in cycles. */
class RowsOf {
  readonly #all: Parsed[];
  readonly #random: () => number;
  readonly #keys = new Map<string, Row[]>();
  readonly #targets = new Map<object, { target: Parsed; columns: string[] }>();

  constructor(all: Parsed[], random: () => number) {
    this.#all = all;
    this.#random = random;
  }

  of(table: Parsed): Row[] {
    return this.#rowsWithKeys(table).map((row, at) => {
      for (const item of table.items.filter(({ key, unique }) => !key && !unique)) this.#fill(row, item, table, at);
      return Object.fromEntries(columnsOf(table).map((column) => [column, row[column] ?? null]));
    });
  }

  #rowsWithKeys(table: Parsed): Row[] {
    const knownKeys = this.#keys.get(table.name);
    if (knownKeys) return knownKeys;
    const rows = new Map<string, Row>();
    const parts = table.items.filter(({ key, unique }) => key || unique);
    const apart = [keyOf(table), ...table.items.filter(({ unique }) => unique).map(({ columns }) => columns)];
    const takenKeys = new Set<string>();
    for (let missedCount = 0; rows.size < table.count && missedCount < MOST_MISSED; missedCount++) {
      const row: Row = {};
      for (const item of parts) this.#fill(row, item, table, rows.size);
      const marks = apart
        .filter((columns) => columns.length > 0)
        .map((columns) => JSON.stringify([columns, columns.map((column) => row[column])]));
      if (marks.some((mark) => takenKeys.has(mark))) continue;
      for (const mark of marks) takenKeys.add(mark);
      missedCount = 0;
      rows.set(String(rows.size), row);
    }
    this.#keys.set(table.name, [...rows.values()]);
    return [...rows.values()];
  }

  #fill(row: Row, item: Item, table: Parsed, at: number): void {
    if (this.#random() * 100 < item.nulls) return;
    if (!item.to) {
      row[item.columns[0]!] = this.#value(item, table.name, at);
      return;
    }
    const { target, columns } = this.#targetOf(item.to);
    const knownValues = item.columns.map((column) => row[column]);
    const rows = this.#rowsWithKeys(target);
    const fits = knownValues.every((value) => value === undefined)
      ? rows
      : rows.filter((row) => knownValues.every((value, i) => value === undefined || value === row[columns[i]!]));
    const foundRow = fits[Math.floor(this.#random() * fits.length)];
    if (foundRow) for (const [i, column] of item.columns.entries()) row[column] = foundRow[columns[i]!]!;
  }

  #targetOf(to: { table: string; columns: string[] }): { target: Parsed; columns: string[] } {
    const knownTarget = this.#targets.get(to) ?? {
      target: tableOf(this.#all, to.table),
      columns: targetOf(this.#all, to),
    };
    this.#targets.set(to, knownTarget);
    return knownTarget;
  }

  #value({ type, key }: Item, table: string, at: number): Value {
    const upTo = (n: number): number => Math.floor(this.#random() * n);
    const [, kind = type, argument = ''] = /^(\w+)\((.*)\)$/.exec(type) ?? [];
    const [lowest = 0, highest = 0] = argument.split('..').map(Number);
    switch (kind) {
      case 'serial':
        return at + 1;
      case 'int':
        return lowest + upTo(highest - lowest + 1);
      case 'dec':
        return Math.round((lowest + this.#random() * (highest - lowest)) * 100) / 100;
      case 'in':
        return argument.split('|')[upTo(argument.split('|').length)]!;
      case 'bool':
        return this.#random() < 0.5;
      case 'date':
        return new Date(Date.UTC(2021, 0, 1 + upTo(1_200))).toISOString().slice(0, 10);
      case 'ts':
        return new Date(Date.UTC(2021, 0, 1, 0, upTo(1_700_000))).toISOString().slice(0, 19).replace('T', ' ');
      case 'datekey':
        return Number(new Date(Date.UTC(2022, 0, 1 + at)).toISOString().slice(0, 10).replaceAll('-', ''));
      case 'uuid':
        return Array.from({ length: 24 }, () => upTo(16).toString(16)).join('');
      case 'code':
        return `${table
          .replace(/[^A-Za-z]/g, '')
          .slice(0, 2)
          .toUpperCase()}${100 + at}`;
      case 'digits':
        return String(key ? 1_000_000 + at * 7 : 10_000 + upTo(89_999));
      case 'seat':
        return `${1 + upTo(40)}${'ABCDEF'[upTo(6)]}`;
      case 'name':
        return NAMES[upTo(NAMES.length)]!;
      case 'text':
        return `${WORDS[upTo(WORDS.length)]} ${WORDS[upTo(WORDS.length)]} ${upTo(400)}`;
      default:
        throw new Error(`"${type}" of ${table} is no type.`);
    }
  }
}
/** After this many existing rows in a sequence, the table is full. */
const MOST_MISSED = 60;
const NAMES = 'Ada,Ben,Cleo,Dara,Emil,Fay,Gus,Hana,Ivo,Jun,Kira,Leo,Mina,Nils,Olga,Paul,Rosa,Sven,Tara,Uwe'.split(',');
const WORDS = 'amber,birch,copper,dune,ember,fjord,grove,harbor,iris,juniper,kelp,lagoon,maple,north,opal'.split(',');

/** A random sequence that depends on the letters of the name. */
const seededBy = (name: string): (() => number) =>
  createRandom([...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7));
