// Binds parameters. svc passes them as typed literals in EXECUTE IMMEDIATE … USING, separately from the SQL.

import {
  type BoundParameters,
  findParameterText,
  type ParameterText,
  readStatementTokens,
  replaceParameterMarks,
  toUtcText,
} from '../../../adapters/warehouse/parameters.ts';
import { quoteText } from '../../../dialects/foreign/rules.ts';
import { isSymbol } from '../../../dialects/foreign/tokens.ts';
import { TRINO_GRAMMAR } from '../dialect/grammar.ts';

export function bindTrino(
  sql: string,
  names: readonly string[],
  parameters: BoundParameters = [],
  wrapSql: (sql: string) => string = (unwrappedSql) => unwrappedSql,
): string {
  const statement = wrapSql(removeFinalSemicolon(sql));
  if (names.length === 0) return statement;
  const values = names.map((name) => writeParameterConstant(findParameterText(parameters, name)));
  return `execute immediate ${quoteText("'", statement)} using ${values.join(', ')}`;
}

/** Replaces parameters with null, because EXPLAIN accepts no parameters. */
export function replaceParametersWithNull(sql: string): string {
  const statement = removeFinalSemicolon(sql);
  return replaceParameterMarks(statement, readStatementTokens(TRINO_GRAMMAR, statement), () => 'null');
}

function removeFinalSemicolon(sql: string): string {
  const lastToken = readStatementTokens(TRINO_GRAMMAR, sql).at(-1);
  return isSymbol(lastToken, ';') ? sql.slice(0, lastToken!.start) : sql;
}

function writeParameterConstant(parameter: ParameterText | null): string {
  if (!parameter) return 'null';
  const { datatype, text } = parameter;
  const typedLiteral = (type: string, value: string): string => `${type} ${quoteText("'", value)}`;
  switch (datatype) {
    case 'integer':
    case 'decimal':
      return typedLiteral('decimal', text);
    case 'float':
      return typedLiteral('double', text);
    case 'boolean':
      return text === 'true' ? 'true' : 'false';
    case 'date':
    case 'time':
      return typedLiteral(datatype, text);
    case 'datetime':
      return typedLiteral('timestamp', text.replace('T', ' '));
    case 'datetimetz':
      return typedLiteral('timestamp', toUtcText(text, ' UTC'));
    default:
      return quoteText("'", text);
  }
}
