// The compiler's statements aren't parsed again. Their values could only change meaning when they are
// written, so this checks that each text of the tree is one token of the statement (G22).
import type { Dialect } from '../../dialects/dialect.ts';
import type { Faults } from '../../dialects/faults.ts';
import { nodesIn } from '../../dialects/nodes.ts';
import type { Query } from '../../dialects/tree.ts';

/** Adds a fault if a text occurs less often in the statement than in the tree. */
export function checkTextsUnchanged(dialect: Dialect, text: string, query: Query, faults: Faults): void {
  const standing = new Map<string, number>();
  for (const value of dialect.texts(text)) standing.set(value, (standing.get(value) ?? 0) + 1);
  for (const node of nodesIn(query)) {
    if (node.kind !== 'literal' || !QUOTED.has(node.type)) continue;
    const left = standing.get(node.value) ?? 0;
    if (left === 0) faults.add('literal', 'A value of the statement is not a single constant.');
    standing.set(node.value, left - 1);
  }
}

const QUOTED = new Set(['string', 'date', 'time', 'datetime', 'timestamp']);
