// Which columns may refer to which table, by their names alone: equal names, names that end like a key ("sbtxcustid" of
// sbcustid), tables called in them ("home_hub_id", "teacher"), and what leads back to the own table ("manager_id"). Nothing
// of it is believed before values have spoken (src/domain/semantic/prove-joins.ts).
import type { Datatype } from '../../contract/warehouse.ts';
import { singular } from '../../lens/singular.ts';
import type { CatalogColumn, CatalogTable } from '../ports.ts';
import { type SchemaWords, squashed } from './schema-words.ts';

export interface JoinEnd {
  table: CatalogTable;
  columns: string[];
}
export interface NamedJoin {
  from: JoinEnd;
  to: JoinEnd;
  /** 5: the table and its key are named; 1: hardly. */
  rank: number;
  /** It is the key of its own table too: who leads is for the values to say. */
  mirrored: boolean;
}
/** A name in two: whose it is, and what of it identifies. */
export interface Identifying {
  stems: string[];
  end: 'id' | 'code' | 'number' | 'name' | null;
}
const ENDS = new Map<string, Identifying['end']>(
  Object.entries({
    ...{
      id: 'id',
      ids: 'id',
      key: 'id',
      sk: 'id',
      pk: 'id',
      fk: 'id',
      uid: 'id',
      uuid: 'id',
      guid: 'id',
      ref: 'id',
      cd: 'code',
    },
    ...{ code: 'code', no: 'number', nr: 'number', num: 'number', number: 'number', name: 'name', nm: 'name' },
  } as const),
);
const SQUASHED_END = /^(.{2,}|[a-z](?=id$))(id|key|sk|fk|uid|ref|cd|code|no|nr|num|number)$/;
const SELF =
  /^(?:(?:manager|supervisor|superior|boss|leader|lead|head|chief|mentor|parent|mother|father|dam|sire|predecessor|successor|previous|prior|next|original|duplicate|duplicate of|merged into|replaced by|replaces|referrer|referred by|sponsor|root|superseded by|reports to|reporting to|report to|belongs to|reply to|reversal|reversal of|reverses)(?: (?:id|key|code|number))?)$/;
const MOST_FOR_A_COLUMN = 8;

export function identifying(table: CatalogTable, column: Pick<CatalogColumn, 'name'>, words: SchemaWords): Identifying {
  const own = words.get(table)!;
  const said = own.wordsOf(column).split(' ');
  const end = ENDS.get(said.at(-1)!) ?? null;
  const stem = end ? said.slice(0, -1) : said;
  const bare = squashed(own.bare(column));
  const cut = SQUASHED_END.exec(bare);
  const stems = new Set([stem.join(''), singular(stem.join(''))]);
  if (cut && said.length < 3) stems.add(cut[1]!);
  // "aid" of authors; a letter says nothing of any other table.
  if (/^[a-z]id$/.test(bare) && !own.thing.includes(' ') && [...own.called].some((name) => name.startsWith(bare[0]!)))
    stems.add(own.thing.replaceAll(' ', ''));
  stems.delete('');
  return { stems: [...stems], end: end ?? (cut ? (ENDS.get(cut[2]!) ?? null) : null) };
}

const KINDS: Partial<Record<Datatype, string>> = { string: 'text', integer: 'number', decimal: 'number' };
const alike = (one: CatalogColumn, other: CatalogColumn): boolean =>
  one.datatype !== null && other.datatype !== null && KINDS[one.datatype] !== undefined
    ? KINDS[one.datatype] === KINDS[other.datatype]
    : false;

/** A column identifies the rows of its own table: "id", "customer_no" of customers. */
export function isOwnKey(table: CatalogTable, column: CatalogColumn, words: SchemaWords): boolean {
  const { stems, end } = identifying(table, column, words);
  const { called } = words.get(table)!;
  return end !== null && (stems.length === 0 || stems.some((stem) => called.has(stem)));
}

export function* joinsByName(tables: readonly CatalogTable[], words: SchemaWords): Generator<void, NamedJoin[]> {
  const targets = indexTargets(tables, words);
  const joins: NamedJoin[] = [];
  for (const table of tables) {
    const declared = new Set(table.foreignKeys.flatMap(({ columns }) => columns));
    for (const column of table.columns) {
      if (declared.has(column.name) || column.datatype === null || !(column.datatype in KINDS)) continue;
      joins.push(...candidatesFor(table, column, words, targets));
      yield;
    }
  }
  return joins;
}

