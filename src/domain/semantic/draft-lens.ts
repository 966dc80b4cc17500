// A lens that a person would be glad to start from: names, keys, joins, types, dictionaries, sensible metrics.
// Pure: catalog and statistics in, the text of lens.yaml out.
import type { Dialect } from '../../contract/warehouse.ts';
import { quoteIdentifier } from '../../guard/literals.ts';
import type { CatalogTable, ColumnProfile } from '../ports.ts';
import { isTime, plural, roleOf, singular, snake, spelledOut, words } from './column-roles.ts';
import { findJoins } from './draft-joins.ts';
import { writeLens } from './write-lens.ts';

export interface DraftOptions {
  name: string;
  connection: string;
  dialect: Dialect;
  tables: readonly CatalogTable[];
  profiles?: readonly ColumnProfile[];
}
type Words = Record<string, unknown>;
const SAMPLES = 4;

export function draftLens({ name, connection, dialect, tables, profiles = [] }: DraftOptions): {
  text: string;
  lens: Words;
  leftOut: string[];
} {
  const named = nameDatasets(tables);
  const joins = findJoins(tables);
  const statistics = new Map(profiles.map((profile) => [`${profile.table}.${profile.column}`, profile]));
  const leftOut: string[] = [];
  const datasets: Record<string, Words> = {};
  const metrics: Record<string, Words> = {};
  const samples: string[] = [];
  const metricNames = new Set<string>();
  for (const table of tables) {
    const dataset = named.get(table)!;
    const keys = new Set([
      ...table.primaryKey,
      ...joins.filter(({ from }) => from.table === table).flatMap(({ from }) => from.columns),
    ]);
    const fields: Record<string, Words> = {};
    const measures: [string, 'additive' | 'averaged'][] = [];
    let category: string | null = null;
    for (const column of table.columns) {
      const role = roleOf(column, keys.has(column.name), statistics.get(`${table.table}.${column.name}`));
      if (role === 'secret' || column.datatype === null) {
        leftOut.push(
          `${table.table}.${column.name} (${role === 'secret' ? 'looks like a secret' : `type ${column.nativeType}`})`,
        );
        continue;
      }
      const field = unique(/^[A-Za-z_]\w*$/.test(column.name) ? column.name : snake(column.name), Object.keys(fields));
      const spelled = spelledOut(column.name);
      fields[field] = {
        datatype: column.datatype,
        ...(column.comment ? { description: column.comment.slice(0, 1000) } : {}),
        ...(spelled !== words(column.name) ? { synonyms: [spelled] } : {}),
        ...(field !== column.name ? { expression: quoteIdentifier(dialect, column.name) } : {}),
        ...(role === 'personal' ? { mask: true } : {}),
        ...(role === 'category' ? { values: 'auto' } : {}),
      };
      if (role === 'category') category ??= field;
      if (role === 'additive' || role === 'averaged') measures.push([field, role]);
    }
    if (Object.keys(fields).length === 0) continue;
    const thing = singular(words(table.table));
    const time = timeField(table, fields);
    datasets[dataset] = {
      source: [table.schema, table.table]
        .filter((part) => part !== null)
        .map((part) => sourceName(part))
        .join('.'),
      description: table.comment?.slice(0, 1000) || `One row per ${thing}.`,
      ...(table.primaryKey.length > 0 ? { primary_key: table.primaryKey } : {}),
      ...(time ? { time_field: time } : {}),
      fields,
    };
    const add = (wanted: string, metric: Words): string => {
      const chosen = unique(metricNames.has(wanted) ? `${snake(dataset)}_${wanted}` : wanted, [...metricNames]);
      metricNames.add(chosen);
      metrics[chosen] = { ...metric, ...(time ? { time_field: `${dataset}.${time}` } : {}) };
      return chosen;
    };
    add(`${snake(singular(snake(table.table)))}_count`, {
      expression: 'count(*)',
      dataset,
      description: `Number of ${plural(thing)}.`,
      synonyms: [`number of ${plural(thing)}`],
    });
    for (const [field, role] of measures) {
      const label = spelledOut(field);
      if (role === 'additive') {
        const stem = snake(field).replace(/^(total|sum)_?/, '');
        const metric = add(stem ? `total_${stem}` : `${snake(singular(snake(table.table)))}_total`, {
          expression: `sum(${dataset}.${field})`,
          description: `Sum of ${label} over ${plural(thing)}.`,
        });
        if (category) samples.push(`What was ${spelledOut(metric)} by ${words(category)}?`);
      }
      add(`average_${snake(field)}`, {
        expression: `avg(${dataset}.${field})`,
        description: `Average ${label} of ${/^[aeiou]/.test(thing) ? 'an' : 'a'} ${thing}.`,
      });
    }
    samples.push(`How many ${plural(thing)} are there?`);
  }
  const lens: Words = {
    name,
    title: title(name),
    description: `Drafted from connection ${connection}; read it through before people rely on it.`,
    connection,
    datasets,
    relationships: relationships(joins, named, datasets),
    metrics,
    definitions: [],
    grants: { callers: [], groups: [] },
    sample_questions: [
      ...samples.filter((text) => text.startsWith('What')),
      ...samples.filter((text) => text.startsWith('How')),
    ].slice(0, SAMPLES),
  };
  return { text: writeLens(lens), lens, leftOut };
}

