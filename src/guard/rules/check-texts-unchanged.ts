// Checks that each string in the compiler's tree is one token in the SQL that svc wrote from the tree (G22). svc
// doesn't parse the compiler's SQL again, so a mistake in writing a value could go unnoticed without this check.
import type { Dialect } from '../../dialects/dialect.ts';
import type { Faults } from '../../dialects/faults.ts';
import { nodesIn } from '../../dialects/nodes.ts';
import type { Query } from '../../dialects/tree.ts';

/** Adds a fault if a string occurs less often in the SQL than in the tree. */
export function checkTextsUnchanged(dialect: Dialect, text: string, query: Query, faults: Faults): void {
  const remainingTexts = new Map<string, number>();
  for (const value of dialect.texts(text)) remainingTexts.set(value, (remainingTexts.get(value) ?? 0) + 1);
  for (const node of nodesIn(query)) {
    if (node.kind !== 'literal' || !QUOTED_TYPES.has(node.type)) continue;
    const remaining = remainingTexts.get(node.value) ?? 0;
    if (remaining === 0)
      faults.add('literal', 'The SQL does not contain each value of the statement as a single constant.');
    remainingTexts.set(node.value, remaining - 1);
  }
}

const QUOTED_TYPES = new Set(['string', 'date', 'time', 'datetime', 'timestamp']);
