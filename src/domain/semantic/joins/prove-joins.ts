// Joins of a drafted lens: declared ones, and those that names suggest and values prove. Values must be unique on the
// one side, and values of the many side must exist there. The draft reports unproven suggestions.
import { inParallel } from '../../../platform/schedule/in-parallel.ts';
import { inTurns } from '../../../platform/schedule/in-turns.ts';
import type { CatalogTable, ColumnProfile } from '../../ports.ts';
import { type Chance, chanceOf } from '../../profiling/weigh-chance.ts';
import { inclusion, type JoinSide, type Reading, type Uniqueness, uniqueness } from '../../profiling/weigh-join.ts';
import type { SchemaWords } from '../columns/schema-words.ts';
import { catalogSide } from './catalog-side.ts';
import { type JoinEnd, joinsByName, type NamedJoin } from './name-joins.ts';

export interface DraftJoin {
  from: JoinEnd;
  to: JoinEnd;
  declared: boolean;
  /** Null if the join is declared or no values were read. */
  evidence: JoinEvidence | null;
}
export interface JoinEvidence {
  /** The number of checked distinct values of the many side. */
  checked: number;
  held: number;
  /** The number of rows of the one side. Each has a distinct value. */
  unique: number;
}
export interface Undecided {
  table: CatalogTable;
  columns: string[];
  message: string;
}
export interface ProvenJoins {
  joins: DraftJoin[];
  undecided: Undecided[];
}
interface Weighed extends NamedJoin {
  /** Null if the values weren't read in time. */
  values: [number, number] | null;
  key: Uniqueness | null;
  chance: Chance;
  filled: boolean;
}
/** A few orphaned rows are allowed if the names leave no doubt. */
const MOSTLY_MATCHING = { share: 0.95, values: 20, rank: 4 };
/** A code table can lack one code that the rows have. */
const ONE_UNMATCHED_ALLOWED = { rank: 5, held: 4 };
/** A full name counts even if the values are few and small. */
const FULL_NAME_RANK = 5;
const ARCHIVE_NAME =
  /(?:^|_)(?:archive|archived|old|bak|backup|tmp|temp|staging|stg|copy|hist|history|deleted)(?:_|$|\d)/i;

export const declaredJoins = (tables: readonly CatalogTable[]): DraftJoin[] =>
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

/** Joins by names if svc can't read values: only to declared keys, and only if the name contains the table. */
export function* joinsByNamesAlone(tables: readonly CatalogTable[], words: SchemaWords): Generator<void, DraftJoin[]> {
  const namedJoins = byColumn(yield* joinsByName(tables, words)).flatMap(([best]) =>
    best && best.rank === 5 && !best.mirrored && isDeclaredKey(best.to)
      ? [{ from: best.from, to: best.to, declared: false, evidence: null }]
      : [],
  );
  return [...declaredJoins(tables), ...namedJoins];
}

export async function proveJoins(
  tables: readonly CatalogTable[],
  words: SchemaWords,
  reading: Reading,
  profileOf: (table: CatalogTable, column: string) => ColumnProfile | undefined,
  onDone?: (done: number, total: number) => void,
): Promise<ProvenJoins> {
  const dialect = reading.warehouse.dialect;
  const keys = new Map<string, Promise<Uniqueness | null>>();
  const keyOf = (end: JoinEnd, side: JoinSide): Promise<Uniqueness | null> => {
    const id = JSON.stringify([end.table.schema, end.table.table, end.columns]);
    if (!keys.has(id)) keys.set(id, uniqueness(reading, side));
    return keys.get(id)!;
  };
  const weigh = async (join: NamedJoin): Promise<Weighed> => {
    const [from, to] = [catalogSide(join.from, dialect), catalogSide(join.to, dialect)];
    const key = reading.signal.aborted ? null : await keyOf(join.to, to);
    const unique = key !== null && key.filled === key.kinds;
    const values = unique && !reading.signal.aborted ? await inclusion(reading, from, to) : null;
    const [many, one] = [join.from, join.to].map((end) => profileOf(end.table, end.columns[0]!));
    return {
      ...join,
      key,
      values,
      filled: many?.nulls === 0,
      chance: join.from.columns.length > 1 ? 'none' : chanceOf(many, one, values),
    };
  };
  const namedJoins = await inTurns(joinsByName(tables, words));
  const single = byColumn(await inParallel(namedJoins, 4, weigh, onDone)).map(chooseTarget);
  const composite = await inParallel(compositesOf(tables, words), 4, weigh);
  const wide = byColumn(composite).map(chooseTarget);
  const joins = [...declaredJoins(tables), ...[...single, ...wide].flatMap(({ join }) => join ?? [])];
  return { joins, undecided: single.flatMap(({ undecided }) => undecided ?? []) };
}

function byColumn<T extends NamedJoin>(joins: readonly T[]): T[][] {
  const groups = new Map<CatalogTable, Map<string, T[]>>();
  for (const join of joins) {
    const columnGroups = groups.get(join.from.table) ?? new Map<string, T[]>();
    groups.set(join.from.table, columnGroups);
    const id = join.from.columns.join('\n');
    columnGroups.set(id, [...(columnGroups.get(id) ?? []), join]);
  }
  return [...groups.values()].flatMap((own) => [...own.values()]);
}

