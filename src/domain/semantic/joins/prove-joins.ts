// Names suggest joins, and values prove them. The values must be unique on the "one" side, and the "many" side must
// have no other values. The draft reports unproven suggestions.
import { mapInParallel } from '../../../platform/schedule/in-parallel.ts';
import { runInTurns } from '../../../platform/schedule/in-turns.ts';
import type { ColumnProfile } from '../../ports.ts';
import type { NamedTable } from '../columns/schema-words.ts';
import { measureInclusion, measureUniqueness, type QueryContext, type UniquenessMeasurement } from './measure-join.ts';
import { findJoinsByName, type JoinEnd, type NamedJoin } from './name-joins.ts';

export interface DraftJoin {
  from: JoinEnd;
  to: JoinEnd;
  declared: boolean;
  /** Null if the join is declared or no values were read. */
  evidence: Pick<EvaluatedJoin, 'valueCounts' | 'keyUniqueness'> | null;
}
export interface UnprovenJoin {
  table: NamedTable;
  columns: string[];
  message: string;
}
export interface ProvenJoins {
  joins: DraftJoin[];
  undecided: UnprovenJoin[];
}
interface EvaluatedJoin extends NamedJoin {
  /** The number of checked distinct values, and how many of them match. Null if svc couldn't read them in time. */
  valueCounts: [number, number] | null;
  keyUniqueness: UniquenessMeasurement | null;
  coincidence: Coincidence;
  hasNoNulls: boolean;
}
/** A join can have a few orphaned rows if the names clearly match. */
const MOSTLY_MATCHING_LIMITS = { share: 0.95, values: 20, rank: 4 };
/** The code table may lack one code that occurs in the rows. */
const ONE_UNMATCHED_LIMITS = { rank: 5, matched: 4 };
/** If the column's name contains the full name of the table, a few small values are enough evidence. */
const FULL_NAME_MATCH_RANK = 5;
const ARCHIVE_NAME_PATTERN =
  /(?:^|_)(?:archive|archived|old|bak|backup|tmp|temp|staging|stg|copy|hist|history|deleted)(?:_|$|\d)/i;

const listForeignKeyJoins = (tables: readonly NamedTable[]): DraftJoin[] =>
  tables.flatMap((table) =>
    table.foreignKeys.flatMap(({ columns, to }): DraftJoin[] => {
      const target = tables.find(
        (table) => table.table === to.table && (to.schema === null || table.schema === to.schema),
      );
      return target
        ? [{ from: { table, columns }, to: { table: target, columns: to.columns }, declared: true, evidence: null }]
        : [];
    }),
  );

/** Without values, svc finds only joins to declared keys whose column's name contains the table's name. */
export function* findJoinsByNamesAlone(tables: readonly NamedTable[]): Generator<void, DraftJoin[]> {
  const namedJoins = groupByColumn(yield* findJoinsByName(tables)).flatMap(([bestJoin]) =>
    bestJoin && bestJoin.rank === 5 && !bestJoin.isKeyOfBothTables && isDeclaredKey(bestJoin.to)
      ? [{ from: bestJoin.from, to: bestJoin.to, declared: false, evidence: null }]
      : [],
  );
  return [...listForeignKeyJoins(tables), ...namedJoins];
}

export async function proveJoins(
  tables: readonly NamedTable[],
  queryContext: QueryContext,
  onDone?: (done: number, total: number) => void,
): Promise<ProvenJoins> {
  const keys = new Map<string, Promise<UniquenessMeasurement | null>>();
  const measureKey = (end: JoinEnd): Promise<UniquenessMeasurement | null> => {
    const id = JSON.stringify([end.table.catalog, end.table.schema, end.table.table, end.columns]);
    if (!keys.has(id)) keys.set(id, measureUniqueness(queryContext, end));
    return keys.get(id)!;
  };
  const evaluateJoin = async (join: NamedJoin): Promise<EvaluatedJoin> => {
    const key = await measureKey(join.to);
    const isUnique = key !== null && key.nonNullRows === key.distinctCount;
    const values = isUnique ? await measureInclusion(queryContext, join.from, join.to) : null;
    const [manyProfile, oneProfile] = [join.from, join.to].map(
      ({ table, columns }) => table.columns.find(({ name }) => name === columns[0])?.profile,
    );
    return {
      ...join,
      keyUniqueness: key,
      valueCounts: values,
      hasNoNulls: manyProfile?.nulls === 0,
      coincidence: join.from.columns.length > 1 ? 'none' : estimateCoincidence(manyProfile, oneProfile, values),
    };
  };
  const namedJoins = await runInTurns(findJoinsByName(tables));
  const singleJoins = groupByColumn(await mapInParallel(namedJoins, 4, evaluateJoin, onDone)).map(chooseTarget);
  const compositeJoins = await mapInParallel(findCompositeJoins(tables), 4, evaluateJoin);
  const chosenComposites = groupByColumn(compositeJoins).map(chooseTarget);
  const joins = [
    ...listForeignKeyJoins(tables),
    ...[...singleJoins, ...chosenComposites].flatMap(({ join }) => join ?? []),
  ];
  const undecided = singleJoins.flatMap((item) => item.undecided ?? []);
  const isExplained = (table: NamedTable, column: string): boolean =>
    [...joins.map(({ from }) => from), ...undecided].some(
      (item) => item.table === table && item.columns.includes(column),
    );
  return { joins, undecided: [...undecided, ...tables.flatMap((table) => findTypedReferences(table, isExplained))] };
}

