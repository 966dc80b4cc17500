// Counts the copies of CASE operands before svc parses a statement. DuckDB's parser copies the operand of a CASE for
// each WHEN, so copies in nested CASEs multiply. The parser can't be canceled and has no memory limit.
import type { FaultCollector } from '../../../dialects/fault-collector.ts';
import { tokenize } from '../../../dialects/lexer.ts';

const MAX_COPIED_TOKENS = 5_000;

interface UnfinishedCase {
  depth: number;
  operandSize: number;
  otherSize: number;
  whenCount: number;
}

/** Returns true and reports a fault if the statement has too many copies. svc must not parse such a statement. */
export function hasTooManyCopies(sql: string, faults: FaultCollector): boolean {
  if (countCopies(sql) <= MAX_COPIED_TOKENS) return false;
  const message = `CASE copies its operand for each WHEN. In this statement, the copies have more than ${MAX_COPIED_TOKENS} words and signs. Write CASE WHEN with a condition, or nest fewer CASE expressions.`;
  faults.add('too_many_copies', message);
  return true;
}

function countCopies(sql: string): number {
  const openCases: UnfinishedCase[] = [];
  let [depth, writtenSize, count, previousWord] = [0, 0, 0, ''];
  const addSize = (size: number) => {
    const innermostCase = openCases.at(-1);
    if (!innermostCase) writtenSize += size;
    else if (innermostCase.whenCount === 0) innermostCase.operandSize += size;
    else innermostCase.otherSize += size;
  };
  const closeCase = () => {
    const { operandSize, otherSize, whenCount } = openCases.pop()!;
    addSize(operandSize * Math.max(1, whenCount) + otherSize);
  };
  for (const { kind, start, end } of tokenize(sql)) {
    if (kind === 'comment') continue;
    const text = kind === 'word' ? sql.slice(start, end).toLowerCase() : sql[start]!;
    // A keyword after a dot or after AS is a name.
    const word = kind === 'word' && previousWord !== '.' && previousWord !== 'as' ? text : '';
    previousWord = text;
    count++;
    if (kind === 'open') depth++;
    if (kind === 'close') {
      depth--;
      while (openCases.length > 0 && openCases.at(-1)!.depth > depth) closeCase();
    }
    if (word === 'case') openCases.push({ depth, operandSize: 0, otherSize: 0, whenCount: 0 });
    const innermostCase = openCases.at(-1);
    if (word === 'when' && innermostCase?.depth === depth) innermostCase.whenCount++;
    addSize(1);
    if (word === 'end' && innermostCase?.depth === depth) closeCase();
  }
  while (openCases.length > 0) closeCase();
  return writtenSize - count;
}
