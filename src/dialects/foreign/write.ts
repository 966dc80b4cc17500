// Writes unambiguous SQL, with every name in quotes and parentheses around every nested operation. In plain form,
// writes only the parentheses of the source, so that svc can compare the result with the source.
import type { Expression, Query } from '../tree.ts';
import type { ForeignGrammar } from './grammar.ts';
import { SqlWriter } from './sql-writer.ts';
import type { BracketCounts } from './tree-reader.ts';
import { writeExpression } from './write-expression.ts';
import { writeQuery } from './write-query.ts';

const createSqlWriter = (grammar: ForeignGrammar, source: BracketCounts | null): SqlWriter =>
  new SqlWriter(grammar, source, { query: writeQuery, expression: writeExpression });

/**
 * Returns the SQL and the start of each node. Throws UnwritableError('brackets') if the source has too few parentheses.
 */
export function writeWithSourceParentheses(
  grammar: ForeignGrammar,
  query: Query,
  source: BracketCounts,
): Pick<SqlWriter, 'text' | 'starts'> {
  const plainWriting = createSqlWriter(grammar, source);
  plainWriting.putQuery(query);
  return plainWriting;
}

export function writeForeign(grammar: ForeignGrammar, query: Query): string {
  const writer = createSqlWriter(grammar, null);
  writer.putQuery(query);
  return writer.text;
}

export function writeForeignExpression(grammar: ForeignGrammar, expression: Expression): string {
  const writer = createSqlWriter(grammar, null);
  writer.putExpression(expression);
  return writer.text;
}
