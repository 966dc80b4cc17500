// Binds a statement. A statement with parameters runs with typed literals, which Trino reads separately from the SQL.

import { refusedByEngine } from '../../../adapters/warehouse/faults.ts';
import { Faults } from '../../../dialects/faults.ts';
import type { ForeignToken } from '../../../dialects/foreign/grammar.ts';
import { quoteWith } from '../../../dialects/foreign/rules.ts';
import { foreignTokens, isSign } from '../../../dialects/foreign/tokens.ts';
import type { FetchOptions } from '../../../domain/ports.ts';
import { TRINO_GRAMMAR } from '../dialect/grammar.ts';

type Parameters = NonNullable<FetchOptions['parameters']>;

export function bindTrino(
  sql: string,
  names: readonly string[],
  parameters: Parameters = [],
  around: (sql: string) => string = (one) => one,
): string {
  const statement = around(withoutEnd(sql));
  if (names.length === 0) return statement;
  const values = names.map((name) => constantOf(parameters.find((value) => value.name === name)));
  return `execute immediate ${quoteWith("'", statement)} using ${values.join(', ')}`;
}

/** Replaces each parameter with an unknown value, because EXPLAIN accepts no parameters. */
export function unboundTrino(sql: string): string {
  const statement = withoutEnd(sql);
  let text = '';
  let from = 0;
  for (const { start, end } of tokensOf(statement).filter(({ kind }) => kind === 'positional')) {
    text += `${statement.slice(from, start)}null`;
    from = end;
  }
  return text + statement.slice(from);
}

const tokensOf = (sql: string): ForeignToken[] => foreignTokens(TRINO_GRAMMAR, sql, new Faults());

function withoutEnd(sql: string): string {
  const tokens = tokensOf(sql);
  const end = tokens.findIndex((token) => isSign(token, ';'));
  if (end >= 0 && end < tokens.length - 1) throw refusedByEngine('several statements');
  return end >= 0 ? sql.slice(0, tokens[end]!.start) : sql;
}

function constantOf(parameter: Parameters[number] | undefined): string {
  if (!parameter || parameter.value === null) return 'null';
  const text = typeof parameter.value === 'object' ? JSON.stringify(parameter.value) : String(parameter.value);
  const quoted = (type: string, value: string): string => `${type} ${quoteWith("'", value)}`;
  switch (parameter.datatype) {
    case 'integer':
    case 'decimal':
      return quoted('decimal', text);
    case 'float':
      return quoted('double', text);
    case 'boolean':
      return text === 'true' ? 'true' : 'false';
    case 'date':
      return quoted('date', text);
    case 'time':
      return quoted('time', text);
    case 'datetime':
      return quoted('timestamp', text.replace('T', ' '));
    case 'datetimetz':
      return quoted('timestamp', instant(text));
    default:
      return quoteWith("'", text);
  }
}

function instant(text: string): string {
  const time = new Date(/[zZ]|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(time.getTime()) ? text : time.toISOString().replace('T', ' ').replace('Z', ' UTC');
}
