// Binds the parameters of a statement. svc passes them as typed literals in EXECUTE IMMEDIATE … USING, separately from
// the SQL.

import { engineRefusalProblem } from '../../../adapters/warehouse/faults.ts';
import { Faults } from '../../../dialects/faults.ts';
import type { ForeignToken } from '../../../dialects/foreign/grammar.ts';
import { quoteWith } from '../../../dialects/foreign/rules.ts';
import { isSymbol, tokenizeForeign } from '../../../dialects/foreign/tokens.ts';
import type { FetchOptions } from '../../../domain/ports.ts';
import { TRINO_GRAMMAR } from '../dialect/grammar.ts';

type Parameters = NonNullable<FetchOptions['parameters']>;

export function bindTrino(
  sql: string,
  names: readonly string[],
  parameters: Parameters = [],
  wrapSql: (sql: string) => string = (unwrappedSql) => unwrappedSql,
): string {
  const statement = wrapSql(withoutSemicolon(sql));
  if (names.length === 0) return statement;
  const values = names.map((name) => constantOf(parameters.find((value) => value.name === name)));
  return `execute immediate ${quoteWith("'", statement)} using ${values.join(', ')}`;
}

/** Replaces each parameter with null, because EXPLAIN accepts no parameters. */
export function withoutParameters(sql: string): string {
  const statement = withoutSemicolon(sql);
  let text = '';
  let copiedEnd = 0;
  for (const { start, end } of tokensOf(statement).filter(({ kind }) => kind === 'positional')) {
    text += `${statement.slice(copiedEnd, start)}null`;
    copiedEnd = end;
  }
  return text + statement.slice(copiedEnd);
}

const tokensOf = (sql: string): ForeignToken[] => tokenizeForeign(TRINO_GRAMMAR, sql, new Faults());

function withoutSemicolon(sql: string): string {
  const tokens = tokensOf(sql);
  const end = tokens.findIndex((token) => isSymbol(token, ';'));
  if (end >= 0 && end < tokens.length - 1) throw engineRefusalProblem('several statements');
  return end >= 0 ? sql.slice(0, tokens[end]!.start) : sql;
}

function constantOf(parameter: Parameters[number] | undefined): string {
  if (!parameter || parameter.value === null) return 'null';
  const text = typeof parameter.value === 'object' ? JSON.stringify(parameter.value) : String(parameter.value);
  const typedLiteral = (type: string, value: string): string => `${type} ${quoteWith("'", value)}`;
  switch (parameter.datatype) {
    case 'integer':
    case 'decimal':
      return typedLiteral('decimal', text);
    case 'float':
      return typedLiteral('double', text);
    case 'boolean':
      return text === 'true' ? 'true' : 'false';
    case 'date':
      return typedLiteral('date', text);
    case 'time':
      return typedLiteral('time', text);
    case 'datetime':
      return typedLiteral('timestamp', text.replace('T', ' '));
    case 'datetimetz':
      return typedLiteral('timestamp', toTrinoInstant(text));
    default:
      return quoteWith("'", text);
  }
}

function toTrinoInstant(text: string): string {
  const time = new Date(/[zZ]|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(time.getTime()) ? text : time.toISOString().replace('T', ' ').replace('Z', ' UTC');
}
