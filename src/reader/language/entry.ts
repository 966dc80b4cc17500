// What a construction is: one entry of data, local, composed by its categories with all others.
export interface Entry {
  id: string;
  /** The category it makes. */
  out: string;
  /** Words, {slot:category.feature}, [what may be left out], this|or|that. */
  patterns: readonly string[];
  /** An operator of meaning/operators.ts, and what it takes beside the slots. */
  meaning: string;
  takes?: Readonly<Record<string, string>>;
  /** Questions over the shop of the tests whose reading uses the entry, and others that have none of it. */
  examples: readonly [string, string];
  counterexamples: readonly [string, string];
}
