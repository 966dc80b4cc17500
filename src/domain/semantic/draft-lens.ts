// A lens that a person would be glad to start from: names, keys, joins, types, dictionaries, sensible metrics.
// Pure: catalog and statistics in, the text of lens.yaml out.
import type { Datatype, Dialect } from '../../contract/warehouse.ts';
import { dialectOf } from '../../dialects/dialects.ts';
import { quoteIdentifier } from '../../guard/literals.ts';
import { unended } from '../../lens/aggregation.ts';
import { snake, spelledOut, words } from '../../lens/name-words.ts';
import { plural, singular } from '../../lens/singular.ts';
import { isPlainName } from '../../lens/sql-name.ts';
import type { CatalogColumn, CatalogTable, ColumnProfile } from '../ports.ts';
import { hasDictionary, howColumnAdds, isNumber, isTime, roleOf } from './column-roles.ts';
import { calledBy, codesIn, unitIn } from './comment-words.ts';
import { type DraftJoin, findJoins } from './draft-joins.ts';
import { draftMetrics, type Measured } from './draft-metrics.ts';
import { synonymsOf, unitOf } from './field-words.ts';
import { flagOf } from './flags.ts';
import { tableNames } from './table-words.ts';
import { writeLens } from './write-lens.ts';
import { looksWritten } from './written-text.ts';

export interface DraftOptions {
  name: string;
  connection: string;
  dialect: Dialect;
  tables: readonly CatalogTable[];
  profiles?: readonly ColumnProfile[];
}
export interface LensDraft {
  text: string;
  /** Columns that are not in it, and why. */
  leftOut: string[];
  /** Fields about persons that it shows. */
  personal: string[];
  sampleQuestions: string[];
}
type Words = Record<string, unknown>;
interface DraftedTable extends Measured {
  body: Words;
  category: string | null;
  leftOut: string[];
  personal: string[];
  /** Numbers of which nothing tells whether they add up. */
  untold: string[];
  /** Text that looks like dates or numbers. */
  written: string[];
}
const SAMPLES = 4;
const FEW = 50; // groups that a sample question shows
const MOST_RELATIONSHIPS = 5_000; // of one lens

export function draftLens({ name, connection, dialect, tables, profiles = [] }: DraftOptions): LensDraft {
  const named = nameDatasets(tables, dialect);
  const joins = findJoins(tables);
  const statistics = new Map(profiles.map((profile) => [`${profile.table}.${profile.column}`, profile]));
  const joining = new Map<CatalogTable, string[]>();
  for (const { from } of joins) joining.set(from.table, [...(joining.get(from.table) ?? []), ...from.columns]);
  const drafted = tables.map((table) =>
    draftTable(table, named.get(table)!, dialect, joining.get(table) ?? [], tableNames(table, tables), (column) =>
      statistics.get(`${table.table}.${column}`),
    ),
  );
  const kept = drafted.filter(({ body }) => Object.keys(body['fields'] as Words).length > 0);
  const related = relationships(joins, named, new Set(kept.map(({ dataset }) => dataset)));
  const leftOut = [
    ...drafted.flatMap((table) => table.leftOut),
    ...related.slice(MOST_RELATIONSHIPS).map(({ from, to }) => `${from} -> ${to} (over ${MOST_RELATIONSHIPS} joins)`),
  ];
  const personal = kept.flatMap((table) => table.personal);
  const samples = sampleQuestions(kept);
  const lens: Words = {
    name,
    title: words(name).replace(/^./, (letter) => letter.toUpperCase()),
    description: `Drafted from connection ${connection}; read it through before people rely on it.`,
    connection,
    datasets: Object.fromEntries(kept.map(({ dataset, body }) => [dataset, body])),
    relationships: related.slice(0, MOST_RELATIONSHIPS),
    metrics: draftMetrics(kept),
    definitions: [],
    grants: { callers: [], groups: [] },
    sample_questions: samples,
  };
  const untold = kept.flatMap((table) => table.untold);
  const written = kept.flatMap((table) => table.written);
  const notes = [
    ...(personal.length > 0
      ? [`About persons, shown to whoever is granted this lens; "mask: true" hides one: ${personal.join(', ')}.`]
      : []),
    ...(untold.length > 0
      ? [
          `Nothing tells whether these add up; "aggregation: sum", "average", "latest" (a level) or "none" does: ${untold.join(', ')}.`,
        ]
      : []),
    ...(written.length > 0
      ? [
          `Text that looks like dates or numbers, and is read as text: ${written.join(', ')}. Over files, a select of the connection says what it is: "select * replace (strptime(day, '%d/%m/%Y')::date as day) from source", or '%m/%d/%Y' where the month comes first.`,
        ]
      : []),
    ...(leftOut.length > 0 ? [`Left out: ${leftOut.join(', ')}.`] : []),
  ];
  return { text: writeLens(lens, notes), leftOut, personal, sampleQuestions: samples };
}