interface Targets {
  called: Map<string, CatalogTable[]>;
  named: Map<string, { table: CatalogTable; column: CatalogColumn }[]>;
}
function indexTargets(tables: readonly CatalogTable[], words: SchemaWords): Targets {
  const called: Targets['called'] = new Map();
  const named: Targets['named'] = new Map();
  for (const table of tables) {
    for (const name of words.get(table)!.called) called.set(name, [...(called.get(name) ?? []), table]);
    for (const column of table.columns) {
      const raw = squashed(column.name);
      named.set(raw, [...(named.get(raw) ?? []), { table, column }]);
    }
  }
  return { called, named };
}

function candidatesFor(from: CatalogTable, column: CatalogColumn, words: SchemaWords, targets: Targets): NamedJoin[] {
  const own = words.get(from)!;
  const isKey = from.primaryKey.length === 1 && from.primaryKey[0] === column.name;
  const { stems, end } = identifying(from, column, words);
  const said = own.wordsOf(column);
  const found = new Map<string, NamedJoin>();
  const add = (table: CatalogTable, key: CatalogColumn, rank: number, mirrored = false): void => {
    if ((table === from && key.name === column.name) || !alike(column, key)) return;
    const id = `${table.schema}.${table.table}.${key.name}`;
    if ((found.get(id)?.rank ?? 0) < rank)
      found.set(id, {
        from: { table: from, columns: [column.name] },
        to: { table, columns: [key.name] },
        rank,
        mirrored,
      });
  };
  if (
    isOwnKey(from, column, words) &&
    (stems.length === 0 || !targets.called.get(stems[0]!)?.some((one) => one !== from))
  )
    return [];
  for (const { name, rank } of namesIn(said, stems, end, squashed(own.bare(column))))
    for (const table of targets.called.get(name) ?? [])
      if (table !== from || rank === 4) for (const key of keysOf(table, column, end, words)) add(table, key, rank);
  if (!isKey && SELF.test(said)) for (const key of keysOf(from, column, end, words)) add(from, key, 3);
  const telling = end !== null && stems.length > 0;
  for (const { table, column: key } of targets.named.get(squashed(column.name)) ?? []) {
    const only = table.primaryKey.length === 1 && table.primaryKey[0] === key.name;
    if (table === from || (!telling && !(only && said.length > 2 && !GENERIC.test(said)))) continue;
    const home = isOwnKey(table, key, words);
    if (isKey && !home && !only) continue;
    add(table, key, home ? 5 : 4, isKey && !home);
  }
  return [...found.values()].sort((a, b) => b.rank - a.rank).slice(0, MOST_FOR_A_COLUMN);
}
const GENERIC =
  /^(?:(?:.+ )?(?:name|status|type|kind|level|state|year|month|day|title|category|value|date|description|country|city|region|amount|quantity|price|count|total|rating|score|gender|currency|language|line|version|sequence|position)|id|code|number|key)$/;

/** The parts of a name by which a table may be called, the whole before its end. */
function namesIn(said: string, stems: readonly string[], end: Identifying['end'], bare: string) {
  const words = said.split(' ');
  const stem = end && words.length > 1 && ENDS.has(words.at(-1)!) ? words.slice(0, -1) : words;
  const names = new Map<string, number>();
  for (const one of stems) names.set(one, end && end !== 'name' ? 5 : 3);
  for (let at = 1; at < stem.length; at++) {
    const name = singular(stem.slice(at).join(''));
    if (!names.has(name)) names.set(name, end && end !== 'name' ? 4 : 3);
  }
  // Without gaps nothing says where a word begins: "txcust" ends with "cust".
  const whole = stems.find((one) => bare.startsWith(one)) ?? '';
  if (end && stem.length === 1)
    for (let at = 2; at <= whole.length - 3; at++) if (!names.has(whole.slice(at))) names.set(whole.slice(at), 3);
  return [...names].map(([name, rank]) => ({ name, rank }));
}

/** What of a table the column may name: its code where the column ends in "code", else its key. */
function keysOf(
  table: CatalogTable,
  column: CatalogColumn,
  end: Identifying['end'],
  words: SchemaWords,
): CatalogColumn[] {
  const own = table.columns.filter((one) => isOwnKey(table, one, words) && alike(one, column));
  const same = own.filter((one) => end !== null && identifying(table, one, words).end === end);
  const keys = table.columns.filter(
    (one) =>
      [table.primaryKey, ...table.uniqueKeys].some((key) => key.length === 1 && key[0] === one.name) &&
      alike(one, column),
  );
  const primary = keys.filter(({ name }) => table.primaryKey[0] === name);
  if (end === 'name') return [];
  const found = same.length > 0 ? same : primary.length > 0 ? primary : [...keys, ...own];
  return [...new Set(found)].slice(0, 3);
}
