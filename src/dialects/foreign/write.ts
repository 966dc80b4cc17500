// Writes unambiguous SQL, with every name in quotes and every nested operation in parentheses. In plain form, writes
// only the parentheses of the source, so that svc can compare the result with the source.
import type { Expression, Query } from '../tree.ts';
import type { ForeignGrammar } from './grammar.ts';
import type { BracketCounts } from './reader.ts';
import { writeExpression } from './write-expression.ts';
import { writeQuery } from './write-query.ts';
import { Writing } from './writing.ts';

const createWriting = (grammar: ForeignGrammar, source: BracketCounts | null): Writing =>
  new Writing(grammar, source, { query: writeQuery, expression: writeExpression });

/**
 * Returns the SQL and the start of each node. Throws UnwritableError('brackets') if the source has too few parentheses.
 */
export function writeAsInSource(
  grammar: ForeignGrammar,
  query: Query,
  source: BracketCounts,
): Pick<Writing, 'text' | 'starts'> {
  const plainWriting = createWriting(grammar, source);
  plainWriting.putQuery(query);
  return plainWriting;
}

export function writeForeign(grammar: ForeignGrammar, query: Query): string {
  const writing = createWriting(grammar, null);
  writing.putQuery(query);
  return writing.text;
}

export function writeForeignExpression(grammar: ForeignGrammar, expression: Expression): string {
  const writing = createWriting(grammar, null);
  writing.putExpression(expression);
  return writing.text;
}