/** A pair such as "owner_id" and "owner_type" refers to several tables, and no join expresses that. */
function findTypedReferences(
  table: NamedTable,
  isExplained: (table: NamedTable, column: string) => boolean,
): UnprovenJoin[] {
  return table.columns.flatMap(({ name, words }) => {
    const owner = /^(.+) (?:id|key)$/.exec(words)?.[1];
    const typeColumn = owner && table.columns.find((column) => column.words === `${owner} type`);
    const isOwnKey = table.primaryKey.join() === name;
    return typeColumn && !isOwnKey && !isExplained(table, name)
      ? [{ table, columns: [name], message: `may refer to several tables, depending on ${typeColumn.name}` }]
      : [];
  });
}

function groupByColumn<T extends NamedJoin>(joins: readonly T[]): T[][] {
  const groups = new Map<string, T[]>();
  for (const join of joins) {
    const { table, columns } = join.from;
    const id = JSON.stringify([table.catalog, table.schema, table.table, columns]);
    groups.set(id, [...(groups.get(id) ?? []), join]);
  }
  return [...groups.values()];
}

function chooseTarget(candidates: EvaluatedJoin[]): { join?: DraftJoin; undecided?: UnprovenJoin } {
  const { table, columns } = candidates[0]!.from;
  const provenJoins = candidates.filter(isProven);
  const rank = Math.max(0, ...provenJoins.map((item) => item.rank));
  const bestJoins = provenJoins.filter((item) => item.rank === rank);
  // If a column could refer to its own table or to another table, its nulls decide. The roots of a tree have no parent,
  // but each row of a detail table belongs to a row of another table.
  const [selfJoin] = bestJoins.filter(({ to }) => to.table === table);
  const rivals =
    selfJoin && bestJoins.length > 1
      ? bestJoins.filter((item) => (item === selfJoin) !== selfJoin.hasNoNulls)
      : bestJoins;
  const currentJoins = rivals.filter(({ to }) => rivals.length === 1 || !ARCHIVE_NAME_PATTERN.test(to.table.table));
  const [chosenJoin] = currentJoins;
  if (chosenJoin && currentJoins.length === 1)
    return { join: { from: chosenJoin.from, to: chosenJoin.to, declared: false, evidence: chosenJoin } };
  if (chosenJoin)
    return {
      undecided: {
        table,
        columns,
        message: `refers to ${currentJoins.map(formatJoinTarget).join(' or ')}, because each of these contains all of its values`,
      },
    };
  const unprovenJoins = candidates
    .filter((candidate) => !isProven(candidate) && (candidate.rank >= 3 || candidate.valueCounts !== null))
    .slice(0, 2);
  const reasons = unprovenJoins.flatMap((item) => describeUnprovenJoin(item) ?? []);
  return reasons.length > 0 ? { undecided: { table, columns, message: reasons.join('; ') } } : {};
}

function isProven({
  valueCounts: values,
  keyUniqueness: key,
  rank,
  isKeyOfBothTables,
  isWeakName,
  refersToFewRows,
  coincidence: chance,
  to,
}: EvaluatedJoin): boolean {
  if (!values || !key || key.nonNullRows !== key.distinctCount) return false;
  const [checkedCount, matchedCount] = values;
  // If there are no values to check, a full name and a declared key are enough evidence.
  if (checkedCount === 0) return rank === 5 && !isKeyOfBothTables && isDeclaredKey(to);
  if (chance === 'likely' && rank < FULL_NAME_MATCH_RANK && !refersToFewRows) return false;
  if ((isKeyOfBothTables || isWeakName) && chance !== 'none') return false;
  if (isKeyOfBothTables) return matchedCount === checkedCount && key.distinctCount > checkedCount;
  if (
    checkedCount - matchedCount === 1 &&
    matchedCount >= ONE_UNMATCHED_LIMITS.matched &&
    rank >= ONE_UNMATCHED_LIMITS.rank &&
    chance === 'none'
  )
    return true;
  return (
    matchedCount === checkedCount ||
    (rank >= MOSTLY_MATCHING_LIMITS.rank &&
      checkedCount >= MOSTLY_MATCHING_LIMITS.values &&
      matchedCount >= checkedCount * MOSTLY_MATCHING_LIMITS.share)
  );
}

