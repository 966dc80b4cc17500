// Writes a neutral tree so that it can be read in one way only: every name in quotes, every operation inside another in
// brackets. Written plainly instead, with the brackets of its source and no others, it is compared with that source.
import type { Expression, Query } from '../tree.ts';
import type { ForeignGrammar } from './grammar.ts';
import type { Brackets } from './reader.ts';
import { writeExpression } from './write-expression.ts';
import { writeQuery } from './write-query.ts';
import { Writing } from './writing.ts';

const writing = (grammar: ForeignGrammar, source: Brackets | null): Writing =>
  new Writing(grammar, source, { query: writeQuery, expression: writeExpression });

/** With where each node begins. Throws Unwritable('brackets') where the source has too few of them. */
export function writtenPlainly(
  grammar: ForeignGrammar,
  query: Query,
  source: Brackets,
): Pick<Writing, 'text' | 'starts'> {
  const plain = writing(grammar, source);
  plain.query(query);
  return plain;
}

export function writeForeign(grammar: ForeignGrammar, query: Query): string {
  const exact = writing(grammar, null);
  exact.query(query);
  return exact.text;
}

export function writeForeignExpression(grammar: ForeignGrammar, expression: Expression): string {
  const exact = writing(grammar, null);
  exact.expression(expression);
  return exact.text;
}
