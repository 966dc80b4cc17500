// The parts of a dialect that follow from its grammar, for engines without a parser library.
import type { Dialect } from '../dialect.ts';
import { Faults } from '../faults.ts';
import type { ForeignGrammar } from './grammar.ts';
import { markParameters } from './parameters.ts';
import { readForeign } from './read.ts';
import { foreignTokens } from './tokens.ts';
import { writeForeign, writeForeignExpression } from './write.ts';

export const foreignDialect = (
  grammar: ForeignGrammar,
): Pick<Dialect, 'parameters' | 'read' | 'write' | 'writeExpression' | 'texts'> => ({
  parameters: {
    form: 'marks',
    bind: (sql, _, declared, faults) => markParameters(grammar, sql, declared, faults),
  },
  read: (sql, faults) => readForeign(grammar, sql, faults),
  write: (query) => writeForeign(grammar, query),
  writeExpression: (expression) => writeForeignExpression(grammar, expression),
  texts: (sql) =>
    foreignTokens(grammar, sql, new Faults()).flatMap(({ kind, text }) => (kind === 'string' ? [text] : [])),
});
