// Reads SQL of an engine without a parser library, and checks the tree against its source.
import type { Faults } from '../faults.ts';
import type { Query } from '../tree.ts';
import type { ForeignGrammar } from './grammar.ts';
import { parseForeign } from './parse.ts';
import { extractStatementTokens, verifyReading } from './prove.ts';
import { readExpression } from './read-expression.ts';
import { readQuery } from './read-query.ts';
import { Reading } from './reader.ts';

export async function readForeign(grammar: ForeignGrammar, sql: string, faults: Faults): Promise<Query | null> {
  const tokens = extractStatementTokens(grammar, sql, faults);
  const parserTree = tokens && (await parseForeign(grammar, tokens, faults));
  if (!parserTree) return null;
  const reading = new Reading(grammar, faults, { expression: readExpression, query: readQuery });
  const query = reading.readQuery(parserTree);
  if (faults.list.length === 0) verifyReading(reading, query, sql, tokens);
  return query;
}