function draftTable(
  table: CatalogTable,
  dataset: string,
  dialect: Dialect,
  joining: readonly string[],
  alsoCalled: readonly string[],
  profileOf: (column: string) => ColumnProfile | undefined,
): DraftedTable {
  const keys = new Set([...table.primaryKey, ...joining]);
  const names = table.columns.map((column) => column.name);
  const fields: Record<string, Words> = {};
  const drafted: Pick<DraftedTable, 'measures' | 'category' | 'leftOut' | 'personal' | 'untold' | 'written'> = {
    ...{ measures: [], category: null, leftOut: [], personal: [], untold: [], written: [] },
  };
  let fewest = FEW;
  const calledTable = calledBy(table.comment, '')[0];
  const thing = singular(calledTable ?? spelledOut(table.table));
  const calledColumns = namesInComments(table, thing);
  for (const column of table.columns) {
    const profile = profileOf(column.name);
    const read = dialectOf(dialect).compiling.readAs[column.nativeType];
    const flag = column.datatype === 'string' ? flagOf(column.name, profile) : null;
    const datatype = flag ? 'boolean' : read === null ? null : (read?.datatype ?? column.datatype);
    const role = roleOf({ ...column, datatype }, table, keys.has(column.name), profile);
    if (role === 'secret' || datatype === null) {
      const why = role === 'secret' ? 'looks like a secret' : `type ${column.nativeType}`;
      drafted.leftOut.push(`${table.table}.${column.name} (${why})`);
      continue;
    }
    const field = unique(/^[A-Za-z_]\w*$/.test(column.name) ? column.name : snake(column.name), Object.keys(fields));
    const synonyms = [
      ...synonymsOf(column.name, names, datatype),
      ...(flag ? [flag.called] : []),
      // A key that leads elsewhere names the part that the other row plays.
      ...(joining.includes(column.name) ? [] : (calledColumns.get(column.name) ?? [])),
      ...(/[^ -~]/.test(column.name) ? [column.name] : []),
    ];
    const unit = role === 'key' || !isNumber(datatype) ? null : (unitOf(column.name) ?? unitIn(column.comment));
    const adds = isNumber(datatype) && role !== 'key' ? howColumnAdds({ ...column, datatype }, table) : null;
    const codes = flag || role === 'key' ? [] : codesOf(column, datatype, profile);
    fields[field] = {
      datatype,
      ...(column.comment ? { description: column.comment.slice(0, 1000) } : {}),
      ...(synonyms.length > 0 ? { synonyms: [...new Set(synonyms)] } : {}),
      ...(unit ? { unit } : {}),
      ...(adds && adds !== 'sum' && adds !== 'unknown' ? { aggregation: adds } : {}),
      ...(flag
        ? { expression: `${quoteIdentifier(dialect, column.name)} = '${flag.yes}'` }
        : read
          ? { expression: `cast(${quoteIdentifier(dialect, column.name)} as ${read.as})` }
          : field !== column.name
            ? { expression: quoteIdentifier(dialect, column.name) }
            : {}),
      ...(role === 'personal' ? { mask: true } : {}),
      ...(codes.length > 0 ? { values: codes } : hasDictionary(role, profile) ? { values: 'auto' } : {}),
    };
    const mostlyBlank = profile ? profile.nulls * 2 > profile.rows : false;
    if (role === 'category' && !mostlyBlank && (profile?.distinct ?? FEW) <= fewest) {
      drafted.category = field;
      fewest = (profile?.distinct ?? FEW) - 1;
    }
    if (role === 'contact') drafted.personal.push(`${dataset}.${field}`);
    if (datatype === 'string' && role !== 'key' && looksWritten(profile)) drafted.written.push(`${dataset}.${field}`);
    if (adds === 'unknown' && codes.length === 0) drafted.untold.push(`${dataset}.${field}`);
    if (role === 'additive' || role === 'averaged' || role === 'level')
      drafted.measures.push({
        ...{ field, additive: role === 'additive', unit },
        ...(calledColumns.has(column.name) ? { called: calledColumns.get(column.name)![0]! } : {}),
      });
  }
  const synonyms = [
    ...new Set([
      ...(calledTable ? [calledTable] : words(table.table) === spelledOut(table.table) ? [] : [thing]),
      ...alsoCalled,
    ]),
  ].filter((name) => name !== words(dataset));
  const timeField = timeFieldOf(table, fields);
  const body = {
    source: [table.schema, table.table]
      .filter((part) => part !== null)
      .map((part) => sourceName(part))
      .join('.'),
    description: table.comment?.slice(0, 1000) || `One row per ${thing}.`,
    ...(synonyms.length > 0 ? { synonyms } : {}),
    ...(table.primaryKey.length > 0 ? { primary_key: table.primaryKey } : {}),
    ...(timeField ? { time_field: timeField } : {}),
    fields,
  };
  return { ...drafted, dataset, timeField, ...(calledTable ? { thing } : {}), body };
}

