// What an engine's half of the guard hands back: what was found, and how to make the text that runs.
import type { Analysis } from './analysis.ts';
import type { OutputColumn } from './name-scope.ts';

export interface Examined {
  analysis: Analysis;
  outputs: OutputColumn[];
  /** The outermost level has an ORDER BY. */
  ordered: boolean;
  /** Puts the governed bodies and our limit in; adds faults instead of guessing. */
  rewrite(maxRows: number | null): Promise<string>;
  /** Asked of what runs: whether its engine could fail to let go of one of our threads. */
  apart?(): boolean;
}
