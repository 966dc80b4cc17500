// One table as a dataset of a drafted lens: its fields with their words, units, sums and values, and what it measures.
import type { Datatype, Dialect } from '../../contract/warehouse.ts';
import { dialectOf } from '../../dialects/dialects.ts';
import { quoteIdentifier } from '../../guard/literals.ts';
import { snake, spelledOut, words } from '../../lens/name-words.ts';
import { singular } from '../../lens/singular.ts';
import type { CatalogColumn, CatalogTable, ColumnProfile } from '../ports.ts';
import { areBareCodes, codesOf } from './codes.ts';
import { hasDictionary, howColumnAdds, isNumber, roleOf } from './column-roles.ts';
import { calledBy, tableCalled, unitIn } from './comment-words.ts';
import type { Measured } from './draft-metrics.ts';
import { type EventDate, eventDate } from './event-date.ts';
import { synonymsOf, unitOf } from './field-words.ts';
import { flagOf } from './flags.ts';
import type { LookAt } from './look-at.ts';
import { isAboutPerson } from './persons.ts';
import type { TableWords } from './schema-words.ts';
import { looksWritten } from './written-text.ts';

export type Body = Record<string, unknown>;
export interface DraftedTable extends Measured {
  body: Body;
  /** The field by which its rows are grouped first, and what it is called. */
  category: { field: string; said: string } | null;
  date: EventDate;
  leftOut: string[];
  /** Fields about persons that it shows. */
  personal: string[];
  lookAt: LookAt[];
}
interface TableToDraft {
  table: CatalogTable;
  dataset: string;
  dialect: Dialect;
  words: TableWords;
  /** Columns that lead elsewhere. */
  joining: readonly string[];
  alsoCalled: readonly string[];
  profileOf: (column: string) => ColumnProfile | undefined;
}
const FEW = 50; // groups that a sample question shows

export function draftTable(draft: TableToDraft): DraftedTable {
  const { table, dataset, words: own } = draft;
  const called = tableCalled(table.comment, table.table);
  const calledTable = called[0];
  // Two tables of one name in two schemas are told apart by both.
  const renamed = dataset.includes('_') && !snake(table.table).includes('_');
  const thing = singular(calledTable ?? (renamed ? words(dataset) : own.thing));
  const calledColumns = namesInComments(table, thing);
  const fields: Record<string, Body> = {};
  const drafted: DraftedTable = {
    ...{ dataset, thing, timeField: null, date: { column: null, why: '', several: [] } },
    ...{ measures: [], category: null, leftOut: [], personal: [], lookAt: [], body: {} },
  };
  let fewest = FEW;
  for (const column of table.columns) {
    const profile = draft.profileOf(column.name);
    const read = draftColumn(draft, column, profile, calledColumns.get(column.name) ?? [], Object.keys(fields));
    if ('leftOut' in read) {
      drafted.leftOut.push(`${table.table}.${column.name} (${read.leftOut})`);
      continue;
    }
    const { field, said, role, adds, body } = read;
    fields[field] = body;
    const about = `${dataset}.${field}`;
    const look = (topic: LookAt['topic'], message = ''): void => void drafted.lookAt.push({ topic, about, message });
    const mostlyBlank = profile ? profile.nulls * 2 > profile.rows : false;
    // Of what each row has its own, nothing is grouped by it.
    const ownName =
      /\b(?:name|homepage|website|url|link|e ?mail)$/.test(said) || (profile?.distinct ?? 0) * 2 > (profile?.rows ?? 0);
    if (role === 'category' && !ownName && !mostlyBlank && (profile?.distinct ?? FEW) <= fewest) {
      drafted.category = { field, said };
      fewest = (profile?.distinct ?? FEW) - 1;
    }
    if (role !== 'personal' && (role === 'contact' || (role !== 'key' && isAboutPerson(said, thing)))) {
      drafted.personal.push(about);
      look('person');
    }
    const datatype = body['datatype'] as Datatype;
    if (datatype === 'string' && role !== 'key' && looksWritten(profile)) look('text');
    if (adds === 'unknown' && !('values' in body)) look('adding_up');
    if (read.bareCodes) look('code', `holds ${profile!.values!.slice(0, 12).join(', ')}`);
    if (!('values' in body && adds !== 'sum') && (role === 'additive' || role === 'averaged' || role === 'level'))
      drafted.measures.push({
        ...{ field, additive: role === 'additive', unit: (body['unit'] as string | undefined) ?? null },
        ...(calledColumns.has(column.name)
          ? { called: calledColumns.get(column.name)![0]! }
          : said === spelledOut(field)
            ? {}
            : { called: said }),
      });
  }
  const ownThing = thing === singular(words(table.table)) || draft.alsoCalled.some((name) => singular(name) === thing);
  const synonyms = [...new Set([...(calledTable ? called : ownThing ? [] : [thing]), ...draft.alsoCalled])].filter(
    (name) => name !== words(dataset),
  );
  const date = eventDate(
    table.columns.filter(({ name }) => name in fields),
    own,
  );
  if (date.several.length > 0)
    drafted.lookAt.push({
      topic: 'date',
      about: `${dataset}.${date.several[0]}`,
      message: `or ${date.several.slice(1).join(', ')}`,
    });
  return {
    ...drafted,
    ...{ date, timeField: date.column },
    body: {
      source: [table.schema, table.table]
        .filter((part) => part !== null)
        .map((part) => sourceName(part))
        .join('.'),
      description: table.comment?.slice(0, 1000) || `One row per ${thing}.`,
      ...(synonyms.length > 0 ? { synonyms } : {}),
      ...(table.primaryKey.length > 0 ? { primary_key: table.primaryKey } : {}),
      ...(date.column ? { time_field: date.column } : {}),
      fields,
    },
  };
}

