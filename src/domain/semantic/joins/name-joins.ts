// Finds columns that may refer to a table, by names alone. A name can equal a key, or end like one ("sbtxcustid" for
// sbcustid). It can contain a table's name ("home_hub_id"), be the role of a person ("owner_id"), or refer to the same
// table ("parent_id").
import type { Datatype } from '../../../contract/warehouse.ts';
import { toSingular } from '../../../lens/model/singular.ts';
import type { CatalogColumn } from '../../ports.ts';
import { isPersonalData } from '../columns/personal-data.ts';
import { type NamedColumn, type NamedTable, removeSeparators } from '../columns/schema-words.ts';

export interface JoinEnd {
  table: NamedTable;
  columns: string[];
}
export interface NamedJoin {
  from: JoinEnd;
  to: JoinEnd;
  /** How clearly the column's name refers to the table and its key, from 1 to 5. At 5, it contains both names. */
  rank: number;
  /** Only a part of the name refers to the table, so the match of the values must not be a coincidence. */
  isWeakName?: boolean;
  /**
   * True for names such as "manager" or "parent". They refer to few rows of the table, so small values don't speak
   * against the join.
   */
  refersToFewRows: boolean;
  /** The column is also the key of its own table, so only the values show which table refers to which. */
  isKeyOfBothTables: boolean;
}
/** `stems` names the entity that the column identifies, and `identifierKind` is the kind of identifier. */
export interface IdentifyingName {
  stems: string[];
  identifierKind: 'id' | 'code' | 'number' | 'name' | null;
}
const KEY_ENDINGS = new Map<string, IdentifyingName['identifierKind']>([
  ...['id', 'ids', 'key', 'sk', 'pk', 'fk', 'uid', 'uuid', 'identifier', 'guid', 'ref'].map(
    (end) => [end, 'id'] as const,
  ),
  ...['cd', 'code'].map((end) => [end, 'code'] as const),
  ...['no', 'nr', 'num', 'number'].map((end) => [end, 'number'] as const),
  ...['name', 'nm'].map((end) => [end, 'name'] as const),
]);
const UNSEPARATED_ENDING_PATTERN = /^(.{2,}|[a-z](?=id$))(identifier|id|key|sk|fk|uid|ref|cd|code|no|nr|num|number)$/;
const SELF_REFERENCE_PATTERN =
  /^(?:(?:.+ )?parent|mother|father|dam|sire|predecessor|successor|previous|prior|next|original|duplicate|duplicate of|merged into|replaced by|replaces|root|superseded by|belongs to|reply to|reversal|reversal of|reverses)(?: (?:id|key|code|number))?$/;
/** Roles that refer to employees, or to accounts if there is no table of employees. */
const PERSON_ROLE_PATTERN =
  /^(?:(?:.+ )?(?:manager|supervisor|superior|boss|leader|lead|head|chief|mentor)(?: (?:id|key|code|number))?|report(?:s|ing)? to(?: id)?)$/;
const SALES_ROLE_PATTERN = /^(?:.+ )?(?:salesman|salesperson|rep|representative)(?: (?:id|key|code|number))?$/;
const ACCOUNT_ROLE_PATTERN =
  /^(?:(?:.+ )?(?:owner|author|creator|committer|reporter|assignee|reviewer|approver|follower|editor|modifier|sender|recipient|receiver|uploader|submitter|requester|requestor|buyer|seller|actor|referrer|sponsor)(?: (?:id|uid|key))?|(?:last )?(?:created|updated|modified|changed|approved|entered|assigned|closed|reviewed|posted|reported|deleted|owned|handled|referred)(?: by| to)(?: id)?|(?:create|write) uid)$/;
/** Roles that refer to another row of the same table, if its rows are people or customers. */
const REFERRAL_ROLE_PATTERN =
  /^(?:referrer|recommender|inviter|(?:referred|recommended|invited|introduced|recruited) by)(?: (?:id|key|code|number))?$/;
const PERSON_TABLE_PATTERNS = [
  /(?:^| )(?:employee|staff|staff member|personnel|worker|mitarbeiter)$/,
  /(?:^| )(?:user|benutzer)$/,
  /(?:^| )(?:person|people|member)$/,
];
const MAX_JOINS_PER_COLUMN = 8;

