// Limits the size of a statement before the engine runs it, because an engine can't cancel some of its work.
import type { FaultCollector } from '../dialects/fault-collector.ts';
import type { GroupKey, Window } from '../dialects/tree.ts';

/** Limits the columns that `*` adds, because each CTE in a chain can double the columns of the previous one. */
const MAX_COLUMNS_FROM_STARS = 5_000;
/** The largest number of result columns. Columns cost svc more than rows do. */
export const MAX_COLUMNS = 500;
/** An engine expands CTEs at each use and orders all joins before it can cancel a statement. */
const MAX_JOINED_TABLES = 40;
const MAX_TABLE_READS = 400;
/** The largest number of CTEs in the whole statement. MariaDB accepts 64 in one clause. */
const MAX_COMMON_TABLES = 60;

/** PostgreSQL plans each window and each grouping set before it can cancel a statement. */
const MAX_WINDOWS = 30;
const MAX_GROUPING_SETS = 256;
/** The largest number of aggregates that sort their rows, including aggregates with DISTINCT. */
const MAX_SORTED_CALLS = 100;

/**
 * The largest number of expression nodes after expansion. Engines copy some operands, and copy a subquery's columns to
 * each use.
 */
const MAX_EXPANDED_NODES = 100_000;

export class StatementSize {
  readonly #faults: FaultCollector;
  #nodeCount = 0;
  #copies = 1;
  #reads = 0;
  #starColumnCount = 0;
  #commonTables = 0;
  #sets = 0;
  #sortedCallCount = 0;
  #createdValueCount = 0;
  #hasUnboundedValue = false;
  #hasDocument = false;
  readonly #comparisonNames = { any: '', documents: '' };
  readonly #windows = new Map<object, Set<string>>();

  constructor(faults: FaultCollector) {
    this.#faults = faults;
  }

  /** The number of tables read so far. A CTE counts again at each use. */
  get reads(): number {
    return this.#reads;
  }

  addReads(tables: number): void {
    this.#reads += tables;
    this.#checkTables(this.#reads, MAX_TABLE_READS, 'in all');
  }