function describeUnprovenJoin(candidate: EvaluatedJoin): string | null {
  const { keyUniqueness: key, valueCounts, rank, isKeyOfBothTables } = candidate;
  const targetPath = formatJoinTarget(candidate);
  if (key?.nonNullRows === 0) return `may refer to ${targetPath}, which is empty`;
  if (key && key.nonNullRows !== key.distinctCount)
    return rank === 5 && !isKeyOfBothTables
      ? `may refer to ${targetPath}, where values repeat (${key.distinctCount} distinct values in ${key.nonNullRows} rows)`
      : null;
  if (!key || !valueCounts) return `may refer to ${targetPath}, but svc could not read the values in time`;
  const [checkedCount, matchedCount] = valueCounts;
  if (checkedCount === 0) return `may refer to ${targetPath}, but has no values yet`;
  if (matchedCount === checkedCount && isKeyOfBothTables)
    return `has the same values as ${targetPath}, so declare which column refers to the other`;
  if (matchedCount === checkedCount)
    return `may refer to ${targetPath}, which has all ${matchedCount} values, but this can be a coincidence`;
  return matchedCount === 0 && rank < 4 ? null : `only ${matchedCount} of ${checkedCount} values are in ${targetPath}`;
}

const formatJoinTarget = ({ to }: { to: JoinEnd }): string => `${to.table.table}.${to.columns.join(', ')}`;
const isDeclaredKey = ({ table, columns }: JoinEnd): boolean =>
  [table.primaryKey, ...table.uniqueKeys].some((key) => key.length > 0 && key.join() === columns.join());

/** Finds joins to keys of several columns. The referring table must have columns with the same names as the key. */
export function findCompositeJoins(tables: readonly NamedTable[]): NamedJoin[] {
  const compositeTables = tables.filter(({ primaryKey }) => primaryKey.length > 1);
  return compositeTables.flatMap((to) =>
    tables.flatMap((from): NamedJoin[] => {
      const columns = to.primaryKey.flatMap((key) => {
        const keyColumn = to.columns.find(({ name }) => name === key);
        const column =
          from.columns.find(({ name }) => name.toLowerCase() === key.toLowerCase()) ??
          from.columns.find(({ words }) => words === keyColumn?.words);
        return column && column.datatype !== null && column.datatype === keyColumn?.datatype ? [column.name] : [];
      });
      const isDeclared = from.foreignKeys.some((key) => to.primaryKey.every((column) => key.columns.includes(column)));
      if (from === to || isDeclared || columns.length < to.primaryKey.length) return [];
      const isKeyOfBothTables = from.primaryKey.length > 0 && from.primaryKey.every((name) => columns.includes(name));
      return [
        {
          from: { table: from, columns },
          to: { table: to, columns: [...to.primaryKey] },
          ...{ rank: 3, isKeyOfBothTables, refersToFewRows: false },
        },
      ];
    }),
  );
}

/**
 * Whether the values match by accident. `none`: no. `possible`: the data doesn't decide it. `likely`: a real reference
 * would use a larger part of the key's range.
 */
type Coincidence = 'none' | 'possible' | 'likely';

const MAX_COINCIDENCE_CHANCE = 0.001;
const MIN_CONCLUSIVE_TEXTS = 5; // this many distinct strings don't match by accident
const MIN_CONCLUSIVE_REFERENCES = 20;
const MIN_RANGE_SHARE = 0.5; // the smallest share of the key's range that a plausible reference uses

/**
 * Small numbers occur in every key that counts from one, but strings and sparse numbers don't. A real reference usually
 * also uses the higher values of the key.
 */
function estimateCoincidence(
  manyProfile: ColumnProfile | undefined,
  profile: ColumnProfile | undefined,
  values: readonly [checked: number, matched: number] | null,
): Coincidence {
  const [checkedCount = 0, matchedCount = 0] = values ?? [];
  if (!manyProfile || !profile || checkedCount === 0) return 'possible';
  const [maxValue, firstKey, lastKey] = [
    toWholeNumber(manyProfile.max),
    toWholeNumber(profile.min),
    toWholeNumber(profile.max),
  ];
  if (maxValue === null || firstKey === null || lastKey === null || lastKey < firstKey)
    return checkedCount >= MIN_CONCLUSIVE_TEXTS ? 'none' : 'possible';
  const filledRows = manyProfile.rows - manyProfile.nulls;
  const keyCount = profile.distinct ?? profile.rows;
  const density = Math.min(1, keyCount / Math.max(1, lastKey - firstKey + 1));
  if (density ** matchedCount < MAX_COINCIDENCE_CHANCE) return 'none';
  const reachedShare = (maxValue - firstKey) / Math.max(1, lastKey - firstKey);
  return filledRows >= MIN_CONCLUSIVE_REFERENCES && keyCount > MIN_CONCLUSIVE_TEXTS && reachedShare < MIN_RANGE_SHARE
    ? 'likely'
    : 'possible';
}
const toWholeNumber = (text: string | null): number | null =>
  text !== null && /^-?\d{1,15}$/.test(text) ? Number(text) : null;