export function parseIdentifyingName(table: NamedTable, column: NamedColumn): IdentifyingName {
  const nameWords = column.words.split(' ');
  const end = KEY_ENDINGS.get(nameWords.at(-1)!) ?? null;
  const stem = end ? nameWords.slice(0, -1) : nameWords;
  const bareName = removeSeparators(column.bareName);
  const unseparatedMatch = UNSEPARATED_ENDING_PATTERN.exec(bareName);
  const stems = new Set([stem.join(''), toSingular(stem.join(''))]);
  if (unseparatedMatch && nameWords.length < 3) stems.add(unseparatedMatch[1]!);
  // In "aid", the prefix "a" can abbreviate the column's own table, such as authors, but never another table.
  if (
    /^[a-z]id$/.test(bareName) &&
    !table.rowNoun.includes(' ') &&
    [...table.nameForms].some((name) => name.startsWith(bareName[0]!))
  )
    stems.add(table.rowNoun);
  stems.delete('');
  return {
    stems: [...stems],
    identifierKind: end ?? (unseparatedMatch ? (KEY_ENDINGS.get(unseparatedMatch[2]!) ?? null) : null),
  };
}

const KIND_BY_DATATYPE: Partial<Record<Datatype, string>> = { string: 'text', integer: 'number', decimal: 'number' };
const findColumnKind = ({ datatype }: CatalogColumn): string | undefined =>
  datatype === null ? undefined : KIND_BY_DATATYPE[datatype];
const isSameKind = (column: CatalogColumn, otherColumn: CatalogColumn): boolean =>
  findColumnKind(column) !== undefined && findColumnKind(column) === findColumnKind(otherColumn);

/** The key of a table has a name such as "id", or "customer_no" in customers. */
export function isOwnKey(table: NamedTable, column: NamedColumn): boolean {
  const { stems, identifierKind: end } = parseIdentifyingName(table, column);
  return end !== null && (stems.length === 0 || stems.some((stem) => table.nameForms.has(stem)));
}

export function* findJoinsByName(tables: readonly NamedTable[]): Generator<void, NamedJoin[]> {
  const targets = indexTargets(tables);
  const joins: NamedJoin[] = [];
  for (const table of tables) {
    const declaredColumns = new Set(table.foreignKeys.flatMap(({ columns }) => columns));
    for (const column of table.columns) {
      if (declaredColumns.has(column.name) || findColumnKind(column) === undefined) continue;
      joins.push(...findCandidates(table, column, targets));
      yield;
    }
  }
  return joins;
}

type ReferencedKey = { table: NamedTable; column: NamedColumn };
interface JoinTargets {
  byNameForm: Map<string, NamedTable[]>;
  byFullName: Map<string, NamedTable[]>;
  /** Tables with a key of one column, by the last and the first words of their names. */
  byEnding: Map<string, NamedTable[]>;
  byBeginning: Map<string, NamedTable[]>;
  /** Key columns by name without separators, and by name in words. */
  keysByName: Map<string, ReferencedKey[]>;
  keysByPhrase: Map<string, ReferencedKey[]>;
  personTables: NamedTable[][];
}
function indexTargets(tables: readonly NamedTable[]): JoinTargets {
  const targets: JoinTargets = {
    ...{ byNameForm: new Map(), byFullName: new Map(), byEnding: new Map(), byBeginning: new Map() },
    ...{ keysByName: new Map(), keysByPhrase: new Map(), personTables: PERSON_TABLE_PATTERNS.map(() => []) },
  };
  const add = <T>(index: Map<string, T[]>, name: string, item: T): void =>
    void index.set(name, [...(index.get(name) ?? []), item]);
  for (const table of tables) {
    for (const name of table.nameForms) add(targets.byNameForm, name, table);
    for (const name of table.fullNames) add(targets.byFullName, name, table);
    const parts = table.rowNoun.split(' ');
    const hasSingleKey = table.primaryKey.length === 1;
    for (let splitIndex = 1; splitIndex < parts.length && hasSingleKey; splitIndex++) {
      add(targets.byEnding, toSingular(parts.slice(splitIndex).join('')), table);
      add(targets.byBeginning, parts.slice(0, splitIndex).join(''), table);
    }
    for (const [roleIndex, pattern] of PERSON_TABLE_PATTERNS.entries())
      if (hasSingleKey && pattern.test(table.rowNoun)) targets.personTables[roleIndex]!.push(table);
    for (const column of table.columns) {
      add(targets.keysByName, removeSeparators(column.name), { table, column });
      if (isOnlyKey(table, column) || parseIdentifyingName(table, column).identifierKind !== null)
        add(targets.keysByPhrase, column.words, { table, column });
    }
  }
  return targets;
}
const isOnlyKey = ({ primaryKey }: NamedTable, { name }: CatalogColumn): boolean =>
  primaryKey.length === 1 && primaryKey[0] === name;

