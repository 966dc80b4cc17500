import type { ChartEdge } from '../../src/reader/chart/chart.ts';
import type { Term } from '../../src/reader/meaning/terms.ts';

/** Returns the grammar entries that an interpretation uses. */
export const entriesOf = (edge: ChartEdge<Term>, seenKeys = new Set<ChartEdge<Term>>()): Set<string> => {
  const used = new Set<string>();
  if (seenKeys.has(edge)) return used;
  seenKeys.add(edge);
  for (const { rule, parts } of edge.derivations) {
    used.add(rule.entry);
    for (const part of parts) for (const id of entriesOf(part, seenKeys)) used.add(id);
  }
  return used;
};