/** What comments call the columns of a table, where it is no name of another of them. */
function namesInComments({ columns }: CatalogTable, thing: string): Map<string, string[]> {
  const said = columns.map(({ name, comment }) => ({ name, called: calledBy(comment, thing) }));
  const free = (form: string, own: string): boolean =>
    said.every(({ name, called }) => name === own || (words(name) !== form && !called.includes(form)));
  const kept = said.map(({ name, called }) => [
    name,
    called.filter((form) => free(form, name) && form !== words(name)),
  ]);
  return new Map((kept as [string, string[]][]).filter(([, called]) => called.length > 0));
}

/** What the codes of a column mean by its comment, and whatever else it holds. */
function codesOf(column: CatalogColumn, datatype: Datatype, profile: ColumnProfile | undefined) {
  const told = codesIn(column.comment);
  const numeric = datatype === 'integer' && told.every(({ value }) => /^-?\d+$/.test(value));
  if (told.length === 0 || !(datatype === 'string' || numeric)) return [];
  const stored = profile?.sampled === false ? (profile.values ?? []) : [];
  if (datatype === 'string' && profile && !stored.some((value) => told.some((one) => one.value === value))) return [];
  const others = stored.filter((value) => !told.some((one) => one.value === value));
  return [...told.map((one) => ({ ...one, value: numeric ? Number(one.value) : one.value })), ...others];
}

function sampleQuestions(tables: readonly DraftedTable[]): string[] {
  const grouped = tables.flatMap(({ dataset, category, measures }) =>
    category
      ? [
          `How many ${plural(spelledOut(dataset))} are there by ${spelledOut(category)}?`,
          ...measures
            .slice(0, 1)
            .map(
              ({ field }) =>
                `What is the average ${spelledOut(field)} of ${plural(spelledOut(dataset))} by ${spelledOut(category)}?`,
            ),
        ]
      : [],
  );
  return [...grouped, ...tables.map(({ dataset }) => `How many ${plural(spelledOut(dataset))} are there?`)].slice(
    0,
    SAMPLES,
  );
}

/** Never a word that SQL reserves: an expression says `dataset.field` as it stands. */
function nameDatasets(tables: readonly CatalogTable[], dialect: Dialect): Map<CatalogTable, string> {
  const isFree = (name: string): boolean => isPlainName(name) && !dialectOf(dialect).compiling.reserved.has(name);
  const free = (name: string): string => [name, plural(name)].find(isFree) ?? `${name}_table`;
  const count = new Map<string, number>();
  for (const { table } of tables) count.set(snake(table), (count.get(snake(table)) ?? 0) + 1);
  const taken = new Set<string>();
  return new Map(
    tables.map((table) => {
      const wanted =
        count.get(snake(table.table)) === 1 ? snake(table.table) : snake(`${table.schema ?? ''}_${table.table}`);
      const name = unique(free(wanted), taken);
      taken.add(name);
      return [table, name];
    }),
  );
}