function findCandidates(from: NamedTable, column: NamedColumn, targets: JoinTargets): NamedJoin[] {
  const isKey = isOnlyKey(from, column);
  const { stems, identifierKind: end } = parseIdentifyingName(from, column);
  const columnPhrase = column.words.replace(/ \d+$/, '');
  const namesParent = SELF_REFERENCE_PATTERN.test(columnPhrase) || refersToSelf(from.rowNoun, stems);
  const foundJoins = new Map<string, NamedJoin>();
  const add = (table: NamedTable, key: CatalogColumn, rank: number, extra: Partial<NamedJoin> = {}): void => {
    if ((table === from && key.name === column.name) || !isSameKind(column, key)) return;
    const id = JSON.stringify([table.catalog, table.schema, table.table, key.name]);
    if ((foundJoins.get(id)?.rank ?? 0) < rank)
      foundJoins.set(id, {
        ...{ from: { table: from, columns: [column.name] }, to: { table, columns: [key.name] } },
        ...{ rank, isKeyOfBothTables: false, refersToFewRows: namesParent && table === from, ...extra },
      });
  };
  const addKeys = (tables: readonly NamedTable[] | undefined, rank: number, extra: Partial<NamedJoin> = {}): void => {
    for (const table of tables ?? [])
      for (const key of findReferencedKeys(table, column, end)) add(table, key, rank, extra);
  };
  const isIdentifier = end !== null && end !== 'name';
  const isOwn = isOwnKey(from, column);
  const refersToOtherTable = stems.length > 0 && targets.byNameForm.get(stems[0]!)?.some((item) => item !== from);
  if (isOwn && !refersToOtherTable && (isKey || from.primaryKey.length !== 1 || stems.length === 0)) return [];
  // A column with a plural name contains a count. For example, "up votes" doesn't refer to one vote.
  const isCount = !isIdentifier && toSingular(columnPhrase) !== columnPhrase;
  if (!isCount) {
    for (const [name, { rank, isFullName }] of findTableNameParts(columnPhrase, stems, isIdentifier))
      addKeys(
        (isFullName || isIdentifier ? targets.byNameForm : targets.byFullName)
          .get(name)
          ?.filter((item) => item !== from || rank === 4),
        rank,
      );
    for (const name of addTableWords(from.rowNoun, stems))
      addKeys(
        targets.byFullName.get(name)?.filter((item) => item !== from),
        4,
      );
  }
  const isNamed = foundJoins.size > 0;
  const hasClearName = end !== null && stems.length > 0;
  const sameNames = targets.keysByName.get(removeSeparators(column.name)) ?? [];
  // A name refers to the only table whose key has this name, unless the name is generic or the name of another table.
  const isDistinctive =
    hasClearName &&
    sameNames.filter(({ table, column: key }) => isOnlyKey(table, key)).length === 1 &&
    !GENERIC_NAME_PATTERN.test(stems[0]!) &&
    !stems.some((stem) => targets.byNameForm.has(stem));
  for (const { table, column: key } of sameNames) {
    const isOnlyTableKey = isOnlyKey(table, key);
    if (table === from || (!hasClearName && !(isOnlyTableKey && !GENERIC_NAME_PATTERN.test(columnPhrase)))) continue;
    const isTableKey = isOwnKey(table, key);
    if (isKey && !isTableKey && !isOnlyTableKey) continue;
    if (isTableKey || isOnlyTableKey)
      add(table, key, isTableKey || (isOnlyTableKey && isDistinctive) ? 5 : 4, {
        isKeyOfBothTables: isKey && !isTableKey,
        isWeakName: !hasClearName,
      });
    else add(table, key, 2, { isWeakName: true });
  }
  if (isKey) return rankJoins(foundJoins);
  for (const phrase of listEndPhrases(columnPhrase))
    for (const { table, column: key } of targets.keysByPhrase.get(phrase) ?? [])
      if (table !== from && !GENERIC_NAME_PATTERN.test(phrase) && !KEY_ENDINGS.has(phrase))
        add(table, key, isOwnKey(table, key) ? 4 : 3, { isWeakName: !phrase.includes(' ') || !isOnlyKey(table, key) });
  const isSelfReference = namesParent || isOwn;
  // The parent of a row in order_address, for example, can be an order.
  const parts = from.rowNoun.split(' ');
  if (isSelfReference)
    addKeys([from], SELF_REFERENCE_PATTERN.test(columnPhrase) && !isNamed && parts.length === 1 ? 5 : 3);
  if (/^parent(?: id)?$/.test(columnPhrase))
    for (let partCount = parts.length - 1; partCount > 0; partCount--)
      addKeys(targets.byFullName.get(parts.slice(0, partCount).join('')), 3);
  if (isNamed || isSelfReference) return rankJoins(foundJoins);
  const roleTables = findTablesOfRole(from, [columnPhrase, ...stems.map((stem) => `${stem} id`)], targets);
  addKeys(roleTables, 3, { refersToFewRows: true });
  if (isIdentifier && foundJoins.size === 0)
    for (const stem of stems) {
      const endingTables = targets.byEnding.get(stem) ?? [];
      if (endingTables.length === 1) addKeys(endingTables, 3);
      for (const table of targets.byBeginning.get(stem) ?? []) addKeys([table], 2, { isWeakName: true });
    }
  return rankJoins(foundJoins);
}
/** The most probable table comes first. */
function findTablesOfRole(from: NamedTable, names: readonly string[], { personTables }: JoinTargets): NamedTable[] {
  const [staff, accounts, persons] = personTables as [NamedTable[], NamedTable[], NamedTable[]];
  const hasRole = (part: RegExp): boolean => names.some((name) => part.test(name));
  const isCustomer = CUSTOMER_ROLE_PATTERN.test(from.rowNoun);
  const isPerson = isPersonalData('name', from.rowNoun);
  if ((isCustomer || isPerson) && hasRole(REFERRAL_ROLE_PATTERN)) return [from];
  const isStaffRole = hasRole(PERSON_ROLE_PATTERN);
  if (!isStaffRole && !hasRole(SALES_ROLE_PATTERN) && !hasRole(ACCOUNT_ROLE_PATTERN)) return [];
  const tableOrder =
    isStaffRole || hasRole(SALES_ROLE_PATTERN) ? [staff, accounts, persons] : [accounts, staff, persons];
  const nearestTables = tableOrder.find((item) => item.length > 0) ?? [];
  const refersToItself = isStaffRole && (nearestTables.length === 0 || (isPerson && !isCustomer));
  return refersToItself ? [from] : nearestTables.length === 1 ? nearestTables : [];
}
const CUSTOMER_ROLE_PATTERN =
  /\b(?:customer|client|patient|guest|subscriber|contact|user|member|tenant|buyer|visitor)$/;