function chooseTarget(candidates: Weighed[]): { join?: DraftJoin; undecided?: Undecided } {
  const { table, columns } = candidates[0]!.from;
  const proven = candidates.filter(isProven);
  const rank = Math.max(0, ...proven.map((item) => item.rank));
  const best = proven.filter((item) => item.rank === rank);
  // A tree has roots without a parent, and a part belongs to its whole.
  const [selfJoin] = best.filter(({ to }) => to.table === table);
  const rivals = selfJoin && best.length > 1 ? best.filter((item) => (item === selfJoin) !== selfJoin.filled) : best;
  const current = rivals.filter(({ to }) => rivals.length === 1 || !ARCHIVE_NAME.test(to.table.table));
  const chosen = current.length > 1 ? holdsAll(current) : current[0];
  if (chosen)
    return {
      join: {
        ...{ from: chosen.from, to: chosen.to, declared: false },
        evidence: { checked: chosen.values![0], held: chosen.values![1], unique: chosen.key!.filled },
      },
    };
  if (current.length > 1)
    return {
      undecided: {
        table,
        columns,
        message: `refers to ${current.map(pathOf).join(' or ')}: both contain its values`,
      },
    };
  const unproven = candidates
    .filter((candidate) => !isProven(candidate) && (candidate.rank >= 3 || candidate.values !== null))
    .slice(0, 2);
  const why = unproven.flatMap((item) => unprovenReason(item) ?? []);
  return why.length > 0 ? { undecided: { table, columns, message: why.join('; ') } } : {};
}

function isProven({ values, key, rank, mirrored, faint, chance, to }: Weighed): boolean {
  if (!values || !key || key.filled !== key.kinds) return false;
  const [checked, matched] = values;
  // Without values, a full name and a declared key are enough.
  if (checked === 0) return rank === 5 && !mirrored && isDeclaredKey(to);
  if (chance === 'likely' && rank < FULL_NAME_RANK) return false;
  if ((mirrored || faint) && chance !== 'none') return false;
  if (mirrored) return matched === checked && key.kinds > checked;
  if (
    checked - matched === 1 &&
    matched >= ONE_UNMATCHED_ALLOWED.held &&
    rank >= ONE_UNMATCHED_ALLOWED.rank &&
    chance === 'none'
  )
    return true;
  return (
    matched === checked ||
    (rank >= MOSTLY_MATCHING.rank && checked >= MOSTLY_MATCHING.values && matched >= checked * MOSTLY_MATCHING.share)
  );
}

/** If one candidate contains most values, the others are subsets of it. */
function holdsAll(rivals: Weighed[]): Weighed | undefined {
  const most = Math.max(...rivals.map(({ key }) => key!.kinds));
  const all = rivals.filter(({ key }) => key!.kinds === most);
  const main = all.filter(({ to }) => to.table.primaryKey.join() === to.columns.join());
  return all.length === 1 ? all[0] : main.length === 1 ? main[0] : undefined;
}

function unprovenReason(candidate: Weighed): string | null {
  const to = pathOf(candidate);
  if (!candidate.key) return `may refer to ${to}; svc could not read the values in time`;
  if (candidate.key.filled === 0) return `may refer to ${to}, which is empty`;
  if (candidate.key.filled !== candidate.key.kinds)
    return candidate.rank === 5 && !candidate.mirrored
      ? `may refer to ${to}, where values repeat (${candidate.key.kinds} distinct values in ${candidate.key.filled} rows)`
      : null;
  if (!candidate.values) return `may refer to ${to}; svc could not read the values in time`;
  const [checked, matched] = candidate.values;
  if (checked === 0) return `may refer to ${to}; it has no values yet`;
  if (candidate.mirrored) return `has the same values as ${to}: declare which one refers to the other`;
  if (matched === checked) return `may refer to ${to}: it has all ${matched} values, but that can be a coincidence`;
  return matched === 0 && candidate.rank < 4 ? null : `only ${matched} of ${checked} values are in ${to}`;
}

const pathOf = ({ to }: { to: JoinEnd }): string => `${to.table.table}.${to.columns.join(', ')}`;
const isDeclaredKey = ({ table, columns }: JoinEnd): boolean =>
  [table.primaryKey, ...table.uniqueKeys].some((key) => key.length > 0 && key.join() === columns.join());

/** Keys with several columns that another table has under the same names. */
function compositesOf(tables: readonly CatalogTable[], words: SchemaWords): NamedJoin[] {
  const wide = tables.filter(({ primaryKey }) => primaryKey.length > 1);
  return wide.flatMap((to) =>
    tables.flatMap((from): NamedJoin[] => {
      const wordsOf = ({ name }: { name: string }, table: CatalogTable): string => words.get(table)!.wordsOf({ name });
      const columns = to.primaryKey.map(
        (key) =>
          from.columns.find(({ name }) => name.toLowerCase() === key.toLowerCase()) ??
          from.columns.find((column) => wordsOf(column, from) === wordsOf({ name: key }, to)),
      );
      const isDeclared = from.foreignKeys.some((key) => to.primaryKey.every((column) => key.columns.includes(column)));
      if (from === to || isDeclared || columns.some((column) => column === undefined)) return [];
      const types = to.primaryKey.map((key) => to.columns.find(({ name }) => name === key)?.datatype);
      if (columns.some((column, index) => column!.datatype === null || column!.datatype !== types[index])) return [];
      const same =
        from.primaryKey.length > 0 && from.primaryKey.every((item) => columns.some((column) => column!.name === item));
      return [
        {
          from: { table: from, columns: columns.map((column) => column!.name) },
          to: { table: to, columns: [...to.primaryKey] },
          ...{ rank: 3, mirrored: same },
        },
      ];
    }),
  );
}
