// What is said of each engine that the guard reads by its grammar: a file of its own beside this one.
export interface EngineCorpus {
  dialect: string;
  /** A masked whole number and a filter with a backslash, in a dataset's body. */
  noInteger: string;
  west: string;
  /** A statement over the governed table, and what runs. */
  governed: { asked: string; runs: string };
  /** Never asked of the engine, whatever the login may. */
  attacks: readonly string[];
  /** Never refused. */
  legitimate: readonly string[];
  /** With the code of the reason. */
  refused: readonly (readonly [sql: string, code: string])[];
}

export const around = (...calls: string[]): string[] => calls.map((call) => `select ${call} from jobs`);
export const reading = (...tables: string[]): string[] => tables.map((table) => `select * from ${table}`);