const rankJoins = (foundJoins: ReadonlyMap<string, NamedJoin>): NamedJoin[] =>
  [...foundJoins.values()].sort((a, b) => b.rank - a.rank).slice(0, MAX_JOINS_PER_COLUMN);
/** Many tables have columns with these names, so equal names don't suggest a join. */
export const GENERIC_NAME_PATTERN =
  /^(?:(?:.+ )?(?:name|status|type|kind|level|state|year|month|day|title|category|value|date|description|country|city|region|amount|quantity|price|count|total|rating|score|gender|currency|language|line|version|sequence|position)|id|code|number|key)$/;

/** For example, "parent role" in user_roles refers to its own table. */
const refersToSelf = (rowNoun: string, stems: readonly string[]): boolean =>
  stems.some((stem) => /^parent./.test(stem) && rowNoun.replaceAll(' ', '').endsWith(stem.slice('parent'.length)));

/** Adds words of the column's own table: "group" in stores can refer to store_groups. */
function addTableWords(rowNoun: string, stems: readonly string[]): string[] {
  const parts = rowNoun.split(' ');
  return parts.flatMap((_part, index) => stems.map((stem) => toSingular(parts.slice(0, index + 1).join('') + stem)));
}

/** Returns the name itself, and every shorter phrase that ends the name. */
const listEndPhrases = (name: string): string[] =>
  name.split(' ').map((_part, index, parts) => parts.slice(index).join(' '));

function findTableNameParts(phrase: string, stems: readonly string[], isIdentifier: boolean) {
  const words = phrase.split(' ');
  const stem = isIdentifier && words.length > 1 && KEY_ENDINGS.has(words.at(-1)!) ? words.slice(0, -1) : words;
  const names = new Map<string, { rank: number; isFullName: boolean }>();
  for (const item of stems) names.set(item, { rank: isIdentifier ? 5 : 3, isFullName: true });
  for (let start = 1; start < stem.length; start++) {
    const name = toSingular(stem.slice(start).join(''));
    if (!names.has(name)) names.set(name, { rank: isIdentifier ? 4 : 3, isFullName: false });
  }
  return names;
}

/** A name that ends in "code" refers to the table's code, and any other name refers to the table's key. */
function findReferencedKeys(
  table: NamedTable,
  column: NamedColumn,
  end: IdentifyingName['identifierKind'],
): NamedColumn[] {
  if (end === 'name') return [];
  const ownKeys = table.columns.filter((item) => isOwnKey(table, item) && isSameKind(item, column));
  const sameEndKeys = ownKeys.filter(
    (item) => end !== null && parseIdentifyingName(table, item).identifierKind === end,
  );
  const keys = table.columns.filter(
    (item) =>
      [table.primaryKey, ...table.uniqueKeys].some((key) => key.length === 1 && key[0] === item.name) &&
      isSameKind(item, column),
  );
  const primary = keys.filter(({ name }) => table.primaryKey[0] === name);
  const candidateKeys = sameEndKeys.length > 0 ? sameEndKeys : primary.length > 0 ? primary : [...keys, ...ownKeys];
  return [...new Set(candidateKeys)].slice(0, 3);
}
