// A statement that our compiler made is not read again: its values could only become something else where its text is
// written. So each text that the tree holds is in it as one word of the engine (G22).
import type { Dialect } from '../../dialects/dialect.ts';
import type { Faults } from '../../dialects/faults.ts';
import { nodesIn } from '../../dialects/nodes.ts';
import type { Query } from '../../dialects/tree.ts';

/** Adds a fault when a text of the tree is not in the text, as often as the tree has it. */
export function checkTextsStand(dialect: Dialect, text: string, query: Query, faults: Faults): void {
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