function nameDatasets(tables: readonly CatalogTable[]): Map<CatalogTable, string> {
  const count = new Map<string, number>();
  for (const { table } of tables) count.set(snake(table), (count.get(snake(table)) ?? 0) + 1);
  const taken: string[] = [];
  return new Map(
    tables.map((table) => {
      const wanted =
        count.get(snake(table.table)) === 1 ? snake(table.table) : snake(`${table.schema ?? ''}_${table.table}`);
      const name = unique(wanted, taken);
      taken.push(name);
      return [table, name];
    }),
  );
}

/** A role is named where a dataset is reached twice, or by itself. */
function relationships(
  joins: ReturnType<typeof findJoins>,
  named: ReadonlyMap<CatalogTable, string>,
  datasets: Words,
): Words[] {
  const usable = joins.filter(({ from, to }) => named.get(from.table)! in datasets && named.get(to.table)! in datasets);
  const taken = [...named.values()];
  return usable.map((join) => {
    const [from, to] = [named.get(join.from.table)!, named.get(join.to.table)!];
    const twice =
      from === to ||
      usable.filter((other) => other.from.table === join.from.table && other.to.table === join.to.table).length > 1;
    const path = (dataset: string, columns: string[]) => {
      const paths = columns.map((column) => `${dataset}.${sourceName(column)}`);
      return paths.length === 1 ? paths[0] : paths;
    };
    if (!twice) return { from: path(from, join.from.columns), to: path(to, join.to.columns) };
    const role = unique(snake(join.from.columns[0]!).replace(/_(id|key|code)$/, ''), taken);
    taken.push(role);
    return { name: role, from: path(from, join.from.columns), to: path(to, join.to.columns) };
  });
}

const TIME_WORDS = [
  /^(order|invoice|sale|event|transaction|payment|ship)\w*_(date|at|time)$/,
  /(^|_)date$/,
  /created|occurred|placed/,
  /./,
];
function timeField(table: CatalogTable, fields: Words): string | null {
  const times = table.columns
    .filter(({ name, datatype }) => isTime(datatype) && name in fields)
    .map(({ name }) => name);
  for (const wanted of TIME_WORDS) {
    const found = times.find((name) => wanted.test(snake(name)));
    if (found) return found;
  }
  return null;
}

const unique = (wanted: string, taken: readonly string[]): string => {
  let name = wanted.slice(0, 60);
  for (let n = 2; taken.includes(name); n++) name = `${wanted.slice(0, 57)}_${n}`;
  return name;
};
const sourceName = (part: string): string => (/^[A-Za-z_][\w$]*$/.test(part) ? part : `"${part}"`);
const title = (name: string): string => words(name).replace(/^./, (letter) => letter.toUpperCase());
