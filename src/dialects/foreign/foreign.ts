// What an engine without a parser of its own for us has from its grammar alone.
import type { Dialect } from '../dialect.ts';
import type { ForeignGrammar } from './grammar.ts';
import { markParameters } from './parameters.ts';
import { readForeign } from './read.ts';
import { writeForeign, writeForeignExpression } from './write.ts';

export const foreign = (
  grammar: ForeignGrammar,
): Pick<Dialect, 'parameters' | 'read' | 'write' | 'writeExpression'> => ({
  parameters: {
    form: 'marks',
    bind: (sql, _, declared, faults) => markParameters(grammar, sql, declared, faults),
  },
  read: (sql, faults) => readForeign(grammar, sql, faults),
  write: (query) => writeForeign(grammar, query),
  writeExpression: (expression) => writeForeignExpression(grammar, expression),
});