  /** In a join, a subquery without a table counts as one table. */
  addDerivedTable(readsBefore: number): void {
    if (this.#reads === readsBefore) this.addReads(1);
  }

  measureExpansion(visit: () => void): number {
    const expandedBefore = this.#nodeCount;
    visit();
    return (this.#nodeCount - expandedBefore) / this.#copies;
  }

  /** Counts one node. For a reference to a computed column, counts all `nodes` of the column's expression. */
  addNodes(nodes = 1): void {
    const expandedBefore = this.#nodeCount;
    this.#nodeCount += nodes * this.#copies;
    if (expandedBefore > MAX_EXPANDED_NODES || this.#nodeCount <= MAX_EXPANDED_NODES) return;
    const message = `The expressions have more than ${MAX_EXPANDED_NODES} parts after expansion. BETWEEN and IN copy their left side, and each use of a subquery's column copies the column's expression. Use less nesting, or split the statement.`;
    this.#faults.add('too_many_copies', message);
  }

  visitCopies(times: number, visit: () => void): void {
    const outerCopies = this.#copies;
    this.#copies *= times;
    visit();
    this.#copies = outerCopies;
  }

  /** Records a value that the statement itself creates. Column values and short literals don't count. */
  addCreatedValue(): void {
    this.#createdValueCount++;
  }

  /** Returns true if `visit` finds a value that the statement creates. */
  createsValueDuring(visit: () => void): boolean {
    const countBefore = this.#createdValueCount;
    visit();
    return this.#createdValueCount > countBefore;
  }

  /** Records a created value whose size has no limit. */
  addUnboundedValue(): void {
    this.addCreatedValue();
    this.#hasUnboundedValue = true;
    this.#refuseLargeComparison();
  }

  /** Records a created value with named parts, such as JSON. */
  addDocument(): void {
    this.#hasDocument = true;
    this.#refuseLargeComparison();
  }

  /** Records a comparison of every part of one created value with every part of another, which svc can't interrupt. */
  addComparison(name: string, { documents }: { documents?: true } = {}): void {
    this.#comparisonNames[documents ? 'documents' : 'any'] ||= name;
    this.#refuseLargeComparison();
  }

  #refuseLargeComparison(): void {
    const name = this.#comparisonNames.any || (this.#hasDocument && this.#comparisonNames.documents);
    if (!this.#hasUnboundedValue || !name) return;
    const message = `${name} compares two computed values, and the statement builds large ones, for example with string_agg, array_agg or repeat. The database can't stop such work. Compare with a column of a table or a short constant, or use two statements.`;
    this.#faults.add('unstoppable', message);
  }

  addCommonTable(): void {
    const message = `WITH has more than ${MAX_COMMON_TABLES} entries.`;
    this.#check(++this.#commonTables, MAX_COMMON_TABLES, 'too_many_tables', message);
  }

  /** Counts a window. Calls with the same window in one SELECT count as one window. */
  addWindow(scope: object, { base, named, ...window }: Window): void {
    if (named) return;
    const windowKeys = this.#windows.get(scope) ?? new Set();
    this.#windows.set(
      scope,
      windowKeys.add(JSON.stringify([base, window], (key, value) => (key === 'at' ? undefined : value))),
    );
    const count = [...this.#windows.values()].reduce((sum, { size }) => sum + size, 0);
    const message = `The statement has more than ${MAX_WINDOWS} different windows (OVER). Share windows, or split the statement.`;
    this.#check(count, MAX_WINDOWS, 'too_many_windows', message);
  }

  addSortedCall(): void {
    const message = `The statement has more than ${MAX_SORTED_CALLS} aggregates with DISTINCT or ORDER BY. Split the statement.`;
    this.#check(++this.#sortedCallCount, MAX_SORTED_CALLS, 'too_many_sorted', message);
  }

  addGroupingSets(keys: readonly GroupKey[]): void {
    const sets = keys.reduce((product, key) => product * countGroupingSets(key), 1);
    if (sets === 1) return;
    this.#sets += sets;
    const message = `GROUP BY has more than ${MAX_GROUPING_SETS} grouping sets, including those from CUBE and ROLLUP.`;
    this.#check(this.#sets, MAX_GROUPING_SETS, 'too_many_sets', message);
  }

  addJoin(readsBefore: number): void {
    this.#checkTables(this.#reads - readsBefore, MAX_JOINED_TABLES, 'in one FROM');
  }

  /** Reports an error and returns false if all `*` of the statement together cover too many columns. */
  addStar(columns: number): boolean {
    this.#starColumnCount += columns;
    const message = `The stars (*) in this statement expand to more than ${MAX_COLUMNS_FROM_STARS} columns. Name the columns that you need.`;
    return this.#check(this.#starColumnCount, MAX_COLUMNS_FROM_STARS, 'too_many_columns', message);
  }

  checkResultColumns(columns: number): void {
    this.#check(columns, MAX_COLUMNS, 'too_many_columns', describeTooManyColumns(columns));
  }

  #checkTables(count: number, limit: number, scope: string): void {
    const message = `The statement reads too many tables. The limit is ${limit} ${scope}. A table in WITH counts at each use.`;
    this.#check(count, limit, 'too_many_tables', message);
  }

  /** Reports an error and returns false if a count exceeds its limit. */
  #check(count: number, limit: number, code: string, message: string): boolean {
    if (count > limit) this.#faults.add(code, message);
    return count <= limit;
  }
}

function countGroupingSets(key: GroupKey): number {
  if (key.kind !== 'grouping_set') return 1;
  switch (key.how) {
    case 'cube':
      return 2 ** key.keys.length;
    case 'rollup':
      return key.keys.length + 1;
    case 'sets':
      return key.keys.reduce((sum, groupKey) => sum + countGroupingSets(groupKey), 0);
    case 'empty':
      return 1;
  }
}

export const describeTooManyColumns = (columns: number): string =>
  `The result has ${columns} columns; the limit is ${MAX_COLUMNS}. Name the columns that you need.`;