function draftColumn(
  { table, dialect, words: own, joining }: TableToDraft,
  column: CatalogColumn,
  profile: ColumnProfile | undefined,
  called: readonly string[],
  taken: readonly string[],
) {
  const isKey = table.primaryKey.includes(column.name) || joining.includes(column.name);
  const said = own.wordsOf(column);
  const read = dialectOf(dialect).compiling.readAs[column.nativeType];
  const flag = column.datatype === 'string' ? flagOf(column.name, profile) : null;
  const datatype = flag ? 'boolean' : read === null ? null : (read?.datatype ?? column.datatype);
  const field = unique(/^[A-Za-z_]\w*$/.test(column.name) ? column.name : snake(column.name), taken);
  const synonyms = [
    ...synonymsOf(column, table, own, datatype),
    ...(flag ? [flag.called] : []),
    // A key that leads elsewhere names the part that the other row plays.
    ...(joining.includes(column.name) ? [] : called),
    ...(/[^ -~]/.test(column.name) ? [column.name] : []),
  ];
  const typed = { ...column, datatype, synonyms };
  const role = roleOf(typed, said, table, isKey, profile);
  if (role === 'secret') return { leftOut: 'looks like a secret' };
  if (datatype === null) return { leftOut: `type ${column.nativeType}` };
  const unit =
    role === 'key' || !isNumber(datatype) ? null : (unitOf(column.name) ?? unitOf(said) ?? unitIn(column.comment));
  const adds = isNumber(datatype) && role !== 'key' ? howColumnAdds(typed, table) : null;
  const codes =
    flag || role === 'key' || adds === 'sum' || adds === 'latest' ? null : codesOf(column, datatype, said, profile);
  const body: Body = {
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
    ...(codes ? { values: codes.values } : hasDictionary(role, profile) ? { values: 'auto' } : {}),
  };
  const bareCodes = codes ? codes.bare : datatype === 'string' && !flag && !isKey && areBareCodes(profile, said);
  return { field, said, role, adds, body, bareCodes };
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

export const unique = (wanted: string, taken: ReadonlySet<string> | readonly string[]): string => {
  const all = new Set(taken);
  let name = wanted.slice(0, 60);
  for (let n = 2; all.has(name); n++) name = `${wanted.slice(0, 57)}_${n}`;
  return name;
};
export const sourceName = (part: string): string => (/^[A-Za-z_][\w$]*$/.test(part) ? part : `"${part}"`);
