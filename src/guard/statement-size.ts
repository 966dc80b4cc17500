// How much a statement may name before the engine runs it: some of the engine's work can't be stopped (G15).
import type { Faults } from './faults.ts';

/** Each CTE of a chain may double the columns of the one before it; no engine shows that many anyway. */
const MOST_STARRED = 5_000;
/** Of a result: rows are cheap to read, columns are not. */
export const MOST_COLUMNS = 500;
/** An engine puts a common table expression in wherever it is named and orders all joins before it can be stopped. */
const MOST_JOINED = 40;
const MOST_READ = 400;
/** Entries of WITH, at whatever place: MariaDB takes 64 of one clause. */
const MOST_COMMON_TABLES = 60;

export class StatementSize {
  readonly #faults: Faults;
  #reads = 0;
  #starred = 0;
  #commonTables = 0;

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  /** Tables read so far, those of common table expressions counted at each of their uses. */
  get reads(): number {
    return this.#reads;
  }

  read(tables: number): void {
    this.#reads += tables;
    if (this.#reads > MOST_READ) this.#tooManyTables(`${MOST_READ} in all`);
  }

  /** What reads no table is a table all the same to whoever joins it. */
  derived(readsBefore: number): void {
    if (this.#reads === readsBefore) this.read(1);
  }

  commonTable(): void {
    if (++this.#commonTables <= MOST_COMMON_TABLES) return;
    this.#faults.add('too_many_tables', `WITH has more than ${MOST_COMMON_TABLES} entries; so many are allowed.`);
  }

  joined(readsBefore: number): void {
    if (this.#reads - readsBefore > MOST_JOINED) this.#tooManyTables(`${MOST_JOINED} in one FROM`);
  }

  /** False, with a fault, when every `*` together stands for too many columns. */
  starred(columns: number): boolean {
    this.#starred += columns;
    if (this.#starred <= MOST_STARRED) return true;
    const message = `Every * together stands for more than ${MOST_STARRED} columns; name those you need.`;
    this.#faults.add('too_many_columns', message);
    return false;
  }

  result(columns: number): void {
    if (columns > MOST_COLUMNS) this.#faults.add('too_many_columns', tooManyColumns(columns));
  }

  #tooManyTables(most: string): void {
    this.#faults.add(
      'too_many_tables',
      `The statement reads too many tables, those of WITH counted at each use; ${most} are allowed.`,
    );
  }
}

export const tooManyColumns = (columns: number): string =>
  `The result has ${columns} columns; ${MOST_COLUMNS} are allowed. Name those you need.`;
