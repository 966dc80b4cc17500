// Counts how often DuckDB's parser would copy the operands of nested CASEs. The parser can't be canceled and has no
// memory limit (G15), so svc counts before it parses.
import type { Faults } from '../../../dialects/faults.ts';
import { tokens } from '../../../dialects/lexer.ts';

/** The number of words and signs. */
const MAX_COPIED = 5_000;

interface Case {
  depth: number;
  operand: number;
  others: number;
  whens: number;
}

/** Adds a fault and returns true if svc must not parse the statement. */
export function copiesTooMuch(sql: string, faults: Faults): boolean {
  if (countCopies(sql) <= MAX_COPIED) return false;
  const message = `CASE copies its operand for each WHEN, here more than ${MAX_COPIED} words and signs in all. Write CASE WHEN with a condition, or nest less.`;
  faults.add('too_many_copies', message);
  return true;
}

function countCopies(sql: string): number {
  const open: Case[] = [];
  let [depth, written, count, before] = [0, 0, 0, ''];
  const add = (size: number) => {
    const inner = open.at(-1);
    if (!inner) written += size;
    else if (inner.whens === 0) inner.operand += size;
    else inner.others += size;
  };
  const close = () => {
    const { operand, others, whens } = open.pop()!;
    add(operand * Math.max(1, whens) + others);
  };
  for (const { kind, start, end } of tokens(sql)) {
    if (kind === 'comment') continue;
    const text = kind === 'word' ? sql.slice(start, end).toLowerCase() : sql[start]!;
    // A keyword after a dot or after AS is a name.
    const word = kind === 'word' && before !== '.' && before !== 'as' ? text : '';
    before = text;
    count++;
    if (kind === 'open') depth++;
    if (kind === 'close') {
      depth--;
      while (open.length > 0 && open.at(-1)!.depth > depth) close();
    }
    if (word === 'case') open.push({ depth, operand: 0, others: 0, whens: 0 });
    const inner = open.at(-1);
    if (word === 'when' && inner?.depth === depth) inner.whens++;
    add(1);
    if (word === 'end' && inner?.depth === depth) close();
  }
  while (open.length > 0) close();
  return written - count;
}
