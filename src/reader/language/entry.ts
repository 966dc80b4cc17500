// A construction: an independent entry of data that combines with all others through its categories.
export interface Entry {
  id: string;
  /** The category of the result. */
  out: string;
  /** Words, {slot:category.feature}, [optional parts], this|or|that. */
  patterns: readonly string[];
  /** An operator from meaning/operators.ts, and its inputs in addition to the slots. */
  meaning: string;
  takes?: Readonly<Record<string, string>>;
  /** Questions about the test shop that use the entry, and others that don't. */
  examples: readonly [string, string];
  counterexamples: readonly [string, string];
}