/** A role is named where a dataset is reached twice, by itself, or under another name than its own. */
function relationships(
  joins: readonly DraftJoin[],
  named: ReadonlyMap<CatalogTable, string>,
  datasets: ReadonlySet<string>,
): Words[] {
  const usable = joins.filter(
    ({ from, to }) => datasets.has(named.get(from.table)!) && datasets.has(named.get(to.table)!),
  );
  const pair = ({ from, to }: DraftJoin) => `${named.get(from.table)} ${named.get(to.table)}`;
  const times = new Map<string, number>();
  for (const join of usable) times.set(pair(join), (times.get(pair(join)) ?? 0) + 1);
  const taken = new Set(named.values());
  return usable.map((join) => {
    const [from, to] = [named.get(join.from.table)!, named.get(join.to.table)!];
    const path = (dataset: string, columns: string[]) => {
      const paths = columns.map((column) => `${dataset}.${sourceName(column)}`);
      return paths.length === 1 ? paths[0] : paths;
    };
    const ends = { from: path(from, join.from.columns), to: path(to, join.to.columns) };
    const [column] = join.from.table.columns.filter(({ name }) => name === join.from.columns[0]);
    const comment = join.from.columns.length === 1 ? calledBy(column?.comment ?? null, '')[0] : undefined;
    const said = snake(comment ?? spelledOut(join.from.columns[0]!)).replace(/_(id|key|code|no|number)$/, '');
    const role = /^report(s|ing)?_to$/.test(said) ? 'manager' : said;
    const titles = [spelledOut(join.to.table.table), ...calledBy(join.to.table.comment, '')].map(snake).map(singular);
    const plain = titles.includes(singular(role)) || join.from.columns.length > 1;
    if (plain && from !== to && times.get(pair(join)) === 1) return ends;
    const name = unique(taken.has(role) ? `${role}_${singular(to)}` : role, taken);
    taken.add(name);
    return { name, ...ends };
  });
}

/** When a row came about; never when somebody was born or hired, or when something is due, changed or over. */
const NO_TIME =
  /birth|(^|_)dob|expir|(^|_)due|updat|modif|delet|valid|(^|_)(end|ended|to|until)(_|$)|cancel|last_|hire|hiring|join|enrol|regist|sign|install|retir|terminat|clos|(^|_)left|leav|return|deliver|resolv|paid|promis|expect|opened_on|found|(^|_)term(_|$)/;
const TIME_WORDS = [
  /^(order|invoice|sale|event|transaction|payment|booking|purchase)\w*_(date|at|time)$/,
  /created|occurred|placed/,
  /(^|_)date$/,
  /./,
];
/** Of several that could be meant none is: "in 2023" is then asked back. */
function timeFieldOf(table: CatalogTable, fields: Words): string | null {
  const times = table.columns
    .filter(({ name, datatype }) => isTime(datatype) && name in fields && !NO_TIME.test(unended(snake(name))))
    .map(({ name }) => name);
  const own = times.filter((name) => snake(name).startsWith(`${singular(snake(table.table))}_`));
  if (own.length === 1) return own[0]!;
  for (const wanted of TIME_WORDS) {
    const found = times.filter((name) => wanted.test(snake(name)));
    if (found.length > 0) return found.length === 1 ? found[0]! : null;
  }
  return null;
}

const unique = (wanted: string, taken: ReadonlySet<string> | readonly string[]): string => {
  const all = new Set(taken);
  let name = wanted.slice(0, 60);
  for (let n = 2; all.has(name); n++) name = `${wanted.slice(0, 57)}_${n}`;
  return name;
};
const sourceName = (part: string): string => (/^[A-Za-z_][\w$]*$/.test(part) ? part : `"${part}"`);
